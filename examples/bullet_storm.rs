//! A storm of bullets among walls and enemies: thousands in flight, some forty fired at every step, and events tell who was hit.
//!
//! Bullets are sensors that meet everything but each other: they report what they touch and push nothing.
//!
//! `cargo run --release --example bullet_storm`

use gridlane::{Circle, CircleHandle, Error, EventKind, EventPair, Filter, Segment, World, WorldConfig};
use std::collections::BTreeMap;
use std::time::Instant;

/// Walls and whatever has no filter are of category 1.
const BULLET: u32 = 2;
const ENEMY: u32 = 4;
const STEPS: usize = 600;

fn main() -> Result<(), Error> {
    let mut world = World::new(WorldConfig::default())?;
    for [x0, y0, x1, y1] in
        [[-60., -60., 60., -60.], [60., -60., 60., 60.], [60., 60., -60., 60.], [-60., 60., -60., -60.]]
    {
        world.add_segment(Segment::new([x0, y0], [x1, y1]).with_radius(0.5))?;
    }
    for k in 0..24 {
        let (sin, cos) = (k as f32 * 0.7).sin_cos();
        world.add_segment(
            Segment::new([cos * 30.0, sin * 30.0], [cos * 34.0 - sin, sin * 34.0 + cos]).with_radius(0.3),
        )?;
    }
    let mut lives: BTreeMap<CircleHandle, i32> = BTreeMap::new();
    for k in 0..60 {
        let (sin, cos) = (k as f32 * 0.311).sin_cos();
        let far = 12.0 + (k % 12) as f32 * 3.5;
        let enemy = Circle::new([cos * far, sin * far], 1.0).with_velocity([-sin * 4.0, cos * 4.0]);
        lives.insert(world.add_circle(enemy.with_filter(Filter::new(ENEMY, !0)))?, 150);
    }
    let bullet = Filter::new(BULLET, !BULLET);
    let (mut fired, mut walls, mut hits, mut downed, mut most) = (0, 0, 0, 0, 0);
    let start = Instant::now();
    for step in 0..STEPS {
        for arm in 0..40 {
            let (sin, cos) = (arm as f32 * 0.157 + step as f32 * 0.021).sin_cos();
            let shot = Circle::new([cos * 2.0, sin * 2.0], 0.2).with_velocity([cos * 20.0, sin * 20.0]);
            world.add_circle(shot.with_filter(bullet).with_sensor(true))?;
            fired += 1;
        }
        let stats = world.step(1.0 / 120.0)?; // 20 / 120 is less than a radius: nothing flies through a wall
        most = most.max(stats.circles);
        for event in world.events().to_vec() {
            let (shot, victim) = match (event.kind, event.pair) {
                (EventKind::Begin, EventPair::CircleCircle(a, b)) if lives.contains_key(&a) => (b, Some(a)),
                (EventKind::Begin, EventPair::CircleCircle(a, b)) => (a, Some(b)),
                (EventKind::Begin, EventPair::CircleSegment(circle, _)) => (circle, None),
                _ => continue,
            };
            // Two enemies may meet, an enemy may meet a wall, and a bullet may have met two things at once.
            if lives.contains_key(&shot) || world.remove_circle(shot).is_err() {
                continue;
            }
            let Some(life) = victim.and_then(|enemy| lives.get_mut(&enemy)) else {
                walls += 1;
                continue;
            };
            (hits, *life) = (hits + 1, *life - 1);
            if *life == 0 {
                downed += 1;
                lives.remove(&victim.expect("somebody's life"));
                world.remove_circle(victim.expect("somebody's life"))?;
            }
        }
    }
    let us = start.elapsed().as_secs_f64() * 1e6 / STEPS as f64;
    let flying = world.circles().len() - lives.len();
    println!("{fired} bullets: {walls} into walls, {hits} into enemies, {flying} still flying; {downed} enemies down");
    println!("at most {most} circles at once, {us:.0} us a step");
    assert_eq!(fired, walls + hits + flying, "every bullet is somewhere");
    assert!(walls > 1_000 && hits > 1_000 && downed > 0 && lives.len() == 60 - downed);
    Ok(())
}
