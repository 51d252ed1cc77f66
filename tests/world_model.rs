//! Promise: whatever a caller does to a world, in whatever order, it is what a plain model says it is: bodies, contacts, events,
//! errors; the backends agree bit for bit; and so do worlds that go on from their bytes.
//!
//! The same scripts as `fuzz/fuzz_targets/world.rs`, from seeds.

use crate::common::choices::Drawn;
use crate::common::world_script::{Play, Seen};

#[test]
fn ten_thousand_steps_of_random_scripts_equal_the_model() {
    let mut sum = Seen::default();
    for seed in 0..1600 {
        let mut choices = Drawn(seed);
        let mut play = Play::new(&mut choices, 24);
        play.run(120);
        let seen = play.seen;
        sum.steps += seen.steps;
        sum.refused += seen.refused;
        sum.restored += seen.restored;
        sum.begins += seen.begins;
        sum.within += seen.within;
        for (all, here) in sum.pushed.iter_mut().zip(seen.pushed) {
            *all += here;
        }
        for (all, here) in sum.ends.iter_mut().zip(seen.ends) {
            *all += here;
        }
    }
    assert!(sum.steps >= 10_000 && sum.refused > 2_000 && sum.begins > 20_000 && sum.restored > 2_000, "{sum:?}");
    assert!(sum.ends.iter().all(|&ends| ends > 1_000), "{sum:?}");
    // Of who touches nobody and is pushed all the same something is told, but where only a flight that is over already would have met it.
    let [told, untold, by_fast] = sum.pushed;
    assert!(sum.within > 100 && told > 20 && untold == 0 && by_fast < told, "{sum:?}");
}
