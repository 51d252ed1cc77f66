//! A drawing as PNG, anti-aliased.
//!
//! Comes in: a drawing. Goes out: an image of as many pixels as the drawing is wide and high. Letters are strokes of
//! our own, so that no font is needed.

use super::legend::{ADVANCE, TEXT_SIZE};
use super::{Colour, Drawing, Mark, Style, letters};
use std::io::{self, Write};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Draws and encodes it.
pub(crate) fn write_png(drawing: &Drawing, out: &mut impl Write) -> io::Result<()> {
    let (width, height) = (drawing.width.ceil() as u32, drawing.height.ceil() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| io::Error::other("a picture of no size"))?;
    pixels.fill(Color::WHITE);
    for group in &drawing.groups {
        for mark in &group.marks {
            draw_mark(&mut pixels, mark, &group.style);
        }
    }
    out.write_all(&pixels.encode_png().map_err(io::Error::other)?)
}

fn draw_mark(pixels: &mut Pixmap, mark: &Mark, style: &Style) {
    match mark {
        Mark::Line { x0, y0, x1, y1 } => {
            let mut path = PathBuilder::new();
            path.move_to(*x0 as f32, *y0 as f32);
            path.line_to(*x1 as f32, *y1 as f32);
            stroke(pixels, path.finish(), style.stroke);
        }
        Mark::Dot { x, y } => {
            if let Some((colour, width)) = style.stroke {
                fill(pixels, circle(*x, *y, width / 2.0), Some((colour, 1.0)));
            }
        }
        Mark::Disc { x, y, radius } => {
            fill(pixels, circle(*x, *y, *radius), style.fill);
            stroke(pixels, circle(*x, *y, *radius), style.stroke);
        }
        Mark::Diamond { x, y, half } => {
            let (x, y, half) = (*x as f32, *y as f32, *half as f32);
            let mut path = PathBuilder::new();
            path.move_to(x - half, y);
            path.line_to(x, y + half);
            path.line_to(x + half, y);
            path.line_to(x, y - half);
            path.close();
            let path = path.finish();
            fill(pixels, path.clone(), style.fill);
            stroke(pixels, path, style.stroke);
        }
        Mark::Square { x, y, half } => {
            let side = 2.0 * *half as f32;
            let rect = Rect::from_xywh((*x - half) as f32, (*y - half) as f32, side, side);
            let path = rect.map(PathBuilder::from_rect);
            fill(pixels, path.clone(), style.fill);
            stroke(pixels, path, style.stroke);
        }
        Mark::Text { x, y, text } => write_text(pixels, *x, *y, text, style.fill),
    }
}

fn write_text(pixels: &mut Pixmap, x: f64, y: f64, text: &str, ink: Option<(Colour, f64)>) {
    // Letters are 8 units high, 6 of them above the line they stand on.
    let unit = TEXT_SIZE / 10.0;
    let mut path = PathBuilder::new();
    for (place, letter) in text.chars().enumerate() {
        let left = x + place as f64 * ADVANCE * TEXT_SIZE;
        for line in letters::strokes(letter) {
            for (k, [across, up]) in line.enumerate() {
                let (px, py) = (left + across * unit, y - up * unit);
                if k == 0 {
                    path.move_to(px as f32, py as f32);
                } else {
                    path.line_to(px as f32, py as f32);
                }
            }
        }
    }
    stroke(pixels, path.finish(), ink.map(|(colour, _)| (colour, 1.25)));
}

fn circle(x: f64, y: f64, radius: f64) -> Option<Path> {
    PathBuilder::from_circle(x as f32, y as f32, radius as f32)
}

fn paint([red, green, blue]: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    paint
}

/// A path of nothing draws nothing.
fn fill(pixels: &mut Pixmap, path: Option<Path>, inside: Option<(Colour, f64)>) {
    if let (Some(path), Some((colour, opacity))) = (path, inside) {
        pixels.fill_path(&path, &paint(colour, opacity), FillRule::Winding, Transform::identity(), None);
    }
}

fn stroke(pixels: &mut Pixmap, path: Option<Path>, outline: Option<(Colour, f64)>) {
    if let (Some(path), Some((colour, width))) = (path, outline) {
        let stroke =
            Stroke { width: width as f32, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        pixels.stroke_path(&path, &paint(colour, 1.0), &stroke, Transform::identity(), None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Group, draw, palette};
    use super::*;
    use crate::snapshot::Snapshot;

    fn decode(drawing: &Drawing) -> Pixmap {
        let mut out = Vec::new();
        write_png(drawing, &mut out).expect("memory takes all");
        Pixmap::decode_png(&out).expect("a PNG")
    }

    #[test]
    fn marks_are_where_they_should_be() {
        let mut discs = Group::new(Some((palette::ORANGE, 1.0)), None);
        discs.marks.push(Mark::Disc { x: 5.0, y: 5.0, radius: 3.0 });
        let mut dots = Group::new(None, Some((palette::BLUE, 4.0)));
        dots.marks.push(Mark::Dot { x: 15.0, y: 5.0 });
        let pixels = decode(&Drawing { width: 20.0, height: 10.0, title: String::new(), groups: vec![discs, dots] });
        let colour = |x, y| pixels.pixel(x, y).map(|p| [p.red(), p.green(), p.blue()]);
        assert_eq!((pixels.width(), pixels.height()), (20, 10));
        assert_eq!(colour(5, 5), Some(palette::ORANGE));
        assert_eq!(colour(15, 5), Some(palette::BLUE));
        assert_eq!(colour(10, 5), Some([255; 3]));
        assert_eq!(colour(5, 9), Some([255; 3]));
    }

    #[test]
    fn an_empty_world_has_a_picture() {
        let drawing = draw(&Snapshot::default(), "nothing");
        let pixels = decode(&drawing);
        assert_eq!((f64::from(pixels.width()), f64::from(pixels.height())), (drawing.width, drawing.height));
        assert!(pixels.pixels().iter().any(|p| p.red() < 128), "the title is there");
    }
}
