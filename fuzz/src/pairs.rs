//! Pairs of circles and segments at rest: every answer of `geometry` against exact rational arithmetic.
//!
//! Comes in: bytes. Goes out: nothing, or a panic. Decisions have to be those of the oracle, values its values rounded once.

use crate::draw::Draw;
use crate::oracle::*;
use gridlane::geometry::*;
use num_traits::{One, Signed, Zero};

pub fn feature(at: Where) -> Feature {
    match at {
        Where::Start => Feature::Start,
        Where::Interior => Feature::Interior,
        Where::End => Feature::End,
    }
}

fn half(p: &Q2) -> Q2 {
    let half = Q::from_parts(1.into(), 2u8.into());
    [&p[0] * &half, &p[1] * &half]
}

/// Equal bit for bit: -0 would be a fault.
pub fn same_contact(found: Option<Contact>, expected: Option<Contact>, what: &str) {
    let bits = |c: Option<Contact>| c.map(|c| bytemuck::cast::<Contact, [u32; 6]>(c));
    assert_eq!(bits(found), bits(expected), "{what}: {found:?}, not {expected:?}");
}

pub fn circles(d: &mut Draw<'_>) {
    let (a, b) = d.circles();
    let what = format!("{a:?} {b:?}");
    let (found, touch) = (circle_circle(a, b), circles_touch(a, b));
    if !(a.is_valid() && b.is_valid()) {
        assert!(found.is_none() && !touch, "{what}");
        return;
    }
    let (p, r) = (q2(a.center), q2(b.center));
    let distance2 = square(&sub(&r, &p));
    let reach = q(a.radius) + q(b.radius);
    let hit = distance2 <= &reach * &reach;
    assert_eq!(touch, hit, "{what}");
    let expected = hit.then(|| {
        let normal = if p == r { [Q::zero(), Q::one()] } else { unit(&p, &r) };
        let (near, far) = (along(&p, &normal, &q(a.radius)), along(&r, &normal, &-q(b.radius)));
        Contact {
            point: nearest2(&along(&half(&near), &half(&far), &Q::one())),
            normal: nearest2(&normal),
            separation: nearest(&(root(&distance2) - reach)),
            feature: Feature::Interior,
        }
    });
    same_contact(found, expected, &what);
    // A point is a circle of no radius.
    let inside = distance2 <= q(b.radius) * q(b.radius);
    assert_eq!(point_in_circle(a.center, b), inside, "{what}");
    let (x, y) = ([a.center.x, b.center.x], [a.center.y, b.center.y]);
    let rows: Vec<usize> = points_in_circles(a.center, &x, &y, &[a.radius, b.radius, 1.0]).collect();
    assert_eq!(rows, if inside { vec![0, 1] } else { vec![0] }, "{what}");
}

pub fn circle_and_segment(d: &mut Draw<'_>) {
    let segment = d.segment();
    let circle = d.circle_by(segment);
    let what = format!("{circle:?} {segment:?}");
    let (found, pushed) = (circle_segment(circle, segment), push_out(circle, segment));
    let near_found = nearest_on_segment(circle.center, segment);
    if !(circle.is_valid() && segment.is_valid()) {
        assert!(found.is_none() && !circle_touches_segment(circle, segment), "{what}");
        assert_eq!(segment_circle(segment, circle), SegmentCircle::None, "{what}");
        if !(circle.center.is_finite() && segment.start.is_finite() && segment.end.is_finite()) {
            assert_eq!(near_found, NearestOnSegment::default(), "{what}");
        }
        return;
    }
    let c = q2(circle.center);
    let near = point_segment(&c, &q2(segment.start), &q2(segment.end));
    let reach = q(circle.radius) + q(segment.radius);
    let hit = near.distance2 <= &reach * &reach;
    assert_eq!(circle_touches_segment(circle, segment), hit, "{what}");
    let distance = root(&near.distance2);
    let normal = if near.distance2.is_zero() { left_of(segment) } else { unit(&c, &near.foot) };
    let expected = hit.then(|| Contact {
        point: nearest2(&along(&near.foot, &normal, &-q(segment.radius))),
        normal: nearest2(&normal),
        separation: nearest(&(&distance - &reach)),
        feature: feature(near.at),
    });
    same_contact(found, expected, &what);
    let apart = near.distance2 >= &reach * &reach;
    let out = if apart { circle.center } else { nearest2(&along(&near.foot, &normal, &-reach)) };
    assert_eq!(pushed, out, "{what}");
    assert_eq!((near_found.t, near_found.foot), (nearest(&near.t), nearest2(&near.foot)), "{what}");
    assert_eq!((near_found.distance, near_found.feature), (nearest(&distance), feature(near.at)), "{what}");
    crate::lines::outline(circle, segment, &what);
}

pub fn segments(d: &mut Draw<'_>) {
    let a = d.segment();
    let b = d.segment_by(a);
    let what = format!("{a:?} {b:?}");
    let (relation, touch, contact) = (segment_segment(a, b), segments_touch(a, b), capsule_capsule(a, b));
    if !(a.is_valid() && b.is_valid()) {
        assert!(!relation.is_hit() && !touch && contact.is_none(), "{what}");
        return;
    }
    let ends = [q2(a.start), q2(a.end), q2(b.start), q2(b.end)];
    let (e, f) = ([&ends[0], &ends[1]], [&ends[2], &ends[3]]);
    let met = in_order(meet(e, f), &ends);
    let expected = match &met {
        Meet::Disjoint => SegmentRelation::Disjoint,
        Meet::Cross { point, t, u } => SegmentRelation::Cross { point: nearest2(point), t: nearest(t), u: nearest(u) },
        Meet::Touch { point, t, u } => SegmentRelation::Touch { point: nearest2(point), t: nearest(t), u: nearest(u) },
        Meet::Overlap { from, to } => SegmentRelation::Overlap { from: nearest2(from), to: nearest2(to) },
    };
    assert_eq!(relation, expected, "{what}");
    let expected = expected_capsules(a, b, &ends, &met);
    assert_eq!(touch, expected.is_some(), "{what}");
    same_contact(contact, expected, &what);
}

/// An overlap in the direction of the first segment.
fn in_order(met: Meet, ends: &[Q2; 4]) -> Meet {
    match met {
        Meet::Overlap { from, to } if dot(&sub(&to, &from), &sub(&ends[1], &ends[0])).is_negative() => {
            Meet::Overlap { from: to, to: from }
        }
        met => met,
    }
}

/// The contact of two capsules, from the nearest points of their cores, or from where these meet.
fn expected_capsules(a: Segment, b: Segment, ends: &[Q2; 4], met: &Meet) -> Option<Contact> {
    let [a0, a1, b0, b1] = ends;
    let reach = q(a.radius) + q(b.radius);
    let contact = |on_a: &Q2, on_b: &Q2, normal: &Q2, distance: Q, feature: Feature| {
        let (p, r) = (along(on_a, normal, &q(a.radius)), along(on_b, normal, &-q(b.radius)));
        let separation = nearest(&(distance - &reach));
        let point = nearest2(&along(&half(&p), &half(&r), &Q::one()));
        Some(Contact { point, normal: nearest2(normal), separation, feature })
    };
    if matches!(met, Meet::Disjoint) {
        // Each end against the other segment: where on the first, where on the second, which part of the second.
        let [p, r, s, t] =
            [(a0, b0, b1), (a1, b0, b1), (b0, a0, a1), (b1, a0, a1)].map(|(p, x, y)| point_segment(p, x, y));
        let all = [
            (a0.clone(), p.foot, p.distance2, feature(p.at)),
            (a1.clone(), r.foot, r.distance2, feature(r.at)),
            (s.foot, b0.clone(), s.distance2, Feature::Start),
            (t.foot, b1.clone(), t.distance2, Feature::End),
        ];
        // The first of the least.
        let (on_a, on_b, distance2, part) = all.iter().reduce(|best, one| if one.2 < best.2 { one } else { best })?;
        if *distance2 > &reach * &reach {
            return None;
        }
        return contact(on_a, on_b, &unit(on_a, on_b), root(distance2), *part);
    }
    let normal = if a0 != a1 { left_of(a) } else { left_of(b) };
    let (at, part) = match met {
        Meet::Cross { point, .. } => (point, Feature::Interior),
        Meet::Touch { point, .. } => (point, feature(point_segment(point, b0, b1).at)),
        Meet::Overlap { from, .. } => (from, feature(point_segment(from, b0, b1).at)),
        Meet::Disjoint => return None,
    };
    contact(at, at, &normal, Q::zero(), part)
}
