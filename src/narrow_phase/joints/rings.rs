//! Which ends of walls are one vertex.
//!
//! Comes in: static segments. Goes out: for each end that is not alone a group: the walls that end there, in the order in which they speak
//! for the vertex, and the walls in the middle of which it stands; where these are many, who asks has to look for them again, or lists would
//! take as much memory as walls that lie on each other have pairs. Ends are one vertex if their coordinates are equal, -0 being 0, and the
//! radii of their walls too: round walls of another thickness have another outline there. This room does not know circles.
//!
//! Cost: one sort of the ends.

use super::End;
use super::tees::Tees;
use crate::exact::P;
use crate::storage::{NONE, SegmentColumns, is_set};
use std::ops::Range;

/// Where ends are one vertex: coordinates and radius.
pub(super) type Vertex = (u64, u64);

/// Vertices at which a wall is not alone.
#[derive(Debug, Default)]
pub(super) struct Rings {
    /// For each wall the group of its start and of its end, or [`NONE`].
    pub(super) of: Vec<[u32; 2]>,
    /// All ends by vertex, then row and which end.
    ends: Vec<(u64, u64)>,
    spare: Vec<(u64, u64)>,
    groups: Vec<Group>,
    members: Vec<Spoke>,
    tees: Vec<u32>,
    /// How many groups there are that are somebody's, and how many of them stand on too many walls to list.
    live: u32,
    crowded: u32,
    /// Of `members` and `tees`, those of groups that are nobody's.
    gone: usize,
}

/// A wall as its vertex sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoke {
    pub(super) end: End,
    /// Its other end.
    pub(super) far: P,
}

/// Where the lists of one vertex begin and end.
#[derive(Clone, Copy, Debug)]
struct Group {
    vertex: Vertex,
    members: [u32; 2],
    /// [`CROWDED`] if these are too many.
    tees: [u32; 2],
}

const CROWDED: [u32; 2] = [NONE; 2];

/// The same for all points that are equal.
pub(super) fn place([x, y]: P) -> u64 {
    // The sums turn -0 into 0.
    u64::from((x + 0.0).to_bits()) << 32 | u64::from((y + 0.0).to_bits())
}

/// Below 2^31: the sum turns -0 into 0, here too.
fn radius_bits(segments: &SegmentColumns, row: u32) -> u32 {
    (segments.radius[row as usize] + 0.0).to_bits()
}

/// The vertex of an end.
pub(super) fn vertex(segments: &SegmentColumns, end: End) -> Vertex {
    (place(end.point(segments)), u64::from(radius_bits(segments, end.row)))
}

/// That of an entry of the list of all ends.
fn vertex_of(entry: &(u64, u64)) -> Vertex {
    (entry.0, entry.1 >> 33)
}

fn end_of(entry: &(u64, u64)) -> End {
    End { row: (entry.1 >> 1) as u32, second: entry.1 & 1 == 1 }
}

/// Both ends of a wall, as entries; of a point one.
fn entries(segments: &SegmentColumns, row: u32) -> [Option<(u64, u64)>; 2] {
    let [a, b] = super::ends(segments, row).map(place);
    let tag = u64::from(radius_bits(segments, row)) << 33 | u64::from(row) << 1;
    [Some((a, tag)), (a != b).then_some((b, tag | 1))]
}

impl Rings {
    /// The vertices of these rows, ascending.
    pub(super) fn build(&mut self, segments: &SegmentColumns, rows: &[u32], tees: &Tees) {
        self.of.clear();
        self.of.resize(segments.len(), [NONE; 2]);
        self.groups.clear();
        self.members.clear();
        self.tees.clear();
        (self.live, self.crowded, self.gone) = (0, 0, 0);
        let mut sorted = std::mem::take(&mut self.ends);
        sorted.clear();
        sorted.extend(rows.iter().flat_map(|&row| entries(segments, row)).flatten());
        sorted.sort_unstable();
        for ends in sorted.chunk_by(|a, b| vertex_of(a) == vertex_of(b)) {
            self.form(segments, ends, tees);
        }
        self.ends = sorted;
    }

    /// The group of all ends at one vertex, if it needs one.
    fn form(&mut self, segments: &SegmentColumns, ends: &[(u64, u64)], tees: &Tees) {
        let Rings { of, groups, members, tees: through, live, crowded, .. } = self;
        let firsts = [members.len(), through.len()];
        // More than can be counted are as those that are too many at one end.
        let listed = tees.find(segments, end_of(&ends[0]), through) && through.len() < NONE as usize;
        if !listed {
            through.truncate(firsts[1]);
        }
        if ends.len() == 1 && listed && through.len() == firsts[1] {
            return;
        }
        for end in ends.iter().map(end_of) {
            of[end.row as usize][usize::from(end.second)] = groups.len() as u32;
            members.push(Spoke { end, far: end.other().point(segments) });
        }
        let until = |from: usize, to: usize| [from as u32, to as u32];
        groups.push(Group {
            vertex: vertex_of(&ends[0]),
            members: until(firsts[0], members.len()),
            tees: if listed { until(firsts[1], through.len()) } else { CROWDED },
        });
        *live += 1;
        *crowded += u32::from(!listed);
    }

    /// Takes the ends of the marked rows out of the list and those of `rows`, which are to be in it, in.
    pub(super) fn replace(&mut self, segments: &SegmentColumns, marks: &[bool], rows: &[u32]) {
        let Rings { ends, spare, .. } = self;
        let mut fresh: Vec<(u64, u64)> = rows.iter().flat_map(|&row| entries(segments, row)).flatten().collect();
        fresh.sort_unstable();
        spare.clear();
        let is_old = |entry: &&(u64, u64)| !is_set(marks, end_of(entry).row as usize);
        let mut at = 0;
        for entry in fresh {
            let to = at + ends[at..].partition_point(|other| *other < entry);
            spare.extend(ends[at..to].iter().filter(is_old));
            spare.push(entry);
            at = to;
        }
        spare.extend(ends[at..].iter().filter(is_old));
        std::mem::swap(ends, spare);
    }

    /// All ends at a vertex.
    fn at(&self, vertex: Vertex) -> Range<usize> {
        let start = self.ends.partition_point(|entry| vertex_of(entry) < vertex);
        start..start + self.ends[start..].partition_point(|entry| vertex_of(entry) == vertex)
    }

    /// The rows of all ends at a vertex.
    pub(super) fn rows_at(&self, vertex: Vertex) -> impl Iterator<Item = End> + '_ {
        self.ends[self.at(vertex)].iter().map(end_of)
    }

    /// The group of a vertex is nobody's; its ends have none.
    pub(super) fn dissolve(&mut self, group: u32) {
        let group = &mut self.groups[group as usize];
        for spoke in &self.members[Rings::range(group.members)] {
            if let Some(of) = self.of.get_mut(spoke.end.row as usize) {
                of[usize::from(spoke.end.second)] = NONE;
            }
        }
        self.gone += Rings::range(group.members).len() + Rings::range(group.tees).len();
        self.crowded -= u32::from(group.tees == CROWDED);
        (group.members, group.tees) = ([0; 2], [0; 2]);
        self.live -= 1;
    }

    /// The group of a vertex that has none, of those of its ends that there are now. `None` if it needs none.
    pub(super) fn found(&mut self, segments: &SegmentColumns, vertex: Vertex, tees: &Tees) -> Option<u32> {
        let (range, next) = (self.at(vertex), self.groups.len());
        if range.is_empty() {
            return None;
        }
        let ends = std::mem::take(&mut self.ends);
        self.form(segments, &ends[range], tees);
        self.ends = ends;
        (self.groups.len() > next).then_some(next as u32)
    }

    /// The vertex of a group.
    pub(super) fn vertex(&self, group: u32) -> Vertex {
        self.groups[group as usize].vertex
    }

    /// The groups, also those that are nobody's.
    pub(super) fn groups(&self) -> Range<u32> {
        0..self.groups.len() as u32
    }

    /// So much is nobody's that all is better made anew.
    pub(super) fn is_worn(&self) -> bool {
        self.groups.len() > 2 * self.live as usize + 1024 || 2 * self.gone > self.members.len() + self.tees.len() + 4096
    }

    /// Whether there is any vertex at which a wall is not alone.
    pub(super) fn any(&self) -> bool {
        self.live > 0
    }

    /// Whether there is any vertex that stands on too many walls to list.
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded > 0
    }

    fn range([from, to]: [u32; 2]) -> Range<usize> {
        from as usize..to as usize
    }

    /// The walls that end at a vertex.
    #[inline(always)]
    pub(super) fn members(&self, group: u32) -> &[Spoke] {
        &self.members[Rings::range(self.groups[group as usize].members)]
    }

    /// The walls in the middle of which it stands; `None` if these are too many to list.
    #[inline(always)]
    pub(super) fn tees(&self, group: u32) -> Option<&[u32]> {
        let tees = self.groups[group as usize].tees;
        (tees != CROWDED).then(|| &self.tees[Rings::range(tees)])
    }

    /// Lets those at a vertex speak first of which `first` holds; rows ascend among them and among the others.
    pub(super) fn put_first(&mut self, group: u32, first: impl Fn(End) -> bool) {
        let members = &mut self.members[Rings::range(self.groups[group as usize].members)];
        members.sort_unstable_by_key(|spoke| (!first(spoke.end), spoke.end.row, spoke.end.second));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tees::MANY;
    use super::*;
    use crate::geometry::Segment;
    use crate::storage::SegmentHandle;

    #[test]
    fn lists_of_walls_that_lie_on_each_other_do_not_grow_with_their_pairs() {
        let (mut segments, mut rings, count) = (SegmentColumns::default(), Rings::default(), 1000);
        for k in 0..count {
            let reach = 1.0 + k as f32;
            segments.push(Segment::new([-reach, 0.0], [reach, 0.0]).into(), SegmentHandle::new(k, 0));
        }
        let rows: Vec<u32> = (0..count).collect();
        let tees = Tees::new(&segments, &rows);
        rings.build(&segments, &rows, &tees);
        // Both ends of a wall stand on all longer ones. Few are longer than the last ones, and none than the last.
        let listed = 2 * (1..=MANY).sum::<usize>();
        assert_eq!((rings.tees.len(), rings.live, rings.crowded), (listed, 2 * 999, 2 * (999 - MANY as u32)));
        // Made anew again and again, as after edits.
        for round in 0..4 {
            assert_eq!((rings.is_worn(), rings.is_crowded()), (round > 1, true), "{round}");
            for group in rings.groups().filter(|&group| group >= round * 2 * 999) {
                rings.dissolve(group);
            }
            assert_eq!((rings.any(), rings.is_crowded()), (false, false));
            let vertices: Vec<Vertex> = rings.ends.iter().map(vertex_of).collect();
            let found = vertices.iter().filter_map(|&vertex| rings.found(&segments, vertex, &tees)).count();
            assert_eq!((found, rings.tees.len()), (2 * 999, listed * (round as usize + 2)));
        }
    }
}
