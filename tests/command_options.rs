//! Promise: what the command is told of forces, masses, sides and rims is what bodies do. Each outcome is worked out by hand.

use crate::command::Room;

/// The rows `x,y,radius,vx,vy,mass` after so many steps of 1/64 s.
fn state(name: &str, [circles, segments]: [&str; 2], steps: usize, options: &[&str]) -> Vec<Vec<f64>> {
    let room = Room::new(name);
    room.write("c.csv", circles);
    room.write("s.csv", segments);
    let steps = format!("--steps={steps}");
    let mut all = vec!["run", "--circles=c.csv", &steps, "--dt=1/64", "--state=out.csv"];
    if !segments.is_empty() {
        all.push("--segments=s.csv");
    }
    all.extend(options);
    room.text(&all);
    let text = room.read("out.csv");
    text.lines().skip(1).map(|row| row.split(',').map(|field| field.parse().expect("a number")).collect()).collect()
}

#[test]
fn gravity_pulls() {
    let rows = state("gravity", ["x,y,radius\n0,0,1\n", ""], 1, &["--gravity=32,-64"]);
    assert_eq!(rows[0][3..5], [0.5, -1.0]);
}

/// Half a step to the wall, and half of it back.
#[test]
fn so_much_comes_back_as_is_asked_and_from_the_solid_side_alone() {
    let scene = ["x,y,radius,vx,vy\n4.25,0,0.5,32,0\n", "x0,y0,x1,y1\n5,-9,5,9\n"];
    let x = |options: &[&str]| {
        let rows = state("wall", scene, 1, options);
        [rows[0][0], rows[0][3]]
    };
    let near = |found: [f64; 2], expected: [f64; 2]| {
        assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 1e-4), "{found:?}, not {expected:?}");
    };
    near(x(&[]), [4.25, -32.0]);
    near(x(&["--restitution=0.5"]), [4.375, -16.0]);
    // It comes from the left of a wall that goes up.
    near(x(&["--one-sided"]), [4.75, 32.0]);
}

/// Of masses 3 and 1, at 1 and -1, elastically: 0 and 2.
#[test]
fn masses_are_those_of_the_table() {
    let rows = state("masses", ["x,y,radius,vx,vy,mass\n0,0,0.5,1,0,3\n1.01,0,0.5,-1,0,1\n", ""], 1, &[]);
    assert!(rows[0][3].abs() < 1e-6 && (rows[1][3] - 2.0).abs() < 1e-6, "{rows:?}");
}

/// A wall that comes at 16 gives an elastic disc 32.
#[test]
fn walls_move_as_the_table_says() {
    let wall = "x0,y0,x1,y1,vx0,vy0,vx1,vy1\n0,-9,0,9,16,0,16,0\n";
    let rows = state("moving", ["x,y,radius\n0.6,0,0.5\n", wall], 1, &[]);
    assert!((rows[0][3] - 32.0).abs() < 1e-4, "{rows:?}");
    let still = state("still", ["x,y,radius\n0.6,0,0.5\n", "x0,y0,x1,y1\n0,-9,0,9\n"], 1, &[]);
    assert_eq!(still[0][3], 0.0);
}

/// Discs that nothing can push make a box from -5 to 5. Sixteen steps of half a unit to the right; a rim turns who is beyond it when a step ends, here with
/// the tenth, at 5, and leaves six to go back.
#[test]
fn rims_turn_back_or_repeat() {
    let circles = "x,y,radius,vx,vy,mass\n-4,-4,1,0,0,inf\n4,4,1,0,0,inf\n0,0,0.5,32,0,1\n";
    for (option, expected) in
        [("--bounds=none", [8.0, 32.0]), ("--bounds=reflect", [2.0, -32.0]), ("--bounds=periodic", [-2.0, 32.0])]
    {
        let rows = state("rims", [circles, ""], 16, &[option]);
        let found = [rows[2][0], rows[2][3]];
        assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 1e-4), "{option}: {found:?}");
    }
}
