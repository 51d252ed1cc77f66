//! A gas that bounces: energy, and how speeds are distributed.

use crate::meter::{Rng, Row, lattice, mean_square_speed, walls};
use crate::plot::{Axis, Line, lines};
use gridlane::{Circle, World, WorldConfig};
use std::path::Path;

#[path = "../../../src/bin/gridlane/scenes.rs"]
mod scenes;

pub(crate) fn measure(quick: bool, out: &Path) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let steps = if quick { 1_000 } else { 10_000 };
    let drift = energy(steps)?;
    let worst = drift.iter().map(|point| point[1].abs()).fold(0.0, f64::max);
    lines(
        &out.join("energy.svg"),
        "gas-10k without inner walls: kinetic energy against the start",
        Axis::linear("step"),
        Axis::linear("relative change"),
        &[Line::new("energy", drift)],
    )?;
    let (chi, fourth, bins) = speeds(if quick { 20 } else { 100 })?;
    lines(
        &out.join("speeds.svg"),
        "speeds after relaxation: all discs had the same speed at the start",
        Axis::linear("speed / root mean square"),
        Axis::linear("share per unit"),
        &[
            Line::new("measured", bins.clone()).dots(),
            Line::new(
                "Maxwell–Boltzmann, 2 v exp(-v²)",
                bins.iter().map(|b| [b[0], 2.0 * b[0] * (-b[0] * b[0]).exp()]).collect(),
            ),
        ],
    )?;
    // 19 degrees of freedom: above 43.8 once in a thousand times; fourth moment of a plane Maxwellian: <v^4>/<v^2>^2 = 2.
    Ok(vec![
        Row::at_most(format!("elastic gas of 10 000, energy over {steps} steps, worst relative change"), worst, 1e-5),
        Row {
            what: "speeds against Maxwell–Boltzmann: chi² over 20 bins of equal share (19 expected)".to_string(),
            measured: format!("{chi:.1}"),
            bound: "at most 43.8".to_string(),
            holds: chi <= 43.8,
        },
        Row::percent("fourth moment of the speeds, <v⁴>/<v²>² against 2", fourth / 2.0 - 1.0, 0.02),
    ])
}

/// Step and relative change.
fn energy(steps: u32) -> Result<Vec<[f64; 2]>, gridlane::Error> {
    let scene = scenes::scene("gas-10k").unwrap_or_default();
    let mut world = World::new(WorldConfig::default())?;
    for row in 0..scene.x.len() {
        let body = Circle::new([scene.x[row], scene.y[row]], scene.radius[row]);
        world.add_circle(body.with_velocity([scene.velocity_x[row], scene.velocity_y[row]]))?;
    }
    let half = scene.half_width + 0.5;
    walls(&mut world, [-half; 2], [half; 2])?;
    let before = world.kinetic_energy();
    let mut points = vec![[0.0, 0.0]];
    for step in 1..=steps {
        world.step(1.0 / 60.0)?;
        if step % (steps / 100) == 0 {
            points.push([f64::from(step), world.kinetic_energy() / before - 1.0]);
        }
    }
    Ok(points)
}

/// Chi² over 20 bins, <v⁴>/<v²>², and a histogram; from so many samples of 2 500 discs, far enough apart to be independent.
fn speeds(samples: u32) -> Result<(f64, f64, Vec<[f64; 2]>), gridlane::Error> {
    let (count, side) = (2_500, (2_500.0 * std::f64::consts::FRAC_PI_4 / 0.2f64).sqrt());
    let mut world = World::new(WorldConfig::default())?;
    lattice(&mut world, count, side, 1.0, &mut Rng(7))?;
    walls(&mut world, [0.0; 2], [side as f32; 2])?;
    for _ in 0..2_000 {
        world.step(0.05)?;
    }
    let (mut shares, mut fine, mut fourth) = ([0u32; 20], [0u32; 60], 0.0);
    for _ in 0..samples {
        for _ in 0..200 {
            world.step(0.05)?;
        }
        let square = mean_square_speed(&world);
        let circles = world.circles();
        for row in 0..count {
            let (x, y) = (f64::from(circles.velocity_x()[row]), f64::from(circles.velocity_y()[row]));
            let v2 = (x * x + y * y) / square;
            fourth += v2 * v2;
            // The share of slower ones is 1 - exp(-v²).
            shares[((20.0 * (1.0 - (-v2).exp())) as usize).min(19)] += 1;
            fine[((v2.sqrt() * 20.0) as usize).min(59)] += 1;
        }
    }
    let all = f64::from(samples) * count as f64;
    let expected = all / 20.0;
    let chi = shares.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    let bins = fine.iter().enumerate().map(|(k, &n)| [(k as f64 + 0.5) / 20.0, f64::from(n) / all * 20.0]).collect();
    Ok((chi, fourth / all, bins))
}
