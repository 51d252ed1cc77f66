//! The paths of centres, held against walls by brute force.
//!
//! Comes in: a world whose legs are kept, what it was before a step. Goes out: every leg that goes through a wall that should have held.
//! Nothing of the library decides here: boxes, then `f64` where it is far from any doubt, then rational numbers, which solve for both
//! parameters instead of asking for sides.

use super::oracle::{Q, Q2, dot, q2, sub};
use gridlane::internals::{PathLeg, legs, trace_legs};
use gridlane::{CircleHandle, SegmentHandle, World};
use num_traits::{One, Zero};

#[derive(Clone, Copy, Debug)]
pub struct Wall {
    pub a: [f32; 2],
    pub b: [f32; 2],
    pub one_sided: bool,
}

/// A world that keeps its legs.
pub fn traced(mut world: World) -> World {
    trace_legs(&mut world, true);
    world
}

/// The walls that hold everybody (of filters nothing is known here).
pub fn walls(world: &World) -> Vec<Wall> {
    let of = |&handle: &SegmentHandle| {
        let body = world.segment(handle).unwrap();
        let (a, b) = (body.shape.start.into(), body.shape.end.into());
        (!body.moving && !body.sensor).then_some(Wall { a, b, one_sided: body.one_sided })
    };
    world.segments().handles().iter().filter_map(of).collect()
}

fn cross(a: &Q2, b: &Q2) -> Q {
    &a[0] * &b[1] - &a[1] * &b[0]
}

fn is_part(v: &Q) -> bool {
    *v >= Q::zero() && *v <= Q::one()
}

/// The closed segments p–q and a–b share a point, in rational numbers.
fn meet(p: &Q2, q: &Q2, a: &Q2, b: &Q2) -> bool {
    let (d, e, w) = (sub(q, p), sub(b, a), sub(a, p));
    let area = cross(&d, &e);
    if !area.is_zero() {
        // p + t d = a + u e
        return is_part(&(cross(&w, &e) / &area)) && is_part(&(cross(&w, &d) / &area));
    }
    let on = |x: &Q2, from: &Q2, along: &Q2| {
        let (v, length) = (sub(x, from), dot(along, along));
        if length.is_zero() { x == from } else { cross(&v, along).is_zero() && is_part(&(dot(&v, along) / length)) }
    };
    on(a, p, &d) || on(b, p, &d) || on(p, a, &e) || on(q, a, &e)
}

/// Surely on one side of the line through the first two.
fn surely_beside(a: [f32; 2], b: [f32; 2], p: [f32; 2], q: [f32; 2]) -> bool {
    let side = |p: [f32; 2]| {
        let v = |p: [f32; 2]| [f64::from(p[0]) - f64::from(a[0]), f64::from(p[1]) - f64::from(a[1])];
        let (e, w) = (v(b), v(p));
        let (left, right) = (e[0] * w[1], e[1] * w[0]);
        let doubt = (left.abs() + right.abs()) * 1e-12;
        if left - right > doubt { 1 } else { -i32::from(left - right < -doubt) }
    };
    side(p) != 0 && side(p) == side(q)
}

/// The leg goes through the wall, by the rule that is promised.
pub fn crosses(wall: &Wall, from: [f32; 2], to: [f32; 2]) -> bool {
    let apart = |k: usize| {
        let (p, q, a, b) = (from[k], to[k], wall.a[k], wall.b[k]);
        p.max(q) < a.min(b) || a.max(b) < p.min(q)
    };
    if from == to || apart(0) || apart(1) {
        return false;
    }
    if surely_beside(wall.a, wall.b, from, to) || surely_beside(from, to, wall.a, wall.b) {
        return false;
    }
    let [p, q, a, b] = [from, to, wall.a, wall.b].map(q2);
    let is_on = meet(&p, &p, &a, &b);
    let behind = wall.one_sided && cross(&sub(&b, &a), &sub(&p, &a)) > Q::zero();
    !is_on && !behind && meet(&p, &q, &a, &b)
}

/// What went wrong in a step.
#[derive(Clone, Copy, Debug)]
pub struct Leak {
    pub leg: PathLeg,
    pub wall: Wall,
}

/// All legs of the last step through all walls; the legs of each circle have to lead on from one another, from where it was to where it is.
pub fn leaks(world: &World, walls: &[Wall], before: &[(CircleHandle, [f32; 2])]) -> Vec<Leak> {
    let legs = legs(world);
    let mut found = Vec::new();
    let mut at: Vec<(CircleHandle, [f32; 2])> = before.to_vec();
    at.sort_by_key(|entry| entry.0);
    for leg in &legs {
        let k = at.binary_search_by_key(&leg.circle, |entry| entry.0).unwrap();
        assert_eq!(at[k].1, leg.from, "the path of {:?} has a gap", leg.circle);
        at[k].1 = leg.to;
        found.extend(walls.iter().filter(|wall| crosses(wall, leg.from, leg.to)).map(|&wall| Leak { leg: *leg, wall }));
    }
    for (handle, is) in places(world) {
        if world.circle(handle).unwrap().sensor {
            continue;
        }
        let k = at.binary_search_by_key(&handle, |entry| entry.0).unwrap();
        assert_eq!(at[k].1, is, "the path of {handle:?} does not end where it is");
    }
    found
}

/// Where everybody is.
pub fn places(world: &World) -> Vec<(CircleHandle, [f32; 2])> {
    let c = world.circles();
    c.handles().iter().zip(c.x().iter().zip(c.y())).map(|(&handle, (&x, &y))| (handle, [x, y])).collect()
}

/// One step, all of whose legs are free.
pub fn step_without_leak(world: &mut World, walls: &[Wall], dt: f32, what: &str) {
    let before = places(world);
    world.step(dt).unwrap();
    let found = leaks(world, walls, &before);
    assert!(found.is_empty(), "{what}: {} leaks, {:?}", found.len(), found[0]);
}

/// Whether a point is inside of closed outlines: how many of their lines a ray to the right crosses.
pub fn is_inside(walls: &[Wall], p: [f32; 2]) -> bool {
    let crossed = |wall: &&Wall| {
        let ([ax, ay], [bx, by]) = (wall.a.map(f64::from), wall.b.map(f64::from));
        let [x, y] = p.map(f64::from);
        (ay > y) != (by > y) && x < ax + (y - ay) * (bx - ax) / (by - ay)
    };
    walls.iter().filter(crossed).count() % 2 == 1
}
