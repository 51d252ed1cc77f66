//! Choices and numbers from bytes: the same scripts from a fuzzer's input and from a seed.
//!
//! Comes in: bytes, or a seed. Goes out: choices, and numbers that are hard far more often than chance would have it: equal to or
//! within ulps of earlier ones, sums, differences and lengths of them, whole numbers, powers of two, the ends of the range.
//! Bytes that have run out are zeros, so every script ends, and a shorter input is a simpler one.

/// Where choices come from.
pub trait Choices {
    /// The next byte.
    fn byte(&mut self) -> u8;

    /// Nothing is left to choose.
    fn is_over(&self) -> bool;

    /// 0..n, for n up to 256.
    fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    /// True once in n.
    fn once_in(&mut self, n: usize) -> bool {
        // Not 0, which is what spent bytes are.
        self.below(n) == 1 % n
    }

    /// Four bytes as bits.
    fn bits(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

/// The bytes of a fuzzer.
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    pub fn new(bytes: &'a [u8]) -> Script<'a> {
        Script(bytes)
    }
}

impl Choices for Script<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

/// Bytes drawn from a seed, for ever. SplitMix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
pub struct Drawn(pub u64);

impl Choices for Drawn {
    fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 56) as u8
    }

    fn is_over(&self) -> bool {
        false
    }
}

const CORNERS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::MAX,
    -f32::MAX,
    f32::MIN_POSITIVE,
    1e-45,
    -1e-45,
    1e-22,
    1e19,
    -1e19,
    16_777_216.0,
    0.1,
    1e30,
    1e-30,
];

/// `v` moved by `k` floats, kept finite.
pub fn nudged(v: f32, k: i32) -> f32 {
    let mut v = v;
    for _ in 0..k.abs() {
        v = if k < 0 { v.next_down() } else { v.next_up() };
    }
    if v.is_finite() { v } else { f32::MAX.copysign(v) }
}

/// Numbers one after the other, each with an eye on those before.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    recent: [f32; 8],
    at: usize,
}

impl Numbers {
    /// The next number, always finite.
    pub fn finite(&mut self, c: &mut impl Choices) -> f32 {
        let [a, b] = [0, 1].map(|_| usize::from(c.byte()));
        let (kind, one, other) = (a % 16, self.recent[b % 8], self.recent[b / 8 % 8]);
        let (wide, wider) = (f64::from(one), f64::from(other));
        let value = match kind {
            0..=4 => (b as u8 as i8 % 24) as f32 * 0.5,
            5 => one,
            6 => -one,
            7 | 8 => nudged(one, (c.byte() % 9) as i32 - 4),
            9 => (wide + wider) as f32,
            10 => (wide - wider) as f32,
            11 => (wide * wide + wider * wider).sqrt() as f32,
            12 => (wide * f64::from(b as u8 % 5) * 0.25) as f32,
            13 => f32::from_bits((c.byte() as u32 % 254 + 1) << 23) * if b % 2 == 0 { 1.0 } else { -1.0 },
            14 => CORNERS[b % 16],
            _ => f32::from_bits(c.bits()),
        };
        let value = if value.is_finite() { value } else { 1.0 };
        self.recent[self.at % 8] = value;
        self.at += 1;
        value
    }

    /// The same, once in a while not finite.
    pub fn any(&mut self, c: &mut impl Choices) -> f32 {
        let value = self.finite(c);
        match c.byte() {
            253 => f32::NAN,
            254 => f32::INFINITY,
            255 => f32::NEG_INFINITY,
            _ => value,
        }
    }

    /// Small numbers on a coarse grid, or within ulps of it: what makes bodies meet.
    pub fn near(&mut self, c: &mut impl Choices) -> f32 {
        let value = (c.byte() as i8 % 32) as f32 * 0.25;
        if c.once_in(8) { nudged(value, c.below(7) as i32 - 3) } else { value }
    }
}
