//! The kernels that take eight at a time, one group after the other.
//!
//! Comes in: columns and a shape. Goes out: a mask for each group, or how many lanes are sure. For the bench that tells what each costs.

use super::{PairList, Text};
use crate::geometry::{Aabb, Capsules, Circle, Circles, Segment};
use crate::kernels::bounce::Bodies;
use crate::kernels::gaps::Eight;
use crate::kernels::line::Line;
use crate::kernels::ray::Beam;
use crate::kernels::segment_segment::{Boxes, Verdict};
use crate::kernels::{Kernels, LANES, Near, Operation, Pairs, Probe, Wall};
use std::hint::black_box;

/// Which of the kernels that give masks, and on what: columns, with eight NaN behind the last row, against one shape. Segments are in
/// the order x0, y0, x1, y1, radius, where the last may be empty.
#[derive(Clone, Copy, Debug)]
pub enum Masks<'a> {
    /// Circles, none larger than the one against them.
    Circle(Circles<'a>, Circle),
    /// Circles, none larger than a radius, against a segment.
    Wall(Circles<'a>, Segment, f32),
    /// Circles against a circle on its way: from where and in which direction, its radius.
    Beam(Circles<'a>, [[f32; 2]; 2], f32),
    /// Segments without radii against a ray.
    Ray([&'a [f32]; 5], [[f32; 2]; 2]),
    /// Segments against a circle on its way.
    Sweep([&'a [f32]; 5], [[f32; 2]; 2], f32),
    /// Segments against a point, and how far it reaches.
    Near([&'a [f32]; 5], [f32; 2], f32),
    /// Circles against a box.
    CircleFrame(Circles<'a>, Aabb),
    /// Segments against a box.
    SegmentFrame([&'a [f32]; 5], Aabb),
    /// How far circles are from a point, roughly, and which may be within a limit.
    CircleDistances(Circles<'a>, [f32; 2], f32),
    /// The same for segments.
    SegmentDistances([&'a [f32]; 5], [f32; 2], f32),
    /// Boxes, as low x, low y, high x, high y, against a box.
    Box([&'a [f32]; 4], [f32; 4]),
    /// Boxes against a segment with a radius.
    Line([&'a [f32]; 4], [f32; 4], f32),
    /// Boxes against those of the rows behind them; the columns go on for sixteen behind the last row.
    Ahead([&'a [f32]; 4]),
}

struct AllMasks<'a>(Masks<'a>, &'a mut [u8]);

impl Operation for AllMasks<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let AllMasks(kernel, out) = self;
        macro_rules! each {
            ($mask:ident, $columns:expr, $($shape:expr),+) => {{
                let (columns, mut at) = ($columns, 0);
                for mask in out {
                    *mask = K::$mask(columns, $($shape),+, at, LANES as u32) as u8;
                    at += LANES as u32;
                }
            }};
        }
        match kernel {
            Masks::Circle(circles, Circle { center, radius }) => {
                let probe = Probe { x: center.x, y: center.y, reach: radius + Probe::grow(radius) };
                each!(circle_mask, circles.even(), probe);
            }
            Masks::Wall(circles, wall, largest) => {
                let wall = Wall::new(wall.start.into(), wall.end.into(), wall.radius);
                each!(wall_mask, circles.even(), &wall, wall.reach(largest));
            }
            Masks::Beam(circles, [from, way], radius) => {
                let beam = Beam::new(from, way, radius);
                each!(beam_mask, circles.even(), &beam);
            }
            Masks::Ray([x0, y0, x1, y1, radius], [from, way]) => {
                let beam = Beam::new(from, way, 0.0);
                each!(ray_mask, Capsules { x0, y0, x1, y1, radius }, &beam);
            }
            Masks::Sweep([x0, y0, x1, y1, radius], [from, way], size) => {
                let beam = Beam::new(from, way, size);
                each!(sweep_mask, Capsules { x0, y0, x1, y1, radius }, &beam);
            }
            Masks::Near([x0, y0, x1, y1, radius], point, reach) => {
                let (walls, near, mut at) = (Capsules { x0, y0, x1, y1, radius }, Near::new(point, reach), 0);
                for mask in out {
                    *mask = K::near_masks(walls, &near, at, LANES as u32)[0] as u8;
                    at += LANES as u32;
                }
            }
            Masks::CircleFrame(circles, frame) => {
                let (circles, mut at) = (circles.even(), 0);
                for mask in out {
                    let [may, surely] = K::circle_frame_masks(circles, &frame, at, LANES as u32);
                    (*mask, _) = (may as u8, black_box(surely));
                    at += LANES as u32;
                }
            }
            Masks::SegmentFrame([x0, y0, x1, y1, radius], frame) => {
                let (walls, mut at) = (Capsules { x0, y0, x1, y1, radius }, 0);
                for mask in out {
                    let [may, surely] = K::segment_frame_masks(walls, &frame, at, LANES as u32);
                    (*mask, _) = (may as u8, black_box(surely));
                    at += LANES as u32;
                }
            }
            Masks::CircleDistances(circles, point, limit) => {
                let (circles, mut at) = (circles.even(), 0);
                for mask in out {
                    *mask = black_box(&K::circle_distances(circles, point, limit, at, LANES as u32)).mask as u8;
                    at += LANES as u32;
                }
            }
            Masks::SegmentDistances([x0, y0, x1, y1, radius], point, limit) => {
                let (walls, mut at) = (Capsules { x0, y0, x1, y1, radius }, 0);
                for mask in out {
                    *mask = black_box(&K::segment_distances(walls, point, limit, at, LANES as u32)).mask as u8;
                    at += LANES as u32;
                }
            }
            Masks::Box([low_x, low_y, high_x, high_y], query) => {
                each!(box_mask, Boxes { low_x, low_y, high_x, high_y }.even(), query);
            }
            Masks::Line([low_x, low_y, high_x, high_y], ends, radius) => {
                let [x0, y0, x1, y1] = ends;
                let around = |a: f32, b: f32| if a < b { [a - radius, b + radius] } else { [b - radius, a + radius] };
                let ([left, right], [bottom, top]) = (around(x0, x1), around(y0, y1));
                let (query, line) = ([left, bottom, right, top], Line::new(ends, radius, [-1e3, -1e3, 1e3, 1e3]));
                each!(line_mask, Boxes { low_x, low_y, high_x, high_y }.even(), query, &line);
            }
            Masks::Ahead([low_x, low_y, high_x, high_y]) => {
                let (boxes, mut at) = (Boxes { low_x, low_y, high_x, high_y }.even(), 0);
                for mask in out {
                    *mask = K::ahead_mask(boxes, at) as u8;
                    at += LANES as u32;
                }
            }
        }
    }
}

/// The masks of one row of eight after the other.
pub fn masks(text: Text, kernel: Masks<'_>, out: &mut [u8]) {
    text.run(AllMasks(kernel, out));
}

struct Ranks<'a>(&'a [f32], usize, &'a mut [f32]);

impl Operation for Ranks<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<K: Kernels>(self) -> f32 {
        K::ranks(self.0, self.1, self.2)
    }
}

/// How many numbers are before each, of as many as a multiple of eight; the `k`-th least.
pub fn ranks(text: Text, numbers: &[f32], k: usize, ranks: &mut [f32]) -> f32 {
    text.run(Ranks(numbers, k, ranks))
}

struct Chain<'a>([&'a [f32]; 4]);

impl Operation for Chain<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let (columns, mut at, mut met) = (self.0, 0, 0);
        while at + LANES < columns[0].len() {
            let [x0, y0, x1, y1] = columns;
            let rows = [nine(x0, at), nine(y0, at), nine(x1, at), nine(y1, at)];
            for verdict in K::chain_verdicts(rows) {
                met += usize::from(verdict != Verdict::APART);
            }
            at += LANES;
        }
        met
    }
}

#[inline(always)]
fn nine(column: &[f32], at: usize) -> &[f32; LANES + 1] {
    column[at..=at + LANES].try_into().expect("nine")
}

/// How many segments, of whole eights, are not apart from the next one; columns x0, y0, x1, y1.
pub fn chain(text: Text, columns: [&[f32]; 4]) -> usize {
    text.run(Chain(columns))
}

/// Pairs of circles, eight by eight.
#[derive(Clone, Debug)]
pub struct Eights(Vec<[Bodies; 2]>);

impl Eights {
    /// The whole eights of a list; all circles have the inverse mass 1.
    #[must_use]
    pub fn new(circles: Circles<'_>, velocities: [&[f32]; 2], pairs: &PairList) -> Eights {
        let (a, b) = pairs.0.rows();
        let taken = |rows: &[u32; LANES]| {
            let of = |column: &[f32]| rows.map(|row| column[row as usize]);
            Bodies {
                position: [of(circles.x), of(circles.y)],
                velocity: velocities.map(of),
                radius: of(circles.radius),
                inverse_mass: [1.0; LANES],
            }
        };
        let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
        Eights(a.iter().zip(b).map(|(a, b)| [taken(a), taken(b)]).collect())
    }
}

struct Impulses<'a>(&'a Eights, f64);

impl Operation for Impulses<'_> {
    type Output = [usize; 2];
    #[inline(always)]
    fn run<K: Kernels>(self) -> [usize; 2] {
        let (mut met, mut deep) = (0, 0);
        for &[mut one, mut two] in &self.0.0 {
            if let Some(bounced) = black_box(K::bounce(&mut one, &mut two, self.1)) {
                met += bounced.virial.iter().map(|&virial| usize::from(virial != 0.0)).sum::<usize>();
                deep += bounced.deep.count_ones() as usize;
            }
            black_box(&[one, two]);
        }
        [met, deep]
    }
}

/// The impulses of pairs that met no longer ago than `longest`, by a text that takes eight: how many met, and how many still overlap.
pub fn impulses(text: Text, eights: &Eights, longest: f64) -> [usize; 2] {
    text.run(Impulses(eights, longest))
}

struct Pushes<'a>(&'a Eights, f64);

impl Operation for Pushes<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let mut pushed = 0;
        for &[one, two] in &self.0.0 {
            let (mut a, mut b) = (one, two);
            black_box(K::push(&mut a, &mut b, self.1));
            for (x, was) in a.position[0].iter().zip(one.position[0]) {
                pushed += usize::from(*x != was);
            }
            black_box(&[a, b]);
        }
        pushed
    }
}

/// Takes back this share of what pairs overlap, by a text that takes eight: how many first ones have moved along x.
pub fn pushes(text: Text, eights: &Eights, factor: f64) -> usize {
    text.run(Pushes(eights, factor))
}

struct AllGaps<'a>(Circles<'a>, Option<[&'a [f32]; 5]>, &'a Pairs);

impl Operation for AllGaps<'_> {
    type Output = u32;
    #[inline(always)]
    fn run<K: Kernels>(self) -> u32 {
        let AllGaps(circles, segments, pairs) = self;
        let (a, b) = pairs.rows();
        let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
        let mut sure = 0;
        if let Some([x0, y0, x1, y1, radius]) = segments {
            let segments = Capsules { x0, y0, x1, y1, radius };
            for (a, b) in a.iter().zip(b) {
                sure += black_box(&K::segment_gaps(&columns(circles, a), segments, b, 0)).sure.count_ones();
            }
        } else {
            for (a, b) in a.iter().zip(b) {
                let ([x, y, radius], mut of_b) = (columns(circles, b), [[0.0; 4]; LANES]);
                for (k, of_b) in of_b.iter_mut().enumerate() {
                    *of_b = [x[k], y[k], radius[k], 0.0];
                }
                sure += black_box(&K::circle_gaps(&columns(circles, a), &of_b, 0)).sure.count_ones();
            }
        }
        sure
    }
}

/// The circles in eight rows.
#[inline(always)]
fn columns(circles: Circles<'_>, rows: &[u32; LANES]) -> Eight {
    let mut columns = [[0.0; LANES]; 3];
    for (to, from) in columns.iter_mut().zip([circles.x, circles.y, circles.radius]) {
        for (to, &row) in to.iter_mut().zip(rows) {
            *to = from[row as usize];
        }
    }
    columns
}

/// How far the circles of pairs are from circles, or from segments, as long as there are eight: how many lanes are sure.
pub fn gaps(text: Text, circles: Circles<'_>, segments: Option<[&[f32]; 5]>, pairs: &PairList) -> u32 {
    text.run(AllGaps(circles, segments, &pairs.0))
}
