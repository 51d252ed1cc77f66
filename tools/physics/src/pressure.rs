//! The pressure of hard discs, from the virial and on the walls, against the equation of state.
//!
//! Henderson, A simple equation of state for hard discs (Molecular Physics 30, 971, 1975): Z = PV/NkT = (1 + η²/8) / (1 - η)², good to 0.3 % up to η = 0.5.
//! Virial: Z = 1 + Σ p·|D| / (2 NkT t), summed over collisions with impulse p at a distance |D| of centres. Walls: centres have a box of side L - σ
//! for themselves, so Z = P (L - σ)² / NkT with P the impulse given to walls per time and wall length 4 (L - σ); L² in its place is 2σ/L too high.

use crate::meter::{Rng, Row, lattice, mean_square_speed, walls};
use crate::plot::{Axis, Line, lines};
use gridlane::{Bounds, Vec2, World, WorldConfig};
use std::path::Path;

const COUNT: usize = 2_500;
const PACKINGS: [f64; 3] = [0.1, 0.3, 0.5];
/// Paths of a step in diameters.
const PATHS: [f64; 4] = [0.1, 0.05, 0.025, 0.0125];
/// Where the path of a step is no longer than this the bound holds.
const SHORT: f64 = 0.05;

fn henderson(packing: f64) -> f64 {
    (1.0 + packing * packing / 8.0) / ((1.0 - packing) * (1.0 - packing))
}

pub(crate) fn measure(quick: bool, out: &Path) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let (mut rows, mut plots) = (vec![], vec![]);
    for packing in PACKINGS {
        for (what, name, gauge) in [
            ("virial, periodic", "virial", virial as fn(f64, f64, bool) -> Result<f64, gridlane::Error>),
            ("on walls", "walls", on_walls),
        ] {
            let mut line = vec![];
            for path in PATHS {
                let error = gauge(packing, path, quick)? / henderson(packing) - 1.0;
                line.push([path, 100.0 * error]);
                let text = format!("pressure at packing {packing}, {what}, {path} diameters a step");
                if path <= SHORT {
                    rows.push(Row::percent(text, error, if quick { 0.03 } else { 0.015 }));
                } else {
                    rows.push(Row::told(text, format!("{:+.2} %", 100.0 * error)));
                }
            }
            plots.push(Line::new(format!("packing {packing}, {name}"), line));
        }
    }
    lines(
        &out.join("pressure.svg"),
        "pressure of hard discs against Henderson's equation of state",
        Axis::logarithmic("path of a step, in diameters"),
        Axis::linear("error, %"),
        &plots,
    )?;
    Ok(rows)
}

fn side(packing: f64) -> f64 {
    (COUNT as f64 * std::f64::consts::FRAC_PI_4 / packing).sqrt()
}

/// Steps to forget the lattice, and to measure.
fn course(path: f64, quick: bool) -> (u32, u32) {
    let time = if quick { (100.0, 300.0) } else { (300.0, 3_000.0) };
    ((time.0 / path) as u32, (time.1 / path) as u32)
}

fn virial(packing: f64, path: f64, quick: bool) -> Result<f64, gridlane::Error> {
    let side = side(packing);
    let bounds = Bounds::periodic(Vec2::ZERO, Vec2::new(side as f32, side as f32));
    let mut world = World::new(WorldConfig::default().with_bounds(bounds))?;
    lattice(&mut world, COUNT, side, 1.0, &mut Rng(11))?;
    let (first, steps) = course(path, quick);
    let mut sum = 0.0;
    for step in 0..first + steps {
        let stats = world.step(path as f32)?;
        sum += if step < first { 0.0 } else { stats.virial };
    }
    let temperature = mean_square_speed(&world) / 2.0;
    Ok(1.0 + sum / (2.0 * COUNT as f64 * temperature * f64::from(steps) * f64::from(path as f32)))
}

fn on_walls(packing: f64, path: f64, quick: bool) -> Result<f64, gridlane::Error> {
    let side = side(packing);
    let mut world = World::new(WorldConfig::default())?;
    lattice(&mut world, COUNT, side, 1.0, &mut Rng(13))?;
    walls(&mut world, [0.0; 2], [side as f32; 2])?;
    let (first, steps) = course(path, quick);
    let mut sum = 0.0;
    for step in 0..first + steps {
        let stats = world.step(path as f32)?;
        sum += if step < first { 0.0 } else { stats.wall_impulse };
    }
    let temperature = mean_square_speed(&world) / 2.0;
    let room = side - 1.0;
    let pressure = sum / (f64::from(steps) * f64::from(path as f32) * 4.0 * room);
    Ok(pressure * room * room / (COUNT as f64 * temperature))
}
