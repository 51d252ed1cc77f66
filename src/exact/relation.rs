//! How two segments lie to each other.
//!
//! Comes in: four points. Goes out: the class, and which ends are involved. Knows no value, no radius.
//!
//! Method: equal ends are settled by comparing coordinates, because that is what nearly all candidates of a real map are; then four
//! orientations (O'Rourke, Computational Geometry in C, 1.5, with the closed cases taken apart); collinear segments along one axis.

use super::number::P;
use super::orient;
use super::predicates::{Part, on_segment};
use std::cmp::Ordering;

/// How two closed segments meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Relation {
    /// Not at all.
    Disjoint,
    /// In one point, interior to both.
    Cross,
    /// In one point, that is an end of at least one of them: where on the first, where on the second.
    Touch(Part, Part),
    /// In a piece of more than one point, in the direction of the first.
    Overlap(P, P),
}

/// How `a` and `b` meet.
#[inline]
pub(crate) fn relate(a: [P; 2], b: [P; 2]) -> Relation {
    if apart(a, b, 0) || apart(a, b, 1) {
        return Relation::Disjoint;
    }
    if a[0] == a[1] || b[0] == b[1] {
        return relate_point(a, b);
    }
    const ENDS: [Part; 2] = [Part::Start, Part::End];
    for i in 0..2 {
        for j in 0..2 {
            if a[i] == b[j] {
                return if same_way(a[i], a[1 - i], b[1 - j]) && orient(a[i], a[1 - i], b[1 - j]) == Ordering::Equal {
                    collinear(a, b)
                } else {
                    Relation::Touch(ENDS[i], ENDS[j])
                };
            }
        }
    }
    general(a, b)
}

/// The boxes are apart on one axis.
#[inline(always)]
fn apart(a: [P; 2], b: [P; 2], axis: usize) -> bool {
    let order = |s: [P; 2]| if s[0][axis] < s[1][axis] { (s[0][axis], s[1][axis]) } else { (s[1][axis], s[0][axis]) };
    let ((a_low, a_high), (b_low, b_high)) = (order(a), order(b));
    a_high < b_low || b_high < a_low
}

/// Seen from `p`, `q` and `r` lie in the same quadrant: else segments that share `p` have no more in common.
#[inline(always)]
fn same_way(p: P, q: P, r: P) -> bool {
    (q[0] > p[0]) == (r[0] > p[0])
        && (q[0] < p[0]) == (r[0] < p[0])
        && (q[1] > p[1]) == (r[1] > p[1])
        && (q[1] < p[1]) == (r[1] < p[1])
}

/// One of the two is a point; a point is its own start.
fn relate_point(a: [P; 2], b: [P; 2]) -> Relation {
    let place = |p: P, s: [P; 2]| {
        if p == s[0] {
            Some(Part::Start)
        } else if p == s[1] {
            Some(Part::End)
        } else {
            on_segment(p, s[0], s[1]).then_some(Part::Interior)
        }
    };
    let touch = if a[0] == a[1] {
        place(a[0], b).map(|on_b| Relation::Touch(Part::Start, on_b))
    } else {
        place(b[0], a).map(|on_a| Relation::Touch(on_a, Part::Start))
    };
    touch.unwrap_or(Relation::Disjoint)
}

/// Two segments of some length without a common end.
fn general(a: [P; 2], b: [P; 2]) -> Relation {
    let b_start = orient(a[0], a[1], b[0]);
    let b_end = orient(a[0], a[1], b[1]);
    if b_start == b_end {
        return if b_start == Ordering::Equal { collinear(a, b) } else { Relation::Disjoint };
    }
    let a_start = orient(b[0], b[1], a[0]);
    let a_end = orient(b[0], b[1], a[1]);
    if a_start == a_end {
        // Both zero would make the four collinear, which the first pair has ruled out.
        return Relation::Disjoint;
    }
    // The lines cross in one point, within both segments. An orientation of zero says which end it is; two of them, one of
    // each, would be a common end.
    match Ordering::Equal {
        zero if b_start == zero => Relation::Touch(Part::Interior, Part::Start),
        zero if b_end == zero => Relation::Touch(Part::Interior, Part::End),
        zero if a_start == zero => Relation::Touch(Part::Start, Part::Interior),
        zero if a_end == zero => Relation::Touch(Part::End, Part::Interior),
        _ => Relation::Cross,
    }
}

/// Two segments of some length on one line: intervals on an axis they are not at right angles to.
#[cold]
fn collinear(a: [P; 2], b: [P; 2]) -> Relation {
    let axis = usize::from(a[0][0] == a[1][0]);
    let forwards = a[0][axis] < a[1][axis];
    let at = |p: P| if forwards { p[axis] } else { -p[axis] };
    let swap = at(b[0]) > at(b[1]);
    let (b_low, b_high) = if swap { (b[1], b[0]) } else { (b[0], b[1]) };
    let from = if at(b_low) > at(a[0]) { b_low } else { a[0] };
    let to = if at(b_high) < at(a[1]) { b_high } else { a[1] };
    let (low_part, high_part) = if swap { (Part::End, Part::Start) } else { (Part::Start, Part::End) };
    match at(from).partial_cmp(&at(to)) {
        Some(Ordering::Less) => Relation::Overlap(from, to),
        Some(Ordering::Equal) if at(a[1]) == at(b_low) => Relation::Touch(Part::End, low_part),
        Some(Ordering::Equal) => Relation::Touch(Part::Start, high_part),
        _ => Relation::Disjoint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seg(x0: f32, y0: f32, x1: f32, y1: f32) -> [P; 2] {
        [[x0, y0], [x1, y1]]
    }

    #[test]
    fn joints_of_every_kind() {
        let a = seg(0.0, 0.0, 10.0, 0.0);
        assert_eq!(relate(a, seg(10.0, -0.0, 10.0, 5.0)), Relation::Touch(Part::End, Part::Start));
        assert_eq!(relate(a, seg(5.0, 5.0, 5.0, -0.0)), Relation::Touch(Part::Interior, Part::End));
        assert_eq!(relate(seg(5.0, 5.0, 5.0, 0.0), a), Relation::Touch(Part::End, Part::Interior));
        assert_eq!(relate(a, seg(5.0, 5.0, 5.0, -5.0)), Relation::Cross);
        assert_eq!(relate(a, seg(5.0, 5.0, 5.0, f32::from_bits(1))), Relation::Disjoint);
        // The line is met beyond the end.
        assert_eq!(relate(a, seg(9.0, 5.0, 12.0, -1.0)), Relation::Disjoint);
    }

    #[test]
    fn collinear_segments() {
        let a = seg(9.0, 3.0, 0.0, 0.0);
        assert_eq!(relate(a, seg(3.0, 1.0, 12.0, 4.0)), Relation::Overlap([9.0, 3.0], [3.0, 1.0]));
        assert_eq!(relate(a, seg(3.0, 1.0, 6.0, 2.0)), Relation::Overlap([6.0, 2.0], [3.0, 1.0]));
        assert_eq!(relate(a, seg(9.0, 3.0, 3.0, 1.0)), Relation::Overlap([9.0, 3.0], [3.0, 1.0]));
        assert_eq!(relate(a, seg(12.0, 4.0, 9.0, 3.0)), Relation::Touch(Part::Start, Part::End));
        assert_eq!(relate(a, seg(12.0, 4.0, 15.0, 5.0)), Relation::Disjoint);
        assert_eq!(relate(seg(0.0, 4.0, 0.0, 1.0), seg(0.0, 0.0, 0.0, 2.0)), Relation::Overlap([0.0, 2.0], [0.0, 1.0]));
        // In one line but sharing an end the long way round.
        assert_eq!(relate(a, a), Relation::Overlap([9.0, 3.0], [0.0, 0.0]));
    }

    #[test]
    fn points() {
        let point = |x: f32, y: f32| seg(x, y, x, y);
        assert_eq!(relate(point(1.0, 1.0), point(1.0, 1.0)), Relation::Touch(Part::Start, Part::Start));
        assert_eq!(relate(point(1.0, 1.0), point(1.0, 2.0)), Relation::Disjoint);
        let a = seg(0.0, 0.0, 9.0, 3.0);
        assert_eq!(relate(a, point(3.0, 1.0)), Relation::Touch(Part::Interior, Part::Start));
        assert_eq!(relate(point(9.0, 3.0), a), Relation::Touch(Part::Start, Part::End));
        assert_eq!(relate(a, point(3.0, 1.0f32.next_up())), Relation::Disjoint);
    }
}
