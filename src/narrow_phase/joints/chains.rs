//! Walls that continue each other in a straight line.
//!
//! Comes in: static segments and the vertices at which they meet. Goes out: lines, each with its pieces in order, and for each wall the
//! line of which it is a piece. On its flank a piece is as the line is. This room does not know circles.
//!
//! Two walls are partners at a vertex if each is the straightest continuation of the other there, of those that have the same sides: a wall
//! that branches off does not matter. Walls that lie on each other with both ends are one, and of two that are equally straight none is
//! taken; at vertices of more than [`CROWD`] walls there are no partners. Partners make polylines; `straight` tells which pieces of them
//! are lines. Cost: O(walls).

use super::rings::{Rings, Spoke, place};
use super::{End, before, largest, straight, ulp};
use crate::exact::P;
use crate::geometry::Capsules;
use crate::storage::{NONE, SegmentColumns};

/// So many walls at one vertex are too many to tell which go on.
const CROWD: usize = 32;

/// Of which line a wall is a piece, and the how manieth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) line: u32,
    pub(super) place: u32,
}

/// That of a wall by itself.
pub(super) const NOWHERE: Piece = Piece { line: NONE, place: 0 };

/// The lines.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// For each wall; empty where there is no line.
    pub(super) piece: Vec<Piece>,
    x0: Vec<f32>,
    y0: Vec<f32>,
    x1: Vec<f32>,
    y1: Vec<f32>,
    radius: Vec<f32>,
    /// Where the vertices of each line start in `points`, and, one less for each line before, its pieces in `rows`.
    start: Vec<u32>,
    points: Vec<P>,
    rows: Vec<u32>,
    links: Links,
}

/// Who goes on in whom.
#[derive(Debug, Default)]
struct Links {
    /// The end with which each end is partner.
    next: Vec<[Option<End>; 2]>,
    /// Ends of walls that lie on one of a lower row, and that row.
    double: Vec<(End, u32)>,
}

impl Chains {
    /// The lines among these walls.
    pub(super) fn build(&mut self, segments: &SegmentColumns, rows: &[u32], rings: &Rings) {
        for column in [&mut self.x0, &mut self.y0, &mut self.x1, &mut self.y1, &mut self.radius] {
            column.clear();
        }
        self.piece.clear();
        self.start.clear();
        self.start.push(0);
        self.points.clear();
        self.rows.clear();
        self.links.next.clear();
        self.links.next.resize(segments.len(), [None; 2]);
        self.links.double.clear();
        rings.groups().for_each(|group| self.links.find_partners(segments, rings.members(group)));
        self.find_lines(segments, rows);
    }

    /// The lines of the polylines that these walls, ascending, are in; all of the walls of each.
    pub(super) fn find_lines(&mut self, segments: &SegmentColumns, rows: &[u32]) {
        let links = std::mem::take(&mut self.links);
        let mut seen = vec![false; segments.len()];
        let (mut pieces, mut points, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for &row in rows {
            if seen[row as usize] || links.next[row as usize] == [None; 2] {
                continue;
            }
            links.polyline(row, &mut pieces);
            pieces.iter().for_each(|end: &End| seen[end.row as usize] = true);
            points.clear();
            points.extend(pieces.iter().map(|end| end.point(segments)));
            points.extend(pieces.last().map(|end| end.other().point(segments)));
            if points.len() > 2 && points[0] == points[points.len() - 1] {
                turn(&mut pieces, &mut points);
            }
            lines.clear();
            straight::ranges(&points, &mut lines);
            for &[i, j] in &lines {
                self.push(segments, &points[i..=j], &pieces[i..j]);
            }
        }
        for &(double, row) in &links.double {
            if let Some(&piece) = self.piece.get(row as usize) {
                self.piece[double.row as usize] = piece;
            }
        }
        self.links = links;
    }

    /// The walls of the polyline that this one is in, or was.
    pub(super) fn polyline(&self, row: u32, out: &mut Vec<End>) {
        out.clear();
        if self.links.next.get(row as usize).is_some_and(|next| *next != [None; 2]) {
            self.links.polyline(row, out);
        }
    }

    /// The ends at a vertex are nobody's partners, nor is any of them double.
    pub(super) fn part(&mut self, members: &[Spoke]) {
        for &Spoke { end, .. } in members {
            if let Some(next) = self.links.next.get_mut(end.row as usize) {
                next[usize::from(end.second)] = None;
            }
        }
        self.links.double.retain(|(double, _)| !members.iter().any(|spoke| spoke.end == *double));
    }

    /// Those at a vertex become partners; there are so many walls in all.
    pub(super) fn join(&mut self, segments: &SegmentColumns, members: &[Spoke]) {
        self.links.find_partners(segments, members);
    }

    /// There are so many walls now.
    pub(super) fn resize(&mut self, count: usize) {
        self.links.next.resize(count, [None; 2]);
        if !self.piece.is_empty() {
            self.piece.resize(count, NOWHERE);
        }
    }

    /// A wall is a piece of no line.
    pub(super) fn forget(&mut self, row: u32) {
        if let Some(piece) = self.piece.get_mut(row as usize) {
            *piece = NOWHERE;
        }
    }

    /// Walls that lie on others.
    pub(super) fn doubles(&self) -> impl Iterator<Item = u32> + '_ {
        self.links.double.iter().map(|(end, _)| end.row)
    }

    /// So much is nobody's that all is better made anew.
    pub(super) fn is_worn(&self) -> bool {
        self.rows.len() > 2 * self.piece.len() + 1024
    }

    fn push(&mut self, segments: &SegmentColumns, points: &[P], pieces: &[End]) {
        let line = self.x0.len() as u32;
        let (first, last) = (points[0], points[points.len() - 1]);
        let back = before(last, first);
        let (from, to) = if back { (last, first) } else { (first, last) };
        let ends = [from[0], from[1], to[0], to[1], segments.radius[pieces[0].row as usize]];
        let columns = [&mut self.x0, &mut self.y0, &mut self.x1, &mut self.y1, &mut self.radius];
        columns.into_iter().zip(ends).for_each(|(column, v)| column.push(v));
        let (first_point, first_row) = (self.points.len(), self.rows.len());
        self.points.extend_from_slice(points);
        self.rows.extend(pieces.iter().map(|end| end.row));
        if back {
            self.points[first_point..].reverse();
            self.rows[first_row..].reverse();
        }
        self.start.push(self.points.len() as u32);
        if self.piece.is_empty() {
            self.piece.resize(segments.len(), NOWHERE);
        }
        for (place, &row) in self.rows[first_row..].iter().enumerate() {
            self.piece[row as usize] = Piece { line, place: place as u32 };
        }
    }

    /// The lines, from the lexicographically smaller end to the other.
    pub(super) fn lines(&self) -> Capsules<'_> {
        Capsules { x0: &self.x0, y0: &self.y0, x1: &self.x1, y1: &self.y1, radius: &self.radius }
    }

    /// The vertices of a line, in order.
    #[inline(always)]
    pub(super) fn points(&self, line: u32) -> &[P] {
        &self.points[self.start[line as usize] as usize..self.start[line as usize + 1] as usize]
    }

    /// The wall that is the piece in this place.
    #[inline(always)]
    pub(super) fn row(&self, line: u32, place: u32) -> u32 {
        self.rows[(self.start[line as usize] - line + place) as usize]
    }

    /// Whether the line of a wall goes on beyond one of its ends.
    pub(super) fn goes_on(&self, segments: &SegmentColumns, end: End) -> bool {
        let Some(&Piece { line, place }) = self.piece.get(end.row as usize) else { return false };
        if line == NONE {
            return false;
        }
        let points = self.points(line);
        let at = place as usize + usize::from(points[place as usize] != end.point(segments));
        at > 0 && at < points.len() - 1
    }
}

impl Links {
    /// Links the ends at one vertex.
    fn find_partners(&mut self, segments: &SegmentColumns, members: &[Spoke]) {
        if members.len() < 2 || members.len() > CROWD {
            return;
        }
        let is_double = |k: usize| members[..k].iter().find(|other| lies_on(segments, members[k].end, other.end));
        let mut ends: Vec<End> = Vec::with_capacity(members.len());
        for (k, &Spoke { end, .. }) in members.iter().enumerate() {
            let [a, b] = super::ends(segments, end.row);
            match is_double(k) {
                Some(other) => self.double.push((end, other.end.row)),
                None if a != b => ends.push(end),
                None => {}
            }
        }
        // The partner of each, if one is straighter than all others.
        let best = |end: End| {
            let (mut best, mut least, mut alone) = (None, f64::INFINITY, false);
            for &other in ends.iter().filter(|other| other.row != end.row) {
                if let Some(bend) = bend(segments, end, other) {
                    if bend < least {
                        (best, least, alone) = (Some(other), bend, true);
                    } else if bend == least {
                        alone = false;
                    }
                }
            }
            best.filter(|_| alone)
        };
        let partners: Vec<Option<End>> = ends.iter().map(|&end| best(end)).collect();
        for (&end, &partner) in ends.iter().zip(&partners) {
            let Some(partner) = partner else { continue };
            if ends.iter().position(|&other| other == partner).and_then(|at| partners[at]) == Some(end) {
                self.next[end.row as usize][usize::from(end.second)] = Some(partner);
            }
        }
    }

    /// The polyline of a wall: its pieces in order, each by the end that comes first.
    fn polyline(&self, row: u32, out: &mut Vec<End>) {
        out.clear();
        let mut first = End { row, second: false };
        while let Some(end) = self.next[first.row as usize][usize::from(first.second)] {
            first = end.other();
            if first.row == row {
                break; // closed
            }
        }
        let mut end = first;
        loop {
            out.push(end);
            let other = end.other();
            match self.next[other.row as usize][usize::from(other.second)] {
                Some(next) if next.row != first.row => end = next,
                _ => return,
            }
        }
    }
}

/// A closed polyline begins where it surely has a corner, or else anywhere, but at the same vertex whatever the order of its pieces: at the
/// lexicographically smallest.
fn turn(pieces: &mut [End], points: &mut Vec<P>) {
    points.pop();
    let (n, most) = (points.len(), ulp(largest(points)));
    let corner = |k: usize| straight::is_corner([points[(k + n - 1) % n], points[k], points[(k + 1) % n]], most);
    let least = |some: &dyn Fn(usize) -> bool| {
        let chosen = (0..n).filter(|&k| some(k));
        chosen.reduce(|a, b| if before(points[b], points[a]) { b } else { a })
    };
    let at = least(&corner).or_else(|| least(&|_| true)).unwrap_or(0);
    points.rotate_left(at);
    pieces.rotate_left(at);
    points.push(points[0]);
}

/// Both ends and the sides are the same.
fn lies_on(segments: &SegmentColumns, a: End, b: End) -> bool {
    let [p, q] = [a, b].map(|end| segments.one_sided[end.row as usize]);
    a.row != b.row
        && p == q
        && (!p || a.second == b.second)
        && place(a.other().point(segments)) == place(b.other().point(segments))
}

/// How far a wall is from going on straight in another: the squared sine of the angle, if that is less than half a right one and both have
/// the same sides.
fn bend(segments: &SegmentColumns, a: End, b: End) -> Option<f64> {
    let [p, q] = [a, b].map(|end| segments.one_sided[end.row as usize]);
    if p != q || (p && a.second == b.second) {
        return None;
    }
    let from = |end: End| {
        let [near, far] = [end, end.other()].map(|end| end.point(segments).map(f64::from));
        [far[0] - near[0], far[1] - near[1]]
    };
    let (u, v) = (from(a), from(b));
    let (dot, cross) = (u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0]);
    let straight = dot < 0.0 && cross.abs() <= -dot;
    straight.then(|| (cross / dot) * (cross / dot))
}

#[cfg(test)]
mod tests {
    use super::super::tees::Tees;
    use super::*;
    use crate::geometry::Segment;
    use crate::storage::SegmentHandle;

    /// The lines among walls, by their ends, and the rows of their pieces.
    fn lines(walls: &[[f32; 4]], one_sided: bool) -> Vec<([f32; 4], Vec<u32>)> {
        let mut segments = SegmentColumns::default();
        for (row, &[ax, ay, bx, by]) in walls.iter().enumerate() {
            let body = Segment::new([ax, ay], [bx, by]).with_one_sided(one_sided);
            segments.push(body, SegmentHandle::new(row as u32, 0));
        }
        let rows: Vec<u32> = (0..walls.len() as u32).collect();
        let (mut rings, mut chains) = (Rings::default(), Chains::default());
        rings.build(&segments, &rows, &Tees::default());
        chains.build(&segments, &rows, &rings);
        let c = &chains;
        let line = |k: usize| {
            let pieces = c.points(k as u32).len() as u32 - 1;
            let rows = (0..pieces).map(|place| c.row(k as u32, place)).collect();
            ([c.x0[k], c.y0[k], c.x1[k], c.y1[k]], rows)
        };
        (0..c.x0.len()).map(line).collect()
    }

    #[test]
    fn pieces_in_any_order_and_direction_are_one_line() {
        let walls = [[2.0, 2.0, 3.0, 3.0], [1.0, 1.0, 2.0, 2.0], [3.0, 3.0, 7.0, 7.0], [1.0, 1.0, -4.0, -4.0]];
        assert_eq!(lines(&walls, false), [([-4.0, -4.0, 7.0, 7.0], vec![3, 1, 0, 2])]);
        // From one side only: row 3 has its solid side on the other side.
        assert_eq!(lines(&walls, true), [([1.0, 1.0, 7.0, 7.0], vec![1, 0, 2])]);
    }

    #[test]
    fn branches_corners_and_points_do_not_matter() {
        let walls = [
            [0.0, 0.0, 5.0, 0.0],
            [5.0, 0.0, 5.0, 4.0],
            [5.0, 0.0, 9.0, 1.0],
            [5.0, 0.0, 5.0, 0.0],
            [5.0, 0.0, 9.0, 0.0],
        ];
        assert_eq!(lines(&walls, false), [([0.0, 0.0, 9.0, 0.0], vec![0, 4])]);
        assert_eq!(lines(&walls[..4], false), []);
        // Two that are as straight: none.
        assert_eq!(lines(&[walls[0], walls[2], [5.0, 0.0, 9.0, -1.0]], false), []);
    }

    #[test]
    fn equal_walls_are_one_piece() {
        let walls = [
            [0.0, 0.0, 5.0, 0.0],
            [5.0, 0.0, 0.0, 0.0],
            [5.0, -0.0, 9.0, 0.0],
            [0.0, 0.0, 5.0, 0.0],
            [9.0, 9.0, 8.0, 8.0],
        ];
        assert_eq!(lines(&walls, false), [([0.0, 0.0, 9.0, 0.0], vec![0, 2])]);
    }

    #[test]
    fn closed_outlines_have_the_lines_of_their_sides() {
        // A square, each side of two pieces; the lexicographically smallest corner is (0, 0), whatever the order.
        let ring =
            [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1], [0, 0]].map(|p| p.map(|v| v as f32));
        for first in 0..8 {
            let walls: Vec<[f32; 4]> = (0..8)
                .map(|k| (first + k) % 8)
                .map(|k| [ring[k][0], ring[k][1], ring[k + 1][0], ring[k + 1][1]])
                .collect();
            let mut found: Vec<[f32; 4]> = lines(&walls, true).into_iter().map(|line| line.0).collect();
            found.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(found, [[0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 2.0, 0.0], [0.0, 2.0, 2.0, 2.0], [2.0, 0.0, 2.0, 2.0]]);
        }
        // A polygon so round that its corners are no right angles still closes: 64 corners, none of them straight.
        let corner = |k: usize| (std::f64::consts::TAU * k as f64 / 64.0).sin_cos();
        let wall = |k: usize| {
            let ((s0, c0), (s1, c1)) = (corner(k % 64), corner((k + 1) % 64));
            [c0, s0, c1, s1].map(|v| v as f32)
        };
        assert_eq!(lines(&(0..64).map(wall).collect::<Vec<_>>(), false), []);
    }
}
