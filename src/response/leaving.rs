//! What reaches out of the bounds: whether it leaves, and how it comes back.
//!
//! Comes in: places, velocities, limits, what gravity gave. Goes out: velocities. Nothing is moved here. This room does not know walls.

/// It reaches out of the bounds and moves outwards there. What reaches out but already returns does not leave.
#[inline(always)]
pub(super) fn leaves(x: f32, v: f32, r: f32, [low, high]: [f32; 2]) -> bool {
    ((x - r < low) & (v < 0.0)) | ((x + r > high) & (v > 0.0))
}

/// Turns those who leave where gravity pulls.
#[cold]
pub(super) fn turn(
    speed: &[f32],
    (x, v): (&[f32], &mut [f32]),
    (radius, inverse_mass): (&[f32], &[f32]),
    (kick, dt): (f32, f32),
    limits: [f32; 2],
) {
    let was = speed.iter().zip(radius.iter().zip(inverse_mass));
    for ((&speed, (&r, &w)), (&x, v)) in was.zip(x.iter().zip(v)) {
        let pulled = speed + kick;
        if w > 0.0 && leaves(x, pulled, r, limits) {
            *v = turned([x, pulled, r].map(f64::from), limits.map(f64::from), [kick, dt].map(f64::from)) as f32;
        }
    }
}

/// The velocity of what leaves, once it is turned. `kick`: what gravity gave it on its way here, which took `dt`. On its way back gravity takes away before
/// it moves what here it gave before: turned is the velocity that it would have had next, so that it goes back as it came, and no bounce takes energy or
/// gives any. What gravity pulls outwards comes back to the limit at least, or who has lost a little would sink for ever: from p beyond it takes √(2gp),
/// and half a kick, since the velocity is that of the middle of a step.
pub(super) fn turned([x, v, r]: [f64; 3], [low, high]: [f64; 2], [kick, dt]: [f64; 2]) -> f64 {
    let mut back = -(v + kick);
    if kick * v > 0.0 {
        let beyond = if v < 0.0 { low + r - x } else { x + r - high };
        let beyond = if beyond > 0.0 { beyond } else { 0.0 };
        let least = (2.0 * (kick.abs() / dt) * beyond).sqrt() + kick.abs() / 2.0;
        back = if back.abs() < least { least.copysign(-v) } else { back };
    }
    if back.abs() <= f64::from(f32::MAX) { back } else { -v }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a second for a step and gravity 4: from 8.5 up at rest down to where a step ends beyond, and up again by the same places.
    #[test]
    fn who_falls_onto_the_bound_goes_back_as_it_came() {
        let (kick, dt) = (-2.0, 0.5);
        let (mut x, mut v, mut places) = (8.5, 0.0, vec![]);
        for _ in 0..200 {
            (v, x) = (v + kick, x + (v + kick) * dt);
            places.push(x);
            if leaves(x as f32, v as f32, 0.5, [0.0, 100.0]) {
                v = turned([x, v, 0.5], [0.0, 100.0], [kick, dt]);
            }
        }
        // By 1, 2, 3 and 4 down to 2 beyond the bound, and by as much up again; there it stands for a step.
        let fall = [7.5, 5.5, 2.5, -1.5, 2.5, 5.5, 7.5, 8.5, 8.5];
        assert!(places.chunks_exact(9).all(|nine| nine == fall), "{:?}", &places[..20]);
    }

    #[test]
    fn who_has_lost_its_speed_comes_back_to_the_bound() {
        // 2 beyond, gravity 4, a step of half a second: √(2·4·2) = 4, and half of 2.
        assert_eq!(turned([-1.5, -0.25, 0.5], [0.0, 9.0], [-2.0, 0.5]), 5.0);
        assert_eq!(turned([1.5, 0.25, 0.5], [-9.0, 0.0], [2.0, 0.5]), -5.0);
        // As fast as it came where that is faster; where nothing pulls; where gravity pulls inwards.
        assert_eq!(turned([-1.5, -7.0, 0.5], [0.0, 9.0], [-2.0, 0.5]), 9.0);
        assert_eq!(turned([-1.5, -7.0, 0.5], [0.0, 9.0], [0.0, 0.5]), 7.0);
        assert_eq!(turned([-1.5, -7.0, 0.5], [0.0, 9.0], [2.0, 0.5]), 5.0);
        // Too fast for the columns: as without gravity.
        assert_eq!(turned([-1.5, -3e38, 0.5], [0.0, 9.0], [-2e38, 0.5]), 3e38);
    }
}
