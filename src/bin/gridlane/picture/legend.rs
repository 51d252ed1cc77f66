//! What the colours and shapes mean, with counts, in rows under the picture.
//!
//! Comes in: the groups of a picture. Goes out: a sample mark added to each group that is used, and text beside it, so
//! that a sample looks exactly like what it stands for.

use super::view::{View, between};
use super::{Group, Groups, Mark};
use crate::report::grouped;
use crate::snapshot::Snapshot;

/// Pixels of the letters' square; a letter takes [`ADVANCE`] of it.
pub(super) const TEXT_SIZE: f64 = 14.0;
/// Width of a letter in a monospaced face, as part of its size.
pub(super) const ADVANCE: f64 = 0.6;
const ROW: f64 = 24.0;
const LEFT: f64 = 16.0;
/// Pixels from a sample's left end to its text, and from a text to the next sample.
const SAMPLE: f64 = 30.0;
const GAP: f64 = 24.0;

/// Adds the title and an entry for everything that is there; gives the height of the whole picture.
pub(super) fn add(groups: &mut Groups, text: &mut Group, snapshot: &Snapshot, title: &str, view: &View) -> f64 {
    let mut pen = Pen { x: LEFT, y: view.height + 0.5 * ROW, width: view.width };
    text.marks.push(pen.text(title));
    pen.next_row();
    let bodies = &snapshot.circles.x;
    let count = |group: &Group| group.marks.len();
    let (free, touching) = (count(&groups.free), count(&groups.touching));
    if !bodies.is_empty() {
        entry(&mut groups.free, text, &mut pen, free, "free circles", Sample::Disc);
    }
    if touching > 0 {
        entry(&mut groups.touching, text, &mut pen, touching, "touching circles", Sample::Disc);
    }
    let entries = [
        (&mut groups.segments, "segments", Sample::Line),
        (&mut groups.contacts, "contacts of circles", Sample::Dot),
        (&mut groups.crossings, "crossings of segments", Sample::Diamond),
        (&mut groups.joints, "joints of segments", Sample::Square),
        (&mut groups.overlaps, "overlaps of segments", Sample::Line),
    ];
    for (group, what, sample) in entries {
        let count = group.marks.len();
        if count > 0 {
            entry(group, text, &mut pen, count, what, sample);
        }
    }
    pen.y + 0.75 * ROW
}

#[derive(Clone, Copy)]
enum Sample {
    Disc,
    Line,
    Dot,
    Diamond,
    Square,
}

/// Where the next text goes.
struct Pen {
    x: f64,
    y: f64,
    width: f64,
}

impl Pen {
    /// As much of it as fits between here and the right margin.
    fn text(&self, text: &str) -> Mark {
        let room = between((self.width - LEFT - self.x) / (ADVANCE * TEXT_SIZE), 0.0, 1000.0) as usize;
        let text = if text.chars().count() <= room {
            text.to_string()
        } else {
            text.chars().take(room.saturating_sub(3)).collect::<String>() + "..."
        };
        Mark::Text { x: self.x, y: self.y, text }
    }

    fn next_row(&mut self) {
        self.x = LEFT;
        self.y += ROW;
    }
}

fn entry(group: &mut Group, text: &mut Group, pen: &mut Pen, count: usize, what: &str, sample: Sample) {
    let words = format!("{what}: {}", grouped(count as u64));
    let length = SAMPLE + words.len() as f64 * ADVANCE * TEXT_SIZE;
    if pen.x > LEFT && pen.x + length > pen.width - LEFT {
        pen.next_row();
    }
    // The middle of lower-case letters.
    let (x, y) = (pen.x + 10.0, pen.y - 0.3 * TEXT_SIZE);
    group.marks.push(match sample {
        Sample::Disc => Mark::Disc { x, y, radius: 6.0 },
        Sample::Line => Mark::Line { x0: x - 9.0, y0: y, x1: x + 9.0, y1: y },
        Sample::Dot => Mark::Dot { x, y },
        Sample::Diamond => Mark::Diamond { x, y, half: 5.0 },
        Sample::Square => Mark::Square { x, y, half: 3.0 },
    });
    pen.x += SAMPLE;
    text.marks.push(pen.text(&words));
    pen.x += length - SAMPLE + GAP;
}
