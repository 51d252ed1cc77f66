//! Netcode that rolls back: each peer steps on at once with what it knows, and when the other's input arrives late it goes back to
//! the state of that step and does the steps since then once more. Both end up with the same bits as if nothing had been late.
//!
//! `cargo run --release --example rollback`

use gridlane::{Bounds, Circle, CircleHandle, Error, Segment, World, WorldConfig};

const STEPS: usize = 600;
/// Steps until an input has reached the other peer.
const DELAY: usize = 7;
const DT: f32 = 1.0 / 60.0;

/// What a player presses in a step: a push. Changes now and then.
fn input(player: usize, step: usize) -> [f32; 2] {
    let dice = ((step / 9) as u32 * 2 + player as u32 + 1).wrapping_mul(0x9E37_79B9).rotate_left(13);
    [(dice % 7) as f32 * 0.2 - 0.6, (dice / 7 % 7) as f32 * 0.2 - 0.6]
}

/// A box full of discs, two of which have players.
fn arena() -> Result<(World, [CircleHandle; 2]), Error> {
    let bounds = Bounds::Reflect { min: [-10.0, -10.0].into(), max: [10.0, 10.0].into() };
    let mut world = World::new(WorldConfig::default().with_bounds(bounds).with_restitution(0.95))?;
    let players = [-5.0, 5.0].map(|x| world.add_circle(Circle::new([x, 0.0], 0.6)));
    for k in 0..80 {
        let center = [(k % 10) as f32 * 1.9 - 8.5, (k / 10) as f32 * 2.3 - 8.0];
        world.add_circle(Circle::new(center, 0.4).with_velocity([center[1] * 0.3, -center[0] * 0.3]))?;
    }
    world.add_segment(Segment::new([-3.0, -6.0], [3.0, 6.0]).with_radius(0.2))?;
    let [one, two] = players;
    Ok((world, [one?, two?]))
}

/// One peer's game: its own inputs are known at once, the other's `DELAY` steps later; until then the last known one is guessed.
fn play(me: usize) -> Result<(u64, usize), Error> {
    let (mut world, players) = arena()?;
    let mut saved: Vec<Vec<u8>> = vec![Vec::new(); DELAY + 1]; // a ring: buffers are used again
    let (mut rollbacks, mut bytes) = (0, 0);
    let step = |world: &mut World, at: usize, known: usize| -> Result<(), Error> {
        for (player, &disc) in players.iter().enumerate() {
            let seen = if player == me { at } else { at.min(known) };
            world.push_circle(disc, input(player, seen))?;
        }
        world.step(DT).map(|_| ())
    };
    for now in 0..STEPS + DELAY {
        // The other's input of this step has just come in. If it is not what was guessed, all since then is done again.
        if let Some(late) = now.checked_sub(DELAY)
            && late > 0
            && input(1 - me, late) != input(1 - me, late - 1)
        {
            world.restore(&saved[late % saved.len()])?;
            for again in late..now.min(STEPS) {
                world.save_into(&mut saved[again % (DELAY + 1)]);
                step(&mut world, again, late)?;
            }
            rollbacks += 1;
        }
        if now < STEPS {
            world.save_into(&mut saved[now % (DELAY + 1)]);
            bytes = saved[now % (DELAY + 1)].len();
            step(&mut world, now, now.saturating_sub(DELAY))?;
        }
    }
    println!("player {me}: {rollbacks} rollbacks of up to {DELAY} steps, {bytes} bytes a snapshot");
    Ok((world.state_hash(), rollbacks))
}

/// The game in which nothing is late.
fn reference() -> Result<(u64, usize), Error> {
    let (mut world, players) = arena()?;
    for at in 0..STEPS {
        for (player, &disc) in players.iter().enumerate() {
            world.push_circle(disc, input(player, at))?;
        }
        world.step(DT)?;
    }
    Ok((world.state_hash(), 0))
}

fn main() -> Result<(), Error> {
    let hashes = [play(0)?, play(1)?, reference()?];
    assert!(hashes[0].1 > 20 && hashes[1].1 > 20, "nothing came late");
    assert!(hashes.iter().all(|(hash, _)| *hash == hashes[2].0), "the worlds differ");
    println!("both have the hash {:016x} after {STEPS} steps, as if nothing had been late", hashes[0].0);
    Ok(())
}
