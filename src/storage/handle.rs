//! Stable names of bodies whose rows move.
//!
//! Comes in: an index and a generation. Goes out: both in eight bytes, in an order of their own. This room does not know who is there.

use bytemuck::{Pod, Zeroable};

/// What the two handle types have in common, for code that serves both.
pub(crate) trait Handle: Copy {
    /// Puts a handle together.
    fn from_parts(slot: u32, generation: u32) -> Self;
    /// The index.
    fn slot(self) -> u32;
    /// The generation.
    fn generation(self) -> u32;
    /// Ordered as handles are: by index, then generation, which the bits of a handle are not.
    #[inline]
    fn order(self) -> u64 {
        u64::from(self.slot()) << 32 | u64::from(self.generation())
    }
}

/// Defines one handle type: index and generation, eight bytes.
macro_rules! handle {
    ($name:ident, $what:literal) => {
        #[doc = concat!("The stable name of one ", $what, ": an index and a generation. Never names another body, even after")]
        #[doc = "its index has been used again. Ordered by index, then generation. A handle does not know its world: in"]
        #[doc = "another world it is stale, or names what has the same index and generation there."]
        #[repr(C)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name {
            index: u32,
            generation: u32,
        }

        impl $name {
            pub(crate) const fn new(index: u32, generation: u32) -> $name {
                $name { index, generation }
            }

            /// The index: bodies added to a fresh world are numbered 0, 1, 2, …; those of removed bodies are used again.
            #[must_use]
            pub const fn index(self) -> u32 {
                self.index
            }

            /// How often the index had been used before.
            #[must_use]
            pub const fn generation(self) -> u32 {
                self.generation
            }

            /// All of it in one number: the generation above, the index below.
            #[must_use]
            pub const fn to_bits(self) -> u64 {
                (self.generation as u64) << 32 | self.index as u64
            }

            /// The inverse of [`Self::to_bits`].
            #[must_use]
            pub const fn from_bits(bits: u64) -> $name {
                $name { index: bits as u32, generation: (bits >> 32) as u32 }
            }
        }

        impl Handle for $name {
            fn from_parts(slot: u32, generation: u32) -> $name {
                $name::new(slot, generation)
            }

            fn slot(self) -> u32 {
                self.index
            }

            fn generation(self) -> u32 {
                self.generation
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({}v{})"), self.index, self.generation)
            }
        }
    };
}

handle!(CircleHandle, "circle");
handle!(SegmentHandle, "segment");
