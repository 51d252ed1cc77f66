//! Boxes by the cells of a plain grid: so that a loop over all walls need not look at those far away.
//!
//! Comes in: boxes. Goes out: those that meet another one, each once. Comparisons of boxes decide, cells only sort out.

/// Low corner, high corner.
pub type Box2 = [[f32; 2]; 2];

/// See the head of the module.
pub struct Table {
    boxes: Vec<Box2>,
    low: [f64; 2],
    scale: [f64; 2],
    side: usize,
    cells: Vec<Vec<u32>>,
    /// In too many cells.
    wide: Vec<u32>,
}

/// A box of more cells than this is looked at by everybody.
const MANY: usize = 64;

/// The box around some points.
pub fn box_around(points: &[[f32; 2]]) -> Box2 {
    let mut around = [points[0]; 2];
    for point in points {
        for (axis, &v) in point.iter().enumerate() {
            around[0][axis] = around[0][axis].min(v);
            around[1][axis] = around[1][axis].max(v);
        }
    }
    around
}

impl Table {
    pub fn new(boxes: Vec<Box2>) -> Table {
        let corners: Vec<[f32; 2]> = boxes.iter().flatten().copied().collect();
        let around = if corners.is_empty() { [[0.0; 2]; 2] } else { box_around(&corners) };
        let side = ((boxes.len() as f64).sqrt() as usize).clamp(1, 1000);
        let [low, high] = around.map(|p| p.map(f64::from));
        let scale = std::array::from_fn(|k| if high[k] > low[k] { side as f64 / (high[k] - low[k]) } else { 0.0 });
        let mut table = Table { cells: vec![vec![]; side * side], wide: vec![], boxes: vec![], low, scale, side };
        for (k, &each) in boxes.iter().enumerate() {
            let [from, to] = table.span(each);
            if (to[0] - from[0] + 1) * (to[1] - from[1] + 1) > MANY {
                table.wide.push(k as u32);
                continue;
            }
            for y in from[1]..=to[1] {
                for x in from[0]..=to[0] {
                    table.cells[y * side + x].push(k as u32);
                }
            }
        }
        table.boxes = boxes;
        table
    }

    /// Monotone in each coordinate, so boxes that meet share a cell.
    fn cell(&self, p: [f32; 2]) -> [usize; 2] {
        let at = |k: usize| ((f64::from(p[k]) - self.low[k]) * self.scale[k]).clamp(0.0, (self.side - 1) as f64);
        [at(0) as usize, at(1) as usize]
    }

    fn span(&self, each: Box2) -> [[usize; 2]; 2] {
        each.map(|p| self.cell(p))
    }

    /// Those whose boxes meet this one, each once.
    pub fn near(&self, query: Box2, mut each: impl FnMut(usize)) {
        let meets = |k: usize| {
            let other = self.boxes[k];
            (0..2).all(|axis| query[0][axis] <= other[1][axis] && other[0][axis] <= query[1][axis])
        };
        let [from, to] = self.span(query);
        if (to[0] - from[0] + 1) * (to[1] - from[1] + 1) > self.boxes.len() {
            (0..self.boxes.len()).filter(|&k| meets(k)).for_each(each);
            return;
        }
        self.wide.iter().map(|&k| k as usize).filter(|&k| meets(k)).for_each(&mut each);
        for y in from[1]..=to[1] {
            for x in from[0]..=to[0] {
                for k in self.cells[y * self.side + x].iter().map(|&k| k as usize) {
                    // In the first cell that both are in.
                    let first = self.cell(self.boxes[k][0]);
                    let is_first = x == first[0].max(from[0]) && y == first[1].max(from[1]);
                    if is_first && meets(k) {
                        each(k);
                    }
                }
            }
        }
    }
}
