//! A drawing as SVG 1.1.
//!
//! Comes in: a drawing. Goes out: text, one group a style, coordinates with two decimals, all lines, dots and corners of
//! a group in one path: about 40 bytes a circle, 20 a segment. A group of very many marks has one decimal, and its discs
//! are in the path too, which viewers draw much faster than elements.

use super::legend::TEXT_SIZE;
use super::thin::MANY;
use super::{Colour, Drawing, Group, Mark};
use std::fmt;
use std::io::{self, Write};

/// Writes a document that stands by itself.
pub(crate) fn write_svg(drawing: &Drawing, out: &mut impl Write) -> io::Result<()> {
    let (width, height) = (Decimal(drawing.width), Decimal(drawing.height));
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    )?;
    writeln!(out, "<title>{}</title>", Escaped(&drawing.title))?;
    writeln!(out, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    for group in drawing.groups.iter().filter(|group| !group.marks.is_empty()) {
        write_group(group, out)?;
    }
    writeln!(out, "</svg>")
}

fn write_group(group: &Group, out: &mut impl Write) -> io::Result<()> {
    write!(out, "<g")?;
    match group.style.fill {
        Some((colour, opacity)) if opacity < 1.0 => {
            write!(out, r#" fill="{}" fill-opacity="{}""#, Hex(colour), Decimal(opacity))?;
        }
        Some((colour, _)) => write!(out, r#" fill="{}""#, Hex(colour))?,
        None => write!(out, r#" fill="none""#)?,
    }
    if let Some((colour, width)) = group.style.stroke {
        let colour = Hex(colour);
        write!(out, r#" stroke="{colour}" stroke-width="{}" stroke-linecap="round""#, Decimal(width))?;
    }
    writeln!(out, ">")?;
    let coarse = group.marks.len() > MANY;
    for mark in &group.marks {
        match mark {
            Mark::Disc { x, y, radius } if !coarse => {
                let (x, y, radius) = (Decimal(*x), Decimal(*y), Decimal(*radius));
                writeln!(out, r#"<circle cx="{x}" cy="{y}" r="{radius}"/>"#)?;
            }
            Mark::Text { x, y, text } => {
                let (x, y, text) = (Decimal(*x), Decimal(*y), Escaped(text));
                writeln!(
                    out,
                    r#"<text x="{x}" y="{y}" font-family="monospace" font-size="{TEXT_SIZE}">{text}</text>"#
                )?;
            }
            _ => {}
        }
    }
    if coarse {
        write_coarse_path(group, out)?
    } else {
        write_path(group, out)?
    }
    writeln!(out, "</g>")
}

/// Everything that is neither a disc nor text, if there is any, in one path.
fn write_path(group: &Group, out: &mut impl Write) -> io::Result<()> {
    let mut open = false;
    for mark in &group.marks {
        if matches!(mark, Mark::Disc { .. } | Mark::Text { .. }) {
            continue;
        }
        write!(out, "{}", if open { "\n" } else { "<path d=\"" })?;
        open = true;
        match *mark {
            Mark::Line { x0, y0, x1, y1 } => {
                write!(out, "M{} {}L{} {}", Decimal(x0), Decimal(y0), Decimal(x1), Decimal(y1))?;
            }
            // A line of no length with round ends.
            Mark::Dot { x, y } => write!(out, "M{} {}h0", Decimal(x), Decimal(y))?,
            Mark::Diamond { x, y, half } => {
                let (left, y, d) = (Decimal(x - half), Decimal(y), Decimal(half));
                write!(out, "M{left} {y}l{d} {d} {d} -{d} -{d} -{d}z")?;
            }
            Mark::Square { x, y, half } => {
                let (left, top, d) = (Decimal(x - half), Decimal(y - half), Decimal(2.0 * half));
                write!(out, "M{left} {top}h{d}v{d}h-{d}z")?;
            }
            Mark::Disc { .. } | Mark::Text { .. } => {}
        }
    }
    if open { writeln!(out, "\"/>") } else { Ok(()) }
}

/// Everything but text in one path, in tenths of a pixel, every point told from the one before.
fn write_coarse_path(group: &Group, out: &mut impl Write) -> io::Result<()> {
    write!(out, "<path d=\"")?;
    // Whole numbers, so that nothing adds up along the path.
    let tenths = |value: f64| (value * 10.0).round() as i64;
    let told = |tenths: i64| Decimal(tenths as f64 / 10.0);
    let mut pen = (0, 0);
    for mark in &group.marks {
        let (x, y) = match *mark {
            Mark::Line { x0, y0, .. } => (x0, y0),
            Mark::Dot { x, y } => (x, y),
            Mark::Disc { x, y, radius } => (x + radius, y),
            Mark::Diamond { x, y, half } => (x - half, y),
            Mark::Square { x, y, half } => (x - half, y - half),
            Mark::Text { .. } => continue,
        };
        let (x, y) = (tenths(x), tenths(y));
        write!(out, "m{} {}", told(x - pen.0), told(y - pen.1))?;
        pen = (x, y);
        match *mark {
            Mark::Line { x1, y1, .. } => {
                pen = (tenths(x1), tenths(y1));
                match (pen.0 - x, pen.1 - y) {
                    (dx, 0) => write!(out, "h{}", told(dx))?,
                    (dx, dy) => write!(out, "l{} {}", told(dx), told(dy))?,
                }
            }
            Mark::Dot { .. } => write!(out, "h0")?,
            // From the rightmost point upwards round to a tenth below it: an arc cannot be a whole circle.
            Mark::Disc { radius, .. } => {
                let r = told(tenths(radius));
                write!(out, "a{r} {r} 0 1 0 0 .1z")?;
            }
            Mark::Diamond { half, .. } => {
                let d = told(tenths(half));
                write!(out, "l{d} {d} {d} -{d} -{d} -{d}z")?;
            }
            Mark::Square { half, .. } => {
                let d = told(2 * tenths(half));
                write!(out, "h{d}v{d}h-{d}z")?;
            }
            Mark::Text { .. } => {}
        }
        writeln!(out)?;
    }
    writeln!(out, "\"/>")
}

/// Two decimals, without zeros at the end.
struct Decimal(f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Pixels are far below 2^63 / 100; a conversion that saturates never writes NaN or inf in any case.
        let hundredths = (self.0 * 100.0).round() as i64;
        let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
        match (size / 100, size % 100) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) if part % 10 == 0 => write!(f, "{sign}{whole}.{}", part / 10),
            (whole, part) => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

struct Hex(Colour);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Text that means itself; characters that XML does not allow are left out.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Style, draw, palette};
    use super::*;
    use crate::readers::{CircleColumns, SegmentColumns};
    use crate::snapshot::Snapshot;

    fn text(drawing: &Drawing) -> String {
        let mut out = Vec::new();
        write_svg(drawing, &mut out).expect("memory takes all");
        String::from_utf8(out).expect("SVG is text")
    }

    #[test]
    fn decimals_are_short() {
        let texts = [0.0, -0.001, 1.0, 1.5, -1.25, 0.049, 1231.999].map(|v| Decimal(v).to_string());
        assert_eq!(texts, ["0", "0", "1", "1.5", "-1.25", "0.05", "1232"]);
        assert_eq!(Decimal(f64::NAN).to_string(), "0");
    }

    #[test]
    fn marks_of_a_group_share_a_path() {
        let marks = vec![
            Mark::Line { x0: 1.0, y0: 2.0, x1: 3.0, y1: 4.5 },
            Mark::Disc { x: 5.0, y: 6.0, radius: 7.0 },
            Mark::Dot { x: 8.0, y: 9.0 },
            Mark::Diamond { x: 10.0, y: 10.0, half: 2.0 },
            Mark::Square { x: 10.0, y: 10.0, half: 2.0 },
        ];
        let style = Style { fill: Some((palette::ORANGE, 0.5)), stroke: Some((palette::BLACK, 0.25)) };
        let drawing = Drawing {
            width: 20.0,
            height: 10.0,
            title: "a<b&c\u{7}".to_string(),
            groups: vec![Group { style, marks }],
        };
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\" viewBox=\"0 0 20 10\">\n\
            <title>a&lt;b&amp;c</title>\n\
            <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
            <g fill=\"#e69f00\" fill-opacity=\"0.5\" stroke=\"#000000\" stroke-width=\"0.25\" stroke-linecap=\"round\">\n\
            <circle cx=\"5\" cy=\"6\" r=\"7\"/>\n\
            <path d=\"M1 2L3 4.5\nM8 9h0\nM8 10l2 2 2 -2 -2 -2z\nM8 8h4v4h-4z\"/>\n\
            </g>\n\
            </svg>\n";
        assert_eq!(text(&drawing), expected);
    }

    #[test]
    fn very_many_marks_are_one_path() {
        let disc = |k: usize| Mark::Disc { x: 10.04 + k as f64, y: 20.0, radius: 1.26 };
        let group = |count: usize| Group {
            style: Style { fill: Some((palette::ORANGE, 1.0)), stroke: None },
            marks: (0..count).map(disc).chain([Mark::Line { x0: 1.0, y0: 2.55, x1: 3.0, y1: 2.55 }]).collect(),
        };
        let of =
            |count: usize| text(&Drawing { width: 9.0, height: 9.0, title: String::new(), groups: vec![group(count)] });
        let few = of(MANY - 1);
        assert_eq!(few.matches("<circle ").count(), MANY - 1);
        assert!(few.contains("<circle cx=\"10.04\" cy=\"20\" r=\"1.26\"/>"));
        assert!(few.contains("d=\"M1 2.55L3 2.55\"/>"));
        let many = of(MANY);
        // The rightmost point 10.04 + 1.26 = 11.30, and one further right each time.
        assert!(many.contains("d=\"m11.3 20a1.3 1.3 0 1 0 0 .1z\nm1 0a1.3 "));
        // The last disc's point is 11.3 + 49 999 = 50 010.3; 2.55 is a tie of tenths, 25.5 rounds up to 26.
        assert!(many.contains(".1z\nm-50009.3 -17.4h2\n\"/>") && !many.contains("<circle "));
    }

    #[test]
    fn coarse_points_follow_one_another() {
        let marks = vec![
            Mark::Line { x0: 1.0, y0: 2.0, x1: 3.04, y1: 4.5 },
            Mark::Text { x: 0.0, y: 0.0, text: "t".to_string() },
            Mark::Diamond { x: 10.0, y: 10.0, half: 2.0 },
            Mark::Dot { x: 8.0, y: 9.0 },
            Mark::Square { x: 10.0, y: 10.0, half: 0.5 },
        ];
        let mut out = Vec::new();
        write_coarse_path(&Group { marks, ..Group::new(None, None) }, &mut out).expect("memory takes all");
        // The line ends at (3, 4.5); the diamond begins at (8, 10) and closes there; so do dot and square, at (8, 9) and
        // (9.5, 9.5).
        let expected = "<path d=\"m1 2l2 2.5\nm5 5.5l2 2 2 -2 -2 -2z\nm0 -1h0\nm1.5 0.5h1v1h-1z\n\"/>\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn any_world_has_a_picture_of_finite_numbers() {
        for (x, radius) in [(0.0, 0.0), (1e30, 0.0), (f32::MAX, f32::MAX), (1e-45, 1e-45)] {
            let circles =
                CircleColumns { x: vec![x, -x], y: vec![x, 0.0], radius: vec![radius; 2], ..CircleColumns::default() };
            let segments =
                SegmentColumns { x0: vec![x], y0: vec![-x], x1: vec![0.0], y1: vec![x], ..SegmentColumns::default() };
            let snapshot = Snapshot { circles, segments, ..Snapshot::default() };
            let text = text(&draw(&snapshot, "t"));
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            // What a conversion that saturates would have left.
            assert!(!text.contains("92233720368547758"), "{text}");
        }
        assert!(text(&draw(&Snapshot::default(), "t")).contains(">t</text>"));
    }
}
