//! The least and the largest of a column, one number at a time.

use crate::kernels::Spread;

/// Of a column; with sizes and a limit, of those whose size is not above it.
pub(crate) fn spread(column: &[f32], sizes: Option<(&[f32], f32)>) -> Spread {
    let mut spread = Spread::NONE;
    for (row, &v) in column.iter().enumerate() {
        let is_fine = sizes.is_none_or(|(sizes, limit)| sizes[row] <= limit);
        spread.is_finite &= is_fine && v.is_finite();
        if is_fine {
            spread.least = if v < spread.least { v } else { spread.least };
            spread.largest = if v > spread.largest { v } else { spread.largest };
        }
    }
    Spread { least: spread.least + 0.0, largest: spread.largest + 0.0, ..spread }
}
