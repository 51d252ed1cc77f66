//! Walls as they are seen across the border of a plane that repeats, by the cells they lie in.
//!
//! Comes in: walls that do not move, a plane that repeats, a box. Goes out: the cells of all images that come into the box, and some more. Images near the
//! stretch are registered at once; all others, of which each wall has some twenty, when somebody goes farther out. This room does not know who asks.
//!
//! Which of both is asked changes no answer: the cells of either name every image that comes into the box; and how large coordinates are, by which
//! centres are held off walls, is told of all images, registered or not.

use super::images::{counts, each, moved, spine};
use super::impulse::Pair;
use super::leg::Spine;
use super::units::larger;
use crate::broad_phase::{Cells, extent, shorter};
use crate::geometry::{Capsules, Periods};
use crate::storage::{Lazy, SegmentColumns};

/// So many periods beyond the stretch images are registered at once: nobody goes further but who flies so far, or is that large.
const NEAR: f64 = 0.25;
/// And so much more, for what is rounded.
const ROOM: f64 = 1.0 / 64.0;
/// So many, and its own radius, a wall is seen beyond it: flights begin in the stretch and go a period at most, and circles see what they come near.
const FAR: f64 = 1.5;

/// The images of walls that do not move, as far as a leg can reach them that begins in the stretch and is no longer than a period.
#[derive(Debug, Default)]
pub(crate) struct ImageWalls {
    periods: Periods,
    near: Images,
    all: Lazy<Images>,
    /// What comes into this box is in `near`; from low to high.
    cover: [Pair; 2],
    size: f64,
    shortest: f32,
}

/// Some images.
#[derive(Debug, Default)]
struct Images {
    columns: [Vec<f32>; 5],
    names: Vec<u32>,
    cells: Cells,
}

impl ImageWalls {
    /// Makes them anew.
    pub(crate) fn build(&mut self, periods: &Periods, segments: &SegmentColumns) {
        self.periods = *periods;
        self.all.forget();
        self.cover = beyond(periods, NEAR);
        self.near.build(periods, segments, NEAR + ROOM, Some(beyond(periods, NEAR + ROOM)));
        (self.size, self.shortest) = (0.0, f32::INFINITY);
        for row in segments.fixed_rows() {
            self.measure(&spine(segments, row as usize), segments.radius[row as usize]);
        }
        // As cells have it.
        self.size += self.size * (1.0 / (1u64 << 40) as f64);
    }

    /// A wall and its images: how large their coordinates are, and how short they are.
    fn measure(&mut self, wall: &Spine, radius: f32) {
        let of = |axis: usize| counts(&self.periods, axis, wall, seen(&self.periods, axis, FAR, radius));
        let ([x, y], [mut size, around]) = ([of(0), of(1)], [self.size, f64::from(radius)]);
        let mut along = |axis: usize, count: i32| {
            let Spine { start, end, .. } = moved(wall, &self.periods, [count; 2]);
            for v in [start[axis], end[axis]].map(f64::from) {
                size = larger(size, larger((v - around).abs(), (v + around).abs()));
            }
            end[axis] - start[axis]
        };
        for k in x[0]..=x[1] {
            let dx = along(0, k);
            for l in y[0]..=y[1] {
                self.shortest = shorter(self.shortest, extent([[0.0; 2], [dx, along(1, l)]], radius));
            }
        }
        self.size = size;
    }

    /// The cells of all images that come into the box, with their radii: some, or all.
    pub(super) fn cells(&self, segments: &SegmentColumns, [low, high]: [Pair; 2]) -> &Cells {
        let is_near = (0..2).all(|axis| low[axis] >= self.cover[0][axis] && high[axis] <= self.cover[1][axis]);
        if is_near { &self.near.cells } else { self.all(segments) }
    }

    /// Those of [`Self::cells`] that are some of all.
    pub(super) fn near(&self) -> &Cells {
        &self.near.cells
    }

    /// The cells of all.
    #[cold]
    pub(super) fn all(&self, segments: &SegmentColumns) -> &Cells {
        &self.all.get(|all| all.build(&self.periods, segments, FAR, None)).cells
    }

    /// The largest coordinate of all walls and images with their radii, rounded up.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// The extent of the shortest that has one; infinite where there is none.
    pub(super) fn shortest(&self) -> f32 {
        self.shortest
    }
}

impl Images {
    /// Those that come, with their radii, into the stretch and so many periods beyond it, and some more; only those that come into a box, if there is one.
    fn build(&mut self, periods: &Periods, segments: &SegmentColumns, far: f64, within: Option<[Pair; 2]>) {
        let Images { columns, names, cells } = self;
        columns.iter_mut().for_each(Vec::clear);
        names.clear();
        for row in segments.fixed_rows() {
            let (wall, radius) = (spine(segments, row as usize), segments.radius[row as usize]);
            let (of, around) =
                (|axis| counts(periods, axis, &wall, seen(periods, axis, far, radius)), f64::from(radius));
            each([of(0), of(1)], |count| {
                let Spine { start, end, .. } = moved(&wall, periods, count);
                let comes = |[low, high]: [Pair; 2]| {
                    (0..2).all(|axis| {
                        let (a, b) = (f64::from(start[axis]), f64::from(end[axis]));
                        let (a, b) = if a < b { (a, b) } else { (b, a) };
                        a - around <= high[axis] && b + around >= low[axis]
                    })
                };
                if within.is_none_or(comes) {
                    let values = [start[0], start[1], end[0], end[1], radius];
                    columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
                    names.push(row);
                }
            });
        }
        let [x0, y0, x1, y1, radius] = &*columns;
        cells.build(Capsules { x0, y0, x1, y1, radius }, 0..names.len() as u32);
        cells.rename(names);
    }
}

/// The stretch, and so many periods beyond it on either side, from low to high; all of an axis that does not repeat.
fn beyond(periods: &Periods, far: f64) -> [Pair; 2] {
    let of = |axis: usize| {
        let ([low, high], length) = (periods.stretch(axis).map(f64::from), periods.length(axis));
        if length > 0.0 { [low - far * length, high + far * length] } else { [f64::NEG_INFINITY, f64::INFINITY] }
    };
    let [x, y] = [of(0), of(1)];
    [[x[0], y[0]], [x[1], y[1]]]
}

/// Where something that has a radius is seen, along one axis.
fn seen(periods: &Periods, axis: usize, far: f64, radius: f32) -> [f64; 2] {
    let [low, high] = beyond(periods, far);
    [low[axis] - f64::from(radius), high[axis] + f64::from(radius)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::drawn::range;
    use crate::geometry::Segment;
    use crate::storage::SegmentHandle;

    /// Walls within a period of a stretch that is 10 by 20, some as long as it, some round, a third of them points.
    fn strewn(state: &mut u64) -> SegmentColumns {
        let mut segments = SegmentColumns::default();
        for k in 0..40 {
            let length = [0.0, 0.5, 9.0][k % 3];
            let at = [range(state, -9.0, 10.0), range(state, -19.0, 20.0)];
            let to = at.map(|v| (v + range(state, -length, length)) as f32);
            let radius = if k % 4 == 0 { range(state, 0.0, 1.0) } else { 0.0 };
            let wall = Segment::new(at.map(|v| v as f32), to).with_radius(radius as f32);
            segments.push(wall.into(), SegmentHandle::new(k as u32, 0));
        }
        segments
    }

    /// The images of these cells that come into a box with their radii, each once.
    fn images(cells: &Cells, [low, high]: [Pair; 2]) -> Vec<(u32, [u32; 4])> {
        let mut found = Vec::new();
        for entries in [cells.entries(), cells.apart()] {
            for (entry, &row) in entries.rows.iter().enumerate() {
                let Segment { start, end, radius, .. } = entries.segment(entry);
                let comes = (0..2).all(|axis| {
                    let (a, b) = ([start.x, start.y][axis], [end.x, end.y][axis]);
                    let (a, b) = if a < b { (a, b) } else { (b, a) };
                    f64::from(a) - f64::from(radius) <= high[axis] && f64::from(b) + f64::from(radius) >= low[axis]
                });
                found.extend(comes.then_some((row, [start.x, start.y, end.x, end.y].map(f32::to_bits))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn some_of_them_are_all_that_come_near_the_stretch() {
        let mut state = 7;
        let (mut far, mut near) = (0, 0);
        for round in 0..60 {
            let periods = match round % 3 {
                0 => Periods::new([Some([0.0, 10.0]), Some([0.0, 20.0])]),
                1 => Periods::new([Some([0.0, 10.0]), None]),
                _ => Periods::new([None, Some([0.0, 20.0])]),
            };
            let segments = strewn(&mut state);
            let mut walls = ImageWalls::default();
            walls.build(&periods, &segments);
            for _ in 0..20 {
                let low = [range(&mut state, -4.0, 10.0), range(&mut state, -8.0, 20.0)];
                let high = [low[0] + range(&mut state, 0.0, 4.0), low[1] + range(&mut state, 0.0, 8.0)];
                let asked = walls.cells(&segments, [low, high]);
                if std::ptr::eq(asked, walls.near()) {
                    near += 1
                } else {
                    far += 1
                }
                assert_eq!(images(asked, [low, high]), images(walls.all(&segments), [low, high]), "{round}");
            }
        }
        // A quarter of a period beyond the stretch, 2.5 by 5, on the axes that repeat.
        assert!(near > 150 && far > 150, "{near} near, {far} far");
    }

    #[test]
    fn one_wall_has_eight_images_near_or_fewer_and_two_dozen_in_all() {
        let mut segments = SegmentColumns::default();
        segments.push(Segment::new([1.0, 10.0], [3.0, 10.0]).into(), SegmentHandle::new(0, 0));
        let mut walls = ImageWalls::default();
        walls.build(&Periods::new([Some([0.0, 10.0]), Some([0.0, 20.0])]), &segments);
        let everywhere = [[-1e9; 2], [1e9; 2]];
        // Within [-2.5, 12.5] by [-5, 25], and a 64th of a period: at 11 to 13; at -9 to -7, and 20 above and below, it is not.
        let right = (0, [11.0f32, 10.0, 13.0, 10.0].map(f32::to_bits));
        assert_eq!(images(walls.near(), everywhere), [right]);
        assert_eq!(images(walls.all(&segments), everywhere).len(), 24);
        // The largest coordinate: 10 + 2 * 20 above, 2^-40 of it more; all images are 2 long.
        assert_eq!(walls.size(), 50.0 + 50.0 / (1u64 << 40) as f64);
        assert_eq!(walls.shortest(), 2.0);
        assert!(images(walls.all(&segments), everywhere).iter().any(|image| f32::from_bits(image.1[1]) == 50.0));
    }

    #[test]
    fn sizes_are_those_of_all_that_are_registered() {
        let mut state = 11;
        for _ in 0..20 {
            let (segments, periods) = (strewn(&mut state), Periods::new([Some([0.0, 10.0]), Some([0.0, 20.0])]));
            let mut walls = ImageWalls::default();
            walls.build(&periods, &segments);
            let mut cells = Cells::default();
            cells.build(segments.capsules(), segments.fixed_rows());
            let all = [&cells, walls.all(&segments)];
            let corners = all.iter().flat_map(|cells| cells.corners());
            let size = corners.flatten().fold(0.0, |most, v| larger(most, v.abs()));
            assert_eq!(walls.size(), size);
            let shortest = all.iter().fold(f32::INFINITY, |least, cells| shorter(least, cells.shortest()));
            assert_eq!(walls.shortest(), shortest);
        }
    }
}
