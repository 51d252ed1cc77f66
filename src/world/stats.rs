//! What a step did, in numbers, and the clock that measures its calls.
//!
//! Times never reach anything but a [`StepStats`].

/// What a step did, in the words of its five calls.
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
    /// Threads that took part.
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

/// Measures one call after the other.
pub(super) struct Clock {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    last: Option<std::time::Instant>,
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock { last: Some(std::time::Instant::now()) }
    }

    /// One that does not run: a look at it costs some 25 ns, and a step of a small world is a microsecond.
    pub(super) fn stopped() -> Clock {
        Clock { last: None }
    }

    /// Nanoseconds since the last lap.
    pub(super) fn lap(&mut self) -> u64 {
        let Some(last) = self.last else { return 0 };
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
        Clock {}
    }

    pub(super) fn stopped() -> Clock {
        Clock {}
    }

    pub(super) fn lap(&mut self) -> u64 {
        0
    }
}
