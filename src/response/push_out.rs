//! Overlap that impulses leave is taken back bit by bit.
//!
//! Comes in: circles and their contacts. Goes out: positions, moved along the normals; velocities are not touched, so
//! this costs no energy. This room does not know time. Penetration within the slop is left alone: without it, bodies at
//! rest would lose and find their contacts step by step.

use super::impulse::{Pair, dot};
use super::taken::{Body, Circles, between};
use crate::kernels::bounce::SLOP;
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact};

/// Takes back the share `factor` of what two circles penetrate beyond the slop, along a normal anew from the present
/// positions: (0, 1) if they coincide.
/// `one` is the first of them, as it is in the columns.
#[inline(always)]
pub(super) fn circle_circle(circles: &mut Circles<'_>, contact: &CircleCircleContact, one: &mut Body, factor: f64) {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut two = circles.take(b);
    let weight = one.inverse_mass + two.inverse_mass;
    let (d, near) = (circles.between(one.position, two.position), tolerated(one, &two));
    let square = dot(d, d);
    if weight == 0.0 || square >= near * near {
        return;
    }
    let distance = square.sqrt();
    let push = factor * (near - distance) / weight;
    let normal = if distance > 0.0 { [d[0] / distance, d[1] / distance] } else { [0.0, 1.0] };
    let (by_one, by_two) = (push * one.inverse_mass, push * two.inverse_mass);
    circles.shift(a, one, normal, -by_one);
    circles.shift(b, &mut two, normal, by_two);
}

/// They penetrate beyond the slop.
#[inline(always)]
pub(super) fn is_deep(circles: &Circles<'_>, one: &Body, two: &Body) -> bool {
    let d = circles.between(one.position, two.position);
    dot(d, d) < tolerated(one, two) * tolerated(one, two)
}

/// How near their centres may be without being pushed.
#[inline(always)]
fn tolerated(one: &Body, two: &Body) -> f64 {
    let smaller = if one.radius < two.radius { one.radius } else { two.radius };
    one.radius + two.radius - SLOP * smaller
}

/// Takes back the share `factor` of what a circle is behind the tangent of its contact: a half plane, so that a circle pushed across a wall by others
/// is still pushed back to the side it was found on. Segments give no way.
pub(super) fn circle_segment(circles: &mut Circles<'_>, contact: &CircleSegmentContact, factor: f64) {
    let a = contact.a as usize;
    let mut body = circles.take(a);
    if body.inverse_mass > 0.0 {
        let (normal, penetration) = half_plane(contact, &body);
        let push = factor * (penetration - SLOP * body.radius);
        if push > 0.0 {
            circles.shift(a, &mut body, normal, -push);
        }
    }
}

/// The normal of the contact and how deep a circle is now behind the contact's tangent.
pub(super) fn half_plane(contact: &CircleSegmentContact, body: &Body) -> (Pair, f64) {
    let normal = [f64::from(contact.normal.x), f64::from(contact.normal.y)];
    let point = [f64::from(contact.point.x), f64::from(contact.point.y)];
    (normal, body.radius - dot(between(body.position, point), normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Vec2;

    /// Two circles of radius 1 on the x axis, pushed in one pass.
    fn pushed(x: [f32; 2], w: [f32; 2]) -> [[f32; 2]; 2] {
        let (mut x, mut y, mut vx, mut vy) = (x, [0.0; 2], [0.0; 2], [0.0; 2]);
        let mut circles = Circles::new(&mut x, &mut y, &mut vx, &mut vy, &[1.0; 2], &w);
        let mut one = circles.take(0);
        circle_circle(&mut circles, &CircleCircleContact { a: 0, b: 1, ..Default::default() }, &mut one, 0.2);
        [x, y]
    }

    #[test]
    fn overlap_shrinks_by_the_factor_and_by_inverse_mass() {
        // Penetration 0.5: 0.2·(0.5 - 0.005) = 0.099, a third and two thirds of it.
        let [x, _] = pushed([0.0, 1.5], [1.0, 2.0]);
        assert!((x[0] + 0.033).abs() < 1e-6 && (x[1] - 1.566).abs() < 1e-6, "{x:?}");
        let [x, _] = pushed([0.0, 1.5], [0.0, 2.0]);
        assert!(x[0] == 0.0 && (x[1] - 1.599).abs() < 1e-6, "{x:?}");
    }

    #[test]
    fn slop_and_two_immovable_circles_are_left_alone() {
        assert_eq!(pushed([0.0, 1.996], [1.0, 1.0])[0], [0.0, 1.996]);
        assert_eq!(pushed([0.0, 0.5], [0.0, 0.0])[0], [0.0, 0.5]);
    }

    #[test]
    fn coincident_circles_part_along_y() {
        // 0.2·(2 - 0.005) = 0.399, half each: A down, B up.
        let [x, y] = pushed([3.0, 3.0], [1.0, 1.0]);
        assert_eq!(x, [3.0, 3.0]);
        assert!((y[0] + 0.1995).abs() < 1e-6 && (y[1] - 0.1995).abs() < 1e-6, "{y:?}");
    }

    #[test]
    fn wall_pushes_along_its_own_normal() {
        let (mut x, mut y, mut vx, mut vy) = ([0.0], [0.5], [0.0], [0.0]);
        let mut circles = Circles::new(&mut x, &mut y, &mut vx, &mut vy, &[1.0], &[1.0]);
        let floor = CircleSegmentContact { normal: Vec2::new(0.0, -1.0), ..Default::default() };
        circle_segment(&mut circles, &floor, 0.2);
        // Penetration 0.5: up by 0.2·(0.5 - 0.005).
        assert!((y[0] - 0.599).abs() < 1e-6, "{y:?}");
    }
}
