//! Shapes as columns: views of the caller's arrays, one row a shape.

/// Circles as columns of equal length.
#[derive(Clone, Copy, Debug, Default)]
pub struct Circles<'a> {
    /// First coordinates of the centres.
    pub x: &'a [f32],
    /// Second coordinates of the centres.
    pub y: &'a [f32],
    /// Radii, zero or more.
    pub radius: &'a [f32],
}

impl<'a> Circles<'a> {
    /// The same; the compiler then knows that the lengths are equal.
    #[inline(always)]
    pub(crate) fn even(self) -> Circles<'a> {
        let n = self.x.len();
        Circles { x: self.x, y: &self.y[..n], radius: &self.radius[..n] }
    }
}

/// Segments as columns of equal length.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segments<'a> {
    /// First coordinates of the first ends.
    pub x0: &'a [f32],
    /// Second coordinates of the first ends.
    pub y0: &'a [f32],
    /// First coordinates of the second ends.
    pub x1: &'a [f32],
    /// Second coordinates of the second ends.
    pub y1: &'a [f32],
}

/// Segments with their radii.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Capsules<'a> {
    pub(crate) x0: &'a [f32],
    pub(crate) y0: &'a [f32],
    pub(crate) x1: &'a [f32],
    pub(crate) y1: &'a [f32],
    pub(crate) radius: &'a [f32],
}

impl<'a> Capsules<'a> {
    /// The same, as long as that of the radii is; the compiler then knows that the lengths are equal.
    #[inline(always)]
    pub(crate) fn even(self) -> Capsules<'a> {
        let n = self.radius.len();
        let Capsules { x0, y0, x1, y1, radius } = self;
        Capsules { x0: &x0[..n], y0: &y0[..n], x1: &x1[..n], y1: &y1[..n], radius }
    }

    /// What covers all of them, of radii no more than `most`, one axis each; from infinity to its negative where there are none.
    pub(crate) fn cover(&self, most: [f64; 2]) -> [[f64; 2]; 2] {
        let mut cover = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for (row, &radius) in self.radius.iter().enumerate() {
            for [x, y] in self.ends(row) {
                for ((cover, x), most) in cover.iter_mut().zip([x, y].map(f64::from)).zip(most) {
                    let radius = if f64::from(radius) < most { f64::from(radius) } else { most };
                    let (low, high) = (x - radius, x + radius);
                    cover[0] = if low < cover[0] { low } else { cover[0] };
                    cover[1] = if high > cover[1] { high } else { cover[1] };
                }
            }
        }
        cover
    }

    /// How far one goes on both axes together.
    pub(crate) fn along_axes(&self, row: usize) -> f64 {
        let [start, end] = self.ends(row).map(|end| end.map(f64::from));
        (end[0] - start[0]).abs() + (end[1] - start[1]).abs()
    }

    /// Both ends of a row.
    pub(crate) fn ends(&self, row: usize) -> [[f32; 2]; 2] {
        [[self.x0[row], self.y0[row]], [self.x1[row], self.y1[row]]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_covers_all_capsules() {
        let (x0, y0, x1, y1) = ([1.0, -2.0], [5.0, 4.0], [3.0, 0.0], [0.5, 9.0]);
        let capsules = Capsules { x0: &x0, y0: &y0, x1: &x1, y1: &y1, radius: &[0.25, 0.5] };
        // From -2 - 1/2 to 3 + 1/4; from 1/2 - 1/4 to 9 + 1/2.
        assert_eq!(capsules.cover([f64::INFINITY; 2]), [[-2.5, 3.25], [0.25, 9.5]]);
        assert_eq!(Capsules::default().cover([1.0; 2]), [[f64::INFINITY, f64::NEG_INFINITY]; 2]);
    }
}
