//! What began and ended to touch, step by step, as CSV.
//!
//! Comes in: a world after each step. Goes out: a row an event, in the order of the world's, written as the steps go by: a long run holds no more
//! of them than one step's. Rows are those of the input, which are the indices of the handles.

use crate::Failure;
use crate::outputs::{Output, written};
use crate::snapshot::{of_coincident, opposite};
use crate::tables::{Pair, Shortest};
use gridlane::{EndReason, Event, EventKind, EventPair, Touch, World};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const HEAD: &str = "step,event,kind,a,b,reason,x,y,nx,ny,approach";

/// The table, open for writing.
pub(crate) struct EventTable {
    path: PathBuf,
    out: BufWriter<File>,
}

impl EventTable {
    /// Opens the file and empties it.
    pub(crate) fn open(path: &Path) -> Result<EventTable, Failure> {
        let out = Output::open(path)?.emptied()?;
        let mut table = EventTable { path: path.to_path_buf(), out };
        table.line(HEAD)?;
        Ok(table)
    }

    /// The events of the step that the world has just done.
    pub(crate) fn add(&mut self, step: u64, world: &World) -> Result<(), Failure> {
        world.events().iter().try_for_each(|event| self.line(&row(step, event, world)))
    }

    /// Writes what is left; the file's name.
    pub(crate) fn close(mut self) -> Result<PathBuf, Failure> {
        written(&self.path, self.out.flush())?;
        Ok(self.path)
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        written(&self.path, writeln!(self.out, "{text}"))
    }
}

fn row(step: u64, event: &Event, world: &World) -> String {
    let (kind, a, b) = match event.pair {
        EventPair::CircleCircle(a, b) => ("circle_circle", a.index(), b.index()),
        EventPair::CircleSegment(a, b) => ("circle_segment", a.index(), b.index()),
        EventPair::SegmentSegment(a, b) => ("segment_segment", a.index(), b.index()),
    };
    let (what, reason) = match event.kind {
        EventKind::Begin => ("begin", ""),
        EventKind::End(EndReason::Apart) => ("end", "apart"),
        EventKind::End(EndReason::Removed) => ("end", "removed"),
        EventKind::End(EndReason::FilterChanged) => ("end", "filter_changed"),
        EventKind::End(EndReason::Edited) => ("end", "edited"),
        EventKind::End(EndReason::Disabled) => ("end", "disabled"),
        EventKind::End(_) => ("end", "other"),
        _ => ("other", ""),
    };
    let touch = match event.touch {
        Some(touch) => {
            let Touch { point, normal, approach_speed } = seen(event.pair, touch, world);
            format!("{},{},{}", Pair(point), Pair(normal), Shortest(approach_speed))
        }
        None => ",,,,".to_string(),
    };
    format!("{step},{what},{kind},{a},{b},{reason},{touch}")
}

/// How two bodies met, as the table of contacts tells it: of centres that coincide along (0, 1), and with the speed along that.
fn seen(pair: EventPair, touch: Touch, world: &World) -> Touch {
    let EventPair::CircleCircle(a, b) = pair else { return touch };
    let circle = |handle| world.circle(handle).map(|circle| circle.shape);
    let coincident = circle(a).zip(circle(b)).and_then(|(a, b)| of_coincident(a, b, touch.point, touch.normal));
    match coincident {
        Some((point, normal)) => Touch { point, normal, approach_speed: opposite(touch.approach_speed) },
        None => touch,
    }
}
