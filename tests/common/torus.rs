//! Truth for a plane that repeats: every pair by all of its images, in rational numbers.
//!
//! Comes in: shapes as a world has them. Goes out: which pairs touch, by which image, and how near they are. Knows no cell and no order.

use super::oracle::{self, Q, Q2};
use super::oracle_cases::Random;
use gridlane::{AxisBounds, Bounds, Circle, CircleView, Segment, SegmentView, World};
use num_traits::Zero;

/// The period of each axis, 0 where there is none.
pub struct Torus {
    pub period: Q2,
    pub bounds: Bounds,
}

/// By how many periods the second of a pair is moved, and how far apart the two are then, squared.
#[derive(Clone, Debug)]
pub struct Nearest {
    pub count: [i64; 2],
    pub distance2: Q,
}

impl Torus {
    pub fn new(stretches: [Option<[f32; 2]>; 2]) -> Torus {
        let period =
            stretches.map(|stretch| stretch.map_or_else(Q::zero, |[low, high]| oracle::q(high) - oracle::q(low)));
        let axis = |stretch: Option<[f32; 2]>| {
            stretch.map_or(AxisBounds::None, |[min, max]| AxisBounds::Periodic { min, max })
        };
        Torus { period, bounds: Bounds::PerAxis { x: axis(stretches[0]), y: axis(stretches[1]) } }
    }

    /// All that are no farther.
    pub fn counts(&self, most: i64) -> Vec<[i64; 2]> {
        let of = |axis: usize| if self.period[axis].is_zero() { 0..=0 } else { -most..=most };
        of(0).flat_map(|x| of(1).map(move |y| [x, y])).collect()
    }

    pub fn moved(&self, p: &Q2, count: [i64; 2]) -> Q2 {
        [0, 1].map(|axis| &p[axis] + &self.period[axis] * Q::from(count[axis]))
    }

    /// The nearest image of `b`; of equally near ones the one moved least.
    pub fn circles(&self, a: Circle, b: Circle) -> Nearest {
        let (p, q) = (oracle::q2(a.center), oracle::q2(b.center));
        let images = self
            .counts(1)
            .into_iter()
            .map(|count| Nearest { distance2: oracle::square(&oracle::sub(&self.moved(&q, count), &p)), count });
        images.min_by_key(|image| (image.distance2.clone(), image.count.map(i64::abs), image.count)).unwrap()
    }

    /// The nearest image of a segment.
    pub fn circle_segment(&self, circle: Circle, segment: Segment) -> Nearest {
        let (p, a, b) = (oracle::q2(circle.center), oracle::q2(segment.start), oracle::q2(segment.end));
        let images = self.counts(3).into_iter().map(|count| Nearest {
            distance2: oracle::point_segment(&p, &self.moved(&a, count), &self.moved(&b, count)).distance2,
            count,
        });
        images.min_by_key(|image| (image.distance2.clone(), image.count.map(i64::abs), image.count)).unwrap()
    }

    /// Whether any image of `b` comes as near as the radii.
    pub fn segments(&self, a: Segment, b: Segment) -> bool {
        let [p, q] = [a.start, a.end].map(oracle::q2);
        let [r, s] = [b.start, b.end].map(oracle::q2);
        let reach = oracle::q(a.radius) + oracle::q(b.radius);
        let reach2 = &reach * &reach;
        self.counts(4).into_iter().any(|count| {
            let (r, s) = (self.moved(&r, count), self.moved(&s, count));
            oracle::segment_distance2([&p, &q], [&r, &s]) <= reach2
        })
    }
}

pub fn circle_of(view: CircleView<'_>, row: usize) -> Circle {
    Circle::new([view.x()[row], view.y()[row]], view.radius()[row])
}

pub fn segment_of(view: SegmentView<'_>, row: usize) -> Segment {
    Segment::new([view.x0()[row], view.y0()[row]], [view.x1()[row], view.y1()[row]]).with_radius(view.radius()[row])
}

/// The distance less both radii, and the reach squared against the distance squared.
pub fn separation(nearest: &Nearest, reach: &Q) -> Q {
    oracle::root(&nearest.distance2) - reach
}

/// How many floats two numbers are apart.
pub fn ulps(a: f32, b: f32) -> u64 {
    let place = |x: f32| {
        let bits = i64::from(x.to_bits() & 0x7fff_ffff);
        if x.is_sign_negative() { -bits } else { bits }
    };
    place(a).abs_diff(place(b))
}

pub const STRETCHES: [[Option<[f32; 2]>; 2]; 7] = [
    [Some([0.0, 16.0]), Some([0.0, 16.0])],
    [Some([-8.0, 8.0]), None],
    [None, Some([0.0, 16.0])],
    [Some([-0.3, 15.9]), Some([3.3, 19.1])],
    [Some([1e6, 1e6 + 16.0]), Some([-16.0, 0.0])],
    [Some([-1e-3, 16.0]), Some([-5.0, 11.7])],
    [Some([-9.7, 6.3]), Some([1e4, 1e4 + 20.0])],
];

/// Bodies about the border, half of them on a grid on which touches are exact; and now and then some as large as half the plane.
pub fn fill(
    world: &mut World,
    random: &mut Random,
    stretches: &[Option<[f32; 2]>; 2],
    circles: usize,
    segments: usize,
) {
    // Far from 0 where nothing repeats.
    let low = stretches.map(|stretch| stretch.map_or(-40.0, |[low, _]| low));
    let on_grid = random.below(2) == 0;
    let place = |random: &mut Random, beyond: u64| {
        low.map(|low| {
            let quarter = random.below(64 + 2 * beyond) as f32 - beyond as f32;
            let near = if random.below(3) == 0 {
                quarter
            } else {
                [0.0, 1.0, 2.0, 61.0, 62.0, 63.0][random.below(6) as usize]
            };
            let x = low + near * 0.25;
            if on_grid { x } else { random.nudged(x, 3) + random.below(1 << 20) as f32 / 4e6 }
        })
    };
    let largest = [4, 8, 40][random.below(3) as usize];
    for _ in 0..circles {
        let center = place(random, 0);
        let radius = 0.25 * random.below(largest) as f32;
        world.add_circle(Circle::new(center, if on_grid { radius } else { random.nudged(radius, 1).abs() })).unwrap();
    }
    for k in 0..segments {
        let (start, end) = (place(random, 16), place(random, 16));
        let radius = if k % 3 == 0 { 0.25 * random.below(4) as f32 } else { 0.0 };
        let wall = Segment::new(start, if k % 7 == 0 { start } else { end }).with_radius(radius);
        if k % 2 == 0 {
            world.add_segment(wall).unwrap();
        } else {
            world.add_segment(wall.with_velocity([0.0, 0.0])).unwrap();
        }
    }
}
