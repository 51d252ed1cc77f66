//! Truth for whole scenes: every pair asked of the pairwise functions, which are held against an oracle elsewhere.
//!
//! Comes in: columns. Goes out: the touching pairs as sorted lists, and the same of what an engine reports. Knows no grid.

use gridlane::geometry::{self, SegmentRelation};
use gridlane::{Circle, Circles, Contacts, Segment, SegmentClass, Segments, World};

/// A scene as columns, segments with radii.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub x: Vec<f32>,
    pub y: Vec<f32>,
    pub radius: Vec<f32>,
    pub x0: Vec<f32>,
    pub y0: Vec<f32>,
    pub x1: Vec<f32>,
    pub y1: Vec<f32>,
    pub wall_radius: Vec<f32>,
}

impl Columns {
    pub fn push_circle(&mut self, [x, y]: [f32; 2], radius: f32) {
        self.x.push(x);
        self.y.push(y);
        self.radius.push(radius);
    }

    pub fn push_segment(&mut self, [x0, y0]: [f32; 2], [x1, y1]: [f32; 2]) {
        self.x0.push(x0);
        self.y0.push(y0);
        self.x1.push(x1);
        self.y1.push(y1);
        self.wall_radius.push(0.0);
    }

    pub fn circles(&self) -> Circles<'_> {
        Circles { x: &self.x, y: &self.y, radius: &self.radius }
    }

    pub fn segments(&self) -> Segments<'_> {
        Segments { x0: &self.x0, y0: &self.y0, x1: &self.x1, y1: &self.y1 }
    }

    pub fn circle(&self, i: usize) -> Circle {
        Circle::new([self.x[i], self.y[i]], self.radius[i])
    }

    pub fn segment(&self, i: usize) -> Segment {
        Segment::new([self.x0[i], self.y0[i]], [self.x1[i], self.y1[i]]).with_radius(self.wall_radius[i])
    }
}

impl From<super::scenes::Scene> for Columns {
    fn from(s: super::scenes::Scene) -> Columns {
        let wall_radius = vec![0.0; s.x0.len()];
        Columns { x: s.x, y: s.y, radius: s.radius, x0: s.x0, y0: s.y0, x1: s.x1, y1: s.y1, wall_radius }
    }
}

/// The touching pairs of a scene, sorted; pairs of segments with their class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    pub circle_circle: Vec<(u32, u32)>,
    pub circle_segment: Vec<(u32, u32)>,
    pub segment_segment: Vec<(u32, u32, &'static str)>,
}

impl Sets {
    /// How many of each kind.
    pub fn counts(&self) -> [usize; 3] {
        [self.circle_circle.len(), self.circle_segment.len(), self.segment_segment.len()]
    }

    /// What a world reports, by the indices of its handles, which are the rows of the scene it was made of.
    pub fn of_world(world: &World) -> Sets {
        let (circles, segments) = (world.circles().handles(), world.segments().handles());
        let (circle, segment) = (|row: u32| circles[row as usize].index(), |row: u32| segments[row as usize].index());
        let sorted = |a: u32, b: u32| if a < b { (a, b) } else { (b, a) };
        let contacts = world.contacts();
        let pair = |a: u32, b: u32, class| {
            let (a, b) = sorted(segment(a), segment(b));
            (a, b, class)
        };
        let mut sets = Sets {
            circle_circle: contacts.circle_circle().iter().map(|c| sorted(circle(c.a), circle(c.b))).collect(),
            circle_segment: contacts.circle_segment().iter().map(|c| (circle(c.a), segment(c.b))).collect(),
            segment_segment: contacts.segment_segment().iter().map(|c| pair(c.a, c.b, c.class.name())).collect(),
        };
        sets.sort();
        sets
    }

    /// What an engine reports: once each, `a < b` among equals, rows that exist. Sorted here, since cells order them.
    pub fn reported(contacts: &Contacts, what: &str) -> Sets {
        let mut sets = Sets {
            circle_circle: contacts.circle_circle().iter().map(|c| (c.a, c.b)).collect(),
            circle_segment: contacts.circle_segment().iter().map(|c| (c.a, c.b)).collect(),
            segment_segment: contacts.segment_segment().iter().map(|c| (c.a, c.b, c.class.name())).collect(),
        };
        assert!(sets.circle_circle.iter().all(|p| p.0 < p.1), "{what}: a pair of circles has a >= b");
        assert!(sets.segment_segment.iter().all(|p| p.0 < p.1), "{what}: a pair of segments has a >= b");
        sets.sort();
        assert!(sets.circle_circle.is_sorted_by(|p, q| p < q), "{what}: a pair of circles twice");
        assert!(sets.circle_segment.is_sorted_by(|p, q| p < q), "{what}: a pair of a circle and a segment twice");
        let twice = !sets.segment_segment.is_sorted_by(|p, q| (p.0, p.1) < (q.0, q.1));
        assert!(!twice, "{what}: a pair of segments twice");
        sets
    }

    /// Every pair of a scene, asked one by one.
    pub fn brute(scene: &Columns) -> Sets {
        let mut sets = Sets::default();
        let (circles, segments) = (scene.x.len(), scene.x0.len());
        for a in 0..circles {
            for b in a + 1..circles {
                sets.ask_circles(scene, a, b);
            }
            for b in 0..segments {
                sets.ask_circle_segment(scene, a, b);
            }
        }
        for a in 0..segments {
            for b in a + 1..segments {
                sets.ask_segments(scene, a, b);
            }
        }
        sets
    }

    /// The same for large scenes: only pairs whose boxes overlap are asked, found by a sweep along x. Boxes are rounded
    /// to f64; rounding is monotone, so boxes that share a point still do.
    pub fn swept(scene: &Columns) -> Sets {
        let wide = f64::from;
        let circles = (0..scene.x.len()).map(|i| {
            let (x, y, r) = (wide(scene.x[i]), wide(scene.y[i]), wide(scene.radius[i]));
            Swept { low: [x - r, y - r], high: [x + r, y + r], row: i, segment: false }
        });
        let segments = (0..scene.x0.len()).map(|i| {
            let r = wide(scene.wall_radius[i]);
            let (x, y) = ([wide(scene.x0[i]), wide(scene.x1[i])], [wide(scene.y0[i]), wide(scene.y1[i])]);
            let (low, high) = ([x[0].min(x[1]) - r, y[0].min(y[1]) - r], [x[0].max(x[1]) + r, y[0].max(y[1]) + r]);
            Swept { low, high, row: i, segment: true }
        });
        let mut boxes: Vec<Swept> = circles.chain(segments).collect();
        boxes.sort_by(|p, q| p.low[0].total_cmp(&q.low[0]));
        let mut sets = Sets::default();
        for (i, p) in boxes.iter().enumerate() {
            for q in boxes[i + 1..].iter().take_while(|q| q.low[0] <= p.high[0]) {
                if q.low[1] <= p.high[1] && p.low[1] <= q.high[1] {
                    let (low, high) = if p.row < q.row { (p.row, q.row) } else { (q.row, p.row) };
                    match (p.segment, q.segment) {
                        (false, false) => sets.ask_circles(scene, low, high),
                        (true, true) => sets.ask_segments(scene, low, high),
                        (false, true) => sets.ask_circle_segment(scene, p.row, q.row),
                        (true, false) => sets.ask_circle_segment(scene, q.row, p.row),
                    }
                }
            }
        }
        sets.sort();
        sets
    }

    /// Equal sets, or a failure that names the first pairs that are missing or too many.
    pub fn assert_equal(&self, expected: &Sets, what: &str) {
        fn first<T: Ord + Copy + std::fmt::Debug>(found: &[T], expected: &[T]) -> String {
            let without = |a: &[T], b: &[T]| -> Vec<T> {
                a.iter().copied().filter(|pair| b.binary_search(pair).is_err()).take(5).collect()
            };
            format!("missing {:?}, too many {:?}", without(expected, found), without(found, expected))
        }
        if self != expected {
            let circles = first(&self.circle_circle, &expected.circle_circle);
            let walls = first(&self.circle_segment, &expected.circle_segment);
            let segments = first(&self.segment_segment, &expected.segment_segment);
            panic!("{what}: circles {circles}; circles and segments {walls}; segments {segments}");
        }
    }

    /// Into the order in which sets are compared.
    pub fn sort(&mut self) {
        self.circle_circle.sort_unstable();
        self.circle_segment.sort_unstable();
        self.segment_segment.sort_unstable();
    }

    fn ask_circles(&mut self, scene: &Columns, a: usize, b: usize) {
        if geometry::circles_touch(scene.circle(a), scene.circle(b)) {
            self.circle_circle.push((a as u32, b as u32));
        }
    }

    fn ask_circle_segment(&mut self, scene: &Columns, a: usize, b: usize) {
        if geometry::circle_touches_segment(scene.circle(a), scene.segment(b)) {
            self.circle_segment.push((a as u32, b as u32));
        }
    }

    fn ask_segments(&mut self, scene: &Columns, a: usize, b: usize) {
        let (s, r) = (scene.segment(a), scene.segment(b));
        let class = match geometry::segment_segment(s, r) {
            SegmentRelation::Cross { .. } => SegmentClass::Cross,
            SegmentRelation::Touch { .. } => SegmentClass::Touch,
            SegmentRelation::Overlap { .. } => SegmentClass::Overlap,
            SegmentRelation::Disjoint if geometry::segments_touch(s, r) => SegmentClass::Near,
            SegmentRelation::Disjoint => return,
        };
        self.segment_segment.push((a as u32, b as u32, class.name()));
    }
}

/// A box on its way through the sweep.
struct Swept {
    low: [f64; 2],
    high: [f64; 2],
    row: usize,
    segment: bool,
}

/// Every record of a detection, byte by byte: equal means equal values in equal order.
pub fn bytes(contacts: &Contacts) -> Vec<u8> {
    let mut all = Vec::new();
    all.extend_from_slice(bytemuck::cast_slice(contacts.circle_circle()));
    all.extend_from_slice(bytemuck::cast_slice(contacts.circle_segment()));
    all.extend_from_slice(bytemuck::cast_slice(contacts.segment_segment()));
    all
}

/// No number of any contact is NaN or infinite, no separation is above zero.
pub fn assert_sound(contacts: &Contacts, what: &str) {
    for c in contacts.circle_circle() {
        let finite = c.point.is_finite() && c.normal.is_finite() && c.separation.is_finite();
        assert!(finite && c.separation <= 0.0, "{what}: {c:?}");
    }
    for c in contacts.circle_segment() {
        let finite = c.point.is_finite() && c.normal.is_finite() && c.separation.is_finite();
        assert!(finite && c.separation <= 0.0, "{what}: {c:?}");
    }
    for c in contacts.segment_segment() {
        let finite = c.point.is_finite() && c.to.is_finite();
        assert!(finite && (0.0..=1.0).contains(&c.t) && (0.0..=1.0).contains(&c.u), "{what}: {c:?}");
    }
}
