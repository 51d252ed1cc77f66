//! Fewer marks where a picture has more of them than can be told apart.
//!
//! Comes in: marks of one style. Goes out: marks that look the same. In groups of more than [`MANY`] marks dots, and lines
//! shorter than a pixel, move to the middle of their pixel and those side by side become one line; of other marks about the
//! same pixel the largest stays, so that there are as many as pixels at most. Of lines that are longer in all than a picture
//! has room for, [`LONGEST`], whatever the number of marks, each is drawn where none before it has been: as many pieces as
//! there are pixels at most, and no longer in all than what covers them. It is walked, pixel by pixel, all the same.

use super::Mark;
use super::view::between;

/// More marks of one style than this are drawn coarsely.
pub(super) const MANY: usize = 50_000;

/// Lines of one style that are longer in all, in pixels, are drawn once a pixel: more than a picture has pixels.
const LONGEST: f64 = 2e6;

/// `width` and `height` are those of the picture, in pixels.
pub(super) fn thin(marks: Vec<Mark>, width: f64, height: f64) -> Vec<Mark> {
    let marks = if marks.len() > MANY { one_a_pixel(marks, width, height) } else { marks };
    if marks.iter().map(length).sum::<f64>() > LONGEST { new_pieces(marks, width, height) } else { marks }
}

/// Of a line; 0 of anything else.
fn length(mark: &Mark) -> f64 {
    let Mark::Line { x0, y0, x1, y1 } = *mark else { return 0.0 };
    let (dx, dy) = (x1 - x0, y1 - y0);
    (dx * dx + dy * dy).sqrt()
}

/// Lines where none before has been; everything else as it is.
fn new_pieces(marks: Vec<Mark>, width: f64, height: f64) -> Vec<Mark> {
    let raster = Raster::new(width, height);
    let mut covered = vec![false; raster.best.len()];
    let mut pieces = vec![];
    for mark in marks {
        let Mark::Line { x0, y0, x1, y1 } = mark else {
            pieces.push(mark);
            continue;
        };
        let (dx, dy) = (x1 - x0, y1 - y0);
        let longer = if dx.abs() > dy.abs() { dx.abs() } else { dy.abs() };
        // A line is within the picture, but for its ends; one that is not has as many steps as the raster has cells.
        let steps = between(longer.ceil(), 1.0, covered.len() as f64) as usize;
        let step_part = 1.0 / steps as f64;
        let at = |step: usize| (x0 + dx * step as f64 * step_part, y0 + dy * step as f64 * step_part);
        let mut first = None;
        for step in 0..=steps {
            let (x, y) = at(step);
            let is_new = !std::mem::replace(&mut covered[raster.cell(x, y)], true);
            let end = if is_new { step } else { step.saturating_sub(1) };
            first = if is_new { first.or(Some(step)) } else { first };
            if let Some(start) = first.filter(|_| !is_new || step == steps) {
                let ((x0, y0), (x1, y1)) = (at(start), at(end));
                pieces.push(if start == end { Mark::Dot { x: x0, y: y0 } } else { Mark::Line { x0, y0, x1, y1 } });
                first = None;
            }
        }
    }
    pieces
}

/// Of what is about a pixel, one mark.
fn one_a_pixel(marks: Vec<Mark>, width: f64, height: f64) -> Vec<Mark> {
    let mut raster = Raster::new(width, height);
    for (number, mark) in marks.iter().enumerate() {
        if let Some((x, y, size)) = spot(mark) {
            raster.offer(x, y, number, size);
        }
    }
    let is_dot = |number: u32| spot(&marks[number as usize]).is_some_and(|(_, _, size)| size == 0.0);
    let mut dots = raster.lines(is_dot);
    let stays = |number: usize, mark: &Mark| match spot(mark) {
        Some((x, y, size)) => size > 0.0 && raster.best[raster.cell(x, y)].0 == number as u32,
        None => true,
    };
    // Dots first: they are what is smallest.
    dots.extend(marks.into_iter().enumerate().filter(|(number, mark)| stays(*number, mark)).map(|(_, mark)| mark));
    dots
}

/// Where a mark about one point is, and how far it reaches; 0 for a dot. None for lines and text.
fn spot(mark: &Mark) -> Option<(f64, f64, f64)> {
    match *mark {
        Mark::Dot { x, y } => Some((x, y, 0.0)),
        Mark::Disc { x, y, radius: size } | Mark::Diamond { x, y, half: size } | Mark::Square { x, y, half: size } => {
            Some((x, y, size))
        }
        Mark::Line { x0, y0, x1, y1 } => {
            let (dx, dy) = (x1 - x0, y1 - y0);
            (dx * dx + dy * dy < 1.0).then_some(((x0 + x1) / 2.0, (y0 + y1) / 2.0, 0.0))
        }
        Mark::Text { .. } => None,
    }
}

/// For each pixel the largest mark about it, the first among equals.
struct Raster {
    columns: usize,
    /// The mark's number and size; [`NOTHING`] where there is none.
    best: Vec<(u32, f64)>,
}

const NOTHING: u32 = u32::MAX;

impl Raster {
    fn new(width: f64, height: f64) -> Raster {
        let (columns, rows) = (width.ceil() as usize + 1, height.ceil() as usize + 1);
        Raster { columns, best: vec![(NOTHING, 0.0); columns * rows] }
    }

    /// The pixel whose middle is nearest; conversions saturate, so that what is outside counts for the margin.
    fn cell(&self, x: f64, y: f64) -> usize {
        let within = |value: f64, count: usize| {
            let place = (value + 0.5) as usize;
            if place < count { place } else { count - 1 }
        };
        within(y, self.best.len() / self.columns) * self.columns + within(x, self.columns)
    }

    fn offer(&mut self, x: f64, y: f64, number: usize, size: f64) {
        let cell = self.cell(x, y);
        let (best, best_size) = &mut self.best[cell];
        if *best == NOTHING || size > *best_size {
            (*best, *best_size) = (number as u32, size);
        }
    }

    /// Pixels of dots, those side by side as one line from middle to middle.
    fn lines(&self, is_dot: impl Fn(u32) -> bool) -> Vec<Mark> {
        let mut lines = vec![];
        for (row, cells) in self.best.chunks(self.columns).enumerate() {
            let dot = |column: usize| cells[column].0 != NOTHING && is_dot(cells[column].0);
            let y = row as f64;
            let mut column = 0;
            while column < cells.len() {
                let start = column;
                while column < cells.len() && dot(column) {
                    column += 1;
                }
                match column - start {
                    0 => column += 1,
                    1 => lines.push(Mark::Dot { x: start as f64, y }),
                    _ => lines.push(Mark::Line { x0: start as f64, y0: y, x1: (column - 1) as f64, y1: y }),
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kind and numbers of a mark.
    fn told(mark: &Mark) -> (char, [f64; 4]) {
        match *mark {
            Mark::Dot { x, y } => ('.', [x, y, 0.0, 0.0]),
            Mark::Line { x0, y0, x1, y1 } => ('-', [x0, y0, x1, y1]),
            Mark::Disc { x, y, radius } => ('o', [x, y, radius, 0.0]),
            Mark::Diamond { x, y, half } => ('d', [x, y, half, 0.0]),
            Mark::Square { x, y, half } => ('s', [x, y, half, 0.0]),
            Mark::Text { x, y, .. } => ('t', [x, y, 0.0, 0.0]),
        }
    }

    #[test]
    fn few_marks_stay_as_they_are() {
        let marks: Vec<_> = (0..MANY).map(|_| Mark::Dot { x: 1.5, y: 2.5 }).collect();
        let thinned = thin(marks, 10.0, 10.0);
        assert_eq!(thinned.len(), MANY);
        assert!(thinned.iter().all(|mark| told(mark) == ('.', [1.5, 2.5, 0.0, 0.0])));
    }

    #[test]
    fn dots_side_by_side_become_lines() {
        // Fill the pixel (0, 0), then: pixels 3, 4, 5 of row 2 with 3.4 and 2.7 rounding to 3, a line shorter than a
        // pixel about (8.1, 2.2), a line that is not, and one pixel of the row below.
        let mut marks: Vec<_> = (0..MANY).map(|_| Mark::Dot { x: 0.2, y: 0.3 }).collect();
        marks.extend([3.4, 2.7, 4.1, 4.9].map(|x| Mark::Dot { x, y: 1.8 }));
        marks.push(Mark::Line { x0: 7.8, y0: 2.2, x1: 8.4, y1: 2.2 });
        marks.push(Mark::Line { x0: 0.5, y0: 0.5, x1: 1.5, y1: 0.5 });
        marks.push(Mark::Dot { x: 6.0, y: 3.0 });
        let expected = [
            ('.', [0.0, 0.0, 0.0, 0.0]),
            ('-', [3.0, 2.0, 5.0, 2.0]),
            ('.', [8.0, 2.0, 0.0, 0.0]),
            ('.', [6.0, 3.0, 0.0, 0.0]),
            ('-', [0.5, 0.5, 1.5, 0.5]),
        ];
        assert_eq!(thin(marks, 10.0, 10.0).iter().map(told).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn long_lines_are_drawn_where_none_has_been() {
        // 1 024 pixels each: 1 954 of them are above two million. The next shares 225 pixels with them and has 799 of its own; the last crosses
        // it, from a pixel above to a pixel below.
        let line = |x0, y0, x1, y1| Mark::Line { x0, y0, x1, y1 };
        let mut marks: Vec<_> = (0..1_954).map(|_| line(50.0, 10.0, 1_074.0, 10.25)).collect();
        marks.push(line(850.0, 10.0, 1_874.0, 10.0));
        marks.push(line(100.0, 9.0, 100.0, 11.0));
        marks.push(Mark::Dot { x: 100.0, y: 10.0 });
        let expected = [
            ('-', [50.0, 10.0, 1_074.0, 10.25]),
            ('-', [1_075.0, 10.0, 1_874.0, 10.0]),
            ('.', [100.0, 9.0, 0.0, 0.0]),
            ('.', [100.0, 11.0, 0.0, 0.0]),
            ('.', [100.0, 10.0, 0.0, 0.0]),
        ];
        assert_eq!(thin(marks, 2_000.0, 20.0).iter().map(told).collect::<Vec<_>>(), expected);
        // 1 953 are below: 1 999 872, and a rise of a quarter adds less than 1e-4 to each.
        let marks = (0..1_953).map(|_| line(50.0, 10.0, 1_074.0, 10.25)).collect();
        assert_eq!(thin(marks, 2_000.0, 20.0).len(), 1_953);
    }

    /// Forty thousand lines from every place of one side to every place of the other.
    #[test]
    fn pieces_of_lines_are_no_more_than_pixels() {
        let marks =
            (0..40_000).map(|k| Mark::Line { x0: f64::from(k % 200), y0: 0.0, x1: f64::from(k / 200), y1: 199.0 });
        let pieces = thin(marks.collect(), 200.0, 200.0);
        // Each begins in a pixel of its own, of 201 x 201, and goes on by steps of a diagonal at most, each to one of its own.
        assert!(pieces.len() <= 40_401, "{}", pieces.len());
        assert!(pieces.iter().map(length).sum::<f64>() <= 40_401.0 * 2f64.sqrt());
    }

    #[test]
    fn of_marks_about_a_pixel_the_largest_stays() {
        let mut marks: Vec<_> = (0..MANY).map(|_| Mark::Disc { x: 5.0, y: 5.0, radius: 0.75 }).collect();
        marks.push(Mark::Disc { x: 5.25, y: 4.75, radius: 2.0 });
        marks.push(Mark::Dot { x: 5.0, y: 5.0 });
        marks.push(Mark::Square { x: 6.0, y: 5.0, half: 1.0 });
        marks.push(Mark::Text { x: 5.0, y: 5.0, text: "t".to_string() });
        // Outside, and nowhere: the nearest pixel of the margin.
        marks.push(Mark::Diamond { x: 1e300, y: -1e300, half: 1.0 });
        marks.push(Mark::Diamond { x: f64::NAN, y: f64::NAN, half: 1.0 });
        let thinned = thin(marks, 10.0, 10.0);
        let kinds: String = thinned.iter().map(|mark| told(mark).0).collect();
        assert_eq!((kinds.as_str(), told(&thinned[0])), ("ostdd", ('o', [5.25, 4.75, 2.0, 0.0])));
    }
}
