//! Promise: what `properties` shows of circles and segments holds of points, lines, rays and outlines too, and nothing but the points of
//! an answer knows where in the plane it is.
//!
//! Maps (mirror, quarter turn, power of two) carry every value with them, bit for bit; left and right change places in a mirror. Swapping
//! two shapes turns the normal and exchanges the parameters, reversing a line turns the sign of t, reversing a segment exchanges its ends.
//! A shift that is exact leaves decisions, normals, separations, fractions and parameters as they are, bit for bit; points
//! are rounded where they are, so they move by the shift to within half an ulp here and half an ulp there.

use crate::maps::*;
use gridlane::geometry::*;
use proptest::prelude::*;

fn outline(map: Map, p: OutlinePoint) -> OutlinePoint {
    OutlinePoint { point: map.point(p.point), ..p }
}

fn points(crossing: SegmentCircle) -> Vec<OutlinePoint> {
    match crossing {
        SegmentCircle::None => vec![],
        SegmentCircle::One(p) => vec![p],
        SegmentCircle::Two(p, q) => vec![p, q],
    }
}

fn plain(v: Vec2) -> Vec2 {
    Vec2::new(v.x + 0.0, v.y + 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn maps_of_points_and_lines(p in vector(), base in vector(), v in vector(), c in circle(), s in capsule(), map in map()) {
        let (line, mapped) = (Line::new(base, v), Line::new(map.point(base), map.point(v)));
        let (near, turned) = (nearest_on_line(p, line), nearest_on_line(map.point(p), mapped));
        prop_assert_eq!(turned, NearestOnLine { foot: map.point(near.foot), t: near.t, distance: near.distance * map.scale });
        prop_assert_eq!(point_in_circle(map.point(p), map.circle(c)), point_in_circle(p, c));
        let (plain, turned) = (segment_circle(s, c), segment_circle(map.segment(s), map.circle(c)));
        let expected: Vec<_> = points(plain).into_iter().map(|p| outline(map, p)).collect();
        prop_assert_eq!(points(turned), expected);
        let other = Line::through(s);
        let expected = match line_line(line, other) {
            LineLine::Cross { point, t, u } => LineLine::Cross { point: map.point(point), t, u },
            LineLine::Parallel => LineLine::Parallel,
        };
        prop_assert_eq!(line_line(mapped, Line::new(map.point(other.base), map.point(other.direction))), expected);
    }

    #[test]
    fn maps_of_rays_and_circles(o in vector(), v in vector(), max in radius(), c in circle(), map in map()) {
        let hit = ray_circle(Ray::new(o, v).with_max(max), c);
        let turned = ray_circle(Ray::new(map.point(o), map.point(v)).with_max(max), map.circle(c));
        if o == c.center {
            // The normal is (0, -1) everywhere, by convention.
            prop_assert_eq!(hit.unwrap().t, turned.unwrap().t);
        } else {
            let hit = hit.map(|h| RayHit { point: map.point(h.point), normal: map.turn(h.normal), ..h });
            prop_assert_eq!(turned, hit);
        }
        // A disc is a segment of equal ends with a radius.
        let point = Segment::new(c.center, c.center).with_radius(c.radius);
        let same = ray_segment(Ray::new(o, v).with_max(max), point);
        prop_assert_eq!(same.map(|h| RayHit { feature: Feature::Interior, ..h }), hit);
    }

    #[test]
    fn swapped_lines_and_motions(a in circle(), b in circle(), v in vector(), w in vector()) {
        let (one, other) = (Line::new(a.center, v), Line::new(b.center, w));
        let turned = match line_line(other, one) {
            LineLine::Cross { point, t, u } => LineLine::Cross { point, t: u, u: t },
            LineLine::Parallel => LineLine::Parallel,
        };
        prop_assert_eq!(line_line(one, other), turned);
        prop_assert_eq!(circles_touch(a, b), circles_touch(b, a));
        let (there, back) = (sweep_circle_circle(a, v, b, w), sweep_circle_circle(b, w, a, v));
        if a.center == b.center {
            prop_assert_eq!(there.unwrap().contact.separation, back.unwrap().contact.separation);
        } else {
            let negated = |n: Vec2| Vec2::new(0.0 - n.x, 0.0 - n.y);
            let turned = back.map(|s| Sweep { contact: Contact { normal: negated(s.contact.normal), ..s.contact }, ..s });
            prop_assert_eq!(there, turned);
        }
    }

    #[test]
    fn swapped_capsules(a in capsule(), b in capsule()) {
        let (there, back) = (capsule_capsule(a, b), capsule_capsule(b, a));
        prop_assert_eq!(there.map(|c| c.separation), back.map(|c| c.separation));
        // Of several nearest pairs each order takes its own; one point has only one.
        if let (Some(there), Some(back), true) = (there, back, a.start == a.end && !segment_segment(a, b).is_hit()) {
            prop_assert_eq!((there.point, there.normal.x, there.normal.y), (back.point, 0.0 - back.normal.x, 0.0 - back.normal.y));
        }
    }

    #[test]
    fn reversed_lines_and_segments(p in vector(), line in (vector(), vector()), c in circle(), s in capsule(), max in radius()) {
        let (there, back) = (Line::new(line.0, line.1), Line::new(line.0, [0.0 - line.1.x, 0.0 - line.1.y]));
        let (near, far) = (nearest_on_line(p, there), nearest_on_line(p, back));
        prop_assert_eq!(far, NearestOnLine { t: 0.0 - near.t, ..near });
        if there.direction != Vec2::ZERO {
            let (left, right) = (signed_distance(p, there), signed_distance(p, back));
            prop_assert_eq!((left.side, left.height), (right.side.reverse(), 0.0 - right.height));
        }
        let turned = |p: OutlinePoint| OutlinePoint { t: 0.0 - p.t, ..p };
        let crossing = match line_circle(back, c).crossing {
            LineCrossing::Miss => LineCrossing::Miss,
            LineCrossing::Tangent(p) => LineCrossing::Tangent(turned(p)),
            LineCrossing::Secant(p, q) => LineCrossing::Secant(turned(q), turned(p)),
        };
        prop_assert_eq!(line_circle(there, c).crossing, crossing);
        let along: Vec<_> = points(segment_circle(s, c)).iter().map(|p| p.point).collect();
        let against: Vec<_> = points(segment_circle(s.reversed(), c)).iter().rev().map(|p| p.point).collect();
        prop_assert_eq!(along, against);
        let ends = |f: Feature| match f {
            Feature::Start if s.start != s.end => Feature::End,
            Feature::End => Feature::Start,
            f => f,
        };
        let (near, far) = (nearest_on_segment(p, s), nearest_on_segment(p, s.reversed()));
        prop_assert_eq!((far.foot, far.distance, ends(far.feature)), (near.foot, near.distance, near.feature));
        let ray = Ray::new(line.0, line.1).with_max(max);
        if !point_in_circle(line.0, Circle { center: nearest_on_segment(line.0, s).foot, radius: 0.0 }) {
            let back = ray_segment(ray, s.reversed()).map(|h| RayHit { feature: ends(h.feature), ..h });
            prop_assert_eq!(ray_segment(ray, s), back);
        }
    }

    #[test]
    fn mirrored_velocities_do_not_care_how_long_the_normal_is(v in vector(), n in vector(), k in -20i32..20) {
        let scaled = [n.x * 2.0f32.powi(k), n.y * 2.0f32.powi(k)];
        prop_assert_eq!(reflect(v, scaled), reflect(v, n));
        prop_assert_eq!(plain(reflect(v, [0.0 - n.x, 0.0 - n.y])), plain(reflect(v, n)));
        prop_assert_eq!(bounce(v, scaled), bounce(v, n));
    }
}

/// A number that a shift by whole numbers up to 4096 does not round.
fn short() -> impl Strategy<Value = f32> {
    prop_oneof![3 => (-6i32..=6).prop_map(|n| n as f32), 1 => (-512i32..=512).prop_map(|n| n as f32 / 64.0)]
}

fn short2() -> impl Strategy<Value = Vec2> {
    (short(), short()).prop_map(|(x, y)| Vec2::new(x, y))
}

fn shift() -> impl Strategy<Value = Vec2> {
    (-4096i32..=4096, -4096i32..=4096).prop_map(|(x, y)| Vec2::new(x as f32, y as f32))
}

fn sum(p: Vec2, by: Vec2) -> Vec2 {
    let at = Vec2::new(p.x + by.x, p.y + by.y);
    assert!(at.x - by.x == p.x && at.y - by.y == p.y, "the shift has to be exact");
    at
}

/// The same point, once rounded here and once there.
fn moved(here: Vec2, there: Vec2, by: Vec2) -> bool {
    let half = |x: f32| (f64::from(x.abs().next_up()) - f64::from(x.abs())) / 2.0;
    let near = |here: f32, there: f32, by: f32| {
        (f64::from(there) - f64::from(by) - f64::from(here)).abs() <= half(here) + half(there)
    };
    near(here.x, there.x, by.x) && near(here.y, there.y, by.y)
}

/// All but the points is the same.
fn same_contact(here: Option<Contact>, there: Option<Contact>, by: Vec2) -> bool {
    match (here, there) {
        (Some(here), Some(there)) => {
            moved(here.point, there.point, by) && here == Contact { point: here.point, ..there }
        }
        (here, there) => here.is_none() && there.is_none(),
    }
}

fn same_hit(here: Option<RayHit>, there: Option<RayHit>, by: Vec2) -> bool {
    match (here, there) {
        (Some(here), Some(there)) => {
            moved(here.point, there.point, by) && here == RayHit { point: here.point, ..there }
        }
        (here, there) => here.is_none() && there.is_none(),
    }
}

fn same_outline(here: &[OutlinePoint], there: &[OutlinePoint], by: Vec2) -> bool {
    here.len() == there.len() && here.iter().zip(there).all(|(p, q)| p.t == q.t && moved(p.point, q.point, by))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn shifts_of_pairs(n in prop::array::uniform6(short2()), r in (short(), short()), by in shift()) {
        let to = |p: Vec2| sum(p, by);
        let (c, d) = (Circle::new(n[0], r.0.abs()), Circle::new(n[1], r.1.abs()));
        let (a, b) = (Segment::new(n[2], n[3]).with_radius(r.1.abs()), Segment::new(n[4], n[5]));
        let circle = |c: Circle| Circle { center: to(c.center), ..c };
        let segment = |s: Segment| Segment { start: to(s.start), end: to(s.end), ..s };
        prop_assert!(same_contact(circle_circle(c, d), circle_circle(circle(c), circle(d)), by));
        prop_assert!(same_contact(circle_segment(c, a), circle_segment(circle(c), segment(a)), by));
        prop_assert!(moved(push_out(c, a), push_out(circle(c), segment(a)), by));
        prop_assert_eq!(circles_touch(c, d), circles_touch(circle(c), circle(d)));
        prop_assert_eq!(circle_touches_segment(c, a), circle_touches_segment(circle(c), segment(a)));
        prop_assert_eq!(segments_touch(a, b), segments_touch(segment(a), segment(b)));
        prop_assert_eq!(point_in_circle(n[2], c), point_in_circle(to(n[2]), circle(c)));
        let (here, there) = (segment_segment(a, b), segment_segment(segment(a), segment(b)));
        let same = match (here, there) {
            (SegmentRelation::Disjoint, SegmentRelation::Disjoint) => true,
            (SegmentRelation::Cross { point: p, t, u }, SegmentRelation::Cross { point: q, t: v, u: w })
            | (SegmentRelation::Touch { point: p, t, u }, SegmentRelation::Touch { point: q, t: v, u: w }) => {
                moved(p, q, by) && t == v && u == w
            }
            (SegmentRelation::Overlap { from, to: end }, SegmentRelation::Overlap { from: first, to: last }) => {
                to(from) == first && to(end) == last
            }
            _ => false,
        };
        prop_assert!(same, "{:?} {:?}", here, there);
        let (here, there) = (capsule_capsule(a, b), capsule_capsule(segment(a), segment(b)));
        prop_assert!(same_contact(here, there, by), "{:?} {:?}", here, there);
        let (here, there) = (nearest_on_segment(n[0], a), nearest_on_segment(to(n[0]), segment(a)));
        let there_too = NearestOnSegment { foot: here.foot, ..there };
        prop_assert!(moved(here.foot, there.foot, by) && here == there_too);
        let found = [points(segment_circle(a, c)), points(segment_circle(segment(a), circle(c)))];
        prop_assert!(same_outline(&found[0], &found[1], by));
    }

    #[test]
    fn shifts_of_lines_and_motions(n in prop::array::uniform6(short2()), r in (short(), short()), by in shift()) {
        let to = |p: Vec2| sum(p, by);
        let (c, d) = (Circle::new(n[0], r.0.abs()), Circle::new(n[1], r.1.abs()));
        let (s, v, w) = (Segment::new(n[2], n[3]).with_radius(r.1.abs()), n[4], n[5]);
        let circle = |c: Circle| Circle { center: to(c.center), ..c };
        let moved_s = Segment { start: to(s.start), end: to(s.end), ..s };
        let same_sweep = |here: Option<Sweep>, there: Option<Sweep>| {
            let rest = |s: Sweep| (s.fraction, s.approaching);
            here.map(rest) == there.map(rest)
                && same_contact(here.map(|s| s.contact), there.map(|s| s.contact), by)
        };
        prop_assert!(same_sweep(sweep_circle_segment(c, v, s), sweep_circle_segment(circle(c), v, moved_s)));
        prop_assert!(same_sweep(sweep_circle_circle(c, v, d, w), sweep_circle_circle(circle(c), v, circle(d), w)));
        let ray = |o: Vec2| Ray::new(o, v).with_max(2.0);
        prop_assert!(same_hit(ray_segment(ray(n[0]), s), ray_segment(ray(to(n[0])), moved_s), by));
        prop_assert!(same_hit(ray_circle(ray(n[2]), c), ray_circle(ray(to(n[2])), circle(c)), by));
        let (line, moved_line) = (Line::new(n[3], w), Line::new(to(n[3]), w));
        let (here, there) = (nearest_on_line(n[0], line), nearest_on_line(to(n[0]), moved_line));
        let there_too = NearestOnLine { foot: here.foot, ..there };
        prop_assert!(moved(here.foot, there.foot, by) && here == there_too);
        prop_assert_eq!(signed_distance(n[0], line), signed_distance(to(n[0]), moved_line));
        let (here, there) = (line_circle(line, c), line_circle(moved_line, circle(c)));
        let all = |cut: LineCircle| match cut.crossing {
            LineCrossing::Miss => vec![],
            LineCrossing::Tangent(p) => vec![p],
            LineCrossing::Secant(p, q) => vec![p, q],
        };
        prop_assert!(here.t == there.t && moved(here.foot, there.foot, by));
        prop_assert!(same_outline(&all(here), &all(there), by));
        let same = match (line_line(line, Line::new(n[1], v)), line_line(moved_line, Line::new(to(n[1]), v))) {
            (LineLine::Cross { point, t, u }, LineLine::Cross { point: there, t: a, u: b }) => {
                moved(point, there, by) && t == a && u == b
            }
            (here, there) => here == there,
        };
        prop_assert!(same);
    }
}
