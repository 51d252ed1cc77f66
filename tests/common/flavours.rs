//! Small scenes of every kind that has ever been hard for a grid or a kernel.
//!
//! Comes in: a seed and sizes. Goes out: columns of finite numbers, radii zero or more. Randomness is that of the scenes.

use super::scenes::Rng;
use super::truth::Columns;

/// One kind of scene: name, and how to make one with about so many circles and segments.
pub type Flavour = (&'static str, fn(&mut Rng, usize, usize) -> Columns);

/// All of them.
pub const FLAVOURS: [Flavour; 19] = [
    ("uniform", uniform),
    ("radii of four decades", four_decades),
    ("clusters far apart", clusters),
    ("all in a line", line),
    ("all at one point", one_point),
    ("all in one cell", one_cell),
    ("one at 1e30", far_one),
    ("few columns", few_columns),
    ("far from the origin", far_from_origin),
    ("scales from 1e-30 to 1e30", scales),
    ("long walls across everything", long_walls),
    ("walls through one point", star),
    ("lattice", lattice),
    ("tangent to within ulps", tangent),
    ("subnormal", subnormal),
    ("corners of f32", corners),
    ("centres on walls", on_walls),
    ("walls of 1e6 against circles of 1e-2", long_and_small),
    ("chains and joints", chains),
];

/// A scene of a flavour from a seed; about a third of its segments get radii if `capsules`.
pub fn make(flavour: &Flavour, seed: u64, circles: usize, segments: usize, capsules: bool) -> Columns {
    // A multiplier of odd bits, so that neighbouring seeds do not share a stretch of the sequence.
    let mut rng = Rng::new(seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ flavour.0.len() as u64);
    let mut scene = (flavour.1)(&mut rng, circles, segments);
    if capsules {
        let largest = scene.radius.iter().fold(0.0, |most, &r| if r > most { r } else { most });
        for radius in &mut scene.wall_radius {
            if rng.unit() < 0.4 {
                *radius = ranged(&mut rng, 0.0, f64::from(largest) * 0.7);
            }
        }
    }
    scene
}

fn ranged(rng: &mut Rng, low: f64, high: f64) -> f32 {
    rng.range(low, high) as f32
}

fn at(rng: &mut Rng, half: f64) -> [f32; 2] {
    [ranged(rng, -half, half), ranged(rng, -half, half)]
}

/// `v` moved by up to two of its ulps.
fn nudged(rng: &mut Rng, v: f32) -> f32 {
    match rng.bits() % 8 {
        0 => v.next_up(),
        1 => v.next_down(),
        2 => v.next_up().next_up(),
        3 => v.next_down().next_down(),
        _ => v,
    }
}

/// A few bodies to a touch: the square's side grows with the root of their number.
fn half(circles: usize, segments: usize) -> f64 {
    1.0 + ((circles + segments) as f64).sqrt() * 0.6
}

fn strew(rng: &mut Rng, circles: usize, segments: usize, half: f64, radius: [f64; 2], length: f64) -> Columns {
    let mut scene = Columns::default();
    for _ in 0..circles {
        let center = at(rng, half);
        scene.push_circle(center, ranged(rng, radius[0], radius[1]));
    }
    for _ in 0..segments {
        let [x, y] = at(rng, half);
        let [dx, dy] = at(rng, length);
        scene.push_segment([x, y], [x + dx, y + dy]);
    }
    scene
}

fn uniform(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    strew(rng, circles, segments, half(circles, segments), [0.1, 0.6], 2.0)
}

fn four_decades(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, 0, segments, 50.0, [0.0, 0.0], 20.0);
    for _ in 0..circles {
        let center = at(rng, 50.0);
        scene.push_circle(center, 10f64.powf(rng.range(-3.0, 1.0)) as f32);
    }
    scene
}

fn clusters(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, circles, segments, half(circles / 4, segments / 4), [0.1, 0.6], 2.0);
    let middles: Vec<[f32; 2]> = (0..4).map(|_| at(rng, 1e5)).collect();
    for i in 0..circles {
        let [x, y] = middles[(rng.bits() % 4) as usize];
        (scene.x[i], scene.y[i]) = (scene.x[i] + x, scene.y[i] + y);
    }
    for i in 0..segments {
        let [x, y] = middles[(rng.bits() % 4) as usize];
        (scene.x0[i], scene.y0[i]) = (scene.x0[i] + x, scene.y0[i] + y);
        (scene.x1[i], scene.y1[i]) = (scene.x1[i] + x, scene.y1[i] + y);
    }
    scene
}

fn line(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let along = [[1.0, 0.0], [0.0, 1.0], [3.0, -4.0]][(rng.bits() % 3) as usize];
    let mut scene = Columns::default();
    let on = |t: f32| [along[0] * t, along[1] * t];
    for _ in 0..circles {
        let t = ranged(rng, -40.0, 40.0);
        scene.push_circle(on(t), ranged(rng, 0.0, 0.5));
    }
    for _ in 0..segments {
        // Halves of whole numbers: collinear pieces that overlap, touch in one point, or miss.
        let t = (rng.bits() % 160) as f32 / 2.0 - 40.0;
        scene.push_segment(on(t), on(t + (rng.bits() % 7) as f32 / 2.0 - 1.5));
    }
    scene
}

fn one_point(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let p = at(rng, 10.0);
    let mut scene = Columns::default();
    for i in 0..circles {
        scene.push_circle(p, if i % 3 == 0 { 0.0 } else { ranged(rng, 0.0, 1.0) });
    }
    for i in 0..segments {
        let [dx, dy] = at(rng, 1.0);
        scene.push_segment(p, if i % 3 == 0 { p } else { [p[0] + dx, p[1] + dy] });
    }
    scene
}

fn one_cell(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, circles, segments, 0.5, [0.0, 0.3], 0.3);
    scene.push_circle([0.0, 0.0], 5.0);
    scene
}

fn far_one(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = uniform(rng, circles, segments);
    let sign = if rng.unit() < 0.5 { -1.0 } else { 1.0 };
    scene.push_circle([1e30 * sign, -1e30], 0.5);
    if rng.unit() < 0.5 {
        // Its boundary passes the others at some 1e23 or swallows them.
        scene.push_circle([0.0, 1e30], nudged(rng, 1e30));
        scene.push_segment([-1e30, 0.0], [1e30, ranged(rng, -1.0, 1.0)]);
    }
    scene
}

fn few_columns(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, circles, segments, 1.5, [0.1, 0.4], 1.0);
    let length = f64::from(circles as u32 + 1) * 0.2;
    let upright = rng.unit() < 0.5;
    for i in 0..scene.x.len() {
        let far = ranged(rng, -length, length);
        if upright { scene.y[i] = far } else { scene.x[i] = far }
    }
    for i in 0..scene.x0.len() {
        let far = ranged(rng, -length, length);
        if upright {
            (scene.y0[i], scene.y1[i]) = (scene.y0[i] + far, scene.y1[i] + far);
        } else {
            (scene.x0[i], scene.x1[i]) = (scene.x0[i] + far, scene.x1[i] + far);
        }
    }
    scene
}

fn far_from_origin(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    // At 6.4e6 an ulp is half a unit: everything snaps to a grid of touching and missing by nothing.
    let mut scene = strew(rng, circles, segments, half(circles, segments), [0.1, 1.5], 3.0);
    let move_x = |v: &mut f32| *v += 6.4e6;
    let move_y = |v: &mut f32| *v -= 6.4e6;
    [&mut scene.x, &mut scene.x0, &mut scene.x1].into_iter().flatten().for_each(move_x);
    [&mut scene.y, &mut scene.y0, &mut scene.y1].into_iter().flatten().for_each(move_y);
    scene
}

fn scales(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = uniform(rng, circles, segments);
    let scale = [1e-30, 1e-25, 1e-22, 1e-19, 1e-12, 1e12, 1e18, 1e19, 1e25, 1e30][(rng.bits() % 10) as usize];
    for column in [&mut scene.x, &mut scene.y, &mut scene.radius] {
        column.iter_mut().for_each(|v| *v *= scale);
    }
    for column in [&mut scene.x0, &mut scene.y0, &mut scene.x1, &mut scene.y1] {
        column.iter_mut().for_each(|v| *v *= scale);
    }
    scene
}

fn long_walls(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let half = half(circles, segments);
    let mut scene = strew(rng, circles, segments / 2, half, [0.1, 0.6], 2.0);
    for _ in 0..segments - segments / 2 {
        let side = if rng.unit() < 0.5 { half } else { half * 1000.0 };
        scene.push_segment([ranged(rng, -side, -half), ranged(rng, -half, half)], at(rng, side));
    }
    scene
}

fn star(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, circles, 0, 3.0, [0.0, 0.3], 0.0);
    for i in 0..segments {
        // Opposite whole numbers: every wall passes exactly through the origin, or ends there.
        let p = [(rng.bits() % 9) as f32 - 4.0, (rng.bits() % 9) as f32 - 4.0];
        scene.push_segment(p, if i % 4 == 0 { [0.0, 0.0] } else { [-p[0], -p[1]] });
    }
    scene
}

fn lattice(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let side = 2 + ((circles + segments) as f64).sqrt() as u64;
    let mut scene = Columns::default();
    for _ in 0..circles {
        let p = [(rng.bits() % side) as f32, (rng.bits() % side) as f32];
        let r = nudged(rng, 0.5);
        scene.push_circle(p, if rng.unit() < 0.2 { 2.5 } else { r });
    }
    for _ in 0..segments {
        let p = [(rng.bits() % (2 * side)) as f32 / 2.0, (rng.bits() % (2 * side)) as f32 / 2.0];
        let d = [(rng.bits() % 7) as f32 - 3.0, (rng.bits() % 7) as f32 - 3.0];
        scene.push_segment(p, [p[0] + d[0], p[1] + d[1]]);
    }
    scene
}

/// Whole-number directions of whole-number length.
const TRIPLES: [[f32; 3]; 6] =
    [[3.0, 4.0, 5.0], [5.0, -12.0, 13.0], [-8.0, 15.0, 17.0], [7.0, 24.0, 25.0], [0.0, 1.0, 1.0], [-20.0, -21.0, 29.0]];

fn tangent(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = Columns::default();
    let whole = |rng: &mut Rng| (rng.bits() % 64) as f32 - 32.0;
    while scene.x.len() + 1 < circles {
        let [dx, dy, length] = TRIPLES[(rng.bits() % 6) as usize];
        let (x, y, near) = (whole(rng), whole(rng), length / 4.0);
        scene.push_circle([x, y], near);
        let (far, x, y) = (nudged(rng, length - near), nudged(rng, x + dx), y + dy);
        scene.push_circle([x, y], far);
    }
    while scene.x0.len() < segments {
        // A wall along (dx, dy), a circle beside it: to the left of its middle, of an end, or behind an end, at distance
        // `length`, so exactly tangent but for the nudges.
        let [dx, dy, length] = TRIPLES[(rng.bits() % 6) as usize];
        let (x, y) = (whole(rng), whole(rng));
        scene.push_segment([x, y], [x + 4.0 * dx, y + 4.0 * dy]);
        let along = [0.0, 1.0, 2.0, 4.0][(rng.bits() % 4) as usize];
        let (px, py) = (x + along * dx, y + along * dy);
        let center = match rng.bits() % 4 {
            0 => [px - dy, py + dx],
            1 => [px + dy, py - dx],
            2 => [x - dx, y - dy],
            _ => [x + 5.0 * dx, y + 5.0 * dy],
        };
        if scene.x.len() < circles + segments {
            let center = [nudged(rng, center[0]), nudged(rng, center[1])];
            scene.push_circle(center, nudged(rng, length));
        }
    }
    scene
}

fn subnormal(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let tiny = |rng: &mut Rng, most: u64| {
        let v = f32::from_bits((rng.bits() % most) as u32);
        if rng.unit() < 0.5 { v } else { -v }
    };
    let most = [8, 40, 1 << 20, 1 << 24][(rng.bits() % 4) as usize];
    let mut scene = Columns::default();
    for _ in 0..circles {
        let center = [tiny(rng, most), tiny(rng, most)];
        scene.push_circle(center, tiny(rng, most / 2).abs());
    }
    for _ in 0..segments {
        let start = [tiny(rng, most), tiny(rng, most)];
        scene.push_segment(start, [tiny(rng, most), tiny(rng, most)]);
    }
    scene
}

fn corners(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    const VALUES: [f32; 20] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        1e-45,
        -1e-45,
        1e-38,
        1e-25,
        -1e-22,
        1e-10,
        1e6,
        -1e6,
        1e18,
        1e19,
        -1e19,
        1e25,
        1e30,
        f32::MAX,
        -f32::MAX,
    ];
    let pick = |rng: &mut Rng| VALUES[(rng.bits() % 20) as usize];
    let mut scene = Columns::default();
    for _ in 0..circles {
        let center = [pick(rng), pick(rng)];
        scene.push_circle(center, pick(rng).abs());
    }
    for _ in 0..segments {
        let start = [pick(rng), pick(rng)];
        scene.push_segment(start, [pick(rng), pick(rng)]);
    }
    scene
}

fn on_walls(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, 0, segments, 4.0, [0.0, 0.0], 3.0);
    for i in 0..segments / 4 {
        (scene.x1[i], scene.y1[i]) = (scene.x0[i], scene.y0[i]);
    }
    for i in 0..circles {
        let center = if segments == 0 || i % 5 == 0 {
            at(rng, 4.0)
        } else {
            let wall = (rng.bits() % segments as u64) as usize;
            let t = [0.0, 0.25, 0.5, 1.0][(rng.bits() % 4) as usize];
            let on = |from: f32, to: f32| from + (to - from) * t;
            [on(scene.x0[wall], scene.x1[wall]), on(scene.y0[wall], scene.y1[wall])]
        };
        // Some twice, some without extent.
        scene.push_circle(center, if i % 4 == 0 { 0.0 } else { ranged(rng, 0.0, 0.4) });
        if i % 7 == 0 {
            scene.push_circle(center, ranged(rng, 0.0, 0.4));
        }
    }
    scene
}

fn long_and_small(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, 0, segments, 5e5, [0.0, 0.0], 5e5);
    for i in 0..circles {
        if segments == 0 {
            scene.push_circle(at(rng, 1.0), 1e-2);
            continue;
        }
        // On a wall as f32 can say it, and about its own radius beside it.
        let wall = i % segments;
        let t = rng.unit();
        let on = |from: f32, to: f32| (f64::from(from) + (f64::from(to) - f64::from(from)) * t) as f32;
        let center = [on(scene.x0[wall], scene.x1[wall]), on(scene.y0[wall], scene.y1[wall])];
        let aside = ranged(rng, -0.03, 0.03);
        scene.push_circle([center[0] + aside, center[1]], 1e-2);
    }
    scene
}

fn chains(rng: &mut Rng, circles: usize, segments: usize) -> Columns {
    let mut scene = strew(rng, circles, 0, half(circles, segments), [0.1, 0.6], 0.0);
    let mut p = [0.0, 0.0];
    for i in 0..segments {
        let d = [(rng.bits() % 5) as f32 - 2.0, (rng.bits() % 5) as f32 - 2.0];
        let q = [p[0] + d[0], p[1] + d[1]];
        if rng.unit() < 0.5 {
            scene.push_segment(p, q)
        } else {
            scene.push_segment(q, p)
        }
        // Mostly onwards from the end; sometimes from the middle (a T), sometimes anew.
        p = match rng.bits() % 8 {
            0 => [p[0] + d[0] / 2.0, p[1] + d[1] / 2.0],
            1 if i > 2 => [scene.x0[i / 2], scene.y0[i / 2]],
            _ => q,
        };
    }
    scene
}
