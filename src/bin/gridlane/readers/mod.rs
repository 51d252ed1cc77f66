//! Files in, columns out; where a file is wrong, the place and what was expected there.
//!
//! Comes in: a path. Goes out: columns of f32, or a [`Fault`] with line and column. Does not know the library, nor what
//! the columns are for. Numbers of a CSV file go from their decimal digits to f32 in one rounding; those of GeoJSON go
//! through f64, which differs where a decimal is next to a tie (see [`geojson`]).

mod csv;
mod geojson;

use crate::Failure;
use std::fmt;
use std::path::Path;

/// Circles as a file gives them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CircleColumns {
    /// Centres.
    pub(crate) x: Vec<f32>,
    /// Centres.
    pub(crate) y: Vec<f32>,
    /// Radii, zero or more.
    pub(crate) radius: Vec<f32>,
    /// Velocities; empty where there are none.
    pub(crate) velocity_x: Vec<f32>,
    /// Velocities; empty where there are none.
    pub(crate) velocity_y: Vec<f32>,
    /// Above zero, infinite for what nothing moves; empty where there are none.
    pub(crate) mass: Vec<f32>,
}

/// Segments as a file gives them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SegmentColumns {
    /// First ends.
    pub(crate) x0: Vec<f32>,
    /// First ends.
    pub(crate) y0: Vec<f32>,
    /// Second ends.
    pub(crate) x1: Vec<f32>,
    /// Second ends.
    pub(crate) y1: Vec<f32>,
    /// Velocities of both ends, x0 y0 x1 y1; all empty where there are none.
    pub(crate) velocity: [Vec<f32>; 4],
}

/// Rays as a file gives them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RayColumns {
    /// Where they start.
    pub(crate) x: Vec<f32>,
    /// Where they start.
    pub(crate) y: Vec<f32>,
    /// Of any length.
    pub(crate) direction_x: Vec<f32>,
    /// Of any length.
    pub(crate) direction_y: Vec<f32>,
    /// In lengths of the direction, zero or more; empty where there are none.
    pub(crate) max: Vec<f32>,
}

/// Rays from a CSV file: `x,y,dx,dy[,max]` by name, in any order.
pub(crate) fn rays(path: &Path) -> Result<RayColumns, Failure> {
    let (file, bytes) = read(path)?;
    Ok(rays_in(file, bytes)?)
}

/// Rays from what a file holds.
pub(crate) fn rays_in(file: String, bytes: Vec<u8>) -> Result<RayColumns, Fault> {
    csv::rays(&Source::decode(file, bytes)?)
}

/// Circles from a CSV file: `x,y,radius[,vx,vy][,mass]` by name, in any order.
pub(crate) fn circles(path: &Path) -> Result<CircleColumns, Failure> {
    let (file, bytes) = read(path)?;
    Ok(circles_in(file, bytes)?)
}

/// Circles from what a file holds.
pub(crate) fn circles_in(file: String, bytes: Vec<u8>) -> Result<CircleColumns, Fault> {
    csv::circles(&Source::decode(file, bytes)?)
}

/// Segments from a GeoJSON file (`.geojson`, `.json`) or a CSV file (`x0,y0,x1,y1[,vx0,vy0,vx1,vy1]`), and what was
/// passed over, in words, if anything was.
pub(crate) fn segments(path: &Path) -> Result<(SegmentColumns, Option<String>), Failure> {
    let (file, bytes) = read(path)?;
    let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("geojson") || e.eq_ignore_ascii_case("json"));
    let (segments, points) = segments_in(file.clone(), bytes, is_json)?;
    let note = (points > 0).then(|| {
        let what = if points == 1 { "point geometry" } else { "point geometries" };
        format!("{file}: {points} {what} passed over")
    });
    Ok((segments, note))
}

/// Segments from what a file holds, and how many point geometries were passed over.
pub(crate) fn segments_in(file: String, bytes: Vec<u8>, is_json: bool) -> Result<(SegmentColumns, usize), Fault> {
    let source = Source::decode(file, bytes)?;
    if is_json { geojson::segments(&source) } else { Ok((csv::segments(&source)?, 0)) }
}

/// A file's name and bytes.
fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Failure::Machine(format!("cannot read {file}: {error}")))?;
    Ok((file, bytes))
}

/// What is wrong with a file, and where. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    file: String,
    line: usize,
    column: usize,
    expected: String,
    found: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { file, line, column, expected, found } = self;
        write!(f, "{file}:{line}:{column}: expected {expected}, found {found}")
    }
}

/// A file's name and text.
struct Source {
    file: String,
    text: String,
}

impl Source {
    /// UTF-8, with or without a byte order mark.
    fn decode(file: String, mut bytes: Vec<u8>) -> Result<Source, Fault> {
        // No part of the text, and of no column.
        if bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..'\u{feff}'.len_utf8());
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source { file, text }),
            Err(error) => {
                let end = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let found = format!("the byte 0x{:02x}", bytes[end]);
                let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
                Err(Source { file, text }.fault(end, "UTF-8 text", found))
            }
        }
    }

    /// A fault at a byte offset of the text; one inside a character counts as its start.
    fn fault(&self, offset: usize, expected: impl Into<String>, found: impl Into<String>) -> Fault {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        // A line ends with LF, CR LF, or CR alone.
        let ends_line =
            |&k: &usize| before[k] == b'\n' || before[k] == b'\r' && self.text.as_bytes().get(k + 1) != Some(&b'\n');
        let line_start = (0..before.len()).rev().find(ends_line).map_or(0, |end| end + 1);
        // Bytes 10xxxxxx continue a character.
        let column = 1 + before[line_start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        let line = 1 + (0..before.len()).filter(ends_line).count();
        let (expected, found) = (on_one_line(&expected.into()), on_one_line(&found.into()));
        Fault { file: self.file.clone(), line, column, expected, found }
    }
}

/// Words for a message, whatever a file has put into them: without line breaks and other control characters, and not too many.
fn on_one_line(words: &str) -> String {
    const LONGEST: usize = 240;
    let (mut line, mut length) = (String::new(), 0);
    for c in words.chars() {
        if length >= LONGEST {
            return line + "...";
        }
        // As it will be read: of a control character several.
        if c.is_control() {
            line.extend(c.escape_default());
            length += c.escape_default().len();
        } else {
            line.push(c);
            length += 1;
        }
    }
    line
}

/// A piece of a file, quoted, for a message: whole when short, without line breaks in any case.
fn quoted(piece: &str) -> String {
    const LONGEST: usize = 40;
    if piece.chars().count() <= LONGEST {
        format!("{piece:?}")
    } else {
        format!("{:?}...", piece.chars().take(LONGEST).collect::<String>())
    }
}

/// What a number has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Finite,
    NotNegative,
    /// Above zero with a finite reciprocal, or the word `inf`.
    Mass,
}

impl Number {
    /// From decimal digits straight to f32; `Err` says what was expected.
    fn parse(self, token: &str) -> Result<f32, &'static str> {
        let value = token.parse::<f32>().unwrap_or(f32::NAN);
        match self {
            Number::Finite if value.is_finite() => Ok(value),
            Number::Finite => Err("a finite 32-bit number"),
            Number::NotNegative if value.is_finite() && value >= 0.0 => Ok(value),
            Number::NotNegative => Err("a finite 32-bit number, zero or more"),
            // Digits that overflow also parse as infinity; only the word means it.
            Number::Mass if value == f32::INFINITY && !token.contains(|c: char| c.is_ascii_digit()) => Ok(value),
            Number::Mass if value.is_finite() && value > 0.0 && (1.0 / value).is_finite() => Ok(value),
            Number::Mass => Err("a mass above zero whose reciprocal is finite (2.94e-39 or more), or inf"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { file: "f".to_string(), text: text.to_string() }
    }

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let text = source("ab\ncäd\n");
        let at = |offset| {
            let fault = text.fault(offset, "x", "y");
            (fault.line, fault.column)
        };
        // a b \n | c ä(2 bytes) d \n | end
        assert_eq!([at(0), at(1), at(2), at(3), at(4), at(6)], [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]);
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(1000), (3, 1), "past the end is the end");
        assert_eq!(text.fault(1, "this", "that").to_string(), "f:1:2: expected this, found that");
        // a CR b CR LF c CR | end: CR LF is one end of a line, and stands on the line that it ends.
        let text = source("a\rb\r\nc\r");
        let at = |offset| (text.fault(offset, "x", "y").line, text.fault(offset, "x", "y").column);
        assert_eq!([at(1), at(2), at(3), at(4), at(5), at(7)], [(1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1)]);
    }

    #[test]
    fn text_has_to_be_utf8_and_may_carry_a_mark() {
        let decode = |bytes: &[u8]| Source::decode("f".to_string(), bytes.to_vec());
        assert_eq!(decode(b"\xef\xbb\xbfx,y").map(|s| s.text), Ok("x,y".to_string()));
        let fault = decode(b"x,y\n1,\xff").map(|s| s.text).expect_err("0xff is never UTF-8");
        assert_eq!(fault.to_string(), "f:2:3: expected UTF-8 text, found the byte 0xff");
        let fault = decode(b"\xef\xbb\xbfx,\xff").map(|s| s.text).expect_err("0xff is never UTF-8");
        assert_eq!(fault.to_string(), "f:1:3: expected UTF-8 text, found the byte 0xff");
    }

    #[test]
    fn numbers_are_rounded_once() {
        // 1 + 2^-24 + 2^-60: just above the tie between 1 and 1 + 2^-23. Straight to f32 it rounds up; through f64 the
        // 2^-60 is lost first and the tie then goes to the even 1.
        let token = "1.000000059604644776257986737988403547205962240695953369140625";
        assert_eq!(Number::Finite.parse(token), Ok(1.0 + f32::EPSILON));
        assert_eq!(token.parse::<f64>().map(|wide| wide as f32), Ok(1.0));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for token in ["", "x", "nan", "inf", "-inf", "1e39", "1 2", "0x10"] {
            assert!(Number::Finite.parse(token).is_err(), "{token}");
        }
        assert_eq!(Number::Finite.parse("-1e-50"), Ok(0.0));
        assert!(Number::NotNegative.parse("-1").is_err());
        assert_eq!(Number::Mass.parse("inf"), Ok(f32::INFINITY));
        // 1 / 2.94e-39 = 3.4014e38 is below the largest f32, 3.4028e38; 1 / 1e-40 = 1e40 is beyond.
        assert!(Number::Mass.parse("2.94e-39").is_ok());
        for token in ["0", "-1", "nan", "-inf", "1e39", "1e-40", "2.93e-39"] {
            assert!(Number::Mass.parse(token).is_err(), "{token}");
        }
    }

    #[test]
    fn messages_are_short_and_on_one_line() {
        assert_eq!(source("").fault(0, "a", "b\n\u{7}\"c\"").to_string(), "f:1:1: expected a, found b\\n\\u{7}\"c\"");
        assert_eq!(on_one_line(&"ä".repeat(240)), "ä".repeat(240));
        assert_eq!(on_one_line(&"ä".repeat(241)), "ä".repeat(240) + "...");
        // Five characters each: 48 of them are 240.
        assert_eq!(on_one_line(&"\u{b}".repeat(48)), "\\u{b}".repeat(48));
        assert_eq!(on_one_line(&"\u{b}".repeat(49)), "\\u{b}".repeat(48) + "...");
    }

    #[test]
    fn quotations_are_short_and_on_one_line() {
        assert_eq!(quoted("a\nb"), r#""a\nb""#);
        assert_eq!(quoted(&"z".repeat(41)), format!("\"{}\"...", "z".repeat(40)));
    }
}
