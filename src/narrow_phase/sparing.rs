//! Whether walls near circles are looked for, or all are looked into.
//!
//! Comes in: how many circles and walls there are, and what either way took. Goes out: which is tried next. What is found does not depend on it, nor in
//! which order, so it may remember what it likes. This room does not know where anything is.

use std::cmp::{max, min};

/// Walls a circle where circles begin to be few, and where they cease to be; more circles than the last are never few.
const FEW: usize = 12;
const NOT_FEW: usize = 10;
/// The same while cells change within so many steps, which registers all walls anew: for so many steps then.
const RESTLESS_FEW: usize = 4;
const RESTLESS: [u32; 2] = [8, 64];
const MOST_FEW: usize = 8192;
/// Fewer walls are all looked at.
const LEAST_WALLS: usize = 64;
/// In intervals that are looked into, and rather too high: to look for walls near a circle; to find cells about a wall, and to put one of its
/// intervals in order; to look into a long wall.
const CIRCLE: usize = 4;
const WALL: usize = 32;
const INTERVAL: usize = 8;
const LONG: usize = 16;
/// Where it has not paid, so many steps go by before it is tried again, then twice as many, and so on to the last.
const PATIENCE: [u32; 2] = [512, 1 << 16];

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Sparing {
    /// Steps since all were registered, and for how many more cells are taken to be restless.
    stood: u32,
    restless: u32,
    /// What it takes to look into all.
    all: usize,
    /// Circles are not few, but so many are the intervals of all.
    spares: bool,
    patience: u32,
    /// How long it was the last time.
    waited: u32,
}

/// Intervals and long walls that are listed.
type Lists = [usize; 2];

impl Sparing {
    /// A step begins.
    pub(super) fn step(&mut self) {
        self.restless = self.restless.saturating_sub(1);
        self.patience = self.patience.saturating_sub(1);
        self.stood = self.stood.saturating_add(1);
    }

    /// Walls near circles are to be looked for; `used`: as in the last step.
    pub(super) fn looks_near(&mut self, circles: usize, walls: usize, used: bool) -> bool {
        let few = match used {
            _ if self.restless > 0 => RESTLESS_FEW,
            true => NOT_FEW,
            false => FEW,
        };
        let is_known = circles > 0 && walls >= LEAST_WALLS;
        let are_few = is_known && circles <= MOST_FEW && circles * few <= walls;
        let stays = if used { self.spares } else { self.patience == 0 && 2 * CIRCLE * circles <= self.all };
        self.spares = is_known && !are_few && stays;
        are_few || self.spares
    }

    /// So many walls were near; none: they could not be told. It is what it is in this step, and may be otherwise in the next.
    pub(super) fn took(&mut self, circles: usize, near: Option<usize>, [intervals, long]: Lists) {
        let took = |near: usize| CIRCLE * circles + WALL * near + INTERVAL * intervals + LONG * long;
        if self.spares && near.is_none_or(|near| took(near) > self.all) {
            self.waited = max(PATIENCE[0], min(2 * self.waited, PATIENCE[1]));
            (self.spares, self.patience) = (false, self.waited);
        }
    }

    /// All have been registered; `again`: not for the first time.
    pub(super) fn registered(&mut self, again: bool) {
        if again && std::mem::take(&mut self.stood) < RESTLESS[0] {
            self.restless = RESTLESS[1];
        }
    }

    /// All are looked into.
    pub(super) fn listed(&mut self, [intervals, long]: Lists) {
        self.all = intervals + LONG * long;
    }

    /// Something of its lines.
    pub(super) fn read_ahead(&self) -> usize {
        self.stood as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pays_is_kept_and_what_does_not_is_left_for_a_while() {
        let mut sparing = Sparing::default();
        // 1 000 circles among 2 000 walls: not few. Nothing is known of all, then that they take 7 999, then 8 000.
        let looks = |sparing: &mut Sparing, used| {
            sparing.step();
            sparing.looks_near(1000, 2000, used)
        };
        assert!(!looks(&mut sparing, false));
        sparing.listed([7999, 0]);
        assert!(!looks(&mut sparing, false));
        sparing.listed([0, 500]);
        assert!(looks(&mut sparing, false));
        // 4 000 for the circles and 4 000 for 125 walls is as much; one more is too much, and is left at the next step.
        sparing.took(1000, Some(125), [0, 0]);
        assert!(looks(&mut sparing, true));
        for steps in [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 65_536] {
            sparing.took(1000, Some(126), [0, 0]);
            assert!(!looks(&mut sparing, true));
            // That was the first of them, and in the last it is tried.
            assert_eq!((0..100_000).take_while(|_| !looks(&mut sparing, false)).count(), steps - 2);
        }
        // Intervals and long walls that are listed count as well; what could not be told has not paid.
        for (near, lists) in [(Some(0), [501, 0]), (Some(0), [0, 251]), (None, [0, 0])] {
            let mut sparing = Sparing { all: 8000, ..Sparing::default() };
            assert!(looks(&mut sparing, false));
            sparing.took(1000, near, lists);
            assert!(!looks(&mut sparing, true), "{near:?} {lists:?}");
        }
    }

    #[test]
    fn few_are_few_at_any_price_and_more_where_cells_are_restless() {
        let mut sparing = Sparing::default();
        let looks = |sparing: &mut Sparing, circles, walls, used| sparing.looks_near(circles, walls, used);
        assert!(looks(&mut sparing, 10, 120, false) && !looks(&mut sparing, 10, 119, false));
        assert!(looks(&mut sparing, 10, 100, true) && !looks(&mut sparing, 10, 99, true));
        assert!(!looks(&mut sparing, 5, 63, false) && looks(&mut sparing, 5, 64, false));
        assert!(!looks(&mut sparing, 0, 1000, false));
        assert!(looks(&mut sparing, 8192, 1 << 20, false) && !looks(&mut sparing, 8193, 1 << 20, false));
        sparing.took(10, Some(1000), [1000, 1000]);
        assert!(looks(&mut sparing, 10, 120, false));
        // Registered anew after seven steps, which is restless, and for 64 steps.
        (0..7).for_each(|_| sparing.step());
        sparing.registered(true);
        for _ in 0..63 {
            sparing.step();
            assert!(looks(&mut sparing, 20, 80, false) && !looks(&mut sparing, 20, 79, true));
        }
        sparing.step();
        assert!(!looks(&mut sparing, 20, 80, false));
        sparing.registered(true);
        assert!(!looks(&mut sparing, 20, 80, false), "after 64 steps it is not");
    }
}
