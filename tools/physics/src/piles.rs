//! What rests, and what is untangled.

use crate::meter::{Rng, Row, deepest, mean_square_speed, walls};
use crate::plot::{Axis, Line, lines};
use gridlane::{Circle, Segment, World, WorldConfig};
use std::path::Path;

#[path = "../../../src/bin/gridlane/scenes.rs"]
mod scenes;

const GRAVITY: f32 = 9.81;
const DT: f32 = 1.0 / 60.0;

pub(crate) fn measure(quick: bool, out: &Path) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let (discs, steps) = if quick { (1_000, 900) } else { (10_000, 3_000) };
    let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |point| point[1]);
    let unit = f64::from(GRAVITY * DT);
    let (mut rows, mut plots) = (vec![], vec![]);
    for substeps in [8, 12] {
        let (speeds, depths) = pile(discs, steps, substeps)?;
        let pile = format!("pile of {discs}, {substeps} substeps, after {steps} steps");
        rows.push(Row::at_most(format!("{pile}: root mean square speed, in g dt"), last(&speeds) / unit, 0.1));
        // What is by default, 12, is below what is promised; deep piles on fewer are pressed further.
        let bound = if substeps == 12 { 0.02 } else { 0.035 };
        rows.push(Row::at_most(format!("{pile}: deepest overlap, in radii"), last(&depths), bound));
        let speeds = speeds.iter().map(|p| [p[0], p[1] / unit]).collect();
        plots.push(Line::new(format!("speed, {substeps} substeps"), speeds));
        plots.push(Line::new(format!("overlap, {substeps} substeps"), depths));
    }
    lines(
        &out.join("pile.svg"),
        &format!("a pile of {discs} comes to rest"),
        Axis::linear("step"),
        Axis::logarithmic("v_rms / (g dt), overlap / radius"),
        &plots,
    )?;
    let untangled = untangle(if quick { 60 } else { 120 })?;
    let first = untangled.iter().find(|point| point[1] < 0.01).map_or(f64::INFINITY, |point| point[0]);
    rows.push(Row {
        what: "dense-100k from random overlaps: steps until the deepest is below 1 % of a radius".to_string(),
        measured: format!("{first}"),
        bound: "at most 50".to_string(),
        holds: first <= 50.0,
    });
    lines(
        &out.join("untangle.svg"),
        "dense-100k untangles: deepest overlap",
        Axis::linear("step"),
        Axis::logarithmic("overlap / radius"),
        &[Line::new("deepest overlap", untangled)],
    )?;
    Ok(rows)
}

type Points = Vec<[f64; 2]>;

/// Root mean square speed and deepest overlap, every ten steps.
fn pile(discs: usize, steps: u32, substeps: u32) -> Result<(Points, Points), gridlane::Error> {
    let config = WorldConfig::default().with_gravity([0.0, -GRAVITY]).with_restitution(0.0);
    let mut world = World::new(config.with_substeps(substeps))?;
    let mut rng = Rng(3);
    let columns = (0.92 * (discs as f64).sqrt()) as usize;
    let width = columns as f64 * 1.02 + 1.1;
    for disc in 0..discs {
        let (column, row) = (disc % columns, disc / columns);
        let shift = if row % 2 == 0 { 0.0 } else { 0.45 };
        let x = 0.55 + column as f64 * 1.02 + shift + 0.02 * rng.unit();
        let radius = 0.47 + 0.03 * rng.unit();
        world.add_circle(Circle::new([x as f32, (0.55 + row as f64 * 1.01) as f32], radius as f32))?;
    }
    let (w, high) = (width as f32, 1.5 * width as f32);
    for (a, b) in [([0.0, high], [0.0, 0.0]), ([0.0, 0.0], [w, 0.0]), ([w, 0.0], [w, high])] {
        world.add_segment(Segment::new(a, b))?;
    }
    let (mut speeds, mut depths) = (vec![], vec![]);
    for step in 1..=steps {
        world.step(DT)?;
        if step % 10 == 0 {
            speeds.push([f64::from(step), mean_square_speed(&world).sqrt()]);
            // On a copy: a detection of its own changes the order of rows.
            let mut copy = World::from_snapshot(&world.save())?;
            depths.push([f64::from(step), deepest(&mut copy)?]);
        }
    }
    Ok((speeds, depths))
}

/// The deepest overlap after each step; all circles stay in the frame.
fn untangle(steps: u32) -> Result<Points, gridlane::Error> {
    let scene = scenes::scene("dense-100k").unwrap_or_default();
    let mut world = World::new(WorldConfig::default().with_restitution(0.0))?;
    for row in 0..scene.x.len() {
        world.add_circle(Circle::new([scene.x[row], scene.y[row]], scene.radius[row]))?;
    }
    walls(&mut world, [-scene.half_width; 2], [scene.half_width; 2])?;
    let mut points = vec![];
    for step in 1..=steps {
        world.step(DT)?;
        if step % 5 == 0 {
            let mut copy = World::from_snapshot(&world.save())?;
            points.push([f64::from(step), deepest(&mut copy)?]);
        }
    }
    let inside = |column: &[f32]| column.iter().all(|c| c.abs() <= scene.half_width);
    assert!(inside(world.circles().x()) && inside(world.circles().y()), "a circle outside the frame");
    Ok(points)
}
