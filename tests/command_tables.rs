//! What the command's tables say is so, in the rows of the input, whatever order the world keeps.

use crate::command::Room;

/// Two circles that come from far, among 300 others, so that a world sorts its rows: their rows of the state, of the contacts and of the
/// events, after two steps of 1. `pair`: x, y, radius, vx, vy of either.
fn meeting(room: &Room, pair: [[f32; 5]; 2]) -> [String; 3] {
    let mut circles = "x,y,radius,vx,vy,mass\n".to_string();
    for [x, y, radius, vx, vy] in pair {
        circles += &format!("{x},{y},{radius},{vx},{vy},inf\n");
    }
    for row in 0..300 {
        // Some 3 apart, a little off, above all that the two do.
        let (x, y) = (3.0 * f64::from(row % 20) - 30.0, 3.0 * f64::from(row / 20) + 9.0);
        circles += &format!("{},{},0.2,0,0,inf\n", x + 0.07 * f64::from(row % 7), y + 0.11 * f64::from(row % 5));
    }
    room.write("c.csv", &circles);
    room.text(&[
        "run",
        "--circles=c.csv",
        "--dt=1",
        "--steps=2",
        "--contacts=k.csv",
        "--events=e.csv",
        "--state=s.csv",
    ]);
    let of = |name: &str, part: &str| {
        let rows: Vec<_> = room.read(name).lines().filter(|line| line.contains(part)).map(str::to_string).collect();
        assert_eq!(rows.len(), 1, "{part} in {name}: {rows:?}");
        rows[0].clone()
    };
    let state: Vec<_> = room.read("s.csv").lines().skip(1).take(2).map(str::to_string).collect();
    [state.join(" "), of("k.csv", "circle_circle,0,1,"), of("e.csv", "begin,circle_circle,0,1,")]
}

/// Nothing moves what has no finite mass, so the state is what the normal was taken from. Either way round: in one of both the world's order
/// is not that of the input.
#[test]
fn normals_go_from_a_to_b_whatever_the_order_of_the_world() {
    let room = Room::new("normals");
    for side in [1.0, -1.0] {
        let (x, v) = (32.0 * side, -16.0 * side);
        // 2e-9 apart, far below half a unit in the last place of the radii's sum, so that the separation is that of coincident centres: 0 is above.
        let [state, contact, event] = meeting(&room, [[x, 1e-9, 1.0, v, 0.0], [-x, -1e-9, 1.0, -v, 0.0]]);
        assert_eq!(state, format!("0,1e-9,1,{v},0,inf 0,-1e-9,1,{},0,inf", -v));
        // Midway is 0, of which the point may be off by a rounding of the radii.
        let fields = |row: &str| row.split(',').map(str::to_string).collect::<Vec<_>>();
        let (contact, event) = (fields(&contact), fields(&event));
        for (point, normal) in [(&contact[3..5], &contact[5..7]), (&event[6..8], &event[8..10])] {
            assert!(point[0] == "0" && point[1].parse::<f32>().is_ok_and(|y| y.abs() < 6e-8), "{point:?}");
            assert_eq!(normal, ["0", "-1"]);
        }
        assert_eq!(contact[7], "-2");
        // Centre on centre: along (0, 1) by convention, midway between 3 above it and 0.5 below it. 0 falls at 1, 1 rises at 1, so that
        // along (0, 1) they come near each other at -2.
        let [state, contact, event] = meeting(&room, [[x, 2.0, 3.0, v, -1.0], [-x, -2.0, 0.5, -v, 1.0]]);
        assert_eq!(state, format!("0,0,3,{v},-1,inf 0,0,0.5,{},1,inf", -v));
        assert_eq!(contact, "circle_circle,0,1,0,1.25,0,1,-3.5,,,,,");
        assert_eq!(event, "2,begin,circle_circle,0,1,,0,1.25,0,1,-2");
    }
}
