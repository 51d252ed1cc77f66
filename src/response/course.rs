//! Which way one flies on that meets walls which flee from it.
//!
//! Comes in: the walls that it runs into, along which normals, how fast it is. Goes out: which of them it has met in truth, the way on, and which
//! walls hold no more of it than its centre. This room does not know where anybody is.
//!
//! Walls stand while circles fly. Who follows one that flees as fast glides along it; that way is not the one of its velocity, and may lead into a
//! wall from which it flies away, where two walls leave a disc no room though in truth there is some. Such a wall is not met: from there on it
//! flies by its velocity again, and of the walls that flee only the spines are in its way, which hold its centre. Where that leads to no way
//! either there is none.

use super::flyer::{IMPACTS, LEAST};
use super::impulse::{Pair, dot};

/// So many walls are known, and so often it is led into one that it does not meet.
const MOST: usize = IMPACTS as usize;

/// The way of one circle since a wall has turned it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Its velocity, less what would lead it into walls that flee from it as fast.
    pub(super) onward: Pair,
    /// Walls that it was not turned by: those that hold its centre alone, then those it glides along.
    rows: [u32; MOST],
    past: usize,
    known: usize,
    /// It glides along one that holds its centre alone.
    slides: bool,
    led: usize,
}

impl Course {
    /// As its velocity leads.
    pub(super) fn new(velocity: Pair) -> Course {
        Course { onward: velocity, rows: [u32::MAX; MOST], past: 0, known: 0, slides: false, led: 0 }
    }

    /// Those that hold its centre alone.
    pub(super) fn past(&self) -> &[u32] {
        &self.rows[..self.past]
    }

    /// Whether a wall is met in truth, which it comes near so fast, and would if that stood: that one of them is above zero, and it is not told
    /// again that a wall flees.
    pub(super) fn meets(&self, row: u32, approach: f64, if_it_stood: f64) -> bool {
        approach > 0.0 || if_it_stood > 0.0 && !self.rows[..self.known].contains(&row)
    }

    /// A wall with this normal was met; `turned`: by it, to this velocity.
    pub(super) fn meet(&mut self, row: u32, normal: Pair, (velocity, turned): (Pair, bool)) {
        if turned {
            *self = Course::new(velocity);
        }
        if self.glide(normal) || !turned {
            self.know(row);
        }
    }

    /// It was led into a wall that it does not meet. Whether there is a way on.
    #[cold]
    pub(super) fn lead(&mut self, row: u32, normal: Pair, velocity: Pair) -> bool {
        self.led += 1;
        if self.past().contains(&row) {
            self.slides = true;
            self.glide(normal);
            return self.led < MOST;
        }
        if self.past == self.known {
            // It glides along nothing that would have led it here. If it flew straight it was rounding that did.
            if self.slides || !self.know(row) {
                return false;
            }
        }
        (self.past, self.onward, self.slides) = (self.known, velocity, false);
        self.led < MOST
    }

    /// Gives up what leads into a wall, if anything does.
    fn glide(&mut self, normal: Pair) -> bool {
        let into = dot(self.onward, normal) * (1.0 + LEAST);
        if into > 0.0 {
            self.onward = [self.onward[0] - normal[0] * into, self.onward[1] - normal[1] * into];
        }
        into > 0.0
    }

    fn know(&mut self, row: u32) -> bool {
        let has_room = self.known < MOST;
        if has_room {
            self.rows[self.known] = row;
            self.known += 1;
        }
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: Pair = [0.0, -1.0];
    /// 3-4-5, into a ceiling that falls to the left.
    const CEILING: Pair = [-0.6, 0.8];

    #[test]
    fn who_is_led_from_a_wall_that_flees_into_one_it_flies_from_flies_on_as_fast_as_it_is() {
        let velocity = [-10.0, 5.0];
        let mut course = Course::new(velocity);
        // The ceiling goes up at 100: 6 + 4 into it if it stood, 80 less in truth.
        assert!(course.meets(7, -70.0, 10.0));
        course.meet(7, CEILING, (velocity, false));
        assert!(course.onward.iter().zip([-4.0, -3.0]).all(|(on, to)| (on - to).abs() < 1e-9), "{:?}", course.onward);
        assert!(course.past().is_empty());
        // The floor stands, and is left at 5.
        assert!(!course.meets(3, -5.0, -5.0) && course.lead(3, DOWN, velocity));
        assert_eq!((course.onward, course.past()), (velocity, &[7][..]));
        // The spine of the ceiling leads to the floor again: there is no room.
        assert!(!course.meets(7, -70.0, 10.0) && course.lead(7, CEILING, velocity));
        assert!(course.onward[1] < 0.0 && !course.meets(3, -5.0, -5.0) && !course.lead(3, DOWN, velocity));
        // Turned, it knows nothing of that.
        course.meet(3, DOWN, ([0.0, 1.0], true));
        assert_eq!((course.onward, course.past().len()), ([0.0, 1.0], 0));
        assert!(course.meets(7, -70.0, 0.8));
    }

    #[test]
    fn it_ends_whatever_leads_where() {
        let mut course = Course::new([1.0, 0.0]);
        let led = (0..100).take_while(|&row| course.lead(row, DOWN, [1.0, 0.0])).count();
        assert!(led < MOST && course.past().len() == led + 1);
    }
}
