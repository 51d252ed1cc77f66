//! Motion of one step: velocities from gravity, positions from velocities, bounds that reflect.
//!
//! Comes in: columns and dt. Goes out: the moved columns beside the old ones, which are left alone, and where somebody goes far. Costs about a
//! nanosecond a body. Semi-implicit Euler: v' = v + g·dt, then x' = x + v'·dt, in f32 and in this order.

use super::far::is_far;
use super::leaving::{leaves, turn};
use crate::geometry::Vec2;
use crate::kernels::{Backend, InstructionSet, Kernels, Operation, dispatch};
use crate::parallel::Split;
use crate::storage::{CircleColumns, SegmentColumns, copy, fit};
use std::ops::Range;

/// The end of the world as low and high limit of each coordinate; infinite where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) x: [f32; 2],
    pub(crate) y: [f32; 2],
}

impl Limits {
    /// No end anywhere.
    pub(crate) const NONE: Limits =
        Limits { x: [f32::NEG_INFINITY, f32::INFINITY], y: [f32::NEG_INFINITY, f32::INFINITY] };
}

/// Circles after their motion, in the rows they had before it.
#[derive(Debug, Default)]
pub(crate) struct Flight {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) velocity_x: Vec<f32>,
    pub(crate) velocity_y: Vec<f32>,
    /// For every so many rows as [`BLOCK`]: somebody may go further than a fraction of his radius; see [`is_far`].
    pub(super) far: Vec<bool>,
}

/// The names of the four columns of a [`Flight`], in the order in which they are looked at: who is too fast is nowhere either.
pub(crate) const FLIGHT_FIELDS: [&str; 4] = ["velocity_x", "velocity_y", "x", "y"];

/// Moves all circles into `flight`. Returns the first row and the field that is not finite, if there is one.
///
/// dt = 0 copies. Circles of inverse mass 0 fly on, but gravity does not pull them. Disabled ones stay as they are.
pub(crate) fn circles(
    now: &CircleColumns,
    gravity: Vec2,
    limits: Limits,
    dt: f32,
    (flight, split): (&mut Flight, Split),
) -> Result<(), (usize, &'static str)> {
    let Flight { x, y, velocity_x, velocity_y, far } = flight;
    far.clear();
    far.resize(now.x.len().div_ceil(BLOCK), false);
    if dt == 0.0 {
        copy(&now.x, x);
        copy(&now.y, y);
        copy(&now.velocity_x, velocity_x);
        copy(&now.velocity_y, velocity_y);
        return Ok(());
    }
    let (radius, inverse_mass) = (&now.radius[..], &now.inverse_mass[..]);
    fit(x, &now.x, now.x.len());
    fit(y, &now.y, now.y.len());
    fit(velocity_x, &now.velocity_x, now.velocity_x.len());
    fit(velocity_y, &now.velocity_y, now.velocity_y.len());
    let (from, to, kick) = ((&now.x[..], &now.velocity_x[..]), (&mut x[..], &mut velocity_x[..]), gravity.x * dt);
    let along_x = Axis { from, to, radius, inverse_mass, kick, dt, limits: limits.x };
    let (from, to, kick) = ((&now.y[..], &now.velocity_y[..]), (&mut y[..], &mut velocity_y[..]), gravity.y * dt);
    let along_y = Axis { from, to, radius, inverse_mass, kick, dt, limits: limits.y };
    let finite = Axis::fly([along_x, along_y], far, split);
    // Usually there are none: cheaper to put them back than to ask everybody.
    for (row, _) in now.labels.enabled().iter().enumerate().filter(|(_, enabled)| !**enabled) {
        (flight.x[row], flight.y[row]) = (now.x[row], now.y[row]);
        (flight.velocity_x[row], flight.velocity_y[row]) = (now.velocity_x[row], now.velocity_y[row]);
    }
    if finite {
        return Ok(());
    }
    first_not_finite([&flight.velocity_x, &flight.velocity_y, &flight.x, &flight.y], FLIGHT_FIELDS)
}

/// One coordinate of all circles, and its velocity; all columns are of one length.
struct Axis<'a> {
    from: (&'a [f32], &'a [f32]),
    to: (&'a mut [f32], &'a mut [f32]),
    radius: &'a [f32],
    inverse_mass: &'a [f32],
    /// Gravity times dt.
    kick: f32,
    dt: f32,
    limits: [f32; 2],
}

/// Rows that one thread moves.
const PIECE: usize = 8192;
/// Rows that fly along one axis and then, from the nearest cache, along the other.
pub(super) const BLOCK: usize = 1024;

impl<'a> Axis<'a> {
    /// Both axes, in halves side by side; whether all results are finite. By blocks, whether somebody goes far.
    fn fly([x, y]: [Axis<'a>; 2], far: &mut [bool], split: Split) -> bool {
        let rows = x.radius.len();
        if rows > BLOCK {
            let side_by_side = split.is_parallel() && rows > PIECE;
            let least = if side_by_side { PIECE } else { BLOCK };
            let middle = rows.div_ceil(least).div_ceil(2) * least;
            let ((low_x, x), (low_y, y)) = (x.halves(middle), y.halves(middle));
            let (low_far, far) = far.split_at_mut(middle / BLOCK);
            let (low, high) = if side_by_side {
                split.join(|| Axis::fly([low_x, low_y], low_far, split), || Axis::fly([x, y], far, split))
            } else {
                (Axis::fly([low_x, low_y], low_far, split), Axis::fly([x, y], far, split))
            };
            return low & high;
        }
        // No kernels are needed, only the code compiled for what the machine has.
        let set = InstructionSet::best();
        let [along_x, along_y] = [dispatch(Backend::Wide, set, x), dispatch(Backend::Wide, set, y)];
        far.fill(along_x.far | along_y.far);
        along_x.finite & along_y.finite
    }

    fn halves(self, middle: usize) -> (Axis<'a>, Axis<'a>) {
        let (from, speed) = (self.from.0.split_at(middle), self.from.1.split_at(middle));
        let (to, to_speed) = (self.to.0.split_at_mut(middle), self.to.1.split_at_mut(middle));
        let (radius, inverse_mass) = (self.radius.split_at(middle), self.inverse_mass.split_at(middle));
        let (low, high) = ((from.0, speed.0), (from.1, speed.1));
        (
            Axis { from: low, to: (to.0, to_speed.0), radius: radius.0, inverse_mass: inverse_mass.0, ..self },
            Axis { from: high, to: (to.1, to_speed.1), radius: radius.1, inverse_mass: inverse_mass.1, ..self },
        )
    }
}

/// All results are finite; somebody goes far.
struct Flown {
    finite: bool,
    far: bool,
}

impl Operation for Axis<'_> {
    const AVX512: bool = true;
    type Output = Flown;
    #[inline(always)]
    fn run<K: Kernels>(self) -> Flown {
        let Axis { from, to, radius, inverse_mass, kick, dt, limits } = self;
        let (mut wrong, mut far, mut leave) = (0u32, 0u32, 0u32);
        let was = from.0.iter().zip(from.1).zip(radius.iter().zip(inverse_mass));
        for (((&x, &v), (&r, &w)), (to_x, to_v)) in was.zip(to.0.iter_mut().zip(to.1.iter_mut())) {
            let pulled = if w > 0.0 { v + kick } else { v };
            let moved = x + pulled * dt;
            let leaving = leaves(moved, pulled, r, limits);
            *to_x = moved;
            *to_v = if leaving { -pulled } else { pulled };
            wrong |= u32::from(!(moved.is_finite() & pulled.is_finite()));
            far |= u32::from(is_far(x, moved, r));
            leave |= u32::from(leaving);
        }
        if leave != 0 && kick != 0.0 {
            turn(from.1, (to.0, to.1), (radius, inverse_mass), (kick, dt), limits);
        }
        Flown { finite: wrong == 0, far: far != 0 }
    }
}

/// The ends and their velocities of one moving segment as they were: x0, y0, x1, y1, then velocities.
pub(crate) type Ends = [f32; 8];

/// Moves the moving segments in place; `saved` gets what they were, one entry for each of `moving_rows`, for
/// [`restore`]. Returns the first row and the field that is not finite, if there is one.
///
/// Each end flies and is reflected by itself, as a point; gravity pulls none. Disabled ones stay as they are.
pub(crate) fn segments(
    now: &mut SegmentColumns,
    limits: Limits,
    dt: f32,
    saved: &mut Vec<Ends>,
) -> Result<(), (usize, &'static str)> {
    const FIELDS: [&str; 8] = ["x0", "y0", "x1", "y1", "velocity_x0", "velocity_y0", "velocity_x1", "velocity_y1"];
    saved.clear();
    if dt == 0.0 {
        return Ok(());
    }
    if let (Some(&row), true) = (now.moving_rows.first(), now.labels.enabled().is_empty()) {
        let rows = row as usize..row as usize + now.moving_rows.len();
        if now.moving_rows.last().is_some_and(|&last| last as usize + 1 == rows.end) {
            return side_by_side(now, rows, limits, dt, saved).map_err(|(row, k)| (row, FIELDS[k]));
        }
    }
    let mut first = Ok(());
    for at in 0..now.moving_rows.len() {
        let row = now.moving_rows[at] as usize;
        let was = read(now, row);
        saved.push(was);
        if !now.labels.is_enabled(row) {
            continue;
        }
        let mut ends = was;
        ends[..4].copy_from_slice(&flown(&was, dt));
        for k in 0..4 {
            let v = was[k + 4];
            let limits = if k % 2 == 0 { limits.x } else { limits.y };
            ends[k + 4] = if leaves(ends[k], v, 0.0, limits) { -v } else { v };
        }
        if let (Ok(()), Some(k)) = (first, ends.iter().position(|v| !v.is_finite())) {
            first = Err((row, FIELDS[k]));
        }
        write(now, row, ends);
    }
    first
}

/// The same of these rows, all of which move, column by column: the first row and the number of the field that is not finite.
fn side_by_side(
    now: &mut SegmentColumns,
    rows: Range<usize>,
    limits: Limits,
    dt: f32,
    saved: &mut Vec<Ends>,
) -> Result<(), (usize, usize)> {
    saved.extend(rows.clone().map(|row| read(now, row)));
    let SegmentColumns { x0, y0, x1, y1, velocity_x0, velocity_y0, velocity_x1, velocity_y1, .. } = now;
    let ways = [
        (x0, velocity_x0, limits.x),
        (y0, velocity_y0, limits.y),
        (x1, velocity_x1, limits.x),
        (y1, velocity_y1, limits.y),
    ];
    let mut finite = true;
    for (place, speed, limits) in ways {
        let way = Way { place: &mut place[rows.clone()], speed: &mut speed[rows.clone()], limits, dt };
        finite &= dispatch(Backend::Wide, InstructionSet::best(), way);
    }
    if finite {
        return Ok(());
    }
    let wrong = |row| read(now, row).iter().position(|v| !v.is_finite()).map(|k| (row, k));
    rows.into_iter().find_map(wrong).map_or(Ok(()), Err)
}

/// One coordinate of an end of many segments, and its velocity.
struct Way<'a> {
    place: &'a mut [f32],
    speed: &'a mut [f32],
    limits: [f32; 2],
    dt: f32,
}

impl Operation for Way<'_> {
    const AVX512: bool = true;
    /// All results are finite.
    type Output = bool;
    #[inline(always)]
    fn run<K: Kernels>(self) -> bool {
        let Way { place, speed, limits, dt } = self;
        let mut wrong = 0u32;
        for (x, v) in place.iter_mut().zip(speed) {
            let moved = *x + *v * dt;
            let leaving = leaves(moved, *v, 0.0, limits);
            *x = moved;
            // By its sign, not by a choice: some processors take a dozen cycles to store what is chosen lane by lane.
            *v = f32::from_bits(v.to_bits() ^ (u32::from(leaving) << 31));
            wrong |= u32::from(!(moved.is_finite() & v.is_finite()));
        }
        wrong == 0
    }
}

/// Where both ends come to.
fn flown(was: &Ends, dt: f32) -> [f32; 4] {
    let &[a, b, c, d, va, vb, vc, vd] = was;
    [a + va * dt, b + vb * dt, c + vc * dt, d + vd * dt]
}

/// Where the segment in a row, which moves, is, and where [`segments`] will put its ends.
pub(super) fn ahead(now: &SegmentColumns, row: usize, dt: f32) -> [[f32; 4]; 2] {
    let was = read(now, row);
    let is = [was[0], was[1], was[2], was[3]];
    [is, if now.labels.is_enabled(row) { flown(&was, dt) } else { is }]
}

/// Undoes [`segments`].
pub(crate) fn restore(now: &mut SegmentColumns, saved: &[Ends]) {
    for (at, &was) in saved.iter().enumerate() {
        write(now, now.moving_rows[at] as usize, was);
    }
}

fn read(now: &SegmentColumns, row: usize) -> Ends {
    [
        now.x0[row],
        now.y0[row],
        now.x1[row],
        now.y1[row],
        now.velocity_x0[row],
        now.velocity_y0[row],
        now.velocity_x1[row],
        now.velocity_y1[row],
    ]
}

fn write(now: &mut SegmentColumns, row: usize, ends: Ends) {
    now.x0[row] = ends[0];
    now.y0[row] = ends[1];
    now.x1[row] = ends[2];
    now.y1[row] = ends[3];
    now.velocity_x0[row] = ends[4];
    now.velocity_y0[row] = ends[5];
    now.velocity_x1[row] = ends[6];
    now.velocity_y1[row] = ends[7];
}

/// The lowest row that holds a number which is not finite, and the field of the first of them.
pub(crate) fn first_not_finite(columns: [&[f32]; 4], fields: [&'static str; 4]) -> Result<(), (usize, &'static str)> {
    for row in 0..columns[0].len() {
        for (column, field) in columns.iter().zip(fields) {
            if !column[row].is_finite() {
                return Err((row, field));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Circle, Segment};
    use crate::storage::{CircleBody, CircleHandle, SegmentHandle};

    const BOX: Limits = Limits { x: [0.0, 10.0], y: [0.0, 10.0] };

    fn fly(body: CircleBody, gravity: Vec2, limits: Limits, dt: f32) -> [f32; 4] {
        let mut columns = CircleColumns::default();
        columns.push(body, CircleHandle::new(0, 0));
        let mut flight = Flight::default();
        circles(&columns, gravity, limits, dt, (&mut flight, Split::SERIAL)).unwrap();
        [flight.x[0], flight.y[0], flight.velocity_x[0], flight.velocity_y[0]]
    }

    #[test]
    fn velocity_first_then_position() {
        // v' = 1 - 8·0.5 = -3, y' = 2 - 3·0.5 = 0.5
        let body = Circle::new([0.0, 2.0], 1.0).with_velocity([4.0, 1.0]);
        assert_eq!(fly(body, Vec2::new(0.0, -8.0), Limits::NONE, 0.5), [2.0, 0.5, 4.0, -3.0]);
        // Immovable: flies on, is not pulled: y' = 2 + 1·0.5.
        assert_eq!(fly(body.with_inverse_mass(0.0), Vec2::new(0.0, -8.0), Limits::NONE, 0.5), [2.0, 2.5, 4.0, 1.0]);
    }

    #[test]
    fn bounds_turn_what_leaves_only() {
        // x' = 1.5 - 1 = 0.5 < r: leaves on the left, turned.
        let leaving = Circle::new([1.5, 5.0], 1.0).with_velocity([-1.0, 0.0]);
        assert_eq!(fly(leaving, Vec2::ZERO, BOX, 1.0), [0.5, 5.0, 1.0, 0.0]);
        // x' = -0.5 + 0.25: still outside, but already returning, left alone.
        let returning = Circle::new([-0.5, 5.0], 1.0).with_velocity([0.25, 0.0]);
        assert_eq!(fly(returning, Vec2::ZERO, BOX, 1.0), [-0.25, 5.0, 0.25, 0.0]);
        // x' + r = 10 exactly touches from inside: does not reach out.
        let touching = Circle::new([8.0, 5.0], 1.0).with_velocity([1.0, 0.0]);
        assert_eq!(fly(touching, Vec2::ZERO, BOX, 1.0), [9.0, 5.0, 1.0, 0.0]);
    }

    #[test]
    fn first_row_out_of_range_is_named() {
        let mut columns = CircleColumns::default();
        for v in [0.0, f32::MAX, f32::MAX] {
            columns.push(Circle::new([0.0, 0.0], 1.0).with_velocity([0.0, v]), CircleHandle::new(0, 0));
        }
        let found = circles(&columns, Vec2::ZERO, Limits::NONE, 2.0, (&mut Flight::default(), Split::SERIAL));
        assert_eq!(found, Err((1, "y")));
    }

    #[test]
    fn ends_turn_each_by_itself_and_can_be_restored() {
        let mut columns = SegmentColumns::default();
        let body = Segment::new([9.5, 5.0], [5.0, 5.0]).with_velocity([1.0, 0.0]);
        columns.push(body, SegmentHandle::new(0, 0));
        let mut saved = Vec::new();
        segments(&mut columns, BOX, 1.0, &mut saved).unwrap();
        // 9.5 + 1 > 10: turned; 5 + 1 is inside: goes on.
        assert_eq!(read(&columns, 0), [10.5, 5.0, 6.0, 5.0, -1.0, 0.0, 1.0, 0.0]);
        restore(&mut columns, &saved);
        assert_eq!(columns.body(0), body);
    }

    #[test]
    fn side_by_side_they_fly_as_one_by_one() {
        let mut state = 7u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 24) as f32 * 24.0 - 7.0
        };
        for case in 0..60 {
            let (mut run, mut torn) = (SegmentColumns::default(), SegmentColumns::default());
            let still = Segment::new([1.0, 2.0], [3.0, 4.0]).into();
            run.push(still, SegmentHandle::new(0, 0));
            for k in 0..1 + case % 21 {
                let mut pair = || [number(), number()];
                let mut body = Segment::new(pair(), pair()).with_velocity(pair());
                body.end_velocity = pair().into();
                if case % 4 == 3 && k % 5 == 4 {
                    body.end_velocity.y = f32::MAX;
                }
                run.push(body, SegmentHandle::new(k, 0));
                torn.push(body, SegmentHandle::new(k, 0));
                // One that stays behind the first, so that it is no run.
                if k == 0 {
                    torn.push(still, SegmentHandle::new(9, 0));
                }
            }
            let (mut saved, mut others) = (vec![], vec![]);
            let [a, b] = [(&mut run, &mut saved), (&mut torn, &mut others)]
                .map(|(columns, saved)| segments(columns, BOX, 2.0, saved));
            assert_eq!(saved, others);
            let rows = run.moving_rows.iter().zip(&torn.moving_rows);
            let bits = |columns: &SegmentColumns, row: u32| read(columns, row as usize).map(f32::to_bits);
            for (&row, &other) in rows.clone() {
                assert_eq!(bits(&run, row), bits(&torn, other), "{case}");
            }
            // The second and later rows are the same; a first one that fails is row 1 and row 0.
            assert_eq!(a, b.map_err(|(row, k)| (if row == 0 { 1 } else { row }, k)), "{case}");
            assert_eq!(a.is_err(), case % 4 == 3 && case % 21 >= 4, "{case}");
        }
    }
}
