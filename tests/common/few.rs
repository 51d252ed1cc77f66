//! A few circles as the kernels want them, and numbers to build cases from.

use super::oracle_cases::Random;
use gridlane::{Circle, Circles};

/// In [-1, 1), all bits in use.
pub fn unit(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / 8_388_608.0 - 1.0
}

pub fn point(random: &mut Random, scale: f32) -> [f32; 2] {
    [unit(random) * scale, unit(random) * scale]
}

/// Columns of a few circles, eight NaN behind the last.
pub struct Few([[f32; 10]; 3]);

impl Few {
    pub fn new(circles: [Circle; 2]) -> Few {
        let mut columns = [[f32::NAN; 10]; 3];
        for (k, circle) in circles.iter().enumerate() {
            columns[0][k] = circle.center.x;
            columns[1][k] = circle.center.y;
            columns[2][k] = circle.radius;
        }
        Few(columns)
    }

    pub fn circles(&self) -> Circles<'_> {
        Circles { x: &self.0[0], y: &self.0[1], radius: &self.0[2] }
    }
}
