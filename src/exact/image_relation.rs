//! How a segment and the image of another lie to each other.
//!
//! Comes in: four points and a shift. Goes out: the class, and which ends are involved. Knows no value, no radius.
//!
//! Method: as `relation`, four orientations of which none is rounded, with the closed cases taken apart. Asked for few pairs, those at the
//! border of a plane that repeats, so there is one way for all of them.

use super::decide;
use super::image::{Shift, is_image, side_of_image, to_image};
use super::number::{Number, P, cross, diff, dot};
use super::predicates::Part;
use std::cmp::Ordering;

/// An end of one of two segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    /// Of the first, by its number.
    First(usize),
    /// Of the image of the second.
    Second(usize),
}

/// How a closed segment and the image of another meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ImageRelation {
    /// Not at all.
    Disjoint,
    /// In one point, interior to both.
    Cross,
    /// In one point, that is an end of at least one of them: where on the first, where on the second.
    Touch(Part, Part),
    /// In a piece of more than one point, in the direction of the first.
    Overlap(Corner, Corner),
}

const ENDS: [Part; 2] = [Part::Start, Part::End];

#[inline(always)]
fn left_of<N: Number>(a: [P; 2], p: P, by: &Shift) -> N {
    cross(diff::<N>(a[1], a[0]), to_image(a[0], p, by))
}

/// Products of the ways to both ends: not positive between them.
#[inline(always)]
fn between_images<N: Number>(p: P, b: [P; 2], by: &Shift) -> N {
    dot(to_image::<N>(p, b[0], by), to_image(p, b[1], by))
}

#[inline(always)]
fn image_between<N: Number>(p: P, a: [P; 2], by: &Shift) -> N {
    dot(to_image::<N>(a[0], p, by), to_image(a[1], p, by))
}

#[inline(always)]
fn before<N: Number>(a: [P; 2], b: [P; 2]) -> N {
    dot(diff::<N>(a[1], a[0]), diff(b[1], b[0]))
}

/// A pair, and what is asked about it.
struct Pair<'a> {
    a: [P; 2],
    b: [P; 2],
    by: &'a Shift,
}

impl Pair<'_> {
    /// Where the image of an end of the second is on the first, if it is.
    fn on_first(&self, j: usize) -> Option<Part> {
        let (a, p) = (self.a, self.b[j]);
        if let Some(i) = (0..2).find(|&i| is_image(a[i], p, self.by)) {
            return Some(ENDS[i]);
        }
        let within = decide!(left_of(a, p, self.by)).is_eq() && decide!(image_between(p, a, self.by)).is_le();
        within.then_some(Part::Interior)
    }

    /// Where an end of the first is on the image of the second.
    fn on_second(&self, i: usize) -> Option<Part> {
        let (p, b) = (self.a[i], self.b);
        if let Some(j) = (0..2).find(|&j| is_image(p, b[j], self.by)) {
            return Some(ENDS[j]);
        }
        let within = side_of_image(p, b[0], b[1], self.by).is_eq() && decide!(between_images(p, b, self.by)).is_le();
        within.then_some(Part::Interior)
    }

    /// Both of some length, on one line.
    fn collinear(&self) -> ImageRelation {
        // The ends of the second in the direction of the first.
        let order = if decide!(before(self.a, self.b)).is_gt() { [0, 1] } else { [1, 0] };
        let low = match self.on_second(0) {
            Some(_) => Some(Corner::First(0)),
            None => self.on_first(order[0]).map(|_| Corner::Second(order[0])),
        };
        let high = match self.on_second(1) {
            Some(_) => Some(Corner::First(1)),
            None => self.on_first(order[1]).map(|_| Corner::Second(order[1])),
        };
        let same = |i: usize, j: usize| is_image(self.a[i], self.b[j], self.by);
        match (low, high) {
            (Some(Corner::First(i)), Some(Corner::Second(j))) if same(i, j) => ImageRelation::Touch(ENDS[i], ENDS[j]),
            (Some(Corner::Second(j)), Some(Corner::First(i))) if same(i, j) => ImageRelation::Touch(ENDS[i], ENDS[j]),
            (Some(low), Some(high)) => ImageRelation::Overlap(low, high),
            _ => ImageRelation::Disjoint,
        }
    }
}

/// How `a` and the image of `b` meet.
pub(crate) fn relate_image(a: [P; 2], b: [P; 2], by: &Shift) -> ImageRelation {
    let pair = Pair { a, b, by };
    if a[0] == a[1] {
        return pair.on_second(0).map_or(ImageRelation::Disjoint, |part| ImageRelation::Touch(Part::Start, part));
    }
    if b[0] == b[1] {
        return pair.on_first(0).map_or(ImageRelation::Disjoint, |part| ImageRelation::Touch(part, Part::Start));
    }
    let of_second = [0, 1].map(|j| decide!(left_of(a, b[j], by)));
    if of_second[0] == of_second[1] {
        return if of_second[0].is_eq() { pair.collinear() } else { ImageRelation::Disjoint };
    }
    let of_first = [0, 1].map(|i: usize| side_of_image(a[i], b[0], b[1], by));
    if of_first[0] == of_first[1] {
        return ImageRelation::Disjoint;
    }
    // The lines cross in one point, within both; an orientation of zero says which end it is.
    if let Some(j) = (0..2).find(|&j| of_second[j] == Ordering::Equal) {
        let part = (0..2).find(|&i| of_first[i] == Ordering::Equal).map_or(Part::Interior, |i: usize| ENDS[i]);
        return ImageRelation::Touch(part, ENDS[j]);
    }
    if let Some(i) = (0..2).find(|&i| of_first[i] == Ordering::Equal) {
        return ImageRelation::Touch(ENDS[i], Part::Interior);
    }
    ImageRelation::Cross
}
