//! Promise: what was once wrong stays right: `tests/data/regressions.txt`, through the pairwise functions, detectors of both
//! backends and a world; and motions, which that file cannot tell.

use crate::common::truth::{Columns, Sets};
use gridlane::geometry::{self, bounce, push_out};
use gridlane::{
    Backend, Bounds, Circle, Contacts, Detector, DetectorConfig, Error, Feature, NeighborLists, QueryFilter, Ray,
    Segment, Vec2, World, WorldConfig,
};

/// Normal and separation.
type Values = Option<[f32; 3]>;

#[derive(Default)]
struct Case {
    name: String,
    cause: String,
    scene: Columns,
    expected: Sets,
    circles: Vec<Values>,
    walls: Vec<(&'static str, Values)>,
}

fn float(word: &str) -> f32 {
    assert_eq!(word.len(), 8, "{word}");
    f32::from_bits(u32::from_str_radix(word, 16).unwrap())
}

fn values(words: &[&str]) -> Values {
    (!words.is_empty()).then(|| [float(words[0]), float(words[1]), float(words[2])])
}

/// One of the known names, so that it can be compared with what the library calls it.
fn known(word: &str) -> &'static str {
    let names = ["interior", "start", "end", "cross", "touch", "overlap", "near"];
    names.into_iter().find(|name| *name == word).unwrap_or_else(|| panic!("{word}"))
}

fn corpus() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("data/regressions.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (kind, rest) = line.split_once(' ').unwrap();
        if kind == "case" {
            cases.push(Case { name: rest.to_owned(), ..Default::default() });
            continue;
        }
        let case = cases.last_mut().unwrap();
        let words: Vec<&str> = rest.split(' ').collect();
        let row = |k: usize| words[k].parse::<u32>().unwrap();
        match kind {
            "cause" => case.cause = rest.to_owned(),
            "circle" => case.scene.push_circle([float(words[0]), float(words[1])], float(words[2])),
            "segment" => {
                let [p, q] = [[float(words[0]), float(words[1])], [float(words[2]), float(words[3])]];
                case.scene.push_segment(p, q);
            }
            "circles" => {
                case.expected.circle_circle.push((row(0), row(1)));
                case.circles.push(values(&words[2..]));
            }
            "circle-segment" => {
                case.expected.circle_segment.push((row(0), row(1)));
                case.walls.push((known(words[2]), values(&words[3..])));
            }
            "segments" => case.expected.segment_segment.push((row(0), row(1), known(words[2]))),
            _ => panic!("{line}"),
        }
    }
    cases
}

fn check_values(expected: Values, normal: Vec2, separation: f32, what: &str) {
    if let Some([x, y, gap]) = expected {
        let found = [normal.x, normal.y, separation];
        // By value: -0 is 0.
        assert_eq!(found, [x, y, gap], "{what}");
    }
}

/// The contacts of a detection, each against the values of its case.
fn check_contacts(case: &Case, contacts: &Contacts, what: &str) {
    Sets::reported(contacts, what).assert_equal(&case.expected, what);
    for c in contacts.circle_circle() {
        let at = case.expected.circle_circle.binary_search(&(c.a, c.b)).unwrap();
        check_values(case.circles[at], c.normal, c.separation, what);
    }
    for c in contacts.circle_segment() {
        let at = case.expected.circle_segment.binary_search(&(c.a, c.b)).unwrap();
        assert_eq!(c.feature.name(), case.walls[at].0, "{what}");
        check_values(case.walls[at].1, c.normal, c.separation, what);
    }
}

#[test]
fn the_corpus_is_sorted_and_says_why() {
    let cases = corpus();
    assert!(cases.len() > 20);
    for case in &cases {
        let mut sorted = case.expected.clone();
        sorted.sort();
        assert_eq!(sorted, case.expected, "{}", case.name);
        assert!(!case.cause.is_empty(), "{}", case.name);
    }
}

#[test]
fn the_pairwise_functions_are_right_in_every_case() {
    for case in corpus() {
        let what = format!("{} ({})", case.name, case.cause);
        Sets::brute(&case.scene).assert_equal(&case.expected, &what);
        for (&(a, b), &values) in case.expected.circle_circle.iter().zip(&case.circles) {
            let c = geometry::circle_circle(case.scene.circle(a as usize), case.scene.circle(b as usize)).unwrap();
            check_values(values, c.normal, c.separation, &what);
        }
        for (&(a, b), &(feature, values)) in case.expected.circle_segment.iter().zip(&case.walls) {
            let c = geometry::circle_segment(case.scene.circle(a as usize), case.scene.segment(b as usize)).unwrap();
            assert_eq!(c.feature.name(), feature, "{what}");
            check_values(values, c.normal, c.separation, &what);
        }
    }
}

#[test]
fn detectors_of_both_backends_are_right_in_every_case() {
    for backend in [Backend::Wide, Backend::Scalar] {
        let mut detector = Detector::new(DetectorConfig::default().with_backend(backend)).unwrap();
        let mut contacts = Contacts::new();
        for case in corpus() {
            let what = format!("{} ({}), {backend:?}", case.name, case.cause);
            detector.set_segments(case.scene.segments()).unwrap();
            detector.detect(case.scene.circles(), &mut contacts).unwrap();
            check_contacts(&case, &contacts, &what);
        }
    }
}

#[test]
fn worlds_are_right_in_every_case() {
    for backend in [Backend::Wide, Backend::Scalar] {
        for case in corpus() {
            let what = format!("{} ({}), world, {backend:?}", case.name, case.cause);
            let mut world = World::new(WorldConfig::default().with_backend(backend)).unwrap();
            for i in 0..case.scene.x.len() {
                world.add_circle(case.scene.circle(i)).unwrap();
            }
            for i in 0..case.scene.x0.len() {
                world.add_segment(case.scene.segment(i)).unwrap();
            }
            world.detect().unwrap();
            // Rows of circles are in cell order: compare under their handles' indices, order of a pair included.
            let circles = world.circles().handles();
            let mut pairs: Vec<(u32, u32)> = Vec::new();
            for c in world.contacts().circle_circle() {
                let (a, b) = (circles[c.a as usize].index(), circles[c.b as usize].index());
                pairs.push(if a < b { (a, b) } else { (b, a) });
            }
            pairs.sort_unstable();
            assert_eq!(pairs, case.expected.circle_circle, "{what}");
            let mut walls: Vec<(u32, u32)> = Vec::new();
            for c in world.contacts().circle_segment() {
                let pair = (circles[c.a as usize].index(), c.b);
                let at =
                    case.expected.circle_segment.binary_search(&pair).unwrap_or_else(|_| panic!("{what}: {pair:?}"));
                assert_eq!(c.feature.name(), case.walls[at].0, "{what}");
                check_values(case.walls[at].1, c.normal, c.separation, &what);
                walls.push(pair);
            }
            walls.sort_unstable();
            assert_eq!(walls, case.expected.circle_segment, "{what}");
            let mut segments: Vec<_> =
                world.contacts().segment_segment().iter().map(|c| (c.a, c.b, c.class.name())).collect();
            segments.sort_unstable();
            assert_eq!(segments, case.expected.segment_segment, "{what}");
        }
    }
}

/// Cause: (-r)² = r² in a squared compare.
#[test]
fn negative_radius_is_never_a_hit() {
    let wall = Segment::new([0.0, 0.0], [10.0, 0.0]);
    let hollow = Circle::new([5.0, 0.5], -1.0);
    assert_eq!(geometry::circle_segment(hollow, wall), None);
    assert_eq!(geometry::circle_circle(hollow, Circle::new([5.0, 0.0], 1.0)), None);
    assert!(!geometry::point_in_circle([5.0, 0.5], hollow));
}

/// Cause: the sign of the velocity is turned without asking whether it already leads away.
#[test]
fn velocity_that_already_leaves_is_not_flipped() {
    assert_eq!(bounce([0.0, 3.0], [0.0, 1.0]), Vec2::new(0.0, 3.0));
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
    let ball = world.add_circle(Circle::new([0.0, 0.25], 0.5).with_velocity([1.0, 2.0])).unwrap();
    for step in 0..60 {
        world.step(1.0 / 64.0).unwrap();
        let velocity = world.circle(ball).unwrap().velocity;
        assert_eq!(velocity, Vec2::new(1.0, 2.0), "step {step}");
    }
}

/// Cause: pushed out along the direction from foot to centre, after the centre has passed the wall.
#[test]
fn pushed_out_to_the_side_where_the_centre_is() {
    let wall = Segment::new([0.0, 0.0], [10.0, 0.0]);
    assert_eq!(push_out(Circle::new([5.0, 0.25], 1.0), wall), Vec2::new(5.0, 1.0));
    assert_eq!(push_out(Circle::new([5.0, -0.25], 1.0), wall), Vec2::new(5.0, -1.0));
    let below = geometry::circle_segment(Circle::new([5.0, -0.25], 1.0), wall).unwrap();
    assert_eq!((below.normal, below.feature), (Vec2::new(0.0, 1.0), Feature::Interior));
}

/// Cause: pairs with a moving segment were counted against what the static pairs had left, and that was what the error named.
#[test]
fn the_limit_that_is_named_is_the_one_that_was_set() {
    for backend in [Backend::Wide, Backend::Scalar] {
        let mut world = World::new(WorldConfig::default().with_backend(backend).with_contact_limit(2)).unwrap();
        // Two static segments cross in one pair; a moving one crosses both, two pairs more.
        world.add_segment(Segment::new([-1.0, 0.0], [1.0, 0.0])).unwrap();
        world.add_segment(Segment::new([0.0, -1.0], [0.0, 1.0])).unwrap();
        world.step(0.0).unwrap();
        world.add_segment(Segment::new([-1.0, -1.0], [1.0, 1.0]).with_velocity([0.0, 0.0])).unwrap();
        assert_eq!(world.step(0.0), Err(Error::TooManyContacts { limit: 2 }));
    }
}

/// Cause: how many intervals static walls may take was told from the number of circles at the time they were registered. Circles that
/// come later within the same cells left some walls in the list of long ones, and contacts in another order than in a world that
/// had all circles from the start.
#[test]
fn the_order_of_contacts_does_not_remember_when_circles_came() {
    let worlds = [true, false].map(|late| {
        let config = WorldConfig::default().with_cell_size(gridlane::CellSize::Fixed(1.0));
        let mut world = World::new(config).unwrap();
        // A strip of 200 cells, and walls all along it.
        for corner in [[0.0, 0.0], [0.75, 199.5]] {
            world.add_circle(Circle::new(corner, 0.25)).unwrap();
        }
        for k in 0..40 {
            let x = k as f32 / 64.0;
            world.add_segment(Segment::new([x, 0.0], [x, 199.0])).unwrap();
        }
        if late {
            world.step(0.0).unwrap();
        }
        for k in 0..400 {
            world.add_circle(Circle::new([0.5, k as f32 * 0.498], 0.25)).unwrap();
        }
        world.step(0.0).unwrap();
        world
    });
    let [late, early] = worlds.each_ref().map(|world| world.contacts().circle_segment());
    assert!(early.len() > 1_000, "{}", early.len());
    assert!(late == early, "another order");
}

/// A wall goes on straight in two that lie on each other: a circle that rests on both had one thing to be remembered twice, and a world could not
/// be read from its own bytes.
#[test]
fn what_rests_on_a_doubled_wall_that_goes_on_is_remembered_once() {
    let mut world = World::new(WorldConfig::default().with_gravity([0.3, -9.0]).with_restitution(0.0)).unwrap();
    for (from, to) in [(-4.0, 0.0), (0.0, 4.0), (0.0, 4.0)] {
        world.add_segment(Segment::new([from, 0.0], [to, 0.0])).unwrap();
    }
    world.add_circle(Circle::new([1.0, 1.0], 0.5).with_velocity([0.25, -0.5])).unwrap();
    for step in 0..60 {
        world.step(1.0 / 60.0).unwrap();
        let mut again = World::from_snapshot(&world.save()).unwrap_or_else(|error| panic!("step {step}: {error}"));
        let mut other = World::from_snapshot(&world.save()).unwrap();
        world.step(1.0 / 60.0).unwrap();
        again.step(1.0 / 60.0).unwrap();
        assert_eq!(world.state_hash(), again.state_hash(), "step {step}");
        other.restore(&world.save()).unwrap();
        world = other;
    }
}

/// Where a torus of cells closes, what lies behind its end was passed over if nothing lies before it: here all circles, in so few cells that the first
/// column is asked for by way of the last one.
#[test]
fn neighbours_where_a_torus_closes() {
    let least = f32::from_bits(1);
    let mut world = World::new(WorldConfig::default()).unwrap();
    for (center, radius) in [([0.0, 0.0], 0.0), ([0.0, least], least), ([6.5, -f32::MAX], least)] {
        world.add_circle(Circle::new(center, radius)).unwrap();
    }
    let mut lists = NeighborLists::new();
    world.neighbors(0.0, QueryFilter::new(), &mut lists).unwrap();
    // They touch: the distance is the sum of the radii, the least number there is.
    let rows: Vec<Vec<u32>> = (0..3).map(|row| lists.get(row).iter().map(|near| near.target.row).collect()).collect();
    assert_eq!(rows, [vec![1], vec![0], vec![]]);
}

/// Walls were joined anew only where something touches in the box itself. What rested on one across the border was then remembered under the
/// first piece of a chain as it was before an edit: here of a row that is gone, which ended in a panic.
#[test]
fn what_rests_across_the_border_knows_the_walls_after_an_edit() {
    let config = WorldConfig::default().with_gravity([0.0, -9.0]).with_restitution(0.0);
    let mut world = World::new(config.with_bounds(Bounds::periodic_x(0.0, 20.0))).unwrap();
    let apart = world.add_segment(Segment::new([5.0, -50.0], [6.0, -50.0])).unwrap();
    // Straight on, and the piece that comes first along the line has the last row.
    let last = world.add_segment(Segment::new([18.0, 0.0], [19.75, 0.0])).unwrap();
    world.add_segment(Segment::new([15.0, 0.0], [18.0, 0.0])).unwrap();
    let ball = world.add_circle(Circle::new([17.0, 0.5], 0.5)).unwrap();
    world.step(1.0 / 60.0).unwrap();
    assert_eq!(world.contacts().circle_segment().len(), 1);
    world.remove_segment(apart).unwrap();
    // From (0.25, 0.25) it is half a unit, and a quarter up, to the end at 19.75, all across the border: 0.56 of 0.75.
    world.set_circle_radius(ball, 0.75).unwrap();
    world.move_circle(ball, [0.25, 0.25]).unwrap();
    world.step(1.0 / 60.0).unwrap();
    let [contact] = world.contacts().circle_segment() else { panic!("one") };
    assert_eq!(world.segments().handles()[contact.b as usize], last);
    world.step(1.0 / 60.0).unwrap();
}

/// Cells so wide that they are counted one by one to the ends of the range: what was further from the first of them than half of it was taken
/// for nearer, so that walls and rays, whose way is computed in double precision, looked for it elsewhere.
#[test]
fn cells_that_are_counted_to_the_ends_of_the_range() {
    let mut scene = Columns::default();
    for k in 0..300u32 {
        let (column, row) = ((k % 20) as f32, (k / 20) as f32);
        scene.push_circle([-3.3e38 + column * 5e34, (row - 7.0) * 7e34], 3e33);
    }
    for x in [0.05e38, 1.5e38, 1.5e38 + 5e33, 2.9e38, 3.3e38] {
        scene.push_circle([x, 0.0], 3e33);
        scene.push_segment([x + 1e33, -1e34], [x + 1e33, 1e34]);
    }
    let config = DetectorConfig::default();
    let (mut detector, mut contacts) = (Detector::new(config).unwrap(), Contacts::new());
    detector.set_segments(scene.segments()).unwrap();
    detector.detect(scene.circles(), &mut contacts).unwrap();
    let truth = Sets::brute(&scene);
    Sets::reported(&contacts, "wide").assert_equal(&truth, "wide");
    // Each of the five and its wall; and the two circles that are 5e33 apart.
    assert_eq!((contacts.circle_segment().len(), contacts.circle_circle().len()), (5, 1));
    let (queries, filter) = (detector.queries(), QueryFilter::new().circles_only());
    for (from, to, row) in [(1e38, 2e38, 301), (2e38, 1e38, 302), (2e38, 3.1e38, 303), (3.1e38, 3.4e38, 304)] {
        let ray = Ray::new([from, 0.0], [(to - from) / 8.0, 0.0]).with_max(8.0);
        let hit = queries.cast_ray(ray, filter).unwrap().map(|hit| hit.target.row);
        assert_eq!(hit, Some(row), "{from} {to}");
        let circle = scene.circle(row as usize);
        let moved = queries.cast_circle(Circle::new([from, 0.0], 1e33), [to - from, 0.0], filter).unwrap();
        assert_eq!(moved.map(|hit| hit.target.row), Some(row), "{from} {to}");
        let near = queries.nearest(circle.center, f32::MAX, filter).unwrap().map(|near| near.target.row);
        assert!(near == Some(row) || (near == Some(301) && row == 302), "{near:?}");
        let mut found = Vec::new();
        queries.overlap_point(circle.center, filter, &mut found).unwrap();
        assert!(found.iter().any(|target| target.row == row), "{row}");
    }
}
