//! What a step did, in numbers, and the clock that measures its calls.
//!
//! Times never reach anything but a [`StepStats`].

/// What a step did, in the words of its five calls.
///
/// Times of worlds of fewer than 2 048 bodies are those of every sixteenth step, told again until the next: clocks would take a twentieth of
/// the smallest steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct StepStats {
    /// Circles in the world.
    pub circles: usize,
    /// Segments in the world.
    pub segments: usize,
    /// Circles that touch circles, in pairs.
    pub circle_circle: usize,
    /// Circles that touch segments, in pairs.
    pub circle_segment: usize,
    /// Segments that touch segments, in pairs.
    pub segment_segment: usize,
    /// Events that tell of a beginning.
    pub begins: usize,
    /// Events that tell of an end.
    pub ends: usize,
    /// Walls that fast circles met in flight.
    pub impacts: usize,
    /// Circles that would have gone through a wall by their motion, or a wall through them, and were put where they could go.
    pub held: usize,
    /// Of all impulses between circles in this step, the sum of impulse times the distance of the centres along it, at the time of the
    /// impulse. The pressure of a gas of N discs in the plane is PV / NkT = 1 + virial / (2·kinetic energy·dt), averaged
    /// over steps. Impulses of pairs at rest, substep by substep, are among them.
    pub virial: f64,
    /// Of all impulses on segments in this step, the sum, along the normals.
    pub wall_impulse: f64,
    /// Circles, with the wall, for which there was no room; see [`World::squeezed`](crate::World::squeezed).
    pub squeezed: usize,
    /// Threads that the circles were shared among: those of the pool, if there are enough circles for it.
    pub threads: usize,
    /// Nanoseconds of motion.
    pub move_ns: u64,
    /// Nanoseconds of sorting into cells.
    pub bin_ns: u64,
    /// Nanoseconds of finding contacts.
    pub detect_ns: u64,
    /// Nanoseconds of impulses and push-out.
    pub resolve_ns: u64,
    /// Nanoseconds of making events and handing over the new state.
    pub report_ns: u64,
}

/// A world of fewer bodies is small: a look at the clock costs some 25 ns, and six of them a twentieth of a step of 50 circles.
const SMALL: usize = 2048;
/// One in so many steps of a small world is timed.
const EVERY: u32 = 16;

/// Which steps are timed.
#[derive(Debug, Default)]
pub(super) struct Timing {
    /// So many steps are not.
    left: u32,
}

impl Timing {
    /// The clock of the next step of a world with so many bodies, of which this is the last that was told.
    pub(super) fn clock(&mut self, bodies: usize, last: &StepStats) -> Clock {
        if bodies < SMALL && self.left > 0 {
            self.left -= 1;
            return Clock::again(last);
        }
        self.left = EVERY - 1;
        Clock::start()
    }

    /// What was told last is not of a step: the next one is timed.
    pub(super) fn forget(&mut self) {
        self.left = 0;
    }
}

/// Measures one call after the other, or tells again what was measured once.
pub(super) struct Clock {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    last: Option<std::time::Instant>,
    /// What the next laps took, where it does not run.
    told: [u64; 5],
}

impl Clock {
    /// One that does not run, for steps of which nobody asks.
    pub(super) fn stopped() -> Clock {
        Clock {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            last: None,
            told: [0; 5],
        }
    }

    /// One that does not run and tells of the laps of another step.
    fn again(stats: &StepStats) -> Clock {
        let StepStats { move_ns, bin_ns, detect_ns, resolve_ns, report_ns, .. } = *stats;
        Clock { told: [move_ns, bin_ns, detect_ns, resolve_ns, report_ns], ..Clock::stopped() }
    }

    fn told(&mut self) -> u64 {
        self.told.rotate_left(1);
        self.told[4]
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock { last: Some(std::time::Instant::now()), ..Clock::stopped() }
    }

    /// Nanoseconds since the last lap.
    pub(super) fn lap(&mut self) -> u64 {
        let Some(last) = self.last else { return self.told() };
        let now = std::time::Instant::now();
        let spent = now.duration_since(last);
        self.last = Some(now);
        u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// The bare browser target has no clock in std, and asking for one panics.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock::stopped()
    }

    pub(super) fn lap(&mut self) -> u64 {
        self.told()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_in_sixteen_of_a_small_world_is_timed() {
        let stats =
            StepStats { move_ns: 1, bin_ns: 2, detect_ns: 3, resolve_ns: 4, report_ns: 5, ..Default::default() };
        let mut timing = Timing::default();
        let mut again = |bodies| {
            let mut clock = timing.clock(bodies, &stats);
            let again = clock.last.is_none();
            assert!(!again || [(); 5].map(|()| clock.lap()) == [1, 2, 3, 4, 5]);
            again
        };
        let steps: Vec<bool> = (0..40).map(|_| again(50)).collect();
        assert!(steps.iter().enumerate().all(|(k, &again)| again == (k % 16 != 0)));
        assert!(!again(SMALL) && !again(SMALL), "no world that is not small");
        assert!(again(SMALL - 1));
        timing.forget();
        assert!(timing.clock(50, &stats).last.is_some());
    }
}
