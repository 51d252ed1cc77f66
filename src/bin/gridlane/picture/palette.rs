//! Colours that people with any colour vision tell apart: Okabe and Ito, "Color Universal Design", 2008.

/// Red, green, blue, each 0 to 255.
pub(super) type Colour = [u8; 3];

pub(super) const BLACK: Colour = [0, 0, 0];
/// Not quite black: segments and text.
pub(super) const INK: Colour = [51, 51, 51];
pub(super) const ORANGE: Colour = [230, 159, 0];
pub(super) const SKY: Colour = [86, 180, 233];
pub(super) const GREEN: Colour = [0, 158, 115];
pub(super) const BLUE: Colour = [0, 114, 178];
pub(super) const VERMILLION: Colour = [213, 94, 0];
pub(super) const PURPLE: Colour = [204, 121, 167];
