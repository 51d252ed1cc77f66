//! The paths of centres, held against walls by brute force.
//!
//! Comes in: a world whose legs are kept, what it was before a step. Goes out: every leg that goes through a wall that should have held.
//! Nothing of the library decides here: boxes, then `f64` where it is far from any doubt, then rational numbers, which solve for both
//! parameters instead of asking for sides.

use super::oracle::{Q, Q2, dot, q2, sub};
use super::wall_table::{Table, box_around};
use gridlane::internals::{PathLeg, legs, trace_legs};
use gridlane::{CircleHandle, SegmentHandle, Squeezed, World};
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

/// The walls that move, where they are.
pub fn moving(world: &World) -> Vec<(SegmentHandle, Wall)> {
    let of = |&handle: &SegmentHandle| {
        let body = world.segment(handle).unwrap();
        let (a, b) = (body.shape.start.into(), body.shape.end.into());
        (body.moving && !body.sensor).then_some((handle, Wall { a, b, one_sided: body.one_sided }))
    };
    world.segments().handles().iter().filter_map(of).collect()
}

/// A wall whose ends go straight from `was` to `is` surely passes over what rests at `q`: by the roots of the side's quadratic.
pub fn passes_over(was: &Wall, is: &Wall, q: [f32; 2]) -> bool {
    let wide = |p: [f32; 2]| p.map(f64::from);
    let minus = |p: [f64; 2], r: [f64; 2]| [p[0] - r[0], p[1] - r[1]];
    let cross = |p: [f64; 2], r: [f64; 2]| p[0] * r[1] - p[1] * r[0];
    let (a0, b0, a1, b1, c) = (wide(was.a), wide(was.b), wide(is.a), wide(is.b), wide(q));
    let ends = [a0, b0, a1, b1];
    if (0..2).any(|k| ends.iter().all(|end| end[k] < c[k]) || ends.iter().all(|end| end[k] > c[k])) {
        return false;
    }
    let f0 = cross(minus(b0, a0), minus(c, a0));
    let [qs, qa, qb] = [q, was.a, was.b].map(q2);
    if meet(&qs, &qs, &qa, &qb) || was.one_sided && f0 > 0.0 {
        return false;
    }
    let f1 = cross(minus(b1, a1), minus(c, a1));
    let m = cross(minus(b0, a0), minus(c, a1)) + cross(minus(b1, a1), minus(c, a0));
    // f0 (1 - t)² + m t (1 - t) + f1 t² = u t² + v t + f0
    let (u, v) = (f0 - m + f1, m - 2.0 * f0);
    let mut roots = vec![-f0 / v];
    let root = v * v - 4.0 * u * f0;
    if root > 0.0 {
        roots.extend([(-v + root.sqrt()) / (2.0 * u), (-v - root.sqrt()) / (2.0 * u)]);
    }
    roots.into_iter().any(|t| {
        let at = |p: [f64; 2], r: [f64; 2]| [p[0] + (r[0] - p[0]) * t, p[1] + (r[1] - p[1]) * t];
        let (a, b) = (at(a0, a1), at(b0, b1));
        let (e, w) = (minus(b, a), minus(c, a));
        let length2 = e[0] * e[0] + e[1] * e[1];
        let part = (w[0] * e[0] + w[1] * e[1]) / length2;
        let height = cross(e, w).abs() / length2.sqrt();
        (0.0..=1.0).contains(&t) && part > 1e-9 && part < 1.0 - 1e-9 && height < 1e-12 * (1.0 + length2.sqrt())
    })
}

/// What went wrong in a step.
#[derive(Clone, Copy, Debug)]
pub struct Leak {
    pub leg: PathLeg,
    pub wall: Wall,
}

/// All legs of the last step through all walls that stand, and through those that move, where they were before it (`moving`) or are; the legs
/// of each circle have to lead on from one another, from where it was to where it is. Walls that move pass over nobody between the two but whom
/// they squeeze.
pub fn leaks(
    world: &World,
    walls: &[Wall],
    before: &[(CircleHandle, [f32; 2])],
    was: &[(SegmentHandle, Wall)],
) -> Vec<Leak> {
    let (legs, mut found) = (legs(world), Vec::new());
    let is: Vec<Wall> = was
        .iter()
        .map(|&(handle, wall)| {
            let shape = world.segment(handle).unwrap().shape;
            Wall { a: shape.start.into(), b: shape.end.into(), ..wall }
        })
        .collect();
    let standing = Table::new(walls.iter().map(|wall| box_around(&[wall.a, wall.b])).collect());
    let swept = was.iter().zip(&is).map(|((_, was), is)| box_around(&[was.a, was.b, is.a, is.b]));
    let sweeping = Table::new(swept.collect());
    let mut squeezed = world.squeezed().to_vec();
    squeezed.sort();
    let mut rest: Vec<(CircleHandle, [f32; 2])> = before.to_vec();
    rest.sort_by_key(|entry| entry.0);
    let mut at: Vec<(CircleHandle, [f32; 2])> = before.to_vec();
    at.sort_by_key(|entry| entry.0);
    for leg in &legs {
        let k = at.binary_search_by_key(&leg.circle, |entry| entry.0).unwrap();
        assert_eq!(at[k].1, leg.from, "the path of {:?} has a gap", leg.circle);
        at[k].1 = leg.to;
        if !leg.answer {
            rest[k].1 = leg.to;
        }
        let around = box_around(&[leg.from, leg.to]);
        standing.near(around, |k| {
            if crosses(&walls[k], leg.from, leg.to) {
                found.push(Leak { leg: *leg, wall: walls[k] });
            }
        });
        sweeping.near(around, |k| {
            let wall = if leg.answer { is[k] } else { was[k].1 };
            if crosses(&wall, leg.from, leg.to) {
                found.push(Leak { leg: *leg, wall });
            }
        });
    }
    for &(circle, q) in &rest {
        sweeping.near(box_around(&[q]), |k| {
            let (segment, was) = was[k];
            let told = || squeezed.binary_search(&Squeezed { circle, segment }).is_ok();
            if passes_over(&was, &is[k], q) && !told() && !world.circle(circle).unwrap().sensor {
                found.push(Leak { leg: PathLeg { circle, from: q, to: q, answer: false }, wall: was });
            }
        });
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
    let (before, was) = (places(world), moving(world));
    world.step(dt).unwrap();
    let found = leaks(world, walls, &before, &was);
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
