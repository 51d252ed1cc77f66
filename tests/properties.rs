//! Promise: symmetries of the input are symmetries of the output, exactly, and no input makes a pairwise function panic or hand out
//! anything but finite numbers.
//!
//! Mirror, quarter turn, scale by a power of two, swap of the two shapes, reversal of a segment: no tolerance anywhere. Zero has one sign
//! (+0) in every output, so equality by value is equality by bits.

use crate::maps::*;
use gridlane::geometry::*;
use proptest::prelude::*;

/// The centre lies on the core segment: the normal is chosen.
fn on_core(c: Circle, s: Segment) -> bool {
    circle_touches_segment(Circle { radius: 0.0, ..c }, s.with_radius(0.0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn swapping_two_circles_turns_the_normal(a in circle(), b in circle()) {
        let (there, back) = (circle_circle(a, b), circle_circle(b, a));
        if a.center == b.center {
            // The normal is (0, 1) both ways, by convention.
            prop_assert_eq!(there.unwrap().separation, back.unwrap().separation);
        } else {
            prop_assert_eq!(there, back.map(|c| Contact { normal: negated(c.normal), ..c }));
        }
    }

    #[test]
    fn maps_of_circles(a in circle(), b in circle(), v in vector(), w in vector(), map in map()) {
        let free = a.center == b.center;
        let mut expected = circle_circle(a, b).map(|c| map.contact(c, free));
        let mut mapped = circle_circle(map.circle(a), map.circle(b));
        if free {
            expected.as_mut().unwrap().point = Vec2::ZERO;
            mapped.as_mut().unwrap().point = Vec2::ZERO;
        }
        prop_assert_eq!(mapped, expected);
        let sweep = sweep_circle_circle(a, v, b, w);
        let mapped = sweep_circle_circle(map.circle(a), map.point(v), map.circle(b), map.point(w));
        if free {
            prop_assert!(sweep.unwrap().fraction == 0.0 && mapped.unwrap().fraction == 0.0);
        } else {
            prop_assert_eq!(mapped, sweep.map(|s| Sweep { contact: map.contact(s.contact, false), ..s }));
        }
    }

    #[test]
    fn maps_of_circle_and_segment(c in circle(), s in capsule(), map in map()) {
        let (mc, ms) = (map.circle(c), map.segment(s));
        prop_assert_eq!(circle_touches_segment(mc, ms), circle_touches_segment(c, s));
        if !on_core(c, s) {
            prop_assert_eq!(circle_segment(mc, ms), circle_segment(c, s).map(|x| map.contact(x, false)));
            prop_assert_eq!(push_out(mc, ms), map.point(push_out(c, s)));
        } else {
            // Left stays left under turns; a mirror makes it right.
            let (plain, mapped) = (circle_segment(c, s).unwrap(), circle_segment(mc, ms).unwrap());
            prop_assert_eq!((mapped.separation, mapped.feature), (plain.separation * map.scale, plain.feature));
            if s.start != s.end {
                let turned = map.turn(plain.normal);
                prop_assert_eq!(mapped.normal, if map.mirrored { negated(turned) } else { turned });
            }
        }
        let (near, mapped) = (nearest_on_segment(c.center, s), nearest_on_segment(mc.center, ms));
        prop_assert_eq!((mapped.t, mapped.feature), (near.t, near.feature));
        prop_assert_eq!((mapped.foot, mapped.distance), (map.point(near.foot), near.distance * map.scale));
    }

    #[test]
    fn a_reversed_segment_is_the_same_set(c in circle(), s in capsule(), v in vector()) {
        let other_end = |f: Feature| match f {
            Feature::Start if s.start != s.end => Feature::End,
            Feature::End => Feature::Start,
            f => f,
        };
        let turned = |x: Contact| Contact { feature: other_end(x.feature), ..x };
        if !on_core(c, s) {
            prop_assert_eq!(circle_segment(c, s.reversed()), circle_segment(c, s).map(turned));
            prop_assert_eq!(push_out(c, s.reversed()), push_out(c, s));
            let sweep = sweep_circle_segment(c, v, s);
            prop_assert_eq!(
                sweep_circle_segment(c, v, s.reversed()),
                sweep.map(|w| Sweep { contact: turned(w.contact), ..w })
            );
        } else if s.start != s.end {
            let (there, back) = (circle_segment(c, s).unwrap(), circle_segment(c, s.reversed()).unwrap());
            prop_assert_eq!(back.normal, negated(there.normal));
        }
    }

    #[test]
    fn swap_and_reversal_of_two_segments(a in capsule(), b in capsule()) {
        let there = segment_segment(a, b);
        let back = match segment_segment(b, a) {
            SegmentRelation::Cross { point, t, u } => SegmentRelation::Cross { point, t: u, u: t },
            SegmentRelation::Touch { point, t, u } => SegmentRelation::Touch { point, t: u, u: t },
            SegmentRelation::Overlap { from, to } => {
                let SegmentRelation::Overlap { from: first, .. } = there else { panic!("{there:?}") };
                if first == from { SegmentRelation::Overlap { from, to } } else { SegmentRelation::Overlap { from: to, to: from } }
            }
            SegmentRelation::Disjoint => SegmentRelation::Disjoint,
        };
        prop_assert_eq!(there, back);
        let same = match (there, segment_segment(a.reversed(), b)) {
            (SegmentRelation::Disjoint, SegmentRelation::Disjoint) => true,
            (SegmentRelation::Cross { point: p, u, .. }, SegmentRelation::Cross { point: q, u: w, .. })
            | (SegmentRelation::Touch { point: p, u, .. }, SegmentRelation::Touch { point: q, u: w, .. }) => p == q && u == w,
            (SegmentRelation::Overlap { from, to }, SegmentRelation::Overlap { from: last, to: first }) => {
                from == first && to == last
            }
            _ => false,
        };
        prop_assert!(same);
        prop_assert_eq!(segments_touch(a, b), segments_touch(b, a));
        prop_assert_eq!(segments_touch(a, b), capsule_capsule(a, b).is_some());
        prop_assert_eq!(capsule_capsule(a, b).map(|c| c.separation), capsule_capsule(b, a).map(|c| c.separation));
    }

    #[test]
    fn maps_of_two_segments(a in capsule(), b in capsule(), map in map()) {
        let expected = match segment_segment(a, b) {
            SegmentRelation::Cross { point, t, u } => SegmentRelation::Cross { point: map.point(point), t, u },
            SegmentRelation::Touch { point, t, u } => SegmentRelation::Touch { point: map.point(point), t, u },
            SegmentRelation::Overlap { from, to } => {
                SegmentRelation::Overlap { from: map.point(from), to: map.point(to) }
            }
            SegmentRelation::Disjoint => SegmentRelation::Disjoint,
        };
        prop_assert_eq!(segment_segment(map.segment(a), map.segment(b)), expected);
        let (plain, mapped) = (capsule_capsule(a, b), capsule_capsule(map.segment(a), map.segment(b)));
        if segment_segment(a, b).is_hit() {
            prop_assert_eq!(mapped.unwrap().separation, plain.unwrap().separation * map.scale);
        } else {
            prop_assert_eq!(mapped, plain.map(|c| map.contact(c, false)));
        }
    }

    #[test]
    fn the_crossing_lies_in_both_boxes(a in capsule(), b in capsule()) {
        if let SegmentRelation::Cross { point, t, u } = segment_segment(a, b) {
            let inside = |s: Segment| {
                s.start.x.min(s.end.x) <= point.x && point.x <= s.start.x.max(s.end.x)
                    && s.start.y.min(s.end.y) <= point.y && point.y <= s.start.y.max(s.end.y)
            };
            prop_assert!(inside(a) && inside(b));
            prop_assert!((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u));
        }
    }

    #[test]
    fn maps_of_lines_rays_and_sweeps(c in circle(), s in capsule(), v in vector(), max in radius(), map in map()) {
        let (mc, ms, mv) = (map.circle(c), map.segment(s), map.point(v));
        if !on_core(c, s) {
            let sweep = sweep_circle_segment(c, v, s).map(|w| Sweep { contact: map.contact(w.contact, false), ..w });
            prop_assert_eq!(sweep_circle_segment(mc, mv, ms), sweep);
            let hit = ray_segment(Ray::new(c.center, v).with_max(max), s);
            let hit = hit.map(|h| RayHit { point: map.point(h.point), normal: map.turn(h.normal), ..h });
            prop_assert_eq!(ray_segment(Ray::new(mc.center, mv).with_max(max), ms), hit);
        }
        let (line, mapped) = (Line::new(s.start, v), Line::new(ms.start, mv));
        let at = |p: OutlinePoint| OutlinePoint { point: map.point(p.point), ..p };
        let cut = line_circle(line, c);
        let crossing = match cut.crossing {
            LineCrossing::Miss => LineCrossing::Miss,
            LineCrossing::Tangent(p) => LineCrossing::Tangent(at(p)),
            LineCrossing::Secant(p, q) => LineCrossing::Secant(at(p), at(q)),
        };
        prop_assert_eq!(line_circle(mapped, mc), LineCircle { foot: map.point(cut.foot), crossing, ..cut });
        let (signed, turned) = (signed_distance(c.center, line), signed_distance(mc.center, mapped));
        if v != Vec2::ZERO {
            let sign = if map.mirrored { -1.0 } else { 1.0 };
            prop_assert_eq!(turned.height, signed.height * map.scale * sign);
            prop_assert_eq!(turned.side, if map.mirrored { signed.side.reverse() } else { signed.side });
        }
        prop_assert_eq!(reflect(mv, map.turn(s.start)), map.point(reflect(v, s.start)));
        prop_assert_eq!(bounce(mv, map.turn(s.start)), map.point(bounce(v, s.start)));
    }

    #[test]
    fn a_mirror_twice_is_where_it_was(x in -4096i32..4096, y in -4096i32..4096, axis in any::<bool>()) {
        // On integers the mirror in an axis or a diagonal is exact.
        let v = Vec2::new(x as f32, y as f32);
        let n = if axis { Vec2::new(0.0, -3.0) } else { Vec2::new(5.0, -5.0) };
        prop_assert_eq!(reflect(reflect(v, n), n), v);
        prop_assert_eq!(bounce(bounce(v, n), n), bounce(v, n));
    }

    #[test]
    fn pushed_out_is_just_touching(c in circle(), s in capsule()) {
        let pushed = Circle { center: push_out(c, s), ..c };
        if let Some(contact) = circle_segment(c, s) {
            // Rounding the new centre moves it by at most half an ulp on each axis.
            let ulp = |x: f32| f64::from(x.abs().next_up()) - f64::from(x.abs());
            let slack = ulp(pushed.center.x) + ulp(pushed.center.y) + ulp(c.radius + s.radius);
            let left = circle_segment(pushed, s).map_or(0.0, |after| f64::from(after.separation));
            prop_assert!(left >= -slack, "{contact:?} {left}");
            let grown = Circle { radius: ((f64::from(c.radius) + slack) as f32).next_up(), ..pushed };
            prop_assert!(circle_touches_segment(grown, s));
        } else {
            prop_assert_eq!(pushed, c);
        }
    }

    #[test]
    fn a_sweep_hits_what_its_ends_touch(x in -9i32..9, y in -9i32..9, dx in -9i32..9, dy in -9i32..9, r in radius(), s in capsule()) {
        // On integers center + motion is exact.
        let (start, v) = (Circle::new([x as f32, y as f32], r), Vec2::new(dx as f32, dy as f32));
        let end = Circle::new([(x + dx) as f32, (y + dy) as f32], r);
        let sweep = sweep_circle_segment(start, v, s);
        if circle_touches_segment(start, s) || circle_touches_segment(end, s) {
            prop_assert!(sweep.is_some());
        }
        // A swept circle is a capsule.
        let swept = Segment::new(start.center, end.center).with_radius(r);
        prop_assert_eq!(sweep.is_some(), segments_touch(swept, s));
        let ray = Ray::new(start.center, v).with_max(1.0);
        prop_assert_eq!(ray_segment(ray, s).is_some(), segments_touch(swept.with_radius(0.0), s));
        // The way back meets it as well.
        prop_assert_eq!(sweep_circle_segment(end, negated(v), s).is_some(), sweep.is_some());
    }
}

fn anything() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            f32::MAX,
            f32::MIN,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1e-45,
            -1e-45
        ]),
        number(),
    ]
}

fn finite(contact: Contact) -> bool {
    let n = contact.normal;
    let length = f64::from(n.x) * f64::from(n.x) + f64::from(n.y) * f64::from(n.y);
    contact.point.is_finite()
        && (length - 1.0).abs() < 1.3e-7
        && contact.separation <= 0.0
        && contact.separation.is_finite()
}

fn sane(outline: &[OutlinePoint]) -> bool {
    outline.iter().all(|p| p.point.is_finite() && p.t.is_finite())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, ..ProptestConfig::default() })]

    #[test]
    fn any_bits_at_all(n in prop::array::uniform14(anything())) {
        let (p, v, w) = (Vec2::new(n[0], n[1]), Vec2::new(n[2], n[3]), Vec2::new(n[4], n[5]));
        let (c, d) = (Circle::new(p, n[6]), Circle::new(w, n[7]));
        let s = Segment::new([n[8], n[9]], [n[10], n[11]]).with_radius(n[12]);
        let r = Segment::new(p, w).with_radius(n[13]);
        let (line, other, ray) = (Line::new(p, v), Line::new(w, s.start), Ray::new(p, v).with_max(n[13]));
        let valid = c.is_valid() && s.is_valid();
        for contact in [circle_circle(c, d), circle_segment(c, s), capsule_capsule(r, s)].into_iter().flatten() {
            prop_assert!(finite(contact), "{contact:?}");
        }
        prop_assert!(valid || (circle_segment(c, s).is_none() && !circle_touches_segment(c, s)));
        prop_assert!(!valid || push_out(c, s).is_finite());
        for sweep in [sweep_circle_segment(c, v, s), sweep_circle_circle(c, v, d, w)].into_iter().flatten() {
            prop_assert!(finite(sweep.contact) && (0.0..=1.0).contains(&sweep.fraction), "{sweep:?}");
        }
        for hit in [ray_segment(ray, s), ray_circle(ray, d)].into_iter().flatten() {
            let contact = Contact { point: hit.point, normal: hit.normal, ..Contact::default() };
            prop_assert!(finite(contact) && hit.t >= 0.0 && hit.t <= ray.max, "{hit:?}");
        }
        match segment_segment(r, s) {
            SegmentRelation::Cross { point, t, u } | SegmentRelation::Touch { point, t, u } => {
                prop_assert!(point.is_finite() && (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u));
            }
            SegmentRelation::Overlap { from, to } => prop_assert!(from.is_finite() && to.is_finite()),
            SegmentRelation::Disjoint => {}
        }
        let near = nearest_on_line(w, line);
        prop_assert!(near.foot.is_finite() && near.t.is_finite() && near.distance >= 0.0 && near.distance.is_finite());
        let near = nearest_on_segment(p, s);
        prop_assert!(near.foot.is_finite() && (0.0..=1.0).contains(&near.t) && near.distance >= 0.0 && near.distance.is_finite());
        prop_assert!(signed_distance(w, line).height.is_finite());
        if let LineLine::Cross { point, t, u } = line_line(line, other) {
            prop_assert!(point.is_finite() && t.is_finite() && u.is_finite());
        }
        let cut = line_circle(line, d);
        prop_assert!(cut.foot.is_finite() && cut.t.is_finite());
        match cut.crossing {
            LineCrossing::Miss => {}
            LineCrossing::Tangent(p) => prop_assert!(sane(&[p])),
            LineCrossing::Secant(p, q) => prop_assert!(sane(&[p, q]) && p.t <= q.t),
        }
        match segment_circle(s, c) {
            SegmentCircle::None => {}
            SegmentCircle::One(p) => prop_assert!(sane(&[p])),
            SegmentCircle::Two(p, q) => prop_assert!(sane(&[p, q]) && p.t <= q.t),
        }
        prop_assert!(reflect(p, v).is_finite() || !v.is_finite() || v == Vec2::ZERO);
        prop_assert!(!reflect(p, v).x.is_nan() && !bounce(p, v).y.is_nan());
        let _ = (point_in_circle(p, d), points_in_circles(p, &n, &n[1..], &n[2..]).count());
    }

    /// The nearest point is that: a point of the line or segment a little further on, or back, is no nearer, but for how the distance was rounded
    /// (2^-24 of it) and for what double precision loses here (below 2^-49 of the coordinates).
    #[test]
    fn nudging_the_nearest_point_never_helps(p in vector(), s in capsule(), by in 1i32..40) {
        let wide = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
        let (q, a, b) = (wide(p), wide(s.start), wide(s.end));
        let size = [q, a, b].iter().flatten().fold(0.0, |sum, v| sum + v.abs());
        let at = |t: f64| (q[0] - a[0] - t * (b[0] - a[0])).hypot(q[1] - a[1] - t * (b[1] - a[1]));
        let least = |distance: f32| f64::from(distance) * (1.0 - 2f64.powi(-23)) - f64::from(f32::from_bits(1));
        let on_segment = nearest_on_segment(p, s);
        let direction = Vec2::new(s.end.x - s.start.x, s.end.y - s.start.y);
        let (d, on_line) = (wide(direction), nearest_on_line(p, Line::new(s.start, direction)));
        for nudge in [2f64.powi(-by), -2f64.powi(-by)] {
            let moved = f64::from(on_segment.t) + nudge;
            let t = if moved < 0.0 { 0.0 } else if moved > 1.0 { 1.0 } else { moved };
            prop_assert!(at(t) + size * 2f64.powi(-49) >= least(on_segment.distance), "{on_segment:?} {nudge}");
            if direction.is_finite() && size < 1e30 && on_line.t.abs() < 1e6 {
                // The line has a rounded direction: held against the points of that one.
                let t = f64::from(on_line.t) + nudge;
                let far = (q[0] - a[0] - t * d[0]).hypot(q[1] - a[1] - t * d[1]);
                let lost = (size + t.abs() * (d[0].abs() + d[1].abs())) * 2f64.powi(-49);
                prop_assert!(far + lost >= least(on_line.distance), "{on_line:?} {nudge}");
            }
        }
    }
}
