//! What happened, for people and for programs.
//!
//! Comes in: counts and times of a run. Goes out: text or one JSON object. Does not know the world's workings.

use crate::input::Input;
use crate::scenes::CATALOG;
use crate::shows;
use gridlane::{SegmentClass, World, instruction_set};
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// How bodies were moved.
pub(crate) struct Motion {
    /// Seconds a step.
    pub(crate) dt: f32,
    /// Length units per second squared.
    pub(crate) gravity: [f32; 2],
    /// 0 to 1.
    pub(crate) restitution: f32,
    /// What is at the rim, in words; empty for nothing.
    pub(crate) bounds: &'static str,
}

/// Contacts of the last step or detection.
#[derive(Default)]
pub(crate) struct ContactCounts {
    circle_circle: usize,
    circle_segment: usize,
    cross: usize,
    touch: usize,
    overlap: usize,
    near: usize,
}

impl ContactCounts {
    /// Those the world holds now.
    pub(crate) fn of(world: &World) -> ContactCounts {
        let contacts = world.contacts();
        let mut counts = ContactCounts {
            circle_circle: contacts.circle_circle().len(),
            circle_segment: contacts.circle_segment().len(),
            ..ContactCounts::default()
        };
        for contact in contacts.segment_segment() {
            match contact.class {
                SegmentClass::Cross => counts.cross += 1,
                SegmentClass::Touch => counts.touch += 1,
                SegmentClass::Overlap => counts.overlap += 1,
                _ => counts.near += 1,
            }
        }
        counts
    }

    const fn segment_segment(&self) -> usize {
        self.cross + self.touch + self.overlap + self.near
    }
}

/// Everything there is to tell.
pub(crate) struct Report {
    command: &'static str,
    title: String,
    circles: usize,
    segments: usize,
    backend: &'static str,
    energy_before: f64,
    /// None for a detection.
    pub(crate) motion: Option<Motion>,
    /// Steps done.
    pub(crate) steps: u64,
    /// Threads of the last step.
    pub(crate) threads: usize,
    /// Contacts of the last step.
    pub(crate) contacts: ContactCounts,
    /// Begin events of all steps.
    pub(crate) begins: u64,
    /// End events of all steps.
    pub(crate) ends: u64,
    /// Time in steps.
    pub(crate) wall: Duration,
    /// Move, bin, detect, resolve, report, over all steps.
    pub(crate) calls_ns: [u64; 5],
    /// Kinetic energy at the end.
    pub(crate) energy_after: f64,
    /// The world's hash at the end.
    pub(crate) state_hash: u64,
    /// Files written.
    pub(crate) files: Vec<PathBuf>,
}

impl Report {
    /// Nothing has happened yet.
    pub(crate) fn new(command: &'static str, input: &Input, backend: &'static str, energy: f64) -> Report {
        Report {
            command,
            title: input.title.clone(),
            circles: input.circles.x.len(),
            segments: input.segments.x0.len(),
            backend,
            energy_before: energy,
            motion: None,
            steps: 0,
            threads: 1,
            contacts: ContactCounts::default(),
            begins: 0,
            ends: 0,
            wall: Duration::ZERO,
            calls_ns: [0; 5],
            energy_after: energy,
            state_hash: 0,
            files: vec![],
        }
    }

    /// Circles and segments are bodies; a detection counts as one step; 0 without bodies.
    fn ns_per_body_step(&self) -> f64 {
        let body_steps = (self.circles + self.segments) as f64 * if self.steps == 0 { 1.0 } else { self.steps as f64 };
        if body_steps == 0.0 { 0.0 } else { self.wall.as_nanos() as f64 / body_steps }
    }

    /// One line under the picture.
    pub(crate) fn picture_title(&self) -> String {
        match self.steps {
            0 => self.title.clone(),
            steps => format!("{} after {} {}", self.title, grouped(steps), plural(steps, "step")),
        }
    }

    /// One object on one line.
    pub(crate) fn json(&self) -> String {
        let contacts = &self.contacts;
        let mut object = json!({
            "command": self.command,
            "scene": self.title,
            "circles": self.circles,
            "segments": self.segments,
            "steps": self.steps,
            "threads": self.threads,
            "backend": self.backend,
            "instruction_set": instruction_set(),
            "contacts": {
                "circle_circle": contacts.circle_circle,
                "circle_segment": contacts.circle_segment,
                "segment_segment": {
                    "cross": contacts.cross,
                    "touch": contacts.touch,
                    "overlap": contacts.overlap,
                    "near": contacts.near,
                    "total": contacts.segment_segment(),
                },
            },
            "events": { "begin": self.begins, "end": self.ends },
            "state_hash": format!("{:016x}", self.state_hash),
            "seconds": self.wall.as_secs_f64(),
            "ns_per_body_step": self.ns_per_body_step(),
            "kinetic_energy": { "before": self.energy_before, "after": self.energy_after },
        });
        if let Some(motion) = &self.motion {
            object["dt"] = json!(motion.dt);
            object["gravity"] = json!(motion.gravity);
            object["restitution"] = json!(motion.restitution);
        }
        format!("{object}\n")
    }

    /// A screen of text.
    pub(crate) fn text(&self) -> String {
        let contacts = &self.contacts;
        let mut rows = vec![
            ("bodies", format!("{}, {}", counted(self.circles, "circle"), counted(self.segments, "segment"))),
            ("motion", self.motion_text()),
            ("circle-circle", counted(contacts.circle_circle, "contact")),
            ("circle-segment", counted(contacts.circle_segment, "contact")),
            ("segment-segment", self.segment_text()),
        ];
        if self.steps > 0 {
            rows.push(("events", format!("{} begin, {} end", grouped(self.begins), grouped(self.ends))));
        }
        rows.push(("time", self.time_text()));
        if self.steps > 0 {
            rows.push(("kinetic energy", self.energy_text()));
        }
        let threads = self.threads as u64;
        let machine = format!(
            "{threads} {}, backend {}, instruction set {}",
            plural(threads, "thread"),
            self.backend,
            instruction_set()
        );
        rows.push(("machine", machine));
        rows.push(("state hash", format!("{:016x}", self.state_hash)));
        for file in &self.files {
            rows.push(("written", file.display().to_string()));
        }
        let mut text = format!("{}\n", self.title);
        for (name, value) in rows {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {name:<16}{value}");
        }
        text
    }

    fn motion_text(&self) -> String {
        let Some(Motion { dt, gravity: [x, y], restitution, bounds }) = &self.motion else {
            return "none: one detection".to_string();
        };
        let steps = format!("{} {} of {dt} s", grouped(self.steps), plural(self.steps, "step"));
        format!("{steps}, gravity ({x}, {y}), restitution {restitution}{bounds}")
    }

    fn segment_text(&self) -> String {
        let contacts = &self.contacts;
        let mut text = counted(contacts.segment_segment(), "contact");
        let classes = [
            (contacts.cross, "cross"),
            (contacts.touch, "touch"),
            (contacts.overlap, "overlap"),
            (contacts.near, "near"),
        ];
        let parts: Vec<_> =
            classes.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{} {name}", grouped(*n as u64))).collect();
        if !parts.is_empty() {
            let _ = write!(text, ": {}", parts.join(", "));
        }
        text
    }

    fn time_text(&self) -> String {
        let seconds = self.wall.as_secs_f64();
        let mut text = format!("{seconds:.4} s, {:.1} ns per body and step", self.ns_per_body_step());
        let sum: u64 = self.calls_ns.iter().sum();
        if sum > 0 {
            let names = ["move", "bin", "detect", "resolve", "report"];
            let share = |(name, ns): (&str, &u64)| format!("{name} {:.0} %", 100.0 * *ns as f64 / sum as f64);
            let parts: Vec<_> = names.into_iter().zip(&self.calls_ns).map(share).collect();
            let _ = write!(text, " ({})", parts.join(", "));
        }
        text
    }

    fn energy_text(&self) -> String {
        let (before, after) = (self.energy_before, self.energy_after);
        let mut text = format!("{before:.6e} before, {after:.6e} after");
        if before > 0.0 {
            let _ = write!(text, " ({:+.1e} of it)", (after - before) / before);
        }
        text
    }
}

/// The built-in scenes as a table.
pub(crate) fn catalogue() -> String {
    let mut text = format!("{:<14}{:>10}{:>10}  {}\n", "scene", "circles", "segments", "what it is");
    for entry in CATALOG.iter().chain(shows::catalogue()) {
        let (circles, segments) = (grouped(entry.circles as u64), grouped(entry.segments as u64));
        let _ = writeln!(text, "{:<14}{circles:>10}{segments:>10}  {}", entry.name, entry.about);
    }
    text
}

/// `1 000 rays`, `1 ray`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{} {}", grouped(count as u64), plural(count as u64, what))
}

fn plural(count: u64, what: &str) -> String {
    if count == 1 { what.to_string() } else { format!("{what}s") }
}

/// Digits in groups of three: `10 000`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three_from_the_right() {
        let texts = [0, 999, 1_000, 12_345, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "999", "1 000", "12 345", "1 000 000"]);
    }

    #[test]
    fn times_are_per_body_and_step() {
        let input = Input {
            title: "t".to_string(),
            circles: Default::default(),
            segments: Default::default(),
            frame: None,
            one_sided: false,
            notes: vec![],
        };
        let mut report = Report::new("run", &input, "wide", 0.0);
        report.wall = Duration::from_nanos(6_000);
        assert_eq!(report.ns_per_body_step(), 0.0, "no bodies");
        (report.circles, report.segments) = (15, 5);
        // 6000 / 20 bodies = 300; over 3 steps 100.
        assert_eq!(report.ns_per_body_step(), 300.0);
        report.steps = 3;
        assert_eq!(report.ns_per_body_step(), 100.0);
    }
}
