//! What is known of joined walls, mended after an edit.
//!
//! Comes in: the walls as they are, which know what was edited. Goes out: the same rings, lines and facts as if all had been made anew, but for
//! the numbers of groups and lines, which nobody sees. This room does not know circles.
//!
//! What an edit can change: the vertices where an edited wall ends or ended, those that stand or stood in its middle, and all polylines that go
//! or went through one of those, from end to end. All of these are made anew, and nothing else.
//!
//! Cost: what that costs, and a nanosecond for each end of a wall. The first time also the table of all walls by cell, which nobody else needs for
//! longer but where ends stand on many walls: all of these are looked at again after any edit. Where coordinates are so large beside the walls that what stands where is in doubt, all is made anew.

use super::chains::NOWHERE;
use super::rings::{Vertex, vertex};
use super::tees::Tees;
use super::{End, Fact, Joints, can_join, ends, largest, ulp};
use crate::storage::{NONE, SegmentColumns, is_set};

/// What only mending needs.
#[derive(Debug, Default)]
pub(super) struct Mender {
    /// The walls by cell, once they are asked for.
    tees: Option<Tees>,
    /// The rows edited since the table was made, ascending.
    recent: Vec<u32>,
    /// The shortest wall that is no point, and the largest coordinate there is.
    shortest: f64,
    largest: f32,
    edited: Vec<u32>,
}

/// So many edited ones are never too many; nor is one in so many.
const FEW: usize = 64;
const SHARE: usize = 16;
/// The shortest wall is longer than so many units in the last place of the largest coordinate.
const CLEAR: f64 = 64.0;

fn stands(segments: &SegmentColumns, row: u32) -> bool {
    segments.moving.get(row as usize) == Some(&false) && can_join(segments, row)
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

impl Mender {
    /// The table knows the walls as they are, of which `rows` are new. False if it cannot.
    fn update(&mut self, segments: &SegmentColumns, edited: &[u32], rows: &[u32]) -> bool {
        if self.tees.is_none() {
            let all: Vec<u32> = segments.fixed_rows().filter(|&row| can_join(segments, row)).collect();
            self.keep(segments, &all, Tees::new(segments, &all));
        } else {
            self.measure(segments, rows);
            let recent = std::mem::take(&mut self.recent);
            self.recent = sorted(recent.into_iter().chain(edited.iter().copied()).collect());
            if self.recent.len() > FEW + segments.len() / SHARE {
                self.tees = None;
                return self.update(segments, edited, rows);
            }
            let now: Vec<u32> = self.recent.iter().copied().filter(|&row| stands(segments, row)).collect();
            if let Some(tees) = &mut self.tees {
                tees.replace(segments, &marks(edited), &now);
            }
        }
        let clear = self.shortest > CLEAR * ulp(self.largest);
        clear && self.tees.as_ref().is_some_and(Tees::is_whole)
    }

    /// Takes over the table of all walls.
    pub(super) fn keep(&mut self, segments: &SegmentColumns, all: &[u32], tees: Tees) {
        (self.shortest, self.largest) = (f64::INFINITY, 0.0);
        self.measure(segments, all);
        self.recent.clear();
        self.tees = Some(tees);
    }

    /// The table, if it is there: it knows the walls as rings do.
    pub(super) fn table(&self) -> Option<&Tees> {
        self.tees.as_ref()
    }

    fn measure(&mut self, segments: &SegmentColumns, rows: &[u32]) {
        for &row in rows {
            let [a, b] = ends(segments, row);
            let extent = |axis: usize| (f64::from(a[axis]) - f64::from(b[axis])).abs();
            let length = if extent(0) > extent(1) { extent(0) } else { extent(1) };
            if length > 0.0 && length < self.shortest {
                self.shortest = length;
            }
            let size = largest(&[a, b]);
            self.largest = if size > self.largest { size } else { self.largest };
        }
    }
}

/// By row, which are among these, ascending.
fn marks(rows: &[u32]) -> Vec<bool> {
    let mut marks = vec![false; rows.last().map_or(0, |&row| row as usize + 1)];
    rows.iter().for_each(|&row| marks[row as usize] = true);
    marks
}

impl Joints {
    /// Brings all up to the walls as they are, from what they were after so many edits. False, and nothing that is of use, if all is to be
    /// made anew.
    #[cold]
    pub(super) fn mend(&mut self, segments: &SegmentColumns, edits: u64) -> bool {
        let mut edited = std::mem::take(&mut self.mender.edited);
        let known = segments.edited.since(edits, &mut edited);
        let few = edited.len() <= FEW + segments.len() / SHARE;
        let done = known && few && !self.rings.is_worn() && !self.chains.is_worn() && self.mend_rows(segments, &edited);
        self.mender.edited = edited;
        if done {
            self.one_sided = segments.one_sided.contains(&true);
            self.joined = self.rings.any();
            self.made = Some((segments.versions(), true));
        }
        done
    }

    fn mend_rows(&mut self, segments: &SegmentColumns, edited: &[u32]) -> bool {
        if edited.is_empty() {
            return true;
        }
        let rows: Vec<u32> = edited.iter().copied().filter(|&row| stands(segments, row)).collect();
        if !self.mender.update(segments, edited, &rows) {
            return false;
        }
        let Some(tees) = self.mender.tees.take() else { return false };
        let vertices = self.touched(segments, &tees, edited, &rows);
        // All who were, or are, in a polyline through one of them.
        let groups: Vec<u32> = vertices.iter().filter_map(|&vertex| self.group_at(vertex)).collect();
        let old = groups.iter().flat_map(|&group| self.rings.members(group)).map(|spoke| spoke.end.row);
        let mut whole = self.polylines(&sorted(old.chain(edited.iter().copied()).collect::<Vec<u32>>()));
        for &group in &groups {
            self.chains.part(self.rings.members(group));
            self.rings.dissolve(group);
        }
        self.rings.replace(segments, &marks(edited), &rows);
        self.rings.of.resize(segments.len(), [NONE; 2]);
        self.chains.resize(segments.len());
        for &row in edited.iter().filter(|&&row| (row as usize) < segments.len()) {
            self.rings.of[row as usize] = [NONE; 2];
        }
        for &vertex in &vertices {
            if let Some(group) = self.rings.found(segments, vertex, &tees) {
                self.chains.join(segments, self.rings.members(group));
            }
            whole.extend(self.rings.rows_at(vertex).map(|end| end.row));
        }
        self.mender.tees = Some(tees);
        whole.retain(|&row| (row as usize) < segments.len());
        let walls = sorted(self.polylines(&sorted(whole)));
        walls.iter().for_each(|&row| self.chains.forget(row));
        let walls: Vec<u32> = walls.into_iter().filter(|&row| stands(segments, row)).collect();
        self.chains.find_lines(segments, &walls);
        self.tell(segments, walls, edited);
        true
    }

    /// The vertices where an edited wall ends or ended, and those that stand or stood in its middle.
    fn touched(&self, segments: &SegmentColumns, tees: &Tees, edited: &[u32], rows: &[u32]) -> Vec<Vertex> {
        let mut vertices = Vec::new();
        let old = edited.iter().filter_map(|&row| self.rings.of.get(row as usize)).flatten();
        vertices.extend(old.filter(|&&group| group != NONE).map(|&group| self.rings.vertex(group)));
        let marks = marks(edited);
        let is_edited = |row: &u32| is_set(&marks, *row as usize);
        // Where they are too many to list, one of those edited may have been among them.
        let stood = self.rings.groups();
        let stood = stood.filter(|&group| self.rings.tees(group).is_none_or(|tees| tees.iter().any(is_edited)));
        vertices.extend(stood.map(|group| self.rings.vertex(group)));
        let mut standing = Vec::new();
        for &row in rows {
            standing.extend([false, true].map(|second| End { row, second }));
            tees.standing(segments, row, &mut standing);
        }
        vertices.extend(standing.into_iter().map(|end| vertex(segments, end)));
        sorted(vertices)
    }

    /// The group of a vertex, as it was.
    fn group_at(&self, vertex: Vertex) -> Option<u32> {
        let end = self.rings.rows_at(vertex).next()?;
        let group = self.rings.of[end.row as usize][usize::from(end.second)];
        (group != NONE).then_some(group)
    }

    /// The walls of all polylines that these are in, and they themselves.
    fn polylines(&self, rows: &[u32]) -> Vec<u32> {
        let (mut all, mut seen, mut pieces) = (rows.to_vec(), std::collections::BTreeSet::new(), Vec::new());
        for &row in rows {
            if seen.contains(&row) {
                continue;
            }
            self.chains.polyline(row, &mut pieces);
            seen.extend(pieces.iter().map(|end| end.row));
            all.extend(pieces.iter().map(|end| end.row));
        }
        all
    }

    /// Tells the walls that were edited, and those of these polylines, what they are.
    fn tell(&mut self, segments: &SegmentColumns, mut walls: Vec<u32>, edited: &[u32]) {
        walls.extend(self.chains.doubles());
        let Joints { rings, chains, facts, .. } = self;
        let groups = |rows: &[u32]| {
            let groups = rows.iter().flat_map(|&row| rings.of[row as usize]).filter(|&group| group != NONE);
            sorted(groups.collect::<Vec<u32>>())
        };
        let around = groups(&walls);
        let members = around.iter().flat_map(|&group| rings.members(group)).map(|spoke| spoke.end.row);
        walls.extend(members);
        walls.extend(edited.iter().filter(|&&row| (row as usize) < segments.len()));
        for group in around {
            rings.put_first(group, |end| chains.goes_on(segments, end));
        }
        facts.resize(segments.len(), Fact::ALONE);
        for row in walls {
            let piece = chains.piece.get(row as usize).copied().unwrap_or(NOWHERE);
            facts[row as usize] = Fact { ring: rings.of[row as usize], piece };
        }
    }
}
