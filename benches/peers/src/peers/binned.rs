//! A grid of boxes, for mixed sizes: every circle is listed in each cell that its box meets, cells are a few mean radii wide, and a pair
//! is reported from the one cell that holds the greater of both lower corners. Segments are listed once, in the cells they cross; a
//! stamp per segment keeps a circle from meeting it twice. Between segments the same grid from nothing.

use crate::input::Input;
use crate::peer::{Found, Meeting, Peer, boxes_meet, ends, segment_box, segment_segment};
use crate::rows::{Lists, crossed};
use crate::shared::plain_grid::{circle_circle, circle_segment};
use crate::shared::{Counts, Scene};

/// Width of a cell in mean radii, found by trying on mixed-100k.
const MEAN_RADII: f64 = 5.0;
/// Bound on the size of the table, which has to end somewhere.
const CELLS_PER_BODY: f64 = 4.0;

/// Where a circle is listed: its box in cells, and what the test needs.
#[derive(Clone, Copy, Default)]
struct Entry {
    shape: [f32; 3],
    row: u32,
    low: [u16; 2],
}

struct Grid {
    origin: [f32; 2],
    inverse: f32,
    columns: usize,
    rows: usize,
}

impl Grid {
    /// Over this box, cells at least so wide.
    fn over(span: [f32; 4], cell: f64, bodies: usize) -> Grid {
        let (width, height) = (f64::from(span[2] - span[0]), f64::from(span[3] - span[1]));
        let most = (CELLS_PER_BODY * bodies as f64).max(16.0);
        let cell = cell.max((width * height / most).sqrt()).max(width.max(height) / 60_000.0);
        let count = |length: f64| (length / cell) as usize + 1;
        let (columns, rows) = (count(width), count(height));
        Grid { origin: [span[0], span[1]], inverse: (1.0 / cell) as f32, columns, rows }
    }

    #[inline(always)]
    fn cell(&self, x: f32, y: f32) -> [u16; 2] {
        // A negative number becomes 0: what is outside belongs to the cells of the border.
        let column = (((x - self.origin[0]) * self.inverse) as u32).min(self.columns as u32 - 1);
        let row = (((y - self.origin[1]) * self.inverse) as u32).min(self.rows as u32 - 1);
        [column as u16, row as u16]
    }

    #[inline(always)]
    fn key(&self, column: u16, row: u16) -> usize {
        usize::from(row) * self.columns + usize::from(column)
    }

    /// Every cell that a segment crosses.
    fn crossed(&self, ends: [f32; 4], mut visit: impl FnMut(u32)) {
        let [x, y] = self.origin;
        let local = [ends[0] - x, ends[1] - y, ends[2] - x, ends[3] - y];
        let cut = |value: i64, count: usize| value.clamp(0, count as i64 - 1) as u16;
        let mut last = None;
        crossed(local, 0.0, 1.0 / f64::from(self.inverse), |row, from, to| {
            let row = cut(row, self.rows);
            for column in cut(from, self.columns)..=cut(to, self.columns) {
                // Rows beyond the border fall together; a cell listed twice costs a look.
                let key = self.key(column, row) as u32;
                if last != Some(key) {
                    visit(key);
                    last = Some(key);
                }
            }
        });
    }
}

pub(crate) struct Binned {
    grid: Grid,
    start: Vec<u32>,
    ranges: Vec<[u16; 4]>,
    entries: Vec<Entry>,
    walls: Lists<u32>,
    stamp: Vec<u32>,
    found: Found,
}

impl Binned {
    pub(crate) fn new(input: &Input) -> Binned {
        let scene = &input.frames[0];
        let n = input.circles();
        let mean = scene.radius.iter().map(|&r| f64::from(r)).sum::<f64>() / n as f64;
        let span = (0..n).fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |span, row| {
            let (x, y) = (scene.x[row], scene.y[row]);
            [span[0].min(x), span[1].min(y), span[2].max(x), span[3].max(y)]
        });
        let grid = Grid::over(span, MEAN_RADII * mean, n);
        let mut listed = vec![];
        for k in 0..input.segments() {
            grid.crossed(ends(scene, k), |key| listed.push((key, k as u32)));
        }
        Binned {
            walls: Lists::new(grid.columns * grid.rows, &listed),
            grid,
            start: vec![],
            ranges: vec![],
            entries: vec![],
            stamp: vec![u32::MAX; input.segments()],
            found: Found::default(),
        }
    }

    fn bin(&mut self, frame: &Scene) {
        self.start.clear();
        self.start.resize(self.grid.columns * self.grid.rows + 2, 0);
        self.ranges.clear();
        for row in 0..frame.x.len() {
            let (x, y, r) = (frame.x[row], frame.y[row], frame.radius[row]);
            let ([c0, r0], [c1, r1]) = (self.grid.cell(x - r, y - r), self.grid.cell(x + r, y + r));
            self.ranges.push([c0, r0, c1, r1]);
            for cells in r0..=r1 {
                for column in c0..=c1 {
                    self.start[self.grid.key(column, cells) + 2] += 1;
                }
            }
        }
        for k in 1..self.start.len() {
            self.start[k] += self.start[k - 1];
        }
        self.entries.resize(self.start[self.start.len() - 1] as usize, Entry::default());
        for (row, &[c0, r0, c1, r1]) in self.ranges.iter().enumerate() {
            let shape = [frame.x[row], frame.y[row], frame.radius[row]];
            let entry = Entry { shape, row: row as u32, low: [c0, r0] };
            for cells in r0..=r1 {
                for column in c0..=c1 {
                    let place = &mut self.start[self.grid.key(column, cells) + 1];
                    self.entries[*place as usize] = entry;
                    *place += 1;
                }
            }
        }
    }

    fn circles(&mut self) {
        for row in 0..self.grid.rows {
            for column in 0..self.grid.columns {
                let k = self.grid.key(column as u16, row as u16);
                let here = &self.entries[self.start[k] as usize..self.start[k + 1] as usize];
                for (i, p) in here.iter().enumerate() {
                    for q in &here[i + 1..] {
                        let low = [p.low[0].max(q.low[0]), p.low[1].max(q.low[1])];
                        if low == [column as u16, row as u16] {
                            circle_circle(p.shape, q.shape, p.row, q.row, &mut self.found.circles);
                        }
                    }
                }
            }
        }
    }

    fn segments(&mut self, frame: &Scene) {
        self.stamp.fill(u32::MAX);
        for (row, &[c0, r0, c1, r1]) in self.ranges.iter().enumerate() {
            let shape = [frame.x[row], frame.y[row], frame.radius[row]];
            for cells in r0..=r1 {
                for column in c0..=c1 {
                    for &wall in self.walls.of(self.grid.key(column, cells)) {
                        let stamp = &mut self.stamp[wall as usize];
                        if *stamp != row as u32 {
                            *stamp = row as u32;
                            let [x0, y0, x1, y1] = ends(frame, wall as usize);
                            circle_segment(shape, [x0, y0], [x1, y1], row as u32, wall, &mut self.found.segments);
                        }
                    }
                }
            }
        }
    }
}

impl Peer for Binned {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        self.bin(frame);
        self.circles();
        self.segments(frame);
    }

    fn found(&self) -> Counts {
        self.found.counts()
    }
}

/// All pairs of segments: listed in the cells they cross, nothing kept.
#[derive(Default)]
pub(crate) struct SegmentPairs {
    listed: Vec<(u32, u32)>,
    stamp: Vec<u32>,
    found: Vec<Meeting>,
}

impl Peer for SegmentPairs {
    fn run(&mut self, frame: &Scene) {
        self.found.clear();
        self.listed.clear();
        let n = frame.x0.len();
        let boxes: Vec<[f32; 4]> = (0..n).map(|k| segment_box(frame, k)).collect();
        let span =
            boxes.iter().copied().reduce(|p, q| [p[0].min(q[0]), p[1].min(q[1]), p[2].max(q[2]), p[3].max(q[3])]);
        let Some(span) = span else { return };
        let mean = boxes.iter().map(|b| f64::from(b[2] - b[0] + b[3] - b[1])).sum::<f64>() / n as f64;
        let grid = Grid::over(span, mean, n);
        for k in 0..n {
            grid.crossed(ends(frame, k), |key| self.listed.push((key, k as u32)));
        }
        let cells = Lists::new(grid.columns * grid.rows, &self.listed);
        self.stamp.clear();
        self.stamp.resize(n, u32::MAX);
        // Listed in the order of the segments: those of one lie in a row.
        for &(key, i) in &self.listed {
            for &j in cells.of(key as usize).iter().rev().take_while(|&&j| j > i) {
                if self.stamp[j as usize] != i {
                    self.stamp[j as usize] = i;
                    if boxes_meet(boxes[i as usize], boxes[j as usize]) {
                        segment_segment(frame, i as usize, j as usize, &mut self.found);
                    }
                }
            }
        }
    }

    fn found(&self) -> Counts {
        [0, 0, self.found.len()]
    }
}
