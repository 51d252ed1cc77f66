//! One number for all bodies.
//!
//! Comes in: columns by slot. Goes out: 64 bits that change with any bit of a column, and a sum of energies. Neither
//! depends on rows, threads, backend or machine, because bodies are taken in the order of their handles' indices.

use super::World;
use crate::storage::{Handle, Label, Labels, Slots};

/// Words in, one word out: each is mixed in by xor, multiply (an odd constant, the golden ratio in 64 bits) and a shift
/// that brings the high bits down again. The step is a bijection of the state for every word, so a single change is
/// never lost; two changes cancel by chance only. Not made to withstand an adversary.
struct Mixer(u64);

impl Mixer {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn floats(&mut self, a: f32, b: f32) {
        self.word(u64::from(a.to_bits()) << 32 | u64::from(b.to_bits()));
    }

    /// The bodies that have any, and an end: nothing of one kind is taken for something of the other.
    fn labels<H: Handle>(&mut self, labels: &Labels, slots: &Slots, handles: &[H]) {
        for row in (0..slots.len()).filter_map(|slot| slots.row_of_slot(slot, handles)) {
            let label = labels.of(row);
            if label != Label::default() {
                let Label { filter, sensor, user_data, restitution, enabled, bullet } = label;
                self.word(handles[row].order());
                self.word(u64::from(filter.category) << 32 | u64::from(filter.mask));
                self.word(u64::from(bullet) << 2 | u64::from(!enabled) << 1 | u64::from(sensor));
                self.word(user_data);
                if let Some(own) = restitution {
                    self.word(1 << 32 | u64::from(own.to_bits()));
                }
            }
        }
        self.word(u64::MAX);
    }

    /// One more round, so that the last words reach all bits.
    fn finish(mut self) -> u64 {
        self.word(0);
        self.word(0);
        self.0
    }
}

impl World {
    /// A hash over the bits of every column and every handle, in the order of the handles' indices: equal for equal
    /// states, whatever the threads, the backend, the machine and the rows. Filters, sensors, bullets, user data, restitutions of their own and who is disabled count; contacts,
    /// events and the configuration do not. -0 and 0 differ. It tells worlds apart; equal ones need not go on equally, since no hash tells of rows (see [`World::detect`](World::detect)), of what
    /// pairs at rest bear, nor of whom a hook let pass: what a world goes on with is all in the bytes of [`World::save`](World::save).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut mixer = Mixer(0);
        let c = &self.circles;
        mixer.word(c.len() as u64);
        for slot in 0..self.circle_slots.len() {
            if let Some(row) = self.circle_slots.row_of_slot(slot, &c.handle) {
                mixer.word(c.handle[row].to_bits());
                mixer.floats(c.x[row], c.y[row]);
                mixer.floats(c.velocity_x[row], c.velocity_y[row]);
                mixer.floats(c.radius[row], c.inverse_mass[row]);
            }
        }
        let s = &self.segments;
        mixer.word(s.len() as u64);
        for slot in 0..self.segment_slots.len() {
            if let Some(row) = self.segment_slots.row_of_slot(slot, &s.handle) {
                mixer.word(s.handle[row].to_bits());
                mixer.floats(s.x0[row], s.y0[row]);
                mixer.floats(s.x1[row], s.y1[row]);
                mixer.floats(s.velocity_x0[row], s.velocity_y0[row]);
                mixer.floats(s.velocity_x1[row], s.velocity_y1[row]);
                mixer.floats(s.radius[row], f32::from(u8::from(s.moving[row]) + 2 * u8::from(s.one_sided[row])));
            }
        }
        // A world without labels has the hash of its columns alone.
        if c.labels.are_set() || s.labels.are_set() {
            mixer.labels(&c.labels, &self.circle_slots, &c.handle);
            mixer.labels(&s.labels, &self.segment_slots, &s.handle);
        }
        mixer.finish()
    }

    /// Sum of m v² / 2 over the enabled circles that can be pushed (inverse mass above 0), added in f64 in the order of the
    /// handles' indices. Infinite only where a mass is so small or a speed so large that f64 cannot hold it.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let c = &self.circles;
        let mut sum = 0.0;
        for slot in 0..self.circle_slots.len() {
            if let Some(row) = self.circle_slots.row_of_slot(slot, &c.handle)
                && c.inverse_mass[row] > 0.0
                && c.labels.is_enabled(row)
            {
                let (vx, vy) = (f64::from(c.velocity_x[row]), f64::from(c.velocity_y[row]));
                sum += 0.5 * (vx * vx + vy * vy) / f64::from(c.inverse_mass[row]);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(words: &[u64]) -> u64 {
        let mut mixer = Mixer(0);
        words.iter().for_each(|&word| mixer.word(word));
        mixer.finish()
    }

    #[test]
    fn one_bit_changes_about_half_of_the_hash() {
        let base = hash(&[1, 2, 3]);
        for bit in 0..64 {
            for at in 0..3 {
                let mut words = [1, 2, 3];
                words[at] ^= 1 << bit;
                let changed = (hash(&words) ^ base).count_ones();
                assert!((8..=56).contains(&changed), "word {at}, bit {bit}: {changed} of 64");
            }
        }
    }

    #[test]
    fn order_and_length_count() {
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
        assert_ne!(hash(&[1]), hash(&[1, 0]));
    }
}
