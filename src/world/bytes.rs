//! Numbers and columns as bytes, little-endian, and back.
//!
//! Comes in: values, or bytes that anybody may have written. Goes out: the other. This room does not know what the values mean.
//! A column is one value where all are the same, else all of them in a row. A reader hands out no more than there is, so that
//! no count in wrong bytes ever reserves memory that the bytes do not pay for.

use crate::error::Error;
use bytemuck::NoUninit;

/// What columns are made of.
pub(super) trait Word: NoUninit {
    /// Bytes of one.
    const SIZE: usize;
    /// Appends one.
    fn put(self, out: &mut Vec<u8>);
    /// Reads one from [`Self::SIZE`] bytes.
    fn get(bytes: &[u8]) -> Self;
    /// The same bits.
    fn same(self, other: Self) -> bool;
}

macro_rules! word {
    ($type:ty, $a:ident, $b:ident, $same:expr) => {
        impl Word for $type {
            const SIZE: usize = size_of::<$type>();

            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline(always)]
            fn get(bytes: &[u8]) -> $type {
                <$type>::from_le_bytes(bytes.try_into().expect("as many as asked for"))
            }

            #[inline(always)]
            fn same(self, other: $type) -> bool {
                let ($a, $b) = (self, other);
                $same
            }
        }
    };
}

word!(u8, a, b, a == b);
word!(u32, a, b, a == b);
word!(u64, a, b, a == b);
// -0 and 0 differ.
word!(f32, a, b, a.to_bits() == b.to_bits());

/// Two handles.
impl Word for [u64; 2] {
    const SIZE: usize = 16;

    fn put(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|word| word.put(out));
    }

    fn get(bytes: &[u8]) -> [u64; 2] {
        [u64::get(&bytes[..8]), u64::get(&bytes[8..])]
    }

    fn same(self, other: Self) -> bool {
        self == other
    }
}

/// A pair.
impl Word for [u32; 2] {
    const SIZE: usize = 8;

    fn put(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|word| word.put(out));
    }

    #[inline(always)]
    fn get(bytes: &[u8]) -> [u32; 2] {
        [u32::get(&bytes[..4]), u32::get(&bytes[4..])]
    }

    fn same(self, other: [u32; 2]) -> bool {
        self == other
    }
}

/// How a column is written: one value for all rows, or one for each.
const SAME: u8 = 0;
const EACH: u8 = 1;

/// Appends to a buffer.
pub(super) struct Writer<'a> {
    pub(super) out: &'a mut Vec<u8>,
}

impl Writer<'_> {
    pub(super) fn value<T: Word>(&mut self, value: T) {
        value.put(self.out);
    }

    /// Values without a word on how many there are: the reader knows.
    pub(super) fn values<T: Word>(&mut self, values: &[T]) {
        if cfg!(target_endian = "little") {
            self.out.extend_from_slice(bytemuck::cast_slice(values));
        } else {
            values.iter().for_each(|&value| value.put(self.out));
        }
    }

    /// The same of words that are made on the way.
    pub(super) fn words(&mut self, words: impl ExactSizeIterator<Item = u32>) {
        let at = self.out.len();
        self.out.resize(at + 4 * words.len(), 0);
        for (place, word) in self.out[at..].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    /// A column of as many rows as the reader knows of.
    pub(super) fn column<T: Word>(&mut self, column: &[T]) {
        let Some(&first) = column.first() else { return };
        if column.iter().all(|&value| value.same(first)) {
            self.value(SAME);
            self.value(first);
        } else {
            self.value(EACH);
            self.values(column);
        }
    }

    /// The same, of so many rows; a column that is not there has the usual value in all of them.
    pub(super) fn column_or<T: Word>(&mut self, column: &[T], rows: usize, usual: T) {
        if column.is_empty() && rows > 0 {
            self.value(SAME);
            self.value(usual);
        } else {
            self.column(column);
        }
    }

    /// How many, then the values.
    pub(super) fn list<T: Word>(&mut self, values: &[T]) {
        self.value(values.len() as u64);
        self.values(values);
    }
}

/// Takes from the front of bytes.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// What was read last is not what was expected.
    pub(super) fn wrong<T>(&self, expected: &'static str) -> Result<T, Error> {
        Err(Error::Snapshot { at: self.at, expected })
    }

    /// If it does not hold, what was read last is wrong.
    pub(super) fn ensure(&self, holds: bool, expected: &'static str) -> Result<(), Error> {
        if holds { Ok(()) } else { self.wrong(expected) }
    }

    /// The next bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        match self.bytes[self.at..].get(..count) {
            Some(bytes) => {
                self.at += count;
                Ok(bytes)
            }
            None => self.wrong("more bytes"),
        }
    }

    pub(super) fn value<T: Word>(&mut self) -> Result<T, Error> {
        self.take(T::SIZE).map(T::get)
    }

    /// A yes or no.
    pub(super) fn flag(&mut self) -> Result<bool, Error> {
        let value: u8 = self.value()?;
        self.ensure(value < 2, "0 or 1")?;
        Ok(value == 1)
    }

    /// Values, for as many rows as were written.
    pub(super) fn values<T: Word>(&mut self, count: usize, to: &mut Vec<T>) -> Result<(), Error> {
        to.clear();
        let Some(length) = count.checked_mul(T::SIZE) else { return self.wrong("more bytes") };
        to.extend(self.take(length)?.chunks_exact(T::SIZE).map(T::get));
        Ok(())
    }

    /// A column of so many rows; true if it is one value for all. Rows have to be paid for by other bytes: see [`Self::values`].
    pub(super) fn column<T: Word>(&mut self, rows: usize, to: &mut Vec<T>) -> Result<bool, Error> {
        if rows == 0 {
            to.clear();
            return Ok(true);
        }
        match self.value()? {
            SAME => {
                let value = self.value()?;
                to.clear();
                to.resize(rows, value);
                Ok(true)
            }
            EACH => self.values(rows, to).map(|()| false),
            _ => self.wrong("0 or 1"),
        }
    }

    /// The next column, of so many rows, is this one value: then it has been read. Else nothing has.
    pub(super) fn is_all<T: Word>(&mut self, rows: usize, value: T) -> Result<bool, Error> {
        let ahead = &mut self.clone();
        let is = rows == 0 || (ahead.value::<u8>()? == SAME && ahead.value::<T>()?.same(value));
        if is {
            self.at = ahead.at;
        }
        Ok(is)
    }

    /// A list that says its length.
    pub(super) fn list<T: Word>(&mut self, to: &mut Vec<T>) -> Result<(), Error> {
        let count = self.count()?;
        self.values(count, to)
    }

    /// The length of such a list.
    pub(super) fn count(&mut self) -> Result<usize, Error> {
        // More than can be addressed is more than there is, too.
        self.value::<u64>().map(|count| usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Nothing is left.
    pub(super) fn end(&self) -> Result<(), Error> {
        self.ensure(self.at == self.bytes.len(), "the end")
    }
}

/// Sixty-four bits that change with any bit of the bytes: eight words at a time, so that eight chains of multiplications are on
/// their way at once, each a bijection of its state for every word. Tells damage from soundness, not friend from foe.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |state: u64, word: u64| {
        let mixed = (state ^ word).wrapping_mul(ODD);
        mixed ^ mixed >> 29
    };
    let mut lanes = [0u64; 8];
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let sum = lanes.into_iter().fold(bytes.len() as u64, mix);
    mix(rest.iter().fold(sum, |sum, &byte| mix(sum, u64::from(byte))), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back_bit_for_bit() {
        let columns = [vec![], vec![1.5f32], vec![0.0, -0.0], vec![7.0; 9], vec![1.0, f32::NAN, f32::INFINITY]];
        let mut out = Vec::new();
        let mut writer = Writer { out: &mut out };
        columns.iter().for_each(|column| writer.column(column));
        // Nothing; one value; two; one for nine; three; a byte before each of the last four.
        assert_eq!(writer.out.len(), 4 * (1 + 2 + 1 + 3) + 4);
        let mut reader = Reader::new(&out);
        let mut to = vec![9.0f32; 4];
        for column in &columns {
            reader.column(column.len(), &mut to).unwrap();
            let bits = |v: &[f32]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&to), bits(column));
        }
        reader.end().unwrap();
    }

    #[test]
    fn a_count_without_bytes_reserves_nothing() {
        let mut out = Vec::new();
        Writer { out: &mut out }.value(u64::from(u32::MAX));
        let mut to: Vec<u64> = Vec::new();
        let error = Error::Snapshot { at: 8, expected: "more bytes" };
        assert_eq!(Reader::new(&out).list(&mut to), Err(error));
        assert_eq!(to.capacity(), 0);
        assert!(Reader::new(&out).values::<u64>(usize::MAX, &mut to).is_err());
    }

    #[test]
    fn every_bit_and_the_length_change_the_checksum() {
        let bytes: Vec<u8> = (0..200u8).collect();
        let sum = checksum(&bytes);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&changed), sum, "bit {bit}");
        }
        assert_ne!(checksum(&bytes[..199]), sum);
        assert_ne!(checksum(&[0; 64]), checksum(&[0; 128]));
    }
}
