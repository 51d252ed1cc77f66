//! Timing in turns: every round gives each way a few calls, so that a machine that changes changes for all of them.
//!
//! Comes in: ways to run, and how much time each may have. Goes out: least and median wall time and least CPU time of a call. The CPU
//! time is the whole process's, so that it covers threads; nothing else runs in it.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// How much a peer may have.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Of timed calls on one input, in all.
    pub(crate) time: Duration,
    /// Of setting up, and of one call: who needs more is left out, aloud.
    pub(crate) patience: Duration,
}

/// Calls in a row: the first finds its buffers pushed out of the caches by the others, and frames alternate.
const TURN: usize = 4;
/// Calls at least, however long they take, and at most.
const CALLS: std::ops::RangeInclusive<usize> = 4..=2_000;

/// What was measured, in milliseconds a call.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) cpu: f64,
}

/// The calls of one way.
#[derive(Default)]
struct Calls {
    wall: Vec<f64>,
    cpu: f64,
    spent: Duration,
}

/// Times all ways in turns until each has had its time.
pub(crate) fn interleaved(limits: Limits, ways: &mut [&mut dyn FnMut(usize)]) -> Vec<Times> {
    let mut calls: Vec<Calls> = ways.iter().map(|_| Calls { cpu: f64::INFINITY, ..Calls::default() }).collect();
    loop {
        let mut busy = false;
        for (way, calls) in ways.iter_mut().zip(&mut calls) {
            let enough = calls.wall.len() >= *CALLS.start() && calls.spent >= limits.time;
            if enough || calls.wall.len() >= *CALLS.end() {
                continue;
            }
            busy = true;
            for k in 0..TURN {
                let (cpu, wall) = (ProcessTime::now(), Instant::now());
                way(k);
                let (wall, cpu) = (wall.elapsed(), cpu.elapsed());
                calls.spent += wall;
                calls.wall.push(ms(wall));
                calls.cpu = calls.cpu.min(ms(cpu));
            }
        }
        if !busy {
            break;
        }
    }
    calls.into_iter().map(Calls::times).collect()
}

impl Calls {
    fn times(mut self) -> Times {
        self.wall.sort_by(f64::total_cmp);
        Times { least: self.wall[0], median: self.wall[self.wall.len() / 2], cpu: self.cpu }
    }
}

pub(crate) fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
