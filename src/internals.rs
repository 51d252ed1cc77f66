//! The rooms behind the front door, for this crate's own benches and tests. Not part of what is promised: anything here
//! may change or go at any time.
//!
//! Kernels are pure and private; here each can be called by itself, with a choice of text. Beside them: snapshots are sealed, the legs of
//! a step's paths are kept.

mod eights;
mod wall_eights;

use crate::broad_phase::{Grid, Policy};
use crate::geometry::{Capsules, Circles, Segment};
use crate::kernels::contact::{CircleCircleContact, CircleSegmentContact};
use crate::kernels::packing::Packing;
use crate::kernels::segment_segment::{Boxes, Crossing, Verdict};
use crate::kernels::{Backend, InstructionSet, Kernels, LANES, Names, Near, Operation, Pairs, Probe, Wall, dispatch};
use crate::parallel::Split;
use crate::storage::CircleHandle;
use crate::world::World;
pub use eights::{Eights, Masks, chain, gaps, impulses, masks, pushes, ranks};
use std::ops::Range;
pub use wall_eights::{WallEights, mirrors, pushes_back};

/// Which text of the kernels, on which lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// One pair at a time.
    Scalar,
    /// Eight lanes of what the target was built for.
    Portable,
    /// Eight lanes of AVX2; as [`Text::Portable`] where there is none.
    Avx2,
    /// Eight lanes of the best instruction set of this machine.
    Best,
}

impl Text {
    /// All of them.
    pub const ALL: [Text; 4] = [Text::Scalar, Text::Portable, Text::Avx2, Text::Best];

    fn choice(self) -> (Backend, InstructionSet) {
        match self {
            Text::Scalar => (Backend::Scalar, InstructionSet::Portable),
            Text::Portable => (Backend::Wide, InstructionSet::Portable),
            Text::Avx2 => (Backend::Wide, InstructionSet::called("avx2").unwrap_or(InstructionSet::Portable)),
            Text::Best => (Backend::Wide, InstructionSet::best()),
        }
    }

    fn run<O: Operation>(self, operation: O) -> O::Output {
        let (backend, set) = self.choice();
        dispatch(backend, set, operation)
    }
}

/// The instruction sets that this build knows and this machine has, as [`with_instruction_set`] calls them, the best one
/// last. `"portable"` is what the target was built for.
#[must_use]
pub fn instruction_sets() -> Vec<&'static str> {
    InstructionSet::ALL.iter().filter(|set| set.is_found()).map(|set| set.label()).collect()
}

/// Does `work`, a closure that makes worlds or detectors (or runs [`Text::Best`]) on this thread: they use this instruction
/// set as long as they live, on whatever threads. `None`, and nothing done, if this machine lacks it or none is called so.
pub fn with_instruction_set<R>(name: &str, work: impl FnOnce() -> R) -> Option<R> {
    InstructionSet::called(name)?.only(work)
}

/// A list of pairs of rows.
#[derive(Debug, Default)]
pub struct PairList(Pairs);

impl PairList {
    /// One more.
    pub fn push(&mut self, a: u32, b: u32) {
        let mut out = self.0.writer(1);
        out.push(a, b);
        self.0.keep(1);
    }

    /// First and second rows.
    #[must_use]
    pub fn rows(&self) -> (&[u32], &[u32]) {
        self.0.rows()
    }

    /// Forgets the pairs.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

struct CircleRun<'a>(Circles<'a>, Probe, u32, Range<u32>, &'a mut Pairs);

impl Operation for CircleRun<'_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let CircleRun(circles, probe, row, run, pairs) = self;
        let mut out = pairs.writer(run.len());
        K::circle_run(circles, probe, row, run, &mut out);
        let written = out.len();
        pairs.keep(written);
    }
}

/// The candidates of one row in a run. The columns have eight NaN behind the last row; no radius is above `largest`.
pub fn circle_run(text: Text, circles: Circles<'_>, row: u32, largest: f32, run: Range<u32>, out: &mut PairList) {
    let i = row as usize;
    let probe = Probe { x: circles.x[i], y: circles.y[i], reach: circles.radius[i] + Probe::grow(largest) };
    text.run(CircleRun(circles, probe, row, run, &mut out.0));
}

struct CircleRuns<'a>(Circles<'a>, Probe, u32, [Range<u32>; 2], &'a mut Pairs);

impl Operation for CircleRuns<'_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let CircleRuns(circles, probe, row, [low, high], pairs) = self;
        let own = K::circle_mask(circles, probe, low.start, low.end - low.start);
        let above = K::circle_mask(circles, probe, high.start, high.end - high.start);
        let mut out = pairs.writer(2 * LANES);
        K::Packing::emit_both(&mut out, row, [low.start, high.start], [own, above]);
        let written = out.len();
        pairs.keep(written);
    }
}

/// The candidates of one row among the first eight of each of two runs, otherwise as [`circle_run`].
pub fn circle_runs(
    text: Text,
    circles: Circles<'_>,
    row: u32,
    largest: f32,
    runs: [Range<u32>; 2],
    out: &mut PairList,
) {
    let i = row as usize;
    let probe = Probe { x: circles.x[i], y: circles.y[i], reach: circles.radius[i] + Probe::grow(largest) };
    text.run(CircleRuns(circles, probe, row, runs, &mut out.0));
}

struct WallRun<'a>(Circles<'a>, Wall, f32, u32, Range<u32>, &'a mut Pairs);

impl Operation for WallRun<'_> {
    const AVX512: bool = true;
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let WallRun(circles, wall, reach, row, run, pairs) = self;
        let mut out = pairs.writer(run.len());
        let mut at = run.start;
        while at < run.end {
            let mask = K::wall_mask(circles, &wall, reach, at, run.end - at);
            out.emit(K::Packing::pack(mask, at), [row; LANES], mask.count_ones());
            at += LANES as u32;
        }
        let written = out.len();
        pairs.keep(written);
    }
}

/// The candidates of one segment in a run of circles, as [`circle_run`].
pub fn wall_run(
    text: Text,
    circles: Circles<'_>,
    wall: Segment,
    row: u32,
    largest: f32,
    run: Range<u32>,
    out: &mut PairList,
) {
    let wall = Wall::new(wall.start.into(), wall.end.into(), wall.radius);
    text.run(WallRun(circles, wall, wall.reach(largest), row, run, &mut out.0));
}

struct NearMasks<'a>(Capsules<'a>, Near, u32, u32);

impl Operation for NearMasks<'_> {
    type Output = [u32; 2];
    #[inline(always)]
    fn run<K: Kernels>(self) -> [u32; 2] {
        K::near_masks(self.0, &self.1, self.2, self.3)
    }
}

/// Which of up to eight segments, in the order x0, y0, x1, y1, radius, may be within `reach` of a point, and which surely are, as bits; the
/// columns have eight NaN behind the last row, that of the radii may be empty.
pub fn near_masks(text: Text, segments: [&[f32]; 5], point: [f32; 2], reach: f32, start: u32, count: u32) -> [u32; 2] {
    let [x0, y0, x1, y1, radius] = segments;
    text.run(NearMasks(Capsules { x0, y0, x1, y1, radius }, Near::new(point, reach), start, count))
}

struct CircleContacts<'a>(Circles<'a>, &'a Pairs, &'a mut [CircleCircleContact]);

impl Operation for CircleContacts<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_circle(self.0, Names::Rows, self.1, self.2)
    }
}

/// The contacts of candidate pairs of circles.
pub fn circle_circle(text: Text, circles: Circles<'_>, pairs: &PairList, out: &mut Vec<CircleCircleContact>) {
    out.resize(pairs.0.len(), CircleCircleContact::default());
    let count = text.run(CircleContacts(circles, &pairs.0, out));
    out.truncate(count);
}

struct SegmentContacts<'a>(Circles<'a>, Capsules<'a>, &'a Pairs, &'a mut [CircleSegmentContact]);

impl Operation for SegmentContacts<'_> {
    const AVX512: bool = true;
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_segment(self.0, self.1, [Names::Rows; 2], self.2, self.3)
    }
}

/// The contacts of candidate pairs of a circle and a segment; `segments` in the order x0, y0, x1, y1, radius.
pub fn circle_segment(
    text: Text,
    circles: Circles<'_>,
    segments: [&[f32]; 5],
    pairs: &PairList,
    out: &mut Vec<CircleSegmentContact>,
) {
    let [x0, y0, x1, y1, radius] = segments;
    out.resize(pairs.0.len(), CircleSegmentContact::default());
    let count = text.run(SegmentContacts(circles, Capsules { x0, y0, x1, y1, radius }, &pairs.0, out));
    out.truncate(count);
}

struct CirclePairs<'a>(Circles<'a>, f32, &'a Pairs, &'a mut [[u32; 2]]);

impl Operation for CirclePairs<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_circle_pairs(self.0, self.1, Names::Rows, self.2, self.3)
    }
}

/// Those of candidate pairs of circles that are within a margin of touching.
pub fn circle_circle_pairs(text: Text, circles: Circles<'_>, margin: f32, pairs: &PairList, out: &mut Vec<[u32; 2]>) {
    out.resize(pairs.0.len(), [0; 2]);
    let count = text.run(CirclePairs(circles, margin, &pairs.0, out));
    out.truncate(count);
}

struct SegmentPairs<'a>(Circles<'a>, Capsules<'a>, &'a Pairs, &'a mut [[u32; 2]]);

impl Operation for SegmentPairs<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_segment_pairs(self.0, self.1, [Names::Rows; 2], self.2, self.3)
    }
}

/// Those of candidate pairs of a circle and a segment that touch; `segments` as for [`circle_segment`].
pub fn circle_segment_pairs(
    text: Text,
    circles: Circles<'_>,
    segments: [&[f32]; 5],
    pairs: &PairList,
    out: &mut Vec<[u32; 2]>,
) {
    let [x0, y0, x1, y1, radius] = segments;
    out.resize(pairs.0.len(), [0; 2]);
    let count = text.run(SegmentPairs(circles, Capsules { x0, y0, x1, y1, radius }, &pairs.0, out));
    out.truncate(count);
}

struct BoxRun<'a>(Boxes<'a>, [f32; 4], u32, Range<u32>, &'a mut Pairs);

impl Operation for BoxRun<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let BoxRun(boxes, query, row, run, pairs) = self;
        let mut out = pairs.writer(run.len());
        K::box_run(boxes, query, row, run, &mut out);
        let written = out.len();
        pairs.keep(written);
    }
}

/// The rows of a run whose boxes meet `query`; all boxes as low x, low y, high x, high y, the columns with eight NaN behind
/// the last row.
pub fn box_run(text: Text, boxes: [&[f32]; 4], query: [f32; 4], row: u32, run: Range<u32>, out: &mut PairList) {
    let [low_x, low_y, high_x, high_y] = boxes;
    text.run(BoxRun(Boxes { low_x, low_y, high_x, high_y }, query, row, run, &mut out.0));
}

struct Verdicts<'a>(&'a [[f32; 4]], &'a Pairs, &'a mut [Verdict], &'a mut [Crossing]);

impl Operation for Verdicts<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        K::verdicts(self.0, self.0, self.1, self.2, self.3);
    }
}

/// Room for what [`judge`] finds.
#[derive(Debug, Default)]
pub struct Judged(Vec<Verdict>, Vec<Crossing>);

/// What pairs of segments, as x0, y0, x1, y1, are found to be.
pub fn judge(text: Text, ends: &[[f32; 4]], pairs: &PairList, found: &mut Judged) {
    let Judged(verdicts, crossings) = found;
    verdicts.resize(pairs.0.len() + 7, Verdict::OPEN);
    crossings.resize(pairs.0.len() + 7, Crossing::default());
    text.run(Verdicts(ends, &pairs.0, verdicts, crossings));
}

/// [`judge`] in words: `Some(true)` one common point, `Some(false)` none, `None` left to exact arithmetic.
pub fn segment_segment(text: Text, ends: &[[f32; 4]], pairs: &PairList, out: &mut Vec<Option<bool>>) {
    let mut found = Judged::default();
    judge(text, ends, pairs, &mut found);
    out.clear();
    out.extend(found.0[..pairs.0.len()].iter().map(|&verdict| match verdict {
        Verdict::OPEN => None,
        verdict => Some(verdict != Verdict::APART),
    }));
}

/// Circles sorted into cells.
#[derive(Debug, Default)]
pub struct Binned(Grid);

impl Binned {
    /// Sorts them, on one thread.
    pub fn bin(&mut self, circles: Circles<'_>) {
        self.0.bin(circles.x, circles.y, circles.radius, Policy::CIRCLES, None, Split::SERIAL);
    }

    /// `order()[row]` is where the circle of a row came from.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        self.0.order()
    }

    /// The columns in cell order, eight NaN behind the last row.
    #[must_use]
    pub fn circles(&self) -> Circles<'_> {
        Circles { x: self.0.x(), y: self.0.y(), radius: self.0.size() }
    }
}

/// Writes the checksum of a snapshot anew, so that changed bytes get as far as those who have to refuse them.
pub fn seal_snapshot(bytes: &mut [u8]) {
    crate::world::seal(bytes);
}

/// A straight piece of the path of a circle's centre in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathLeg {
    /// Whose.
    pub circle: CircleHandle,
    /// Where it began.
    pub from: [f32; 2],
    /// Where it ended.
    pub to: [f32; 2],
    /// Segments had moved before; contacts were found before.
    pub answer: bool,
}

/// From here on a world keeps the legs of its steps, or no longer.
pub fn trace_legs(world: &mut World, on: bool) {
    world.set_trace(on);
}

/// The legs of the last step, of all circles that something might have held; those of one circle in their order.
#[must_use]
pub fn legs(world: &World) -> Vec<PathLeg> {
    world.traced().iter().map(|&(circle, from, to, answer)| PathLeg { circle, from, to, answer }).collect()
}
