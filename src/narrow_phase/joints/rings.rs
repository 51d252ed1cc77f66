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
    /// How many groups there are that are somebody's.
    live: u32,
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
    tees: [u32; 2],
}

/// The same for all points that are equal.
pub(super) fn place([x, y]: P) -> u64 {
    // The sums turn -0 into 0.
    u64::from((x + 0.0).to_bits()) << 32 | u64::from((y + 0.0).to_bits())
}

/// The vertex of an end.
pub(super) fn vertex(segments: &SegmentColumns, end: End) -> Vertex {
    (place(end.point(segments)), u64::from(segments.radius[end.row as usize].to_bits()))
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
    let tag = u64::from(segments.radius[row as usize].to_bits()) << 33 | u64::from(row) << 1;
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
        self.live = 0;
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
        let Rings { of, groups, members, tees: through, live, .. } = self;
        let firsts = [members.len(), through.len()].map(|len| len as u32);
        tees.find(segments, end_of(&ends[0]), through);
        if ends.len() == 1 && through.len() == firsts[1] as usize {
            return;
        }
        for end in ends.iter().map(end_of) {
            of[end.row as usize][usize::from(end.second)] = groups.len() as u32;
            members.push(Spoke { end, far: end.other().point(segments) });
        }
        groups.push(Group {
            vertex: vertex_of(&ends[0]),
            members: [firsts[0], members.len() as u32],
            tees: [firsts[1], through.len() as u32],
        });
        *live += 1;
    }

    /// Takes the ends of the marked rows out of the list and those of `rows`, which are to be in it, in.
    pub(super) fn replace(&mut self, segments: &SegmentColumns, marks: &[bool], rows: &[u32]) {
        let Rings { ends, spare, .. } = self;
        let mut fresh: Vec<(u64, u64)> = rows.iter().flat_map(|&row| entries(segments, row)).flatten().collect();
        fresh.sort_unstable();
        spare.clear();
        let is_old = |entry: &&(u64, u64)| !marks.get(end_of(entry).row as usize).copied().unwrap_or(false);
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
        self.groups.len() > 2 * self.live as usize + 1024
            || self.members.len() + self.tees.len() > 2 * self.ends.len() + 4096
    }

    /// Whether there is any vertex at which a wall is not alone.
    pub(super) fn any(&self) -> bool {
        self.live > 0
    }

    fn range([from, to]: [u32; 2]) -> Range<usize> {
        from as usize..to as usize
    }

    /// The walls that end at a vertex.
    #[inline(always)]
    pub(super) fn members(&self, group: u32) -> &[Spoke] {
        &self.members[Rings::range(self.groups[group as usize].members)]
    }

    /// The walls in the middle of which it stands.
    #[inline(always)]
    pub(super) fn tees(&self, group: u32) -> &[u32] {
        &self.tees[Rings::range(self.groups[group as usize].tees)]
    }

    /// Lets those at a vertex speak first of which `first` holds; rows ascend among them and among the others.
    pub(super) fn put_first(&mut self, group: u32, first: impl Fn(End) -> bool) {
        let members = &mut self.members[Rings::range(self.groups[group as usize].members)];
        members.sort_unstable_by_key(|spoke| (!first(spoke.end), spoke.end.row, spoke.end.second));
    }
}
