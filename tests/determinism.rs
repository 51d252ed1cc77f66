//! Promise: the same inputs give the same bytes, whatever the threads, the backend, the instruction set, the machine, and
//! whether it is the first time.

use crate::common::goldens::{self, DT, GOLDENS, run};
use crate::common::scenes::scene;
use crate::common::truth::{Columns, bytes};
use crate::common::worlds::{LARGE, Record, SMALL, Start, freedoom, is_imitated};
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{
    Backend, Contacts, Detector, DetectorConfig, NeighborLists, QueryFilter, Target, Threads, World, WorldConfig,
    instruction_set,
};

/// Everything that must not make a difference: an instruction set for what is wide and what is not a kernel, a backend, threads.
#[derive(Clone, Copy, Debug)]
struct Way {
    set: &'static str,
    backend: Backend,
    threads: Threads,
}

/// The reference first; the best set of this machine with every number of threads, the others with `few`; the reference once
/// again at the end, since the second time is to be the same as well.
fn ways(few: &[usize]) -> Vec<Way> {
    let fixed = |set, backend, threads| Way { set, backend, threads: Threads::Fixed(threads) };
    let reference = fixed("portable", Backend::Scalar, 1);
    let mut all = vec![reference];
    let sets = instruction_sets();
    for (k, &set) in sets.iter().enumerate() {
        let threads = if k + 1 == sets.len() { &[1, 2, 3, 8, 16] } else { few };
        all.extend(threads.iter().map(|&threads| fixed(set, Backend::Wide, threads)));
        all.push(fixed(set, Backend::Scalar, 8));
    }
    all.push(Way { set: sets[sets.len() - 1], backend: Backend::Wide, threads: Threads::Auto });
    all.push(reference);
    all
}

impl Way {
    /// Does `work` with the set forced.
    fn with<R>(self, work: impl FnOnce(WorldConfig, DetectorConfig) -> R) -> R {
        let world = WorldConfig::default().with_backend(self.backend).with_threads(self.threads);
        let detector = DetectorConfig::default().with_backend(self.backend).with_threads(self.threads);
        with_instruction_set(self.set, || work(world, detector)).expect("one of this machine")
    }
}

fn assert_same(found: &[Record], expected: &[Record], what: &str) {
    for (step, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{what}, step {step}");
    }
    assert_eq!(found.len(), expected.len());
}

/// Fewer steps without optimisation, and where another machine is imitated.
fn steps(most: usize) -> usize {
    if is_imitated() {
        most / 10
    } else if cfg!(debug_assertions) {
        most / 2
    } else {
        most
    }
}

/// Whether fewer steps are made than are meant.
fn is_shortened() -> bool {
    steps(100) < 100
}

/// All ways to run a world; `least` contacts of circles, of circles and segments, of segments, and events a step, or the world would say
/// nothing.
fn check(start: Start, steps: usize, edited: bool, few: &[usize], least: [usize; 4]) {
    let mut expected = None;
    for way in ways(few) {
        let found = way.with(|config, _| run(start, config, steps, edited));
        let expected = expected.get_or_insert_with(|| found.clone());
        assert_same(&found, expected, &format!("{}, edited: {edited}, {way:?}", start.0));
    }
    let expected = expected.unwrap();
    // The first few steps are too quiet to be judged, but where no more are meant.
    let least = if steps < 25 && is_shortened() { [1, 0, 0, 1] } else { least };
    for (kind, least) in least.into_iter().enumerate() {
        let total = expected.iter().map(|record| record.counts[kind]).sum::<usize>();
        assert!(total >= least * steps, "{}: kind {kind}: {total} in {steps} steps", start.0);
    }
}

#[test]
fn small_worlds_are_the_same_in_every_way() {
    let least = [[50, 50, 1, 10], [50, 50, 1, 10], [50, 1, 0, 1], [20, 20, 20, 5], [20, 20, 1000, 5]];
    for (start, least) in SMALL.into_iter().zip(least) {
        check(start, steps(200), false, &[1, 3], least);
    }
}

#[test]
fn small_worlds_are_the_same_in_every_way_through_edits() {
    for start in [SMALL[0], SMALL[1], SMALL[3]] {
        check(start, steps(50), true, &[1, 3], [1, 1, 1, 1]);
    }
}

#[test]
fn large_worlds_are_the_same_in_every_way() {
    // More than one strip has to have something to do: two worlds have contacts of most of their 30 000 circles.
    let least = [[500, 100, 1, 100], [500, 100, 1, 100], [5_000, 100, 0, 100], [25_000, 100, 0, 100]];
    for ((start, least), steps) in LARGE.into_iter().zip(least).zip([30, 30, 10, 10].map(steps)) {
        check(start, steps, false, &[1, 2, 3, 8, 16], least);
    }
}

#[test]
fn large_worlds_really_use_their_threads() {
    // Without this the comparison above could compare one thread with itself.
    if !cfg!(feature = "parallel") {
        return;
    }
    let config = WorldConfig::default().with_threads(Threads::Fixed(8));
    let mut world = (LARGE[0].1)(config.clone());
    assert_eq!(world.step(DT).unwrap().threads, 8);
    // Where there is nothing to share, nothing is.
    let mut nobody = World::new(config).unwrap();
    nobody.add_segment(gridlane::Segment::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    assert_eq!(nobody.step(DT).unwrap().threads, 1);
    // Who is asked about circles says where he stands: sooner or later more than one has.
    let seen = std::sync::Mutex::new(std::collections::HashSet::new());
    let condition = |_: Target| seen.lock().unwrap().insert(std::thread::current().id());
    let (filter, mut lists) = (QueryFilter::new().with_condition(&condition), NeighborLists::new());
    for _ in 0..1000 {
        world.queries().neighbors(0.25, filter, &mut lists).unwrap();
        if seen.lock().unwrap().len() > 1 {
            return;
        }
    }
    panic!("one thread alone has been seen");
}

#[test]
fn detectors_are_the_same_in_every_way() {
    let mut scenes = goldens::flavoured();
    scenes.push(freedoom());
    scenes.extend(["gas-10k", "soup-100k"].map(|name| Columns::from(scene(name).unwrap())));
    let mut expected: Option<Vec<Vec<u8>>> = None;
    for way in ways(&[1, 2, 3, 8, 16]) {
        // One detector for all, so that what a scene leaves behind meets the next; each twice.
        let found = way.with(|_, config| {
            let (mut detector, mut contacts) = (Detector::new(config).unwrap(), Contacts::new());
            let detect = |scene: &Columns| {
                detector.set_segments(scene.segments()).unwrap();
                let again = [(); 2].map(|()| {
                    detector.detect(scene.circles(), &mut contacts).unwrap();
                    bytes(&contacts)
                });
                assert!(again[0] == again[1], "{way:?}: other bytes when warm");
                again.into_iter().next().unwrap()
            };
            scenes.iter().map(detect).collect::<Vec<_>>()
        });
        let expected = expected.get_or_insert_with(|| found.clone());
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(found == expected, "{way:?}: other bytes in scene {at}");
        }
    }
    assert!(expected.unwrap().iter().map(Vec::len).sum::<usize>() > 1_000_000);
}

#[test]
fn a_set_that_is_asked_for_is_the_one_that_runs() {
    // Without this the comparisons above could compare one instruction set with itself.
    let sets = instruction_sets();
    assert_eq!(sets[0], "portable");
    assert!(sets.is_sorted_by(|a, b| a != b));
    assert_eq!(["avx2", "avx512"].map(|set| sets.contains(&set)), machine_has(), "{sets:?}");
    for set in sets {
        let label = |detector: &Detector| {
            let text = format!("{detector:?}").to_lowercase();
            let chosen = text.match_indices(" set: ").map(|(at, found)| {
                text[at + found.len()..].split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()
            });
            // Other things are called a set too; they are numbers.
            chosen.filter(|word| word.starts_with(char::is_alphabetic)).collect::<Vec<_>>()
        };
        let mut detector = with_instruction_set(set, || Detector::new(DetectorConfig::default()).unwrap()).unwrap();
        // Its choice: for contacts, for cells of circles and of neighbour lists, for pairs of segments and the cells of both kinds of them,
        // and for those of chains: their rows, their blocks and what is loose.
        // It keeps it when it is used outside, on whatever thread.
        assert_eq!(label(&detector), [set; 9]);
        let scene = freedoom();
        detector.set_segments(scene.segments()).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| detector.detect(scene.circles(), &mut Contacts::new()).unwrap());
        });
        let labels = label(&detector);
        assert!(labels.len() >= 9 && labels.iter().all(|label| label == set), "{labels:?}");
        let outside = instruction_set();
        let inside = with_instruction_set(set, instruction_set).unwrap();
        assert!(set == "portable" || inside == set);
        assert_eq!(instruction_set(), outside, "only inside");
    }
    assert_eq!(with_instruction_set("abacus", || ()), None);
    let world = with_instruction_set("abacus", || World::new(WorldConfig::default()));
    assert!(world.is_none());
}

/// AVX2 and AVX-512.
#[cfg(target_arch = "x86_64")]
fn machine_has() -> [bool; 2] {
    // Whoever has one of them has the small ones that go with it.
    [is_x86_feature_detected!("avx2"), is_x86_feature_detected!("avx512vl")]
}

#[cfg(not(target_arch = "x86_64"))]
fn machine_has() -> [bool; 2] {
    [false; 2]
}

#[test]
fn every_machine_gives_the_golden_bytes() {
    let expected = GOLDENS.map(|(name, input, output)| [name, input, output].map(str::to_owned));
    let wide = |set| Way { set, backend: Backend::Wide, threads: Threads::Fixed(2) };
    for way in instruction_sets().into_iter().map(wide).chain([ways(&[])[0]]) {
        let found = way.with(|world, detector| goldens::all(&world, &detector));
        assert_eq!(found, expected, "{way:?}");
    }
}
