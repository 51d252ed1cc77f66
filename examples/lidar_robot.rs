//! A robot with a lidar drives through a real map: 360 beams a step, the way that is open the longest is taken.
//!
//! `cargo run --release --example lidar_robot`

use gridlane::geometry::{Circle, Segment};
use gridlane::{Fan, QueryFilter, Scan, World, WorldConfig};

const RADIUS: f32 = 24.0;
const RANGE: f32 = 1500.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldConfig::default())?;
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/maps/freedoom1-e1m1.segments.csv");
    for line in std::fs::read_to_string(map)?.lines().skip(1) {
        let n: Vec<f32> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        world.add_segment(Segment::new([n[0], n[1]], [n[2], n[3]]))?;
    }

    let queries = world.queries();
    let walls = QueryFilter::new().segments_only();
    let (mut at, mut heading, mut path) = (open_place(&world), 0.0f32, Vec::new());
    let mut scan = Scan::new();
    for _ in 0..60 {
        let fan = Fan { origin: at.into(), heading, spread: std::f32::consts::TAU, beams: 360, range: RANGE };
        queries.cast_fan(fan, walls, &mut scan)?;
        // Ahead counts for more than behind: beam 180 is the heading.
        let score = |k: usize| scan.distances()[k] * (1.2 - (k as f32 - 180.0).abs() / 180.0);
        let best = (0..360).max_by(|&a, &b| score(a).total_cmp(&score(b))).expect("beams");
        let d = fan.direction(best as u32);
        heading += (best as f32 - 180.0).to_radians();
        // No farther than the robot, which is round, gets; and half of that, to be sure.
        let way = [d.x * 200.0, d.y * 200.0];
        let free = queries.cast_circle(Circle::new(at, RADIUS), way, walls)?.map_or(1.0, |hit| hit.fraction) * 0.5;
        at = [at[0] + way[0] * free, at[1] + way[1] * free];
        path.push(at);
        // The map is closed: wherever the robot goes, every beam that sees far enough meets a wall.
        let around = Fan { range: 1e5, ..fan };
        queries.cast_fan(around, walls, &mut scan)?;
        assert!(scan.hits().iter().all(|hit| hit.is_hit()), "a beam leaves the map");
    }

    let met = scan.hits().iter().filter(|hit| hit.is_hit()).count();
    let nearest = scan.distances().iter().fold(RANGE, |a, &b| a.min(b));
    println!("{} walls, 60 scans of 360 beams", world.segments().len());
    println!("the last scan: {met} beams meet a wall, the nearest is {nearest:.1} away");
    println!("{}", draw(&world, &path));
    assert!(nearest >= RADIUS * 0.99, "the robot stands in a wall");
    Ok(())
}

/// The first place, of a coarse lattice over the map, that is far from all walls.
fn open_place(world: &World) -> [f32; 2] {
    let (queries, filter) = (world.queries(), QueryFilter::new());
    let segments = world.segments();
    let middle = |k: usize| [(segments.x0()[k] + segments.x1()[k]) / 2.0, (segments.y0()[k] + segments.y1()[k]) / 2.0];
    let place = (0..segments.len()).map(middle).map(|[x, y]| [x + 70.0, y + 50.0]).find(|&p| {
        let mut scan = Scan::new();
        let all = queries.cast_fan(Fan::around(p, 64, RANGE), filter, &mut scan);
        all.is_ok() && scan.hits().iter().all(|hit| hit.is_hit()) && scan.distances().iter().all(|&d| d > 2.0 * RADIUS)
    });
    place.expect("the map has rooms")
}

/// The map as seen from above, `#` walls and `o` where the robot was.
fn draw(world: &World, path: &[[f32; 2]]) -> String {
    const SIZE: (usize, usize) = (100, 40);
    let s = world.segments();
    let ends = |a: &[f32], b: &[f32]| {
        let all = || a.iter().chain(b).copied();
        (all().fold(f32::MAX, f32::min), all().fold(f32::MIN, f32::max))
    };
    let ((left, right), (low, high)) = (ends(s.x0(), s.x1()), ends(s.y0(), s.y1()));
    let mut rows = vec![vec![' '; SIZE.0]; SIZE.1];
    let mut put = |x: f32, y: f32, c: char| {
        let column = ((x - left) / (right - left) * (SIZE.0 - 1) as f32) as usize;
        let row = ((high - y) / (high - low) * (SIZE.1 - 1) as f32) as usize;
        rows[row][column] = c;
    };
    for k in 0..s.len() {
        for step in 0..=20 {
            let t = step as f32 / 20.0;
            put(s.x0()[k] + t * (s.x1()[k] - s.x0()[k]), s.y0()[k] + t * (s.y1()[k] - s.y0()[k]), '#');
        }
    }
    path.iter().for_each(|p| put(p[0], p[1], 'o'));
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}
