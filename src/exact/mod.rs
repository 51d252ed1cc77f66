//! Decisions and values that are right for every finite `f32`.
//!
//! Comes in: plain `f32` coordinates, finite (the callers look). Goes out: signs of polynomials in them, and the `f32` nearest to a
//! quotient of such polynomials, square roots included. This room knows no shape, no contact and no tolerance.
//!
//! Method: a formula is written once, generic over [`Number`], and evaluated in tiers. [`Rough`] is `f64` with a running
//! error bound and answers nearly always; where it cannot, an exact number of fixed size does: [`Few`] limbs, or, where those are not
//! enough, [`Many`]. A value is settled the same way: if every number within the bound rounds to the same `f32`, that is the answer, else
//! it comes from the exact numbers. So every answer is *the* exact one rounded once, whatever the order of the operations, and symmetries
//! of the input are symmetries of the output, bit for bit.
//!
//! What detection asks for most stands before the tiers once more by hand: in plain `f64` with bounds worked out beforehand (`quick`, and
//! the decisions in `predicates`), then in integers of one scale (`aligned`), which know an exact touch when they see one.
//!
//! Cost: 3 ns for a decision by hand, 5 to 15 ns in integers, some 20 to 40 ns in `Rough`, 100 to 300 ns in `Few`, 1 µs in `Many`.

mod aligned;
mod big;
mod image;
mod image_relation;
mod number;
mod orient;
mod predicates;
mod quick;
mod relation;
mod rough;
#[cfg(test)]
mod soundness;
mod three;
mod value;

pub(crate) use aligned::{excess_over_line, excess_over_point, foot};
pub(crate) use big::{Few, Many};
pub(crate) use image::{
    MOST, Shift, compare_to_image, compare_to_line_image, exact_image, image, is_exact_period, is_image,
    is_within_image, nearest_part_of_image, shortest, side_of_image, to_image, wrapped,
};
pub(crate) use image_relation::{Corner, ImageRelation, relate_image};
pub(crate) use number::{Number, P, V, cross, diff, dot, lift, norm2};
pub(crate) use orient::orient;
pub(crate) use predicates::{
    Part, compare_distances, compare_to_line, compare_to_point, is_surely_between, is_surely_over, is_within,
    nearest_part, reach, segments_within, side_along, side_of_vector, vector,
};
pub(crate) use quick::{U, exact_sum, nearest};
pub(crate) use relation::{Relation, relate};
pub(crate) use rough::Rough;
pub(crate) use three::{compare_to_line_by_three, compare_to_point_by_three};
pub(crate) use value::{Surd, Value, settle};

/// The sign of a generic formula: `decide!(formula(arguments))`, where `formula::<N>` returns a number or a [`Surd`].
macro_rules! decide {
    ($formula:ident($($argument:expr),* $(,)?)) => {
        match $formula::<$crate::exact::Rough<true>>($($argument),*).sign() {
            Some(sign) => sign,
            None => $crate::exact::cold(|| $formula::<$crate::exact::Few>($($argument),*).sign())
                .or_else(|| $crate::exact::cold(|| $formula::<$crate::exact::Many>($($argument),*).sign()))
                // A number that does not fit `Many` cannot be, by its size; there is no panic even so.
                .unwrap_or(std::cmp::Ordering::Equal),
        }
    };
}

/// The `f32` nearest to the [`Value`] of a generic formula: `measure!(formula(arguments))`.
macro_rules! measure {
    ($formula:ident($($argument:expr),* $(,)?)) => {
        $crate::exact::settle(
            $formula::<$crate::exact::Rough>($($argument),*),
            || $formula::<$crate::exact::Few>($($argument),*),
            || $formula::<$crate::exact::Many>($($argument),*),
        )
    };
}

pub(crate) use {decide, measure};

/// Keeps the rare second tier out of the callers' code.
#[cold]
#[inline(never)]
pub(crate) fn cold<T>(work: impl FnOnce() -> T) -> T {
    work()
}
