//! Scenes made to hurt: what defeats grids, trees, sweeps and single precision, at any size.
//!
//! Comes in: about how many bodies. Goes out: columns. Where a scene has more touching pairs than can be wanted, its entry has a
//! contact limit, which it passes. Small they are tests, large they are timed.

use super::scenes::Rng;
use super::truth::Columns;

/// One scene.
pub struct Hostile {
    pub name: &'static str,
    pub make: fn(usize) -> Columns,
    /// Bodies in a timing.
    pub size: usize,
    /// More touch than this: the answer is an error. Only in a timing.
    pub limit: Option<usize>,
}

const fn hostile(name: &'static str, make: fn(usize) -> Columns, size: usize) -> Hostile {
    Hostile { name, make, size, limit: None }
}

const fn limited(name: &'static str, make: fn(usize) -> Columns, size: usize) -> Hostile {
    Hostile { name, make, size, limit: Some(1_000_000) }
}

/// All of them.
pub const HOSTILE: [Hostile; 35] = [
    hostile("lattice (for comparison)", lattice, 1_000_000),
    limited("all in one cell, all touch", one_cell, 1_000_000),
    limited("all at one point", one_point, 1_000_000),
    hostile("points in one cell of a large circle's", points_in_one_cell, 1_000_000),
    hostile("one circle at 1e30", one_far, 1_000_000),
    hostile("a wall across the world", wall_across, 1_000_000),
    limited("walls through one point", star, 100_000),
    hostile("all in a row", row, 1_000_000),
    hostile("all in a column", column, 1_000_000),
    hostile("all in a diagonal", diagonal, 1_000_000),
    hostile("lattice of extent 1e-30", lattice_small, 1_000_000),
    hostile("lattice of extent 1e30", lattice_large, 1_000_000),
    hostile("differences overflow", overflowing, 1_000_000),
    hostile("sizes over four decades", four_decades, 1_000_000),
    hostile("sizes over the whole range", whole_range, 100_000),
    hostile("ten huge circles over all", huge_over_small, 1_000_000),
    hostile("small circles in the corners of a large one", corners, 1_000_000),
    hostile("rings of large circles", rings, 100_000),
    hostile("towns at powers of two", towns, 100_000),
    hostile("towns at random", towns_at_random, 100_000),
    hostile("chains with walls 19 000 times longer", chains, 500_000),
    hostile("parallel diagonals", diagonals, 4_000),
    hostile("parallel diagonals of all lengths", diagonals_of_all_lengths, 4_000),
    limited("identical segments", identical, 100_000),
    limited("walls on one line that overlap", collinear, 100_000),
    hostile("walls on one line, end to end", collinear_chain, 100_000),
    hostile("a comb of long walls", comb, 100_000),
    hostile("segments over the whole range of lengths", whole_range_of_lengths, 100_000),
    hostile("towns of segments at powers of two", towns_of_segments, 100_000),
    hostile("long walls and a crowd between them", crowd_between_walls, 100_000),
    hostile("grains in twenty places of a map", grains_on_a_map, 20_000),
    hostile("grains in twenty places, long walls", grains_between_long_walls, 20_000),
    hostile("grains in twenty places, large circles", grains_among_large, 30_000),
    hostile("a large one and few, many short walls", large_one_and_few, 20_000),
    hostile("zero radii on one line", points_on_a_line, 1_000_000),
];

fn strewn(count: usize, seed: u64, mut at: impl FnMut(usize, &mut Rng) -> ([f64; 2], f64)) -> Columns {
    let (mut scene, mut rng) = (Columns::default(), Rng::new(seed));
    for i in 0..count {
        let (center, radius) = at(i, &mut rng);
        scene.push_circle(center.map(|v| v as f32), radius as f32);
    }
    scene
}

fn walls(count: usize, seed: u64, mut at: impl FnMut(usize, &mut Rng) -> [[f64; 2]; 2]) -> Columns {
    let (mut scene, mut rng) = (Columns::default(), Rng::new(seed));
    for i in 0..count {
        let [p, q] = at(i, &mut rng);
        scene.push_segment(p.map(|v| v as f32), q.map(|v| v as f32));
    }
    scene
}

fn side(count: usize) -> usize {
    ((count as f64).sqrt().ceil() as usize).max(1)
}

/// Spacing 1, radius 0.4, a little jitter: each touches one neighbour or two.
fn scaled_lattice(count: usize, scale: f64) -> Columns {
    let side = side(count);
    strewn(count, 1, |i, rng| {
        let at = [(i % side) as f64 + rng.range(0.0, 0.5), (i / side) as f64 + rng.range(0.0, 0.5)];
        (at.map(|v| v * scale), 0.4 * scale)
    })
}

fn lattice(count: usize) -> Columns {
    scaled_lattice(count, 1.0)
}

/// An extent of 1e-30 for a million.
fn lattice_small(count: usize) -> Columns {
    scaled_lattice(count, 1e-33)
}

fn lattice_large(count: usize) -> Columns {
    scaled_lattice(count, 1e27)
}

fn one_cell(count: usize) -> Columns {
    strewn(count, 2, |_, rng| ([rng.range(0.0, 0.1), rng.range(0.0, 0.1)], 0.5))
}

fn one_point(count: usize) -> Columns {
    strewn(count, 3, |_, _| ([-7.0, 1e-20], 0.0))
}

/// Nothing but the large circle touches anything.
fn points_in_one_cell(count: usize) -> Columns {
    let mut scene = strewn(count - 1, 4, |_, rng| ([rng.range(0.0, 1.0), rng.range(0.0, 1.0)], 0.0));
    scene.push_circle([0.5, 0.5], 3.0);
    scene
}

fn one_far(count: usize) -> Columns {
    let mut scene = lattice(count - 1);
    scene.push_circle([1e30, -1e30], 0.5);
    scene
}

fn wall_across(count: usize) -> Columns {
    let mut scene = lattice(count);
    scene.push_segment([-1e30, 7.0], [1e30, 9.0]);
    scene.push_segment([-f32::MAX, -f32::MAX], [f32::MAX, f32::MAX]);
    scene
}

fn star(count: usize) -> Columns {
    walls(count, 5, |_, rng| {
        let (x, y) = (rng.range(-1.0, 1.0) as f32, rng.range(-1.0, 1.0) as f32);
        [[f64::from(x), f64::from(y)], [-f64::from(x), -f64::from(y)]]
    })
}

fn row(count: usize) -> Columns {
    strewn(count, 6, |i, _| ([i as f64, 3.0], 0.5))
}

fn column(count: usize) -> Columns {
    strewn(count, 6, |i, _| ([3.0, i as f64], 0.5))
}

fn diagonal(count: usize) -> Columns {
    strewn(count, 6, |i, _| ([3.0 * i as f64, -4.0 * i as f64], 2.5))
}

fn points_on_a_line(count: usize) -> Columns {
    strewn(count, 6, |i, _| ([i as f64 * 1e-3, i as f64 * 2e-3], 0.0))
}

fn overflowing(count: usize) -> Columns {
    let most = f64::from(f32::MAX);
    strewn(count, 7, |_, rng| ([rng.range(-most, most), rng.range(-most, most)], most / 3e3))
}

/// As many small as large by area.
fn four_decades(count: usize) -> Columns {
    let half = side(count) as f64 * 0.1;
    strewn(count, 8, |_, rng| {
        let radius = 1e-3 / (1.0 - rng.unit() * 0.9999);
        ([rng.range(-half, half), rng.range(-half, half)], radius)
    })
}

/// Radii 4^k for k from -55 to 55, as many of each, each size spread over a square that it fills to a third: squares inside one
/// another about the origin.
fn whole_range(count: usize) -> Columns {
    let half = side(count / 111) as f64 * 1.5;
    strewn(count, 9, |i, rng| {
        let size = 4f64.powi((i % 111) as i32 - 55);
        ([rng.range(-half, half) * size, rng.range(-half, half) * size], size * 0.5)
    })
}

fn whole_range_of_lengths(count: usize) -> Columns {
    let half = side(count / 111) as f64 * 1.5;
    walls(count, 9, |i, rng| {
        let size = 4f64.powi((i % 111) as i32 - 55);
        let [x, y] = [rng.range(-half, half), rng.range(-half, half)];
        let [dx, dy] = [rng.range(-0.5, 0.5), rng.range(-0.5, 0.5)];
        [[x * size, y * size], [(x + dx) * size, (y + dy) * size]]
    })
}

fn huge_over_small(count: usize) -> Columns {
    let mut scene = lattice(count);
    let side = side(count) as f32;
    for k in 0..10 {
        scene.push_circle([side * (k as f32) / 10.0, side / 2.0], side);
    }
    scene
}

/// A large circle touches none of the small ones that fill the corners of its box.
fn corners(count: usize) -> Columns {
    let mut scene = strewn(count, 10, |_, rng| {
        let at = |rng: &mut Rng| rng.range(0.75, 1.0) * if rng.unit() < 0.5 { -1000.0 } else { 1000.0 };
        ([at(rng), at(rng)], 1e-3)
    });
    for _ in 0..20 {
        scene.push_circle([0.0, 0.0], 1000.0);
    }
    scene
}

/// Large circles inside one another, nothing else: all pairs of a ring touch, and are few; small ones outside of all.
fn rings(count: usize) -> Columns {
    let mut scene = strewn(count, 11, |i, _| ([1e3 + i as f64, 1e3], 0.4));
    for k in 0..200 {
        scene.push_circle([0.0, 0.0], 900.0 + k as f32);
    }
    scene
}

/// Eight small circles a town, radius 0.1; a cell is sized for the few of 0.4. Towns stand 256 such cells apart.
fn towns(count: usize) -> Columns {
    let side = side(count / 8);
    strewn(count, 12, |i, rng| {
        let town = i / 8;
        let [x, y] = [(town % side) as f64 * 256.0, (town / side) as f64 * 256.0];
        ([x + rng.range(0.0, 1.0), y + rng.range(0.0, 1.0)], if i % 1000 == 0 { 0.4 } else { 0.1 })
    })
}

fn towns_at_random(count: usize) -> Columns {
    let side = side(count / 8) as f64 * 256.0;
    let mut town = [0.0; 2];
    strewn(count, 13, |i, rng| {
        if i % 8 == 0 {
            town = [rng.range(0.0, side), rng.range(0.0, side)];
        }
        let at = [town[0] + rng.range(0.0, 1.0), town[1] + rng.range(0.0, 1.0)];
        (at, if i % 1000 == 0 { 0.4 } else { 0.1 })
    })
}

fn towns_of_segments(count: usize) -> Columns {
    let side = side(count / 8);
    walls(count, 14, |i, rng| {
        let town = i / 8;
        let [x, y] = [(town % side) as f64 * 256.0, (town / side) as f64 * 256.0].map(|v| v + rng.range(0.0, 0.75));
        [[x, y], [x + rng.range(-0.25, 0.25), y + rng.range(-0.25, 0.25)]]
    })
}

/// Random walks with common ends, as coasts and streets are; one in 500 starts with a wall over 19 000 of its steps.
fn chains(count: usize) -> Columns {
    let half = side(count) as f64;
    let mut p = [0.0; 2];
    walls(count, 15, |i, rng| {
        if i % 500 == 0 {
            p = [rng.range(-half, half), rng.range(-half, half)].map(|v| f64::from(v as f32));
        }
        let step = if i % 25_000 == 0 { 19_000.0 * 0.35 } else { 0.35 };
        let q = [p[0] + rng.range(-step, step), p[1] + rng.range(-step, step)].map(|v| f64::from(v as f32));
        [std::mem::replace(&mut p, q), q]
    })
}

/// Side by side: every box meets every other, no two segments do.
fn diagonals(count: usize) -> Columns {
    let n = count as f64;
    walls(count, 16, |i, _| [[i as f64, -(i as f64)], [i as f64 + n, n - i as f64]])
}

fn diagonals_of_all_lengths(count: usize) -> Columns {
    let n = count as f64;
    walls(count, 17, |i, rng| {
        let length = n * rng.unit();
        [[i as f64, -(i as f64)], [i as f64 + length, length - i as f64]]
    })
}

fn identical(count: usize) -> Columns {
    walls(count, 18, |_, _| [[1.0, 2.0], [3.0, 5.0]])
}

fn collinear(count: usize) -> Columns {
    walls(count, 19, |i, rng| [[i as f64, 1.0], [i as f64 + rng.range(10.0, 50.0), 1.0]])
}

fn collinear_chain(count: usize) -> Columns {
    walls(count, 20, |i, _| [[3.0 * i as f64, 4.0 * i as f64], [3.0 * (i + 1) as f64, 4.0 * (i + 1) as f64]])
}

/// Upright walls beside each other, short ones between them that touch none.
fn comb(count: usize) -> Columns {
    let n = count as f64;
    walls(count, 21, |i, _| {
        let x = i as f64;
        if i % 2 == 0 { [[x, 0.0], [x, n]] } else { [[x - 0.25, x], [x + 0.25, x]] }
    })
}

fn crowd_between_walls(count: usize) -> Columns {
    let n = count as f64;
    let mut scene = walls(1_000, 22, |i, _| [[0.0, i as f64 * n / 1e3], [n, (i + 1) as f64 * n / 1e3]]);
    let mut rng = Rng::new(23);
    for _ in 0..count {
        let at = [rng.range(0.0, n), rng.range(0.0, n)];
        scene.push_circle(at.map(|v| v as f32), 0.3);
    }
    scene
}

fn grains_on_a_map(count: usize) -> Columns {
    grains(count, 10.0)
}

fn grains_between_long_walls(count: usize) -> Columns {
    grains(count, 100.0)
}

/// Five times as many walls as grains, of a thousand diameters and more.
fn grains(count: usize, length: f64) -> Columns {
    let half = 20.0 * (count as f64).sqrt();
    let mut scene = walls(5 * count, 24, |_, rng| {
        let [x, y] = [0; 2].map(|_| rng.range(-half, half));
        [[x, y], [x + rng.range(-length, length), y + rng.range(-length, length)]]
    });
    let mut rng = Rng::new(25);
    let places: Vec<[f64; 2]> = (0..20).map(|_| [0; 2].map(|_| rng.range(-half, half))).collect();
    for k in 0..count {
        let at = places[k % 20].map(|v| (v + rng.range(-1.0, 1.0)) as f32);
        scene.push_circle(at, rng.range(0.005, 0.01) as f32);
    }
    scene
}

/// Every third circle is a thousand times as large, anywhere.
fn grains_among_large(count: usize) -> Columns {
    let half = 40.0 * (count as f64).sqrt();
    let mut rng = Rng::new(27);
    let places: Vec<[f64; 2]> = (0..20).map(|_| [0; 2].map(|_| rng.range(-half, half))).collect();
    strewn(count, 26, |k, rng| {
        if k % 3 == 0 {
            ([0; 2].map(|_| rng.range(-half, half)), rng.range(5.0, 20.0))
        } else {
            (places[k % 20].map(|v| v + rng.range(-1.0, 1.0)), rng.range(0.005, 0.01))
        }
    })
}

/// Seven times as many walls as circles, a seventh as long as those are wide, but for one circle that is fifty times as large.
fn large_one_and_few(count: usize) -> Columns {
    let half = 20.0 * (count as f64).sqrt();
    let mut scene = walls(7 * count, 28, |_, rng| {
        let [x, y] = [0; 2].map(|_| rng.range(-half, half));
        [[x, y], [x + rng.range(-0.5, 0.5), y + rng.range(-0.5, 0.5)]]
    });
    let mut rng = Rng::new(29);
    for k in 0..count {
        let at = [0; 2].map(|_| rng.range(-half, half) as f32);
        scene.push_circle(at, if k == count / 2 { 120.0 } else { rng.range(1.5, 2.5) as f32 });
    }
    scene
}
