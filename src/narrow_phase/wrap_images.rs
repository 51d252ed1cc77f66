//! Which bodies are near the border of a plane that repeats, and their images beyond it.
//!
//! Comes in: circles and segments. Goes out: circles near the border and images of circles, so near to where others are that they may touch
//! them; segments that images may touch. A superset: coordinates of images are rounded here, with radii grown by what that may have
//! moved them. This room does not know contacts.
//!
//! Every circle is within the stretch that stands for all, every segment within one period of it: then the image of a circle that is
//! nearest to a segment is no more than two periods away. (An image with its centre half a period or more to one side of the whole
//! segment is no nearer to any point of it than the next one on that side; so the nearest is within half a period of the segment's box,
//! `k < 1 + 1 + 1/2` periods away.)

use super::columns::Segments;
use crate::geometry::{Circles, Periods};
use crate::storage::{Filters, each_where};

/// A circle of this row, moved by so many periods; by none, the circle itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Image {
    pub(super) row: u32,
    pub(super) count: [i8; 2],
}

impl Image {
    /// The circle itself.
    pub(super) fn is_real(&self) -> bool {
        self.count == [0, 0]
    }

    /// One of the two images by which a pair of circles can be seen, always the same of the two.
    pub(super) fn stands_for_pairs(&self) -> bool {
        matches!(self.count, [1, -1..=1] | [0, 1])
    }
}

/// Circles near the border and images of circles.
#[derive(Debug, Default)]
pub(super) struct Images {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    category: Vec<u32>,
    mask: Vec<u32>,
    pub(super) names: Vec<Image>,
}

/// Boxes that cover all segments, one axis each.
pub(super) type Extent = [[f64; 2]; 2];

/// Nothing is covered.
pub(super) const NOWHERE: Extent = [[f64::INFINITY, f64::NEG_INFINITY]; 2];

/// Candidates of which nobody counts how many make one contact: pairs of bodies as they stand, of images of which one stands for the other, and pairs
/// that rounding alone makes touch.
pub(super) fn most_candidates(contacts: usize) -> usize {
    contacts.saturating_mul(16).saturating_add(1 << 16)
}

/// All images there may be: one after the other, one contact has no more than four candidates, but for what rounding makes touch.
pub(super) fn each_image(most: i8) -> impl Iterator<Item = [i8; 2]> {
    (-most..=most).flat_map(move |x| (-most..=most).map(move |y| [x, y])).filter(|&count| count != [0, 0])
}

/// Where images are of interest, and where circles are.
struct Field<'a> {
    periods: &'a Periods,
    /// If not all images: this one.
    only: Option<[i8; 2]>,
    /// The largest radius where circles are looked for, else less than nothing.
    largest: f64,
    walls: Extent,
    /// More than what all sums here are rounded by.
    slack: f64,
}

impl Field<'_> {
    /// Between these a circle with its radius is near neither end of the stretch, and no image of it near a wall.
    fn inside(&self, axis: usize) -> [f64; 2] {
        let ([low, high], length) = (self.periods.stretch(axis).map(f64::from), self.periods.length(axis));
        if length == 0.0 {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let [first, last] = self.walls[axis];
        let (from, of_walls) = (low + self.largest, last - length);
        let from = if of_walls > from { of_walls } else { from };
        let (to, of_walls) = (high - self.largest, first + length);
        let to = if of_walls < to { of_walls } else { to };
        [from + self.slack, to - self.slack]
    }

    /// The image that is so many periods away may touch a circle or a segment, as far as this axis can tell.
    fn is_wanted(&self, axis: usize, x: f64, r: f64, count: i8) -> bool {
        if self.periods.length(axis) == 0.0 {
            // There is no border that could be far.
            return true;
        }
        let at = x + f64::from(count) * self.periods.length(axis);
        let [low, high] = self.periods.stretch(axis).map(f64::from);
        let reach = r + self.largest + self.slack;
        (at - high <= reach && low - at <= reach) || self.meets_walls(axis, at, r)
    }

    fn meets_walls(&self, axis: usize, at: f64, r: f64) -> bool {
        let [low, high] = self.walls[axis];
        at - r <= high + self.slack && at + r >= low - self.slack
    }
}

impl Images {
    /// The shapes.
    pub(super) fn circles(&self) -> Circles<'_> {
        Circles { x: &self.x, y: &self.y, radius: &self.radius }
    }

    /// Their filters.
    pub(super) fn filters(&self) -> Filters<'_> {
        Filters { category: &self.category, mask: &self.mask }
    }

    /// All that may take part in a contact across the border, or in one by one image. `largest`: the largest radius if circles are to meet circles; and that
    /// in any case.
    pub(super) fn gather(
        &mut self,
        periods: &Periods,
        circles: Circles<'_>,
        filters: Filters<'_>,
        (largest, most_radius): (Option<f32>, f32),
        walls: Extent,
        only: Option<[i8; 2]>,
    ) {
        let circles = circles.even();
        [&mut self.x, &mut self.y, &mut self.radius].into_iter().for_each(Vec::clear);
        [&mut self.category, &mut self.mask].into_iter().for_each(Vec::clear);
        self.names.clear();
        let ends = periods.stretch(0).into_iter().chain(periods.stretch(1)).map(f64::from);
        let finite = ends.chain(walls.into_iter().flatten()).filter(|value| value.is_finite());
        let most = finite.fold(f64::from(largest.unwrap_or(0.0)), |sum, value| sum + value.abs());
        let slack = most / (1u64 << 40) as f64;
        let largest = largest.map_or(f64::NEG_INFINITY, f64::from);
        let field = Field { periods, only, largest, walls, slack };
        let [across, along] = [field.inside(0), field.inside(1)];
        // Who is inside by the largest radius is so by his own: rounded inwards, one number is compared with another.
        let well = [across, along].map(|[low, high]| {
            let r = f64::from(most_radius);
            [((low + r) as f32).next_up(), ((high - r) as f32).next_down()]
        });
        let may = |[x, y]: [f32; 2]| {
            let [[left, right], [bottom, top]] = well;
            !((x > left) & (x < right) & (y > bottom) & (y < top))
        };
        each_where([circles.x, circles.y], may, |row| {
            let [x, y, r] = [circles.x[row], circles.y[row], circles.radius[row]].map(f64::from);
            let is_far = (x - r > across[0]) & (x + r < across[1]) & (y - r > along[0]) & (y + r < along[1]);
            if !is_far {
                self.gather_one(&field, circles, filters, row);
            }
        });
    }

    /// A circle near the border, and its images.
    #[inline(never)]
    fn gather_one(&mut self, field: &Field<'_>, circles: Circles<'_>, filters: Filters<'_>, row: usize) {
        let (at, r) = ([circles.x[row], circles.y[row]], f64::from(circles.radius[row]));
        let wide = at.map(f64::from);
        self.push(at, circles.radius[row], filters, Image { row: row as u32, count: [0, 0] });
        for x in -2..=2i8 {
            let none_x = x != 0 && field.periods.length(0) == 0.0;
            if none_x || !field.is_wanted(0, wide[0], r, x) {
                continue;
            }
            for y in -2..=2i8 {
                let none_y = y != 0 && field.periods.length(1) == 0.0;
                let image = Image { row: row as u32, count: [x, y] };
                let other = field.only.is_some_and(|only| only != image.count);
                if none_y || other || image.is_real() || !field.is_wanted(1, wide[1], r, y) {
                    continue;
                }
                let place = |axis: usize| wide[axis] + f64::from(image.count[axis]) * field.periods.length(axis);
                let (px, py) = (place(0), place(1));
                let meets_walls = field.meets_walls(0, px, r) && field.meets_walls(1, py, r);
                if meets_walls || (field.largest >= 0.0 && image.stands_for_pairs()) {
                    let grown = grow(circles.radius[row], [px as f32, py as f32]);
                    self.push([px as f32, py as f32], grown, filters, image);
                }
            }
        }
    }

    fn push(&mut self, [x, y]: [f32; 2], radius: f32, filters: Filters<'_>, image: Image) {
        self.x.push(x);
        self.y.push(y);
        self.radius.push(radius);
        let filter = filters.of(image.row);
        if !filters.category.is_empty() {
            self.category.push(filter.category);
        }
        if !filters.mask.is_empty() {
            self.mask.push(filter.mask);
        }
        self.names.push(image);
    }
}

/// A radius with room for what rounding has moved a coordinate by, 2^-24 of it and a subnormal: four times that; the next number above makes
/// up for the rounding of this sum.
pub(super) fn grow(radius: f32, [x, y]: [f32; 2]) -> f32 {
    /// 2^-22.
    const SHARE: f32 = 1.0 / 4_194_304.0;
    let grown = (radius + (x.abs() + y.abs()) * SHARE).next_up();
    if grown < f32::MAX { grown } else { f32::MAX }
}

/// The box of a segment with its radius.
pub(super) fn box_of(segments: &Segments<'_>, row: usize) -> Extent {
    let radius = f64::from(segments.radius[row]);
    [[segments.x0[row], segments.x1[row]], [segments.y0[row], segments.y1[row]]].map(|[a, b]| {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        [f64::from(low) - radius, f64::from(high) + radius]
    })
}

/// Both.
pub(super) fn union(a: Extent, b: Extent) -> Extent {
    [0, 1].map(|axis| {
        let low = if a[axis][0] < b[axis][0] { a[axis][0] } else { b[axis][0] };
        let high = if a[axis][1] > b[axis][1] { a[axis][1] } else { b[axis][1] };
        [low, high]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(at: &[[f32; 3]], walls: Extent) -> Vec<(u32, [i8; 2])> {
        let periods = Periods::new([Some([0.0, 10.0]), Some([0.0, 10.0])]);
        let column = |k: usize| at.iter().map(|c| c[k]).collect::<Vec<_>>();
        let (x, y, radius) = (column(0), column(1), column(2));
        let mut images = Images::default();
        let largest = radius.iter().fold(0.0f32, |most, &r| if r > most { r } else { most });
        let circles = Circles { x: &x, y: &y, radius: &radius };
        images.gather(&periods, circles, Filters::default(), (Some(largest), largest), walls, None);
        images.names.iter().map(|image| (image.row, image.count)).collect()
    }

    #[test]
    fn who_is_near_the_border() {
        // Largest radius 1: a circle of 0.5 matters within 1.5 of the border.
        let found = images(&[[5.0, 5.0, 1.0], [1.5, 5.0, 0.5], [1.625, 5.0, 0.5], [9.0, 9.5, 0.5]], NOWHERE);
        // The second has an image on the right; the last is near both high ends: itself, and images above and beside nothing.
        assert_eq!(found, [(1, [0, 0]), (1, [1, 0]), (3, [0, 0])]);
        // At the corner the low one has all of its images for pairs that go up and right; the one at (0.5, 9.5) goes right and down.
        let found = images(&[[0.5, 0.5, 0.5], [0.5, 9.5, 0.5]], NOWHERE);
        let of = |row: u32| found.iter().filter(|image| image.0 == row).map(|image| image.1).collect::<Vec<_>>();
        assert_eq!(of(0), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(of(1), [[0, 0], [1, -1], [1, 0]]);
    }

    #[test]
    fn where_one_axis_repeats_the_other_keeps_nobody_away() {
        // Half a radius from the border of x, anywhere along y.
        let periods = Periods::new([Some([0.0, 10.0]), None]);
        let mut images = Images::default();
        let circles = Circles { x: &[0.5], y: &[1000.0], radius: &[1.0] };
        images.gather(&periods, circles, Filters::default(), (Some(1.0), 1.0), NOWHERE, None);
        assert!(images.names.contains(&Image { row: 0, count: [1, 0] }));
    }

    #[test]
    fn walls_beyond_the_border_call_for_more_images() {
        // A wall that reaches to x = 13: circles up to 3 from the low end have an image there.
        let wall = [[9.0, 13.0], [4.0, 6.0]];
        assert_eq!(images(&[[2.5, 5.0, 0.25], [3.5, 5.0, 0.25]], wall), [(0, [0, 0]), (0, [1, 0])]);
        // All the way round, and once more.
        assert!(images(&[[5.0, 5.0, 0.25]], [[9.0, 26.0], [4.0, 6.0]]).contains(&(0, [2, 0])));
    }
}
