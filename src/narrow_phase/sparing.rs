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
/// In intervals that are looked into, and rather too high: to look for walls near a circle, so many of which are looked at meanwhile; to find cells about
/// a wall, and to put one of its intervals in order; to look into a long wall.
const CIRCLE: usize = 4;
const LOOKS: usize = 2;
const WALL: usize = 32;
const INTERVAL: usize = 8;
const LONG: usize = 16;
/// Where circles are few, all are looked into if the others take so many times as much.
const SURELY: usize = 3;
/// To register a wall anew at each step, as cells that are restless need it.
const ANEW: usize = 16;
/// Where it has not paid, so many steps go by before it is tried again, then twice as many, and so on to the last.
const PATIENCE: [u32; 2] = [512, 1 << 16];

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Sparing {
    /// Steps since all were registered, and for how many more cells are taken to be restless.
    stood: u32,
    restless: u32,
    /// What it takes to look into all, as far as is known, and how many these are.
    all: usize,
    walls: usize,
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
        self.walls = walls;
        let is_known = circles > 0 && walls >= LEAST_WALLS && self.patience == 0;
        let are_few = is_known && circles <= MOST_FEW && circles * few <= walls;
        let stays = if used { self.spares } else { 2 * CIRCLE * circles <= self.all };
        self.spares = is_known && !are_few && stays;
        are_few || self.spares
    }

    /// So many walls were near, and so often one was looked at; none: they could not be told. It is what it is in this step, and may be otherwise in the next.
    pub(super) fn took(&mut self, circles: usize, near: Option<[usize; 2]>, [intervals, long]: Lists) {
        let took = |[near, looked]: [usize; 2]| {
            CIRCLE * circles + looked / LOOKS + WALL * near + INTERVAL * intervals + LONG * long
        };
        let all = match self.spares {
            true => self.all,
            _ if self.restless > 0 => ANEW * self.walls,
            false => SURELY * max(self.all, self.walls),
        };
        if near.is_none_or(|near| took(near) > all) {
            self.waited = max(PATIENCE[0], min(2 * self.waited, PATIENCE[1]));
            (self.spares, self.patience) = (false, self.waited);
        }
    }

    /// All have been registered; `again`: not for the first time.
    pub(super) fn registered(&mut self, again: bool) {
        if again && std::mem::take(&mut self.stood) < RESTLESS[0] {
            // What did not pay then may pay now.
            self.patience = if self.restless == 0 { 0 } else { self.patience };
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
        // 4 000 for the circles and 4 000 for 125 walls is as much; to look at two more is too much, and is left at the next step.
        sparing.took(1000, Some([125, 0]), [0, 0]);
        assert!(looks(&mut sparing, true));
        for steps in [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 65_536] {
            sparing.took(1000, Some([125, 2]), [0, 0]);
            assert!(!looks(&mut sparing, true));
            // That was the first of them, and in the last it is tried.
            assert_eq!((0..100_000).take_while(|_| !looks(&mut sparing, false)).count(), steps - 2);
        }
        // Intervals and long walls that are listed count as well; what could not be told has not paid.
        for (near, lists) in
            [(Some([0, 0]), [501, 0]), (Some([0, 0]), [0, 251]), (Some([126, 0]), [0, 0]), (None, [0, 0])]
        {
            let mut sparing = Sparing { all: 8000, ..Sparing::default() };
            assert!(looks(&mut sparing, false));
            sparing.took(1000, near, lists);
            assert!(!looks(&mut sparing, true), "{near:?} {lists:?}");
        }
    }

    #[test]
    fn few_are_few_and_more_where_cells_are_restless_unless_most_walls_are_near() {
        let mut sparing = Sparing::default();
        let looks = |sparing: &mut Sparing, circles, walls, used| sparing.looks_near(circles, walls, used);
        assert!(looks(&mut sparing, 10, 120, false) && !looks(&mut sparing, 10, 119, false));
        assert!(looks(&mut sparing, 10, 100, true) && !looks(&mut sparing, 10, 99, true));
        assert!(!looks(&mut sparing, 5, 63, false) && looks(&mut sparing, 5, 64, false));
        assert!(!looks(&mut sparing, 0, 1000, false));
        assert!(looks(&mut sparing, 8192, 1 << 20, false) && !looks(&mut sparing, 8193, 1 << 20, false));
        // 40 + 32·1000 + 8·500 + 16·60 = 37 000 and to look at twice 2 000 is just three times as much as 13 000 walls take.
        for (looked, all, stays) in [(4000, 13_000, true), (4002, 13_000, false), (4000, 12_999, false)] {
            for [walls, listed] in [[all, 0], [13, all]] {
                let mut sparing = Sparing { all: listed, ..Sparing::default() };
                // Told of so many walls; `listed` are the intervals of all, if somebody has listed them.
                assert!(looks(&mut sparing, 1, 64, false));
                sparing.walls = walls;
                sparing.took(10, Some([1000, looked]), [500, 60]);
                assert_eq!(looks(&mut sparing, 1, 64, true), stays, "{looked} {walls} {listed}");
                // And is tried again.
                (0..512).for_each(|_| sparing.step());
                assert!(looks(&mut sparing, 1, 64, true));
            }
        }
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
        // Left since 64 + 8 + 80·32 is more than 3·80; in cells that are restless it is tried again at once, and 16·80 are too few, too.
        assert!(looks(&mut sparing, 2, 80, false));
        sparing.took(2, Some([80, 128]), [0, 0]);
        assert!(!looks(&mut sparing, 2, 80, false));
        (0..7).for_each(|_| sparing.step());
        sparing.registered(true);
        assert!(looks(&mut sparing, 2, 80, false));
        // As much as 16·80 is not too much: 8 + 32·39 + 8·3.
        sparing.took(2, Some([39, 0]), [3, 0]);
        assert!(looks(&mut sparing, 2, 80, true));
        sparing.took(2, Some([39, 2]), [3, 0]);
        assert!(!looks(&mut sparing, 2, 80, true));
    }
}
