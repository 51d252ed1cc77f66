//! The walls that move, for those who ask about many of them.
//!
//! Comes in: walls that are about to move, or have moved, how many circles ask. Goes out: walls for those who fly before, and for the door, as
//! they were or as they are, and those that may have passed over a point. Where walls are many, and more than a few circles ask, they lie in
//! cells, else they are looked at one by one: the answers are the same. This room does not know who asks.
//!
//! Cells are made at most once in a step, for all that ask in it, and serve for several steps where walls go a small part of their length in each.
//!
//! *Why none is lost.* Each wall is registered where it was once, with a reach R for its radius r, and cells serve for as long as no end, before
//! or after the motion of the step, is further than R - r from where it was registered. A point of the old or the new wall is then within R - r
//! of the point of the registered one with the same share of its length: their difference is a mean of those of the ends. So
//! whoever comes within some distance of the wall's outline comes within as much of the registered one's, and cells name it. What a wall
//! passes over lies in the hull of its four ends; the distance to the registered wall is convex, and so all of the hull is within R of it.
//! From cells come rows alone: where a wall is, and how thick, is looked up, and R only names more walls.
//!
//! *Rounding.* Distances of ends are taken by an octagon about the circle, in `f32`, and held against a thousandth less than R - r, which is more
//! than they lose. R is r and two thousandths more than the way that it is made for, and rounded up: so that it serves at least for
//! its own step.

use super::integrate::Ends;
use super::moved::{Moved, number};
use super::serving::{Serve, Sizes};
use super::walls::{Near, Place, Walls, larger, size, wide};
use crate::broad_phase::Cells;
use crate::exact::P;
use crate::geometry::Capsules;
use crate::kernels::{Backend, InstructionSet, dispatch};
use crate::storage::SegmentColumns;

/// Fewer walls are looked at one by one.
const FEW_WALLS: usize = 64;
/// And all of them for fewer circles, unless they lie in cells already.
const FEW_CIRCLES: usize = 6;
/// A wall that goes further, its radius with it, is in no cells, and then none is.
const FAR: f64 = 1e37;
/// For so many steps walls are registered, if they go less than [`PART`] of their extent in all of them.
const STEPS: f64 = 16.0;
const PART: f64 = 0.125;
/// And no longer than this: walls may have become slower since.
const MOST_STEPS: u32 = 64;

/// See the head of the module. Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// As they were or are, if they are looked at one by one.
    all: Vec<Near>,
    are_in_cells: bool,
    /// As they were is asked.
    as_they_were: bool,
    cells: Cells,
    /// Ends and reaches, as they are registered.
    columns: [Vec<f32>; 5],
    names: Vec<u32>,
    /// For how many steps they have served.
    age: u32,
    /// In this step cells name all of them.
    known: Option<Sizes>,
}

/// All cells in which walls lie.
pub(super) struct Sets<'a>([&'a Cells; 4], usize);

impl Others {
    /// Another step.
    pub(super) fn forget(&mut self) {
        self.known = None;
    }

    /// Registers them, if they are many, as they stand before they move for so long.
    pub(super) fn look_ahead(&mut self, segments: &SegmentColumns, dt: f32) {
        self.know(Moved::ahead(segments, dt), true);
    }

    /// Cells of all that move, and their largest coordinate where they stand, if they are registered.
    pub(super) fn standing(&self) -> Option<(&Cells, f64)> {
        // As cells that are made of them would have it: see `around` there.
        let grown = |size: f64| size + size * (1.0 / (1u64 << 40) as f64);
        self.known.map(|sizes| (&self.cells, grown(sizes.outlines)))
    }

    /// Takes all walls, for so many circles.
    pub(super) fn take(&mut self, moved: Moved<'_>, as_they_were: bool, asking: usize) {
        self.as_they_were = as_they_were;
        self.are_in_cells = self.know(moved, asking >= FEW_CIRCLES);
        if !self.are_in_cells {
            moved.spines(as_they_were, &mut self.all);
        }
    }

    /// Whether cells name all of them; if need be they are made.
    fn know(&mut self, moved: Moved<'_>, make: bool) -> bool {
        if self.known.is_none() && moved.count() >= FEW_WALLS {
            self.known = self.served(moved).or_else(|| if make { self.register(moved) } else { None });
        }
        self.known.is_some()
    }

    /// Their sizes, if the cells as they are serve for this step too.
    fn served(&mut self, moved: Moved<'_>) -> Option<Sizes> {
        let Others { columns, names, age, .. } = self;
        if names.len() != moved.count() || *age >= MOST_STEPS || !moved.are(names) {
            return None;
        }
        *age += 1;
        dispatch(Backend::Wide, InstructionSet::best(), Serve { columns, moved })
    }

    /// Registers them; nothing if one goes too far.
    fn register(&mut self, moved: Moved<'_>) -> Option<Sizes> {
        let Others { columns, names, cells, age, .. } = self;
        let walls = || (0..moved.count()).map(|k| moved.at(k));
        let (mut ways, mut extents) = (0.0, 0.0);
        for (row, wall) in walls() {
            let ([a, b], way) = ([wall.from.start, wall.from.end].map(wide), wall.way());
            if f64::from(moved.radius(row)) + way >= FAR {
                return None;
            }
            ways += way;
            extents += size([b[0] - a[0], b[1] - a[1]]);
        }
        let steps = if ways * STEPS <= extents * PART { STEPS } else { 1.0 };
        let mut sizes = Sizes::default();
        columns.iter_mut().for_each(Vec::clear);
        names.clear();
        for (row, wall) in walls() {
            let (radius, way) = (moved.radius(row), wall.way() * 1.002 * steps);
            let reach = if way > 0.0 { ((f64::from(radius) + way) as f32).next_up() } else { radius };
            let ([x0, y0], [x1, y1]) = (wall.from.start, wall.from.end);
            columns.iter_mut().zip([x0, y0, x1, y1, reach]).for_each(|(column, value)| column.push(value));
            names.push(row);
            sizes.add(&wall, radius);
        }
        let [x0, y0, x1, y1, radius] = &*columns;
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..names.len() as u32);
        cells.rename(names);
        *age = 0;
        Some(sizes)
    }

    /// `cells`, and those of these walls.
    pub(super) fn sets<'a>(&'a self, cells: &[&'a Cells]) -> Sets<'a> {
        let mut sets = Sets([&self.cells; 4], cells.len());
        sets.0[..cells.len()].copy_from_slice(cells);
        sets.1 += usize::from(self.are_in_cells);
        sets
    }

    /// The walls that do not move, of a place, and these; `sets`: of both.
    pub(super) fn walls<'a>(&'a self, place: Place<'a>, moved: Moved<'a>, sets: &'a Sets<'a>) -> Walls<'a> {
        let (true, Some(sizes)) = (self.are_in_cells, self.known) else {
            return Walls::new(place, &self.all);
        };
        let (size, were): (f64, &[Ends]) =
            if self.as_they_were { (sizes.were, moved.saved()) } else { (sizes.are, &[]) };
        let place = Place { bounds: larger(place.bounds, size), ..place };
        Walls::new(place, &[]).in_cells(&sets.0[..sets.1]).where_they(were)
    }

    /// The numbers, among those that move, of all walls that may have passed over a point, and of some more, ascending.
    pub(super) fn about(&self, walls: &Walls<'_>, q: P, numbers: &mut Vec<u32>) {
        numbers.clear();
        if !self.are_in_cells {
            numbers.extend(0..self.all.len() as u32);
            return;
        }
        let (own, at, names) = ([&self.cells], wide(q), &self.names);
        walls.in_cells_alone(&own).along_cells(at, 4.0 * walls.unit_at(at, at), |wall| {
            numbers.extend(number(names, wall.row).map(|k| k as u32));
        });
        numbers.sort_unstable();
        numbers.dedup();
    }

    /// Forgets that cells were made, so that all are looked at one by one.
    #[cfg(test)]
    fn one_by_one(&mut self, moved: Moved<'_>, as_they_were: bool) {
        self.are_in_cells = false;
        moved.spines(as_they_were, &mut self.all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::door::Scratch;
    use crate::response::impulse::Pair;
    use crate::response::integrate::{Limits, segments as integrate};
    use crate::response::walls::Shape;
    use crate::storage::{Filter, SegmentBody, SegmentHandle};

    fn range(state: &mut u64, a: f64, b: f64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        a + (b - a) * ((*state >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Three hundred walls about the origin, of which nine in ten move in a second by up to `way`, one of fifty by up to `far`; some turn about
    /// themselves. A third are one-sided, a quarter round.
    fn strewn(g: &mut u64, (scale, shift): (f64, f64), [way, far]: [f64; 2]) -> SegmentColumns {
        let mut segments = SegmentColumns::default();
        for k in 0..300 {
            let at = [0; 2].map(|_| range(g, -20.0, 20.0));
            let to = at.map(|v| v + range(g, -3.0, 3.0));
            let way = if k % 50 == 0 { far } else { way };
            let mut speed = |along: f64| [0, 1].map(|axis| range(g, -way, way) + (to[axis] - at[axis]) * along);
            let speeds = if k % 7 == 0 && way >= 1.0 { [speed(1.0), speed(-1.0)] } else { [speed(0.0), speed(0.0)] };
            let [start, end] = [at, to].map(|p| p.map(|v| (v * scale + shift) as f32));
            let [u, v] = speeds.map(|v| v.map(|v| (v * scale) as f32));
            let radius = if k % 4 == 0 { (range(g, 0.0, 0.4) * scale) as f32 } else { 0.0 };
            let wall = SegmentBody::from(crate::geometry::Segment::new(start, end).with_radius(radius));
            let wall = wall.with_one_sided(k % 3 == 0);
            let wall = if k % 10 == 9 { wall } else { wall.with_end_velocities(u, v) };
            segments.push(wall, SegmentHandle::new(k as u32, 0));
        }
        segments
    }

    /// What is met first on a way, by both.
    fn same_first([some, all]: [&Walls<'_>; 2], way: (P, Pair), shape: Shape, scratch: &mut Scratch) -> bool {
        let [hit, truth] = [some, all].map(|walls| {
            let hit = walls.first(way, shape, Filter::DEFAULT, scratch);
            hit.map(|hit| (hit.row, hit.spine, hit.impact, walls.outline(&hit, wide(way.0))))
        });
        assert_eq!(hit, truth, "{way:?}");
        assert_eq!(some.unit(), all.unit());
        hit.is_some()
    }

    #[test]
    fn many_in_cells_are_met_and_pass_over_as_one_by_one() {
        let mut g = 5;
        let (mut met, mut flown_into, mut passed, mut fewer) = (0, 0, 0, 0);
        for (place, ways, made) in [
            ((1.0, 0.0), [1.0, 1.0], 6),
            ((1.0, 0.0), [1.0, 1000.0], 6),
            ((1e-20, 0.0), [1.0, 1.0], 6),
            ((1.0, 6.4e6), [1.0, 1.0], 6),
            // The cells of the first step serve for all.
            ((1.0, 0.0), [0.004, 0.004], 1),
            ((1.0, 0.0), [0.004, 0.05], 1),
            ((1e-20, 0.0), [0.004, 0.004], 1),
            // Lengths are some thousand of the least numbers, ways are a few.
            ((1e-42, 0.0), [0.004, 0.004], 1),
        ] {
            let (mut segments, mut saved) = (strewn(&mut g, place, ways), Vec::new());
            let (still, mut scratch) = (Cells::default(), Scratch::default());
            let (mut many, mut each) = (Others::default(), Others::default());
            let mut registered = 0;
            for step in 0..6 {
                many.forget();
                many.look_ahead(&segments, 1.0);
                registered += usize::from(many.age == 0);
                let long = |case: usize| [0.01, 0.5, 30.0][case % 3] * place.0;
                let way = |g: &mut u64, case: usize| {
                    let q = [0; 2].map(|_| (range(g, -22.0, 22.0) * place.0 + place.1) as f32);
                    (q, [0; 2].map(|_| range(g, -long(case), long(case))))
                };
                {
                    // Those who fly ask before walls move.
                    let mut own = Cells::default();
                    let SegmentColumns { x0, y0, x1, y1, radius, moving_rows, .. } = &segments;
                    own.build(Capsules { x0, y0, x1, y1, radius }, moving_rows.iter().copied());
                    let (cells, size) = many.standing().expect("many");
                    let (cells, own) = ([&still, cells], [&still, &own]);
                    let some = Walls::standing(Place::of(&cells, &segments), Some(size));
                    let all = Walls::standing(Place::of(&own, &segments), None);
                    for case in 0..1000 {
                        let disc = (range(&mut g, 0.0, 0.4) * place.0) as f32;
                        let mut way = way(&mut g, case);
                        if case % 2 == 0 {
                            // Just out of reach of the outline of one of them, and a little towards it.
                            let row = segments.moving_rows[case % segments.moving_rows.len()] as usize;
                            let [[ax, ay], [bx, by]] = [[x0[row], y0[row]], [x1[row], y1[row]]].map(wide);
                            let (t, d) = (range(&mut g, 0.0, 1.0), [bx - ax, by - ay]);
                            let n = [d[1], -d[0]].map(|v| v / (d[0] * d[0] + d[1] * d[1]).sqrt());
                            let off = f64::from(radius[row]) + f64::from(disc) + 0.002 * place.0;
                            way.0 = [ax + d[0] * t + n[0] * off, ay + d[1] * t + n[1] * off].map(|v| v as f32);
                            way.1 = n.map(|v| -0.004 * place.0 * v);
                        }
                        let hit = same_first([&some, &all], way, Shape::Disc(disc), &mut scratch);
                        flown_into += usize::from(hit);
                    }
                }
                integrate(&mut segments, Limits::NONE, 1.0, &mut saved).unwrap();
                let moved = Moved::new(&segments, &saved);
                for as_they_were in [true, false] {
                    // Who comes in a later step may be the first who asks.
                    let mut late = Others::default();
                    let some = if step % 2 == 0 { &mut many } else { &mut late };
                    some.take(moved, as_they_were, 1000);
                    each.one_by_one(moved, as_they_were);
                    assert!(some.are_in_cells);
                    let (many, cells) = (&*some, [&still]);
                    let [some, all] = [many, &each].map(|others| others.sets(&cells));
                    let some = many.walls(Place::of(&cells, &segments), moved, &some);
                    let all = each.walls(Place::of(&cells, &segments), moved, &all);
                    let [mut about, mut everyone] = [vec![], vec![]];
                    for case in 0..1000 {
                        let (q, motion) = way(&mut g, case);
                        met += usize::from(same_first([&some, &all], (q, motion), Shape::Point, &mut scratch));
                        // Beside where a wall is.
                        let (_, wall) = moved.at(case % saved.len());
                        let t = range(&mut g, 0.0, 1.0);
                        let on = |axis: usize| {
                            let [a, b] = [wall.from.start, wall.to[1]].map(|end| f64::from(end[axis]));
                            (a + (b - a) * t) as f32
                        };
                        for q in [q, [on(0), on(1)]] {
                            many.about(&some, q, &mut about);
                            each.about(&all, q, &mut everyone);
                            fewer += usize::from(about.len() < everyone.len());
                            let over = |numbers: &[u32]| -> Vec<u32> {
                                let passes = |k: &u32| moved.at(*k as usize).1.passes_over(q);
                                numbers.iter().copied().filter(passes).collect()
                            };
                            assert_eq!(over(&about), over(&everyone), "{q:?}");
                            passed += over(&about).len();
                        }
                    }
                }
            }
            assert_eq!(registered, made);
        }
        let counts = [met, flown_into, passed, fewer];
        assert!(met > 20_000 && flown_into > 15_000 && passed > 20_000 && fewer > 150_000, "{counts:?}");
    }

    #[test]
    fn cells_serve_until_a_wall_is_another_or_elsewhere() {
        let mut g = 9;
        let mut segments = strewn(&mut g, (1.0, 0.0), [0.004, 0.004]);
        let mut others = Others::default();
        let mut ask = |segments: &SegmentColumns, dt: f32| {
            others.forget();
            others.look_ahead(segments, dt);
            let age = others.age;
            assert!(others.known.is_some());
            // Once in a step.
            others.look_ahead(segments, dt);
            assert_eq!(others.age, age);
            age
        };
        assert_eq!([ask(&segments, 1.0), ask(&segments, 1.0), ask(&segments, 1.0)], [0, 1, 2]);
        // Further in one step than in all sixteen.
        assert_eq!([ask(&segments, 16.5), ask(&segments, 1.0)], [0, 1]);
        let body = segments.body(5);
        // A wall that stands; one that is thicker than its reach; one that is thinner again.
        segments.set(5, SegmentBody { moving: false, ..body.with_velocity([0.0, 0.0]) });
        assert!(!segments.moving[5]);
        assert_eq!([ask(&segments, 1.0), ask(&segments, 1.0)], [0, 1]);
        let mut wall = segments.body(6);
        wall.shape.radius = 2.0;
        segments.set(6, wall);
        assert_eq!([ask(&segments, 1.0), ask(&segments, 1.0)], [0, 1]);
        wall.shape = wall.shape.with_radius(1.0);
        segments.set(6, wall);
        assert_eq!(ask(&segments, 1.0), 2);
        // Its reach is more than 2 still.
        wall.shape.end.x += 0.9;
        segments.set(6, wall);
        assert_eq!(ask(&segments, 1.0), 3);
        wall.shape.end.x += 1.0;
        segments.set(6, wall);
        assert_eq!(ask(&segments, 1.0), 0);
        // Not for ever.
        assert_eq!((0..70).filter(|_| ask(&segments, 1.0) == 0).count(), 1);
    }
}
