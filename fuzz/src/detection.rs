//! A detector over columns and filters that change, against every pair asked one by one; backends and threads against each other byte for
//! byte, and so what filters leave against a detector that has none.
//!
//! Comes in: bytes. Goes out: nothing, or a panic. Decisions, features and classes have to be exact, values of pairs of segments
//! those of `geometry`, other values within the rounding of the kernels' formulas.

use crate::choices::{Choices, Numbers, Script, nudged};
use crate::draw::FiniteDraw;
use crate::filters::{Drawn, left_bytes, refuse};
use crate::truth::{Columns, Sets, assert_sound, bytes};
use crate::ways;
use gridlane::geometry::{self, Contact, Feature, SegmentRelation, Vec2};
use gridlane::{
    Backend, CellSize, Circles, Contacts, Detector, DetectorConfig, Error, Filters, Frame, PairKinds, SegmentClass,
    Segments, Threads,
};

/// Most bodies of a kind: the truth asks every pair.
const MOST: usize = 40;

/// What is asked: several detectors, the same of each; and one that never hears of filters, nor of a limit.
struct Bench {
    detectors: Vec<Detector>,
    contacts: Vec<Contacts>,
    plain: (Detector, Contacts),
    /// Those of the segments.
    filters: Drawn,
    kinds: PairKinds,
    limit: usize,
    /// A kind of contacts for which a slice is too short.
    short: Option<usize>,
}

impl Bench {
    fn new(c: &mut Script<'_>, n: &mut Numbers) -> Bench {
        let bits = c.byte();
        let on = |k: u8| bits & (1 << k) == 0;
        let kinds = PairKinds { circle_circle: on(0), circle_segment: on(1), segment_segment: on(2) };
        let kinds = if bits < 128 { PairKinds::ALL } else { kinds };
        let cell_size = match c.below(3) {
            0 => CellSize::Auto,
            _ => match n.finite(c).abs() {
                0.0 => CellSize::Auto,
                cell => CellSize::Fixed(cell),
            },
        };
        let limit = if c.once_in(4) { c.below(64) } else { 1 << 26 };
        let config = DetectorConfig::default().with_pair_kinds(kinds).with_cell_size(cell_size);
        let plain = Detector::new(config.clone().with_threads(Threads::Fixed(1))).expect("in range");
        let config = config.with_contact_limit(limit);
        // Threads that wait for each other are what takes the time of a script: not in every one.
        let last = if c.once_in(8) { 2 } else { 1 };
        let detectors = [(Backend::Scalar, 1), (Backend::Wide, last)].map(|(backend, threads)| {
            let config = config.clone().with_backend(backend).with_threads(Threads::Fixed(threads));
            Detector::new(config).expect("in range")
        });
        let (contacts, plain) = (vec![Contacts::new(); 2], (plain, Contacts::new()));
        let short = [None, Some(0), Some(1), Some(2)][c.below(4)];
        Bench { contacts, detectors: detectors.into(), plain, filters: Drawn::default(), kinds, limit, short }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Detector> {
        self.detectors.iter_mut().chain([&mut self.plain.0])
    }

    fn set_segments(&mut self, scene: &Columns) {
        for detector in self.all() {
            detector.set_segments(scene.segments()).expect("finite");
        }
        self.filters = Drawn::default();
    }

    fn set_filters(&mut self, filters: Drawn) {
        for detector in &mut self.detectors {
            detector.set_segment_filters(filters.columns()).expect("a filter a row");
        }
        self.filters = filters;
    }

    fn replace(&mut self, scene: &Columns, rows: std::ops::Range<usize>) {
        let r = rows.clone();
        let part =
            Segments { x0: &scene.x0[r.clone()], y0: &scene.y0[r.clone()], x1: &scene.x1[r.clone()], y1: &scene.y1[r] };
        for detector in self.all() {
            detector.replace_segments(rows.clone(), part).expect("rows that there are");
        }
    }

    /// A number that is not one, or a column too short: refused by all, and nothing has changed.
    fn refuse(&mut self, scene: &Columns, c: &mut Script<'_>) {
        let bad = [f32::NAN, f32::INFINITY, -1.0, f32::NEG_INFINITY][c.below(4)];
        let mut radius = scene.radius.clone();
        match radius.len() {
            0 => radius.push(1.0),
            count => radius[c.below(256) % count] = bad,
        }
        for (detector, contacts) in self.detectors.iter_mut().zip(&mut self.contacts) {
            let before = bytes(contacts);
            let result = detector.detect(Circles { x: &scene.x, y: &scene.y, radius: &radius }, contacts);
            assert!(result.is_err() && bytes(contacts) == before, "{result:?}");
            let long = vec![0; scene.x.len() + scene.x0.len() + 1];
            let filters = Filters { category: if bad > 0.0 { &long } else { &[] }, mask: &long };
            assert!(detector.set_segment_filters(filters).is_err());
            let result = detector.detect_filtered(scene.circles(), filters, contacts);
            assert!(result.is_err() && bytes(contacts) == before, "{result:?}");
            let walls = Segments { x0: &[0.0], y0: &[bad.abs() / 0.0], x1: &[0.0], y1: &[0.0] };
            assert!(detector.set_segments(walls).is_err() && detector.segments() == scene.x0.len());
        }
    }

    fn detect(&mut self, scene: &Columns, circles: &Drawn) {
        let mut expected = Sets::brute(scene);
        for (on, list) in [
            (self.kinds.circle_circle, &mut expected.circle_circle),
            (self.kinds.circle_segment, &mut expected.circle_segment),
        ] {
            if !on {
                list.clear();
            }
        }
        if !self.kinds.segment_segment {
            expected.segment_segment.clear();
        }
        refuse(&mut expected, circles, &self.filters);
        let too_many = expected.counts().iter().sum::<usize>() > self.limit;
        for (detector, contacts) in self.detectors.iter_mut().zip(&mut self.contacts) {
            let result = detector.detect_filtered(scene.circles(), circles.columns(), contacts);
            if too_many {
                assert_eq!(result, Err(Error::TooManyContacts { limit: self.limit }));
                assert!(contacts.is_empty());
            } else {
                assert_eq!(result, Ok(()));
            }
        }
        if too_many {
            return;
        }
        let first = &self.contacts[0];
        for other in &self.contacts[1..] {
            assert!(bytes(first) == bytes(other), "other bytes:\n{first:?}\n{other:?}\n{scene:?}");
        }
        assert_sound(first, "detect");
        let frame = Frame::new(scene.circles()).with_filters(circles.columns());
        for (detector, contacts) in self.detectors.iter_mut().zip(&self.contacts) {
            ways::check(detector, frame, contacts, self.short);
        }
        Sets::reported(first, "detect").assert_equal(&expected, "detect");
        check_values(first, scene);
        if !(circles.are_left_out() && self.filters.are_left_out()) {
            let (plain, all) = &mut self.plain;
            plain.detect(scene.circles(), all).expect("no limit");
            let left = left_bytes(all, circles, &self.filters);
            assert!(bytes(first) == left, "not what is left of {all:?}:\n{first:?}\n{scene:?}");
        }
    }
}

const U: f64 = 1.0 / 16_777_216.0;

/// Contacts against those of the pairwise functions. The bounds are derived in `tests/kernels_differential.rs`.
fn check_values(contacts: &Contacts, scene: &Columns) {
    let near = |what: &str, exact: Contact, point: Vec2, normal: Vec2, separation: f32, reach: f64, size: f64| {
        // Two neighbours among the least numbers may be the nearest to values that are all but the same.
        let far = |a: f32, b: f32| (f64::from(a) - f64::from(b)).abs() - f64::from(f32::from_bits(1));
        let ok = far(separation, exact.separation) <= 7.0 * U * reach
            && far(normal.x, exact.normal.x) <= 6.0 * U
            && far(normal.y, exact.normal.y) <= 6.0 * U
            && far(point.x, exact.point.x) <= 16.0 * U * (size + reach)
            && far(point.y, exact.point.y) <= 16.0 * U * (size + reach);
        assert!(ok, "{what}: {point:?} {normal:?} {separation}, not {exact:?}");
    };
    let size = |v: Vec2| f64::from(v.x.abs()) + f64::from(v.y.abs());
    for k in contacts.circle_circle() {
        let (a, b) = (scene.circle(k.a as usize), scene.circle(k.b as usize));
        let exact = geometry::circle_circle(a, b).expect("the sets are equal");
        let reach = f64::from(a.radius) + f64::from(b.radius);
        near(&format!("{a:?} {b:?}"), exact, k.point, k.normal, k.separation, reach, size(a.center));
    }
    for k in contacts.circle_segment() {
        let (circle, wall) = (scene.circle(k.a as usize), scene.segment(k.b as usize));
        let exact = geometry::circle_segment(circle, wall).expect("the sets are equal");
        let what = format!("{circle:?} {wall:?}");
        assert_eq!(k.feature, exact.feature, "{what}");
        let (dx, dy) = (
            f64::from(circle.center.x) - f64::from(wall.start.x),
            f64::from(circle.center.y) - f64::from(wall.start.y),
        );
        let far = if exact.feature == Feature::Interior { (dx * dx + dy * dy).sqrt() } else { 0.0 };
        let reach = f64::from(circle.radius) + f64::from(wall.radius) + far;
        near(&what, exact, k.point, k.normal, k.separation, reach, size(circle.center) + size(exact.point));
    }
    for k in contacts.segment_segment() {
        let (a, b) = (scene.segment(k.a as usize), scene.segment(k.b as usize));
        let what = format!("{a:?} {b:?} {k:?}");
        let (point, to, tu) = match geometry::segment_segment(a, b) {
            SegmentRelation::Cross { point, t, u } | SegmentRelation::Touch { point, t, u } => {
                (point, point, Some((t, u)))
            }
            SegmentRelation::Overlap { from, to } => (from, to, None),
            SegmentRelation::Disjoint => {
                assert_eq!(k.class, SegmentClass::Near, "{what}");
                continue;
            }
        };
        assert_eq!((k.point, k.to), (point, to), "{what}");
        assert!(tu.is_none_or(|tu| tu == (k.t, k.u)), "{what}");
    }
}

fn finite(v: f32) -> f32 {
    if v.is_finite() { v } else { f32::MAX.copysign(v) }
}

/// Adds or changes bodies; true if segments are others now.
fn edit(d: &mut FiniteDraw<'_>, scene: &mut Columns, op: usize) -> bool {
    let (circles, segments) = (scene.x.len(), scene.x0.len());
    match op {
        0 | 1 if circles < MOST => {
            let at = d.point();
            scene.push_circle(at, d.number().abs());
        }
        2 if circles > 0 && circles < MOST => {
            // A neighbour of one that is there, about as far off as both radii.
            let i = d.c.below(256) % circles;
            let ([dx, dy], r) = (d.point(), scene.radius[i]);
            let length = (f64::from(dx) * f64::from(dx) + f64::from(dy) * f64::from(dy)).sqrt() as f32;
            let k = d.c.below(5) as i32 - 2;
            scene.push_circle([finite(scene.x[i] + dx), finite(scene.y[i] + dy)], nudged(finite(length - r), k).abs());
        }
        3 => {
            let ([x, y], [dx, dy], r) = (d.point(), d.point(), d.number().abs());
            for i in 0..d.c.below(24).min(MOST - circles.min(MOST)) {
                scene.push_circle([finite(x + dx * i as f32), finite(y + dy * i as f32)], r);
            }
        }
        4 if circles > 0 => {
            let i = d.c.below(256) % circles;
            scene.x[i] = d.number();
        }
        5 if circles > 0 => {
            let i = d.c.below(256) % circles;
            for column in [&mut scene.x, &mut scene.y, &mut scene.radius] {
                column.swap_remove(i);
            }
        }
        6 | 7 if segments < MOST => {
            let start = d.point();
            let end = if d.c.once_in(8) { start } else { d.point() };
            scene.push_segment(start, end);
            return true;
        }
        8 => {
            let (mut p, [dx, dy]) = (d.point(), d.point());
            for i in 0..d.c.below(16).min(MOST - segments.min(MOST)) {
                let next = if i % 2 == 0 { [finite(p[0] + dx), p[1]] } else { [p[0], finite(p[1] + dy)] };
                scene.push_segment(p, next);
                p = next;
            }
            return true;
        }
        9 if segments > 0 => {
            let i = d.c.below(256) % segments;
            for column in [&mut scene.x0, &mut scene.y0, &mut scene.x1, &mut scene.y1, &mut scene.wall_radius] {
                column.swap_remove(i);
            }
            return true;
        }
        _ => {}
    }
    false
}

/// One script: edits and detections.
pub fn check(bytes: &[u8]) {
    let (mut c, mut n) = (Script::new(bytes), Numbers::default());
    let mut bench = Bench::new(&mut c, &mut n);
    let wild = c.once_in(2);
    let (mut d, mut scene) = (FiniteDraw { c, n, wild }, Columns::default());
    let (mut stale, mut rounds) = (false, 0);
    while !d.c.is_over() && rounds < 4 {
        match d.c.below(14) {
            10 if !scene.x0.is_empty() && !stale => {
                let (i, p) = (d.c.below(256) % scene.x0.len(), d.point());
                [scene.x1[i], scene.y1[i]] = p;
                bench.replace(&scene, i..i + 1);
            }
            11 if !stale => bench.refuse(&scene, &mut d.c),
            12 => {
                if std::mem::take(&mut stale) {
                    bench.set_segments(&scene);
                }
                let filters = Drawn::new(&mut d.c, scene.x.len());
                bench.detect(&scene, &filters);
                rounds += 1;
            }
            13 => {
                if std::mem::take(&mut stale) {
                    bench.set_segments(&scene);
                }
                bench.set_filters(Drawn::new(&mut d.c, scene.x0.len()));
            }
            op => stale |= edit(&mut d, &mut scene, op),
        }
    }
    if stale {
        bench.set_segments(&scene);
    }
    bench.detect(&scene, &Drawn::default());
}
