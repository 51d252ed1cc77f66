//! One kind of work on one input: set up, check, and only then time.

use crate::input::Input;
use crate::measure::{Limits, Times, interleaved, ms};
use crate::memory::Begin;
use crate::peer::Peer;
use crate::peers::{Entry, OURS, SETTLING};
use crate::report::Row;
use crate::shared::Counts;
use std::time::Instant;

/// A peer that may be timed, and what is to be said about it.
struct Ready {
    entry: Entry,
    peer: Box<dyn Peer>,
    /// The most that it held while it was set up and called, results included.
    bytes: usize,
    note: Option<String>,
}

/// Sets all peers up, checks their counts, and times those in turns whose counts are right.
pub(crate) fn compare(what: &'static str, entries: &[Entry], input: &Input, limits: Limits) -> Vec<Row> {
    let mut rows = vec![];
    let mut ready = vec![];
    for &entry in entries {
        match prepare(entry, input, limits) {
            Ok(one) => ready.push(one),
            Err(reason) => {
                println!("-: {what}: {} on {}: {reason}", entry.name, input.name());
                rows.push(row(what, entry, input, [0; 3], Err(reason), None, None));
            }
        }
    }
    let mut ways: Vec<_> = ready.iter_mut().map(|one| |turn: usize| one.peer.run(&input.frames[turn % 2])).collect();
    let mut ways: Vec<&mut dyn FnMut(usize)> = ways.iter_mut().map(|way| way as &mut dyn FnMut(usize)).collect();
    let times = interleaved(limits, &mut ways);
    for (mut one, times) in ready.into_iter().zip(times) {
        if one.peer.first().is_none() {
            one.peer.run(&input.frames[0]);
        }
        rows.push(row(what, one.entry, input, one.peer.found(), Ok(times), Some(one.bytes), one.note));
    }
    // In the order of the entries, whoever was left out.
    rows.sort_by_key(|row| entries.iter().position(|entry| (entry.name, entry.threads) == (row.peer, row.threads)));
    rows
}

fn row(
    what: &'static str,
    entry: Entry,
    input: &Input,
    found: Counts,
    times: Result<Times, String>,
    bytes: Option<usize>,
    note: Option<String>,
) -> Row {
    let pairs = found.iter().sum();
    let (scene, bodies) = (input.name(), input.bodies());
    Row { what, peer: entry.name, threads: entry.threads, scene, bodies, pairs, times, bytes, note }
}

fn prepare(entry: Entry, input: &Input, limits: Limits) -> Result<Ready, String> {
    if let Some(refusal) = entry.refusal(input) {
        return Err(refusal);
    }
    let begin = Begin::now();
    let mut peer = (entry.make)(input, entry.threads);
    let mut notes = vec![];
    if let Some(first) = peer.first() {
        notes.extend(judge(entry, first, input.known[0])?);
        settle(&mut *peer, input, limits)?;
        if let Some(objection) = peer.objection(&input.frames[0]) {
            return Err(objection);
        }
        notes.extend(peer.remark());
        let found = peer.found().iter().sum::<usize>();
        notes.push(format!("{:.2} contacts a body", found as f64 / input.bodies() as f64));
    } else {
        for (turn, (frame, known)) in input.frames.iter().zip(input.known).rev().enumerate() {
            let start = Instant::now();
            peer.run(frame);
            // The first call makes what the others find made.
            let patient = Limits { patience: 5 * limits.patience, ..limits };
            patience(start, if turn == 0 { patient } else { limits })?;
            notes.extend(judge(entry, peer.found(), known)?);
        }
        notes.dedup();
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let bytes = begin.most_since() + peer.bytes_elsewhere();
    Ok(Ready { entry, peer, bytes, note })
}

/// Scenes begin with overlap, which is pushed apart in a few steps.
fn settle(peer: &mut dyn Peer, input: &Input, limits: Limits) -> Result<(), String> {
    let start = Instant::now();
    for step in 1..=SETTLING {
        let one = Instant::now();
        peer.run(&input.frames[0]);
        patience(one, limits)?;
        if start.elapsed() > 5 * limits.patience {
            return Err(format!("{:.1} s for {step} steps", start.elapsed().as_secs_f64()));
        }
    }
    Ok(())
}

fn patience(start: Instant, limits: Limits) -> Result<(), String> {
    let took = start.elapsed();
    let over = || format!("{:.0} ms a call, more than the {:.0} allowed", ms(took), ms(limits.patience));
    if took > limits.patience { Err(over()) } else { Ok(()) }
}

/// gridlane must be right. Who rounds may be wrong about a pair in ten thousand (and one more): it is said by how many.
fn judge(entry: Entry, found: Counts, known: Counts) -> Result<Option<String>, String> {
    // What is not looked for cannot be held against anybody: static segments among themselves, where there is anything else.
    let kinds = ["circle–circle", "circle–segment", "segment–segment"];
    let looked_for = if found[2] == 0 && known[..2] != [0; 2] { 0..2 } else { 0..3 };
    let mut notes = vec![];
    for kind in looked_for {
        let (found, known) = (found[kind], known[kind]);
        if found != known {
            assert!(!entry.name.starts_with(OURS), "{}: {found} of {known} {}", entry.name, kinds[kind]);
            let note = format!("{found} {} pairs, {known} are there", kinds[kind]);
            if found.abs_diff(known) > 1 + known / 10_000 {
                return Err(format!("wrong: {note}"));
            }
            notes.push(note);
        }
    }
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
}
