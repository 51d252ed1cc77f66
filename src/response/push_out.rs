//! Overlap that impulses leave is taken back bit by bit.
//!
//! Comes in: circles and their contacts. Goes out: positions, moved along the normals; velocities are not touched, so
//! this costs no energy. This room does not know time. Penetration within the slop is left alone: without it, bodies at
//! rest would lose and find their contacts step by step.

use super::impulse::{Pair, dot};
use super::resolve::Circles;
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact};

/// Tolerated penetration, as a share of the (smaller) radius.
const SLOP: f64 = 0.005;
/// The share of the rest that one pass takes back.
const FACTOR: f64 = 0.2;
/// No push is longer than this share of the pushed circle's radius.
pub(super) const LONGEST: f64 = 0.5;

/// One pass over the circle–circle contacts, along normals anew from the present positions: (0, 1) if they coincide.
pub(super) fn circle_circle(circles: &mut Circles<'_>, contacts: &[CircleCircleContact]) {
    for contact in contacts {
        let (a, b) = (contact.a as usize, contact.b as usize);
        let (wa, wb) = (circles.inverse_mass(a), circles.inverse_mass(b));
        let (ra, rb) = (circles.radius(a), circles.radius(b));
        let (pa, pb) = (circles.position(a), circles.position(b));
        let d = [pb[0] - pa[0], pb[1] - pa[1]];
        let reach = ra + rb;
        let d2 = dot(d, d);
        if d2 >= reach * reach || wa + wb == 0.0 {
            continue;
        }
        let distance = d2.sqrt();
        let push = FACTOR * (reach - distance - SLOP * if ra < rb { ra } else { rb });
        if push > 0.0 {
            let normal = if distance > 0.0 { [d[0] / distance, d[1] / distance] } else { [0.0, 1.0] };
            circles.shift(a, normal, -(push * wa / (wa + wb)));
            circles.shift(b, normal, push * wb / (wa + wb));
        }
    }
}

/// One pass over the circle–segment contacts, along the normals of the contacts: a half plane each, so that a circle
/// pushed across a wall by others is still pushed back to the side it was found on. Segments give no way.
pub(super) fn circle_segment(circles: &mut Circles<'_>, contacts: &[CircleSegmentContact]) {
    for contact in contacts {
        let a = contact.a as usize;
        if circles.inverse_mass(a) > 0.0 {
            let r = circles.radius(a);
            let (normal, penetration) = half_plane(contact, circles.position(a), r);
            let push = FACTOR * (penetration - SLOP * r);
            if push > 0.0 {
                circles.shift(a, normal, -push);
            }
        }
    }
}

/// The normal of the contact and how deep a circle at `position` is behind the contact's tangent.
pub(super) fn half_plane(contact: &CircleSegmentContact, position: Pair, radius: f64) -> (Pair, f64) {
    let normal = [f64::from(contact.normal.x), f64::from(contact.normal.y)];
    let to_point = [f64::from(contact.point.x) - position[0], f64::from(contact.point.y) - position[1]];
    (normal, radius - dot(to_point, normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Vec2;

    /// Two circles of radius 1 on the x axis, pushed in one pass.
    fn pushed(x: [f32; 2], w: [f32; 2]) -> [[f32; 2]; 2] {
        let (mut x, mut y, mut vx, mut vy) = (x, [0.0; 2], [0.0; 2], [0.0; 2]);
        let mut circles = Circles::new(&mut x, &mut y, &mut vx, &mut vy, &[1.0; 2], &w);
        circle_circle(&mut circles, &[CircleCircleContact { a: 0, b: 1, ..Default::default() }]);
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
        circle_segment(&mut circles, &[floor]);
        // Penetration 0.5: up by 0.2·(0.5 - 0.005).
        assert!((y[0] - 0.599).abs() < 1e-6, "{y:?}");
    }
}
