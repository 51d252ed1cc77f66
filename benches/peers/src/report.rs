//! What comes out: a CSV for machines, tables for people.

use crate::machine;
use crate::measure::Times;
use crate::peers::OURS;
use std::fmt::Write;

/// One figure, or why there is none.
pub(crate) struct Row {
    /// Which kind of work.
    pub(crate) what: &'static str,
    pub(crate) peer: &'static str,
    pub(crate) threads: usize,
    pub(crate) scene: &'static str,
    pub(crate) bodies: usize,
    /// Pairs found, or what else is counted.
    pub(crate) pairs: usize,
    pub(crate) times: Result<Times, String>,
    /// The most bytes held at once, scratch and results included; for questions nobody is asked.
    pub(crate) bytes: Option<usize>,
    /// What a reader should know.
    pub(crate) note: Option<String>,
}

impl Row {
    fn label(&self) -> String {
        if self.threads == 1 { self.peer.into() } else { format!("{}, {} threads", self.peer, self.threads) }
    }
}

/// All rows, one a line; where there is no figure the fields are empty and the reason is in a comment.
pub(crate) fn csv(rows: &[Row], load: &str) -> String {
    let mut text = String::new();
    for line in machine::lines(load) {
        _ = writeln!(text, "# {line}");
    }
    text += "peer,scene,bodies,threads,pairs,min_ms,median_ms,cpu_ms,what,bytes\n";
    for row in rows {
        let times = match &row.times {
            Ok(times) => format!("{:.6},{:.6},{:.6}", times.least, times.median, times.cpu),
            Err(_) => ",,".into(),
        };
        let bytes = row.bytes.map_or(String::new(), |bytes| bytes.to_string());
        let Row { peer, scene, bodies, threads, pairs, what, .. } = row;
        assert!(![peer, scene, what].iter().any(|name| name.contains(',')), "a name with a comma would need quotes");
        _ = writeln!(text, "{peer},{scene},{bodies},{threads},{pairs},{times},{what},{bytes}");
        if let Err(reason) = &row.times {
            _ = writeln!(text, "# -: {peer}, {scene}, {what}: {reason}");
        }
    }
    text
}

/// Tables for each kind of work: least milliseconds, and how many times ours on one thread; and memory.
pub(crate) fn markdown(rows: &[Row], load: &str) -> String {
    let mut text = String::new();
    for line in machine::lines(load) {
        _ = writeln!(text, "- {line}");
    }
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.what).collect();
    kinds.dedup();
    for what in kinds {
        let here: Vec<&Row> = rows.iter().filter(|row| row.what == what).collect();
        table(&mut text, what, &here);
    }
    text
}

fn table(text: &mut String, what: &str, rows: &[&Row]) {
    let mut scenes: Vec<&Row> = vec![];
    let mut labels: Vec<String> = vec![];
    for row in rows {
        if !scenes.iter().any(|known| known.scene == row.scene) {
            scenes.push(row);
        }
        if !labels.contains(&row.label()) {
            labels.push(row.label());
        }
    }
    // Where we do not take part the first row is the yardstick.
    let base = if labels.iter().any(|label| label == OURS) { OURS } else { labels[0].as_str() };
    _ = writeln!(text, "\n## {what}\n\nLeast milliseconds (times {base})\n");
    let head: String = scenes.iter().map(|row| format!(" {} |", row.scene)).collect();
    _ = writeln!(text, "| |{head}\n|---|{}", "---|".repeat(scenes.len()));
    let bodies: String = scenes.iter().map(|row| format!(" {} |", row.bodies)).collect();
    let pairs: String = scenes.iter().map(|row| format!(" {} |", row.pairs)).collect();
    _ = writeln!(text, "| bodies |{bodies}\n| found by {} |{pairs}", scenes[0].label());
    for label in &labels {
        let cells: String =
            scenes.iter().map(|column| format!(" {} |", cell(rows, label, base, column.scene))).collect();
        _ = writeln!(text, "| {label} |{cells}");
    }
    if rows.iter().any(|row| row.bytes.is_some()) {
        _ = writeln!(text, "\nMost bytes held at once, for each body\n\n| |{head}\n|---|{}", "---|".repeat(scenes.len()));
        for label in &labels {
            let cells: String = scenes.iter().map(|column| format!(" {} |", memory(rows, label, column.scene))).collect();
            _ = writeln!(text, "| {label} |{cells}");
        }
    }
    for label in &labels {
        let notes = rows.iter().filter(|row| row.label() == *label).filter_map(|row| {
            let reason = row.times.as_ref().err().map(|reason| format!("no figure: {reason}"));
            reason.or_else(|| row.note.clone()).map(|note| format!("**{}** {note}", row.scene))
        });
        let notes: Vec<String> = notes.collect();
        if !notes.is_empty() {
            _ = writeln!(text, "\n{label}: {}.", notes.join("; "));
        }
    }
}

fn cell(rows: &[&Row], label: &str, base: &str, scene: &str) -> String {
    let find = |label: &str| rows.iter().find(|row| row.scene == scene && row.label() == label);
    let Some(row) = find(label) else { return String::new() };
    let Ok(times) = &row.times else { return "-".into() };
    match find(base).and_then(|ours| ours.times.as_ref().ok()) {
        Some(ours) if label != base => format!("{} ({:.1})", figures(times.least), times.least / ours.least),
        _ => figures(times.least),
    }
}

/// Bytes a body.
fn memory(rows: &[&Row], label: &str, scene: &str) -> String {
    let row = rows.iter().find(|row| row.scene == scene && row.label() == label);
    row.and_then(|row| Some(format!("{:.0}", row.bytes? as f64 / row.bodies as f64))).unwrap_or_default()
}

/// Three figures.
pub(crate) fn figures(ms: f64) -> String {
    let decimals = if ms < 1.0 { 3 } else { usize::from(ms < 10.0) + usize::from(ms < 100.0) };
    format!("{ms:.decimals$}")
}
