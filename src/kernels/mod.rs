//! The kernel contract.
pub(crate) mod pairs;
pub(crate) mod scalar;
pub(crate) mod segment_segment;
pub(crate) mod wide;

pub(crate) use pairs::{LANES, PACK, Pairs};

/// Which text of the kernels runs. Both give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Eight lanes at a time.
    #[default]
    Wide,
    /// One pair at a time: the reference.
    Scalar,
}
