//! One cast: what is met, kept to what was asked for.
//!
//! Comes in: a scene, a look, what flies. Goes out: the first body met, whether any is, or all. This room knows in which order things
//! are looked at, and when to stop; [`super::march`] walks the cells of segments, [`super::along`] those of circles, [`super::flight`] decides.
//!
//! A search stops when nothing that has not been seen can be met before `stop`: the end of the flight, or, once something has been
//! met at `f`, the `f32` after `f`: what is met no earlier than that is rounded to no less.

use super::along::STRETCHES;
use super::flight::{Flight, Judged, Meeting};
use super::order::Order;
use super::{Hit, Look, Scene, Target};
use crate::broad_phase::{Cells, Entries, EntryView};
use crate::geometry::{Circle, Circles, Segment, Vec2};
use crate::kernels::Kernels;
use crate::kernels::foremost::Front;
use crate::kernels::ray::Beam;
use std::ops::Range;

/// The first body met.
pub(super) const FIRST: u8 = 0;
/// Whether any is met.
pub(super) const ANY: u8 = 1;
/// All that are met.
pub(super) const ALL: u8 = 2;
/// The first body met, by [`Front`]: what it cannot tell is left to [`FIRST`]. For rays, where all that can be seen is seen and segments have no radii.
pub(super) const FRONT: u8 = 3;

/// Whether [`FRONT`] can search here, if all is seen: it knows all shapes, and has a name for each.
pub(super) fn is_thin(scene: &Scene<'_>) -> bool {
    let named = |entries: &Entries| entries.radius.is_empty() && entries.rows.len() < NAMES as usize;
    let thin = |cells: &&Cells| named(cells.entries()) && named(cells.apart());
    scene.count() < NAMES && scene.cells.iter().all(thin)
}

/// What has been met so far.
#[derive(Clone, Copy)]
struct Best {
    fraction: f32,
    target: Target,
    /// From where it was found: the caller's columns are far from there.
    shape: Shape,
    /// What the record is made from.
    meeting: Meeting,
}

#[derive(Clone, Copy)]
enum Shape {
    Circle(Circle),
    Segment(Segment),
}

/// Circles of a run, eight at a time; those met after `until` will be seen again.
#[inline(always)]
pub(super) fn front_circles<F: Front>(front: &mut F, circles: Circles<'_>, beam: &Beam, run: Range<u32>, until: f64) {
    let (mut at, until) = (run.start, beam.count(until));
    while at < run.end {
        front.circles(circles, beam, until, [at, run.end - at], at);
        at += 8;
    }
}

/// A cast on its way.
pub(super) struct Search<'a, K: Kernels, const WHAT: u8> {
    pub(super) scene: &'a Scene<'a>,
    look: &'a Look<'a>,
    pub(super) flight: Flight,
    pub(super) beam: Beam,
    best: Best,
    /// Nothing met from here on matters.
    pub(super) stop: f64,
    /// All hits, where all are asked for.
    out: &'a mut Vec<Hit>,
    pub(super) front: K::Front,
    /// Bodies that have been held against what flies, by number; the limit has only become less since.
    judged: [u32; JUDGED],
}

/// So many are remembered, by their numbers.
const JUDGED: usize = 32;

/// A list of entries: those of the cells, or those apart, of one of the scene's [`Cells`](crate::broad_phase::Cells).
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub(super) entries: EntryView<'a>,
    /// What its first entry is called in a [`Front`]; circles in cell order are called by their rows.
    name: u32,
}

/// So far apart are names of different lists.
pub(super) const NAMES: u32 = 1 << 28;

impl<'a> List<'a> {
    /// `which`: from one on.
    #[inline(always)]
    pub(super) fn new(entries: EntryView<'a>, which: usize) -> List<'a> {
        List { entries, name: which as u32 * NAMES }
    }

    /// Some of them, eight at a time; those met after `until` will be seen again.
    #[inline(always)]
    pub(super) fn front<K: Kernels>(&self, front: &mut K::Front, beam: &Beam, run: Range<u32>, until: f64) {
        let (mut at, until) = (run.start, beam.count(until));
        // Beside where it stands: what is chosen lane by lane would else be stored lane by lane, which takes a dozen cycles.
        let mut kept = *front;
        while at < run.end {
            let (eight, base) = (&self.entries.eights[at as usize / 8], at & !7);
            let end = if run.end - base < 8 { run.end - base } else { 8 };
            kept.segments(eight.columns(), beam, until, [at - base, end], self.name + base);
            at = base + 8;
        }
        *front = kept;
    }

    /// The segment called like this, and its row.
    #[inline(always)]
    pub(super) fn named(&self, name: u32, lane: usize) -> Option<(Segment, u32)> {
        let entry = (name - self.name) as usize + lane;
        Some((self.entries.eights.get(entry / 8)?.segment(lane as u32), *self.entries.rows.get(entry)?))
    }
}

impl<'a, K: Kernels, const WHAT: u8> Search<'a, K, WHAT> {
    #[inline(always)]
    pub(super) fn new(
        scene: &'a Scene<'a>,
        look: &'a Look<'a>,
        flight: Flight,
        out: &'a mut Vec<Hit>,
    ) -> Search<'a, K, WHAT> {
        let mut beam = Beam::new(flight.origin.into(), flight.direction.into(), flight.radius);
        let stop = f64::from(flight.max);
        beam.set_limit(stop);
        let shape = Shape::Circle(Circle { center: Vec2::ZERO, radius: 0.0 });
        let best = Best { fraction: f32::INFINITY, target: Target::NOTHING, shape, meeting: Meeting::Miss };
        Search { scene, look, flight, beam, best, stop, out, front: K::Front::new(), judged: [u32::MAX; JUDGED] }
    }

    /// Looks at all that may be met.
    #[inline(always)]
    pub(super) fn run(&mut self, order: Order<'_>) {
        let scene = self.scene;
        let levels = if self.look.circles() { scene.grid.levels() } else { &[] };
        let (mut from, thin) = (0.0, self.flight.radius == 0.0);
        if thin
            && self.look.circles()
            && let Some(cells) = order.together
            && self.march_together(cells)
        {
            return;
        }
        let near = levels.first();
        if WHAT != ALL
            && order.circles_first(scene)
            && let Some(level) = near
        {
            from = self.near_circles(level, 0.0, 1);
        }
        if self.look.segments() {
            for (which, cells) in scene.cells.into_iter().enumerate() {
                let (apart, list) = (cells.apart(), List::new(cells.entries().view(), 1 + which));
                if !apart.rows.is_empty() {
                    self.whole_list(&List::new(apart.view(), 4 + which), 0..apart.rows.len() as u32);
                }
                for level in cells.levels() {
                    if thin {
                        self.march(cells, level, &list);
                    } else {
                        self.along_segments(cells, level, &list);
                    }
                    if self.is_done() {
                        return;
                    }
                }
            }
        }
        if let Some(level) = near
            && !self.is_done()
            && !(from > 0.0 && from >= self.stop)
        {
            from = self.near_circles(level, from, STRETCHES);
        }
        for (k, level) in levels.iter().enumerate() {
            let from = if k == 0 { from } else { 0.0 };
            if self.is_done() || from > 0.0 && from >= self.stop {
                continue;
            }
            self.along_circles(level, from);
        }
    }

    /// Segments are asked for.
    #[inline(always)]
    pub(super) fn looks_at_segments(&self) -> bool {
        self.look.segments()
    }

    /// Nothing more needs to be looked at.
    #[inline(always)]
    pub(super) fn is_done(&self) -> bool {
        WHAT == ANY && self.best.target.is_something()
    }

    /// Whether anything is met.
    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        self.best.target.is_something()
    }

    /// The first body met, or [`Hit::NOTHING`].
    #[inline(always)]
    pub(super) fn first(&self) -> Hit {
        let Best { target, shape, meeting, .. } = self.best;
        if target == Target::NOTHING {
            return Hit::NOTHING;
        }
        self.record(target, shape, meeting).unwrap_or(Hit::NOTHING)
    }

    #[inline(always)]
    fn record(&self, target: Target, shape: Shape, meeting: Meeting) -> Option<Hit> {
        match shape {
            Shape::Circle(circle) => self.flight.hit_circle(meeting, circle, target.row),
            Shape::Segment(segment) => self.flight.hit_segment(meeting, segment, target.row),
        }
    }

    /// Segments of a list, eight at a time; those met after `until` will be seen again.
    #[inline(always)]
    pub(super) fn all_of(&mut self, list: &List<'_>, run: Range<u32>, until: f64) {
        if WHAT == FRONT {
            list.front::<K>(&mut self.front, &self.beam, run, until);
            self.settle();
        } else if self.flight.radius == 0.0 && list.entries.columns.radius.is_empty() {
            self.thin(&list.entries, run);
        } else {
            self.round(&list.entries, run);
        }
    }

    /// What is surely met ends the search.
    #[inline(always)]
    pub(super) fn settle(&mut self) {
        if WHAT != FRONT {
            return;
        }
        // Nothing met from here on is rounded to what that is rounded to.
        let behind = self.beam.behind(self.front.bound());
        self.stop = if behind < self.stop { behind } else { self.stop };
    }

    /// Neither the segments nor what flies have a radius.
    #[inline(always)]
    fn thin(&mut self, entries: &EntryView<'_>, run: Range<u32>) {
        let mut at = run.start;
        while at < run.end {
            let (eight, base) = (&entries.eights[at as usize / 8], at & !7);
            // Of the first and the last eight not all belong to the run.
            let mut mask = K::ray_mask(eight.columns(), &self.beam, 0, run.end - base) & (0xff << (at - base));
            while mask != 0 {
                let place = mask.trailing_zeros();
                mask &= mask - 1;
                self.segment(eight.segment(place), entries.rows[(base + place) as usize]);
            }
            at = base + 8;
        }
    }

    #[inline(always)]
    fn round(&mut self, entries: &EntryView<'_>, run: Range<u32>) {
        let columns = entries.columns;
        let mut at = run.start;
        while at < run.end {
            let mut mask = K::sweep_mask(columns, &self.beam, at, run.end - at);
            while mask != 0 {
                let i = (at + mask.trailing_zeros()) as usize;
                mask &= mask - 1;
                // Long ones lie in many cells of a stretch.
                if self.is_judged(entries.rows[i]) {
                    continue;
                }
                let radius = if columns.radius.is_empty() { 0.0 } else { columns.radius[i] };
                let start = Vec2 { x: columns.x0[i], y: columns.y0[i] };
                let end = Vec2 { x: columns.x1[i], y: columns.y1[i] };
                self.segment(Segment { start, end, radius }, entries.rows[i]);
            }
            at += 8;
        }
    }

    /// A body with this number has been held against what flies not long ago; from now on it has. Numbers are rows of segments, or those of
    /// [`super::march`].
    #[inline(always)]
    pub(super) fn is_judged(&mut self, number: u32) -> bool {
        let judged = &mut self.judged[number as usize % JUDGED];
        std::mem::replace(judged, number) == number
    }

    /// A segment that may be met. There is nothing of lanes in it, so it is built once for all of them; but where the first one met ends
    /// the search, the call is a tenth of it.
    #[inline(always)]
    pub(super) fn segment(&mut self, segment: Segment, row: u32) {
        if WHAT == ANY { self.meet_segment(segment, row) } else { self.meet_segment_apart(segment, row) }
    }

    #[inline(never)]
    fn meet_segment_apart(&mut self, segment: Segment, row: u32) {
        self.meet_segment(segment, row);
    }

    #[inline(always)]
    fn meet_segment(&mut self, segment: Segment, row: u32) {
        let target = Target::segment(row);
        if WHAT != ALL && (target == self.best.target || self.is_settled(target)) {
            return;
        }
        let meeting = self.flight.meet_segment(segment);
        let fraction = match self.flight.judge(meeting, self.stop) {
            Judged::Miss => return,
            Judged::At(fraction) => fraction,
            Judged::Doubt => match self.flight.exact_segment(segment, row) {
                Some(hit) => hit.fraction,
                None => return,
            },
        };
        self.offer(fraction, target, Shape::Segment(segment), meeting);
    }

    /// Something is met at the very start, and comes before this body, wherever that is.
    #[inline(always)]
    fn is_settled(&self, target: Target) -> bool {
        WHAT == FIRST && self.best.fraction == 0.0 && self.best.target < target
    }

    /// Circles of a run, eight at a time; those met after `until` will be seen again.
    #[inline(always)]
    pub(super) fn circles(&mut self, run: Range<u32>, until: f64) {
        let circles = self.scene.circles();
        let mut at = run.start;
        if WHAT == FRONT {
            return front_circles(&mut self.front, circles, &self.beam, run, until);
        }
        while at < run.end {
            let mut mask = K::beam_mask(circles, &self.beam, at, run.end - at);
            while mask != 0 {
                let row = at + mask.trailing_zeros();
                mask &= mask - 1;
                self.circle(self.scene.circle(row), self.scene.name(row));
            }
            at += 8;
        }
    }

    /// A circle that may be met, and the caller's row of it; built as [`Self::segment`] is.
    #[inline(always)]
    pub(super) fn circle(&mut self, circle: Circle, row: u32) {
        if WHAT == ANY { self.meet_circle(circle, row) } else { self.meet_circle_apart(circle, row) }
    }

    #[inline(never)]
    fn meet_circle_apart(&mut self, circle: Circle, row: u32) {
        self.meet_circle(circle, row);
    }

    #[inline(always)]
    fn meet_circle(&mut self, circle: Circle, row: u32) {
        if self.is_settled(Target::circle(row)) {
            return;
        }
        let meeting = self.flight.meet_circle(circle);
        let fraction = match self.flight.judge(meeting, self.stop) {
            Judged::Miss => return,
            Judged::At(fraction) => fraction,
            Judged::Doubt => match self.flight.exact_circle(circle, 0) {
                Some(hit) => hit.fraction,
                None => return,
            },
        };
        self.offer(fraction, Target::circle(row), Shape::Circle(circle), meeting);
    }

    /// Something is met: taken if it comes before what there is, and is seen.
    #[inline(always)]
    fn offer(&mut self, fraction: f32, target: Target, shape: Shape, meeting: Meeting) {
        let nearer = fraction < self.best.fraction || (fraction == self.best.fraction && target < self.best.target);
        if WHAT == FIRST && !nearer {
            return;
        }
        let seen = match shape {
            Shape::Segment(_) => self.scene.sees_segment(self.look, target.row),
            Shape::Circle(_) => self.scene.sees_circle(self.look, target.row),
        };
        if !seen {
            return;
        }
        if WHAT == ALL {
            self.keep(target, shape, meeting);
            return;
        }
        (self.best.fraction, self.best.target) = (fraction, target);
        if WHAT == FIRST {
            (self.best.shape, self.best.meeting) = (shape, meeting);
            let behind = f64::from(fraction.next_up());
            self.stop = if behind < self.stop { behind } else { self.stop };
            self.beam.set_limit(self.stop);
        } else {
            self.stop = -1.0;
        }
    }

    #[inline(never)]
    fn keep(&mut self, target: Target, shape: Shape, meeting: Meeting) {
        let hit = self.record(target, shape, meeting);
        self.out.extend(hit);
    }
}
