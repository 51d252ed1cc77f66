//! Which ends of walls are one vertex.
//!
//! Comes in: static segments. Goes out: for each end that is not alone a group: the walls that end there, in the order in which they speak
//! for the vertex, and the walls in the middle of which it stands. Ends are one vertex if their coordinates are equal, -0 being 0, and the
//! radii of their walls too: round walls of another thickness have another outline there. This room does not know circles.
//!
//! Cost: one sort of the ends.

use super::End;
use super::tees::Tees;
use crate::exact::P;
use crate::storage::{NONE, SegmentColumns};
use std::ops::Range;

/// Vertices at which a wall is not alone.
#[derive(Debug, Default)]
pub(super) struct Rings {
    /// For each wall the group of its start and of its end, or [`NONE`].
    pub(super) of: Vec<[u32; 2]>,
    groups: Vec<Group>,
    members: Vec<End>,
    tees: Vec<u32>,
}

/// Where the lists of one vertex begin and end.
#[derive(Clone, Copy, Debug)]
struct Group {
    members: [u32; 2],
    tees: [u32; 2],
}

/// The same for all points that are equal.
pub(super) fn place([x, y]: P) -> u64 {
    // The sums turn -0 into 0.
    u64::from((x + 0.0).to_bits()) << 32 | u64::from((y + 0.0).to_bits())
}

impl Rings {
    /// The vertices of these rows, ascending.
    pub(super) fn build(&mut self, segments: &SegmentColumns, rows: &[u32], tees: &Tees) {
        let Rings { of, groups, members, tees: through } = self;
        // By vertex: place, then radius, row and which end.
        let mut sorted: Vec<(u64, u64)> = Vec::with_capacity(2 * rows.len());
        of.clear();
        of.resize(segments.len(), [NONE; 2]);
        groups.clear();
        members.clear();
        through.clear();
        for &row in rows {
            let [a, b] = super::ends(segments, row).map(place);
            let tag = u64::from(segments.radius[row as usize].to_bits()) << 33 | u64::from(row) << 1;
            sorted.push((a, tag));
            // A point has one end.
            if a != b {
                sorted.push((b, tag | 1));
            }
        }
        sorted.sort_unstable();
        let vertex = |end: &(u64, u64)| (end.0, end.1 >> 33);
        for ends in sorted.chunk_by(|a, b| vertex(a) == vertex(b)) {
            let of_tag = |end: &(u64, u64)| End { row: (end.1 >> 1) as u32, second: end.1 & 1 == 1 };
            let first = of_tag(&ends[0]);
            let firsts = [members.len(), through.len()].map(|len| len as u32);
            tees.find(segments, first, through);
            if ends.len() == 1 && through.len() == firsts[1] as usize {
                continue;
            }
            for end in ends.iter().map(of_tag) {
                of[end.row as usize][usize::from(end.second)] = groups.len() as u32;
                members.push(end);
            }
            groups.push(Group { members: [firsts[0], members.len() as u32], tees: [firsts[1], through.len() as u32] });
        }
    }

    /// How many vertices are listed.
    pub(super) fn len(&self) -> u32 {
        self.groups.len() as u32
    }

    fn range([from, to]: [u32; 2]) -> Range<usize> {
        from as usize..to as usize
    }

    /// The walls that end at a vertex.
    #[inline(always)]
    pub(super) fn members(&self, group: u32) -> &[End] {
        &self.members[Rings::range(self.groups[group as usize].members)]
    }

    /// The walls in the middle of which it stands.
    #[inline(always)]
    pub(super) fn tees(&self, group: u32) -> &[u32] {
        &self.tees[Rings::range(self.groups[group as usize].tees)]
    }

    /// Lets those speak first of which `first` holds; rows ascend among them and among the others.
    pub(super) fn put_first(&mut self, first: impl Fn(End) -> bool) {
        for group in &self.groups {
            let members = &mut self.members[Rings::range(group.members)];
            if members.iter().any(|&end| first(end)) {
                members.sort_unstable_by_key(|&end| (!first(end), end.row, end.second));
            }
        }
    }
}
