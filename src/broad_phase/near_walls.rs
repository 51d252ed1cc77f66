//! Which of many static walls are near some of few circles, without a look at the others.
//!
//! Comes in: segments, once for as long as they stand; the grid of the circles. Goes out: the numbers of all walls whose box a circle touches,
//! and some more. The cells are those of the walls, so that they stay whatever the circles do: each names all walls that reach into it or come
//! nearer than a radius, so a circle that is no larger asks one cell, and a larger one all that its box reaches into. Segments that have been edited
//! since, and those too long for cells, are asked one by one, as long as they are few. This room does not test.
//!
//! Cost: making, some 60 ns a wall; asking, some 4 ns a circle, and up to 10 where those that follow each other are in different cells; of a large one what
//! is named in its cells.

use super::cell_map::CellMap;
use super::extent::span;
use super::grid::Grid;
use super::plan::Level;
use super::reaching::{Part, walk_part};
use super::walls::Walls;
use crate::geometry::Capsules;
use crate::kernels::LANES;

/// Walls that are asked one by one, and rows of cells that one may cross.
const MOST_APART: usize = 32;
const MOST_ROWS: u32 = 1024;
/// Circles of one cell that are asked about together.
const BUNCH: usize = 64;
/// Cells of one wall; who has more is asked one by one.
const MOST_OF_ONE: i64 = 1 << 16;
/// Walls that are asked where most of them are.
const SAMPLE: usize = 256;
/// What it takes to ask about a circle, and about a row of cells, in walls that are looked at.
const CIRCLE: f64 = 4.0;
const ROW: f64 = 4.0;
/// Entries a wall, in the mean.
const MOST: usize = 16;
/// Cells along an axis, at the most.
const MOST_CELLS: f64 = 65_536.0;

/// A box without its radius, and that radius. Of a wall that is gone, nowhere.
#[derive(Clone, Copy, Debug)]
struct Around {
    low: [f32; 2],
    high: [f32; 2],
    radius: f32,
}

impl Around {
    const NOWHERE: Around = Around { low: [f32::NAN; 2], high: [f32::NAN; 2], radius: 0.0 };

    fn of(segments: Capsules<'_>, row: u32) -> Around {
        let [a, b] = segments.ends(row as usize);
        let pick = |low: bool| [0, 1].map(|k| if (a[k] < b[k]) == low { a[k] } else { b[k] });
        Around { low: pick(true), high: pick(false), radius: segments.radius[row as usize] }
    }

    fn one(center: [f32; 2], radius: f32) -> Around {
        Around { low: center, high: center, radius }
    }

    /// Around some circles, the largest of which has this radius.
    fn all(columns: [&[f32]; 3]) -> Around {
        let [x, y, size] = columns.map(span);
        Around { low: [x[0], y[0]], high: [x[1], y[1]], radius: size[1] }
    }

    /// Differences and sums are right to 2^-53 in `f64`, far less than the allowance.
    #[inline(always)]
    fn touches(&self, other: &Around) -> bool {
        let reach = (f64::from(other.radius) + f64::from(self.radius)) * (1.0 + 1e-12);
        (0..2).all(|k| {
            let [low, high] = [self.low[k], self.high[k]].map(f64::from);
            let [from, to] = [other.low[k], other.high[k]].map(f64::from);
            (from - high <= reach) & (low - to <= reach)
        })
    }
}

/// See the head of the module.
#[derive(Debug, Default)]
pub(crate) struct NearWalls {
    map: Option<CellMap>,
    /// Who is larger asks several cells.
    radius: f32,
    /// Of cells as wide as this there would be two a wall.
    cell: f64,
    /// The numbers in [`Walls`] are those of this room.
    used: bool,
    /// For so many walls, about, and circles so large, cells would be too full.
    refused: Option<(usize, f32)>,
    /// The entries of a cell are those from its number in `starts` to the next.
    starts: Vec<u32>,
    entries: Vec<u32>,
    around: Vec<Around>,
    apart: Vec<u32>,
    /// So many walls were there when cells were made.
    built: usize,
    keys: Vec<u32>,
    /// When each wall was named last.
    named: Vec<u32>,
    now: u32,
    found: Vec<u32>,
    /// So often a wall was held against circles.
    looked: usize,
}

impl NearWalls {
    /// What is listed in [`Walls`] is listed by this room.
    pub(crate) fn is_used(&self) -> bool {
        self.used
    }

    /// It is not any more.
    pub(crate) fn leave(&mut self) {
        self.used = false;
    }

    /// It is, and its cells are about what these circles need.
    pub(crate) fn is_for(&self, grid: &Grid) -> bool {
        self.used && price(grid, self.cell, self.radius) <= 2.0 * choose_radius(grid, self.cell).1
    }

    /// It is not known that it cannot be, for so many walls and circles up to this size.
    pub(crate) fn can_be(&self, walls: usize, size: f32) -> bool {
        self.refused != Some((walls.next_power_of_two(), rounded_up(size)))
    }

    /// Makes cells for these rows, whose numbers they have from now on.
    pub(crate) fn build(&mut self, rows: &[u32], segments: Capsules<'_>, grid: &Grid) {
        let NearWalls {
            map, radius, cell, used, starts, entries, around, apart, built, named, keys, now, found, ..
        } = self;
        *used = true;
        around.clear();
        around.extend(rows.iter().map(|&row| Around::of(segments, row)));
        named.clear();
        named.resize(rows.len(), 0);
        *now = 0;
        *built = rows.len();
        apart.clear();
        entries.clear();
        starts.clear();
        let (box_of_most, natural) = choose_cells(around);
        *cell = natural;
        *radius = choose_radius(grid, natural).0;
        *map = choose_map(box_of_most, widen(natural, around, *radius), *radius);
        let Some(map) = map else { return };
        // First the cells of each entry, then the entries of each cell.
        keys.clear();
        found.clear();
        for (number, &row) in rows.iter().enumerate() {
            let at = keys.len();
            let reach = *radius + around[number].radius;
            // Who is far out is under the cells at the rim, as circles there are.
            let part = Part { ends: segments.ends(row as usize), reach };
            let mut left = MOST_OF_ONE;
            let fits = walk_part(map, part, MOST_ROWS, |row, first, last| {
                left -= i64::from(last - first) + 1;
                keys.extend((first..=last).take_while(|_| left >= 0).map(|column| map.key_of(column, row)));
            });
            if !fits || left < 0 {
                keys.truncate(at);
                apart.push(number as u32);
            }
            found.resize(keys.len(), number as u32);
            if keys.len() > MOST * rows.len() + 4096 || apart.len() > MOST_APART {
                self.map = None;
                return;
            }
        }
        starts.resize(map.cells() as usize + 1, 0);
        keys.iter().for_each(|&key| starts[key as usize] += 1);
        let mut sum = 0;
        starts.iter_mut().for_each(|start| {
            sum += *start;
            *start = sum;
        });
        entries.resize(keys.len(), 0);
        for (&key, &number) in keys.iter().zip(&*found).rev() {
            let start = &mut starts[key as usize];
            *start -= 1;
            entries[*start as usize] = number;
        }
    }

    /// Brings in what has become of the segments of these rows, ascending; `is_fixed` tells which of them stand. False if all have to be made anew.
    pub(crate) fn mend(
        &mut self,
        walls: &mut Walls,
        segments: Capsules<'_>,
        changed: &[u32],
        is_fixed: impl Fn(u32) -> bool,
    ) -> bool {
        if changed.len() + self.apart.len() > MOST_APART {
            return false;
        }
        for (around, row) in self.around.iter_mut().zip(walls.rows()) {
            if changed.binary_search(row).is_ok() {
                *around = Around::NOWHERE;
            }
        }
        for &row in changed.iter().filter(|&&row| is_fixed(row)) {
            self.apart.push(walls.push_row(row));
            self.around.push(Around::of(segments, row));
            self.named.push(0);
        }
        true
    }

    /// The intervals of all walls near circles go to `walls`, of `count` that stand, in the order in which they would stand among those of all; `all_long`:
    /// they are long, as all are. How many they are, and how often one was looked at; none, and nothing that is of use, if cells would be too full.
    pub(crate) fn list(
        &mut self,
        grid: &Grid,
        segments: Capsules<'_>,
        (walls, count): (&mut Walls, usize),
        all_long: bool,
    ) -> Option<[usize; 2]> {
        if self.map.is_none() {
            self.refused = Some((count.next_power_of_two(), rounded_up(grid.largest())));
            self.leave();
            return None;
        }
        self.find(grid);
        let in_order = self.around.len() == self.built;
        walls.list(grid, segments, (&self.found, in_order), all_long);
        Some([self.found.len(), self.looked])
    }

    /// The numbers of the walls whose box a circle touches.
    fn find(&mut self, grid: &Grid) {
        self.found.clear();
        self.looked = 0;
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.named.fill(0);
            self.now = 1;
        }
        let Some(map) = self.map else { return };
        for level in grid.levels() {
            let circles = [grid.x(), grid.y(), grid.size()].map(|column| {
                let rows = level.rows.start as usize..level.rows.end as usize;
                &column[rows]
            });
            if level.size <= self.radius { self.find_small(&map, circles) } else { self.find_large(&map, circles) }
        }
    }

    /// Of circles that ask one cell.
    fn find_small(&mut self, map: &CellMap, [x, y, size]: [&[f32]; 3]) {
        let NearWalls { starts, entries, around, apart, keys, named, now, found, looked, .. } = self;
        keys.resize(x.len(), 0);
        map.keys(x, y, keys);
        let mut at = 0;
        // Neighbours in cell order are neighbours in space, and most ask the same cell: one box around some of them is apart from most walls.
        for of_cell in keys.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(BUNCH)) {
            let [x, y, size] = [x, y, size].map(|column| &column[at..at + of_cell.len()]);
            at += of_cell.len();
            let bunch = (x.len() >= LANES).then(|| Around::all([x, y, size]));
            let key = of_cell[0] as usize;
            let named_there = &entries[starts[key] as usize..starts[key + 1] as usize];
            *looked += named_there.len() + apart.len();
            for &number in named_there.iter().chain(&*apart) {
                let wall = &around[number as usize];
                if named[number as usize] != *now && bunch.is_none_or(|bunch| wall.touches(&bunch)) {
                    let circles = x.iter().zip(y).zip(size);
                    if circles
                        .map(|((&x, &y), &radius)| Around::one([x, y], radius))
                        .any(|circle| wall.touches(&circle))
                    {
                        named[number as usize] = *now;
                        found.push(number);
                    }
                }
            }
        }
    }

    /// Of circles that ask all cells of their box. Some point of a wall that touches it is in one of them, which names the wall.
    fn find_large(&mut self, map: &CellMap, [x, y, size]: [&[f32]; 3]) {
        let NearWalls { starts, entries, around, apart, named, now, found, looked, .. } = self;
        for ((&x, &y), &radius) in x.iter().zip(y).zip(size) {
            let circle = Around::one([x, y], radius);
            let mut ask = |numbers: &[u32]| {
                *looked += numbers.len();
                for &number in numbers {
                    let named = &mut named[number as usize];
                    if *named != *now && around[number as usize].touches(&circle) {
                        *named = *now;
                        found.push(number);
                    }
                }
            };
            let cells = [(0, x), (1, y)].map(|(axis, v)| map.across(axis, f64::from(v), f64::from(radius)));
            let [Some([first, last]), Some([row0, row1])] = cells else { continue };
            for row in row0..=row1 {
                let [from, to] = [map.key_of(first, row), map.key_of(last, row) + 1].map(|key| starts[key as usize]);
                ask(&entries[from as usize..to as usize]);
            }
            ask(apart);
        }
    }

    /// Some are asked one by one.
    #[cfg(test)]
    pub(crate) fn has_apart(&self) -> bool {
        !self.apart.is_empty()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let NearWalls { starts, entries, around, apart, keys, named, found, .. } = self;
        let numbers = [starts, entries, apart, keys, named, found].map(Vec::capacity).iter().sum::<usize>();
        size_of::<NearWalls>() + 4 * numbers + size_of::<Around>() * around.capacity()
    }
}

/// To a power of two, or zero; infinite beyond them.
fn rounded_up(size: f32) -> f32 {
    let power = f32::from_bits(size.to_bits() & 0x7f80_0000);
    match size {
        0.0 => 0.0,
        _ if power == size => size,
        _ if power == 0.0 => f32::MIN_POSITIVE,
        _ => power * 2.0,
    }
}

/// How many walls are looked at, about, where circles up to this size ask one cell, of walls of which there are two of such cells each.
fn price(grid: &Grid, cell: f64, radius: f32) -> f64 {
    let (radius, cell) = (f64::from(radius), if cell > 0.0 { cell } else { f64::MIN_POSITIVE });
    let wide = if radius > cell { radius } else { cell } / cell;
    let of_level = |level: &Level| {
        let (size, count) = (f64::from(level.size), f64::from(level.rows.end - level.rows.start));
        let (across, rows) = if size <= radius {
            (wide + 2.0 * radius / cell, 1.0)
        } else {
            (2.0 * size / cell + 2.0 * wide, 2.0 * size / cell / wide + 1.0)
        };
        count * (CIRCLE + ROW * rows + across * across / 2.0)
    };
    grid.levels().iter().map(of_level).sum()
}

/// Up to which size circles are to ask one cell, and the price of that.
fn choose_radius(grid: &Grid, cell: f64) -> (f32, f64) {
    let sizes = grid.levels().iter().map(|level| rounded_up(level.size)).chain([0.0]);
    let priced = sizes.map(|radius| (radius, price(grid, cell, radius)));
    priced.fold((0.0, f64::INFINITY), |best, one| if one.1 < best.1 { one } else { best })
}

/// Where most walls are, from low to high, and how wide cells are of which there are two a wall or so.
fn choose_cells(around: &[Around]) -> ([[f32; 2]; 2], f64) {
    let Some(first) = around.first() else { return ([[0.0; 2]; 2], 0.0) };
    let (mut low, mut high) = (first.low, first.high);
    for around in around {
        for k in 0..2 {
            low[k] = if around.low[k] < low[k] { around.low[k] } else { low[k] };
            high[k] = if around.high[k] > high[k] { around.high[k] } else { high[k] };
        }
    }
    // Not so far as a few are that lie far from all others.
    for k in 0..2 {
        let [from, to] = most_lie(around, k);
        low[k] = if from > low[k] { from } else { low[k] };
        high[k] = if to < high[k] { to } else { high[k] };
    }
    let [width, height] = [0, 1].map(|k| f64::from(high[k]) - f64::from(low[k]));
    let twice = 2.0 * around.len() as f64;
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let cell = larger((width * height / twice).sqrt(), (width + height) / twice);
    ([low, high], larger(cell, (width + height) / MOST_CELLS))
}

/// As wide as this or wider by a power of two, so that walls are named by no more cells than may be, by a sample.
fn widen(mut cell: f64, around: &[Around], radius: f32) -> f64 {
    let sample = around.iter().step_by(around.len().div_ceil(SAMPLE));
    let count = sample.clone().count() as f64;
    let entries = |cell: f64| {
        let of_one = |around: &Around| {
            let [wide, tall] = [0, 1].map(|k| (f64::from(around.high[k]) - f64::from(around.low[k])) / cell);
            let about = 2.0 * (f64::from(radius) + f64::from(around.radius)) / cell + 1.0;
            about * (wide + tall + about)
        };
        sample.clone().map(of_one).sum::<f64>()
    };
    while cell > 0.0 && cell < 1e30 && entries(cell) > MOST as f64 * count {
        cell *= 2.0;
    }
    cell
}

/// Such cells, no smaller than circles that ask one, if there can be.
fn choose_map([low, high]: [[f32; 2]; 2], cell: f64, radius: f32) -> Option<CellMap> {
    let cell = [f64::from(radius), 1e-30].iter().fold(cell, |a, &b| if a > b { a } else { b }) as f32;
    // Far from what single precision cannot tell.
    let is_near = low.iter().chain(&high).all(|v| v.abs() < 1e30) && cell < 1e30;
    let [columns, rows] = [0, 1].map(|k| ((f64::from(high[k]) - f64::from(low[k])) / f64::from(cell)) as u32 + 1);
    is_near.then(|| CellMap::boxed(low, cell, columns, rows))
}

/// From where to where seven eighths of walls are along an axis, by a sample, and half as far again on each side: all, where they are strewn evenly.
fn most_lie(around: &[Around], axis: usize) -> [f32; 2] {
    let (mut sample, mut count) = ([0.0; SAMPLE], 0);
    for (to, around) in sample.iter_mut().zip(around.iter().step_by(around.len().div_ceil(SAMPLE))) {
        *to = around.low[axis];
        count += 1;
    }
    let sample = &mut sample[..count];
    sample.sort_unstable_by(f32::total_cmp);
    let [from, to] = [count / 16, count - 1 - count / 16].map(|k| f64::from(sample[k]));
    let more = (to - from) / 2.0;
    [(from - more) as f32, (to + more) as f32]
}
