//! One ball, and a few in a row.

use crate::meter::Row;
use gridlane::{Circle, Segment, World, WorldConfig};
use std::path::Path;

pub(crate) fn measure(quick: bool, _: &Path) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let steps = if quick { 6_000 } else { 60_000 };
    let mut rows = vec![Row::at_most(
        format!("period of a ball between two walls, {steps} steps, relative error"),
        period(steps)?,
        1e-5,
    )];
    for (name, order) in [("with", [0, 1, 2, 3, 4]), ("against", [4, 3, 2, 1, 0])] {
        let after = cradle(order)?;
        rows.push(Row {
            what: format!("Newton's cradle, {name} the order of insertion: velocities after 3, 0, 0, 0, 0"),
            measured: format!("{after:?}"),
            bound: "[0.0, 0.0, 0.0, 0.0, 3.0]".to_string(),
            holds: after == [0.0, 0.0, 0.0, 0.0, 3.0],
        });
    }
    Ok(rows)
}

/// A ball of radius 1/2 between walls 10 apart: 9 to fly each way at speed 2.7, so 20/3 seconds there and back. From first to last passage of the
/// middle to the right, interpolated.
fn period(steps: u32) -> Result<f64, gridlane::Error> {
    let mut world = World::new(WorldConfig::default())?;
    for x in [-5.0, 5.0] {
        world.add_segment(Segment::new([x, -3.0], [x, 3.0]))?;
    }
    world.add_circle(Circle::new([0.1, 0.0], 0.5).with_velocity([2.7, 0.0]))?;
    let dt = 1.0f32 / 61.0;
    let (mut before, mut passages) = (f64::from(world.circles().x()[0]), vec![]);
    for step in 1..=steps {
        world.step(dt)?;
        let now = f64::from(world.circles().x()[0]);
        if before < 0.0 && now >= 0.0 {
            passages.push((f64::from(step) - now / (now - before)) * f64::from(dt));
        }
        before = now;
    }
    let turns = passages.len() - 1;
    let measured = (passages[turns] - passages[0]) / turns as f64;
    Ok(measured / (18.0 / f64::from(2.7f32)) - 1.0)
}

/// Five balls in touch, the first comes in at 3; inserted in this order. Their velocities from left to right when all is over.
fn cradle(order: [usize; 5]) -> Result<Vec<f32>, gridlane::Error> {
    let mut world = World::new(WorldConfig::default())?;
    let mut handles = [None; 5];
    for ball in order {
        let x = if ball == 0 { -1.5 } else { ball as f32 };
        let v = if ball == 0 { 3.0 } else { 0.0 };
        handles[ball] = Some(world.add_circle(Circle::new([x, 0.0], 0.5).with_velocity([v, 0.0]))?);
    }
    for _ in 0..64 {
        world.step(1.0 / 64.0)?;
    }
    Ok(handles.iter().filter_map(|&handle| world.circle(handle?)).map(|ball| ball.velocity.x).collect())
}
