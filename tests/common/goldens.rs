//! The golden numbers: what worlds and detections come to on every machine, in the only table of them.
//!
//! Comes in: nothing. Goes out: for each name what goes in and what comes out, as two hashes, and what they have to be. Shared by
//! the tests and by programs for targets on which tests do not run; knows no target.
//!
//! **The rule.** A number in [`GOLDENS`] changes only together with a sentence, in the commit and in this table, that says what
//! about the results has changed and why that is right. A number that changes by itself, or on one target only, is a fault.
//! It is no proof that results are right, only that they are the same.
//!
//! | when | what changed |
//! |---|---|
//! | at first | backtracked impulses, one pass, push-out |
//! | next | resting weight is handed on in several passes: positions and velocities of touching circles change |
//! | next | how full cells would be is told from the median, no longer from a corner: coarse levels get other cells, contacts come in another order |
//! | next | masks of 64 rows are made before their pairs are written: what crowded cells have beyond eight comes at the end of each 64 rows |
//! | next | nothing; worlds without bounds, of a map, and edited ones have come in, and detections |
//! | next | separations of contacts come from D² - R² in double precision, what touches segments from double precision throughout: values are nearer to the exact ones |
//! | next | points and sizes of every scale have levels of their own: contacts of such scenes come in another order |
//! | next | one level where cells that fit the largest are not crowded: contacts, and pairs of segments, of such scenes come in another order |
//! | next | ends of static segments that others hide have no contact, straight chains of them one: contacts, events and motion change on the map |
//! | next | ends of events come by both rows before, no longer by the first alone and then in the order of the contacts |
//! | next | pairs of restitution below 1 are solved in substeps, softly and from what they bore before, so that piles stand: positions and velocities of touching circles change, in all worlds here; detections do not |
//! | next | walls hold: what is fast flies from impact to impact, nobody goes or is pushed through a segment, no push goes further than half a radius |
//! | next | events tell of segments that were met in flight: begins and ends of pairs that touch at neither end of a step; positions, velocities and contacts stay |
//! | next | twelve substeps instead of eight, so that piles of a hundred layers keep below 0.02 of a radius, and what pairs bear is summed up by body before a substep begins: positions and velocities of pairs of restitution below 1 change |
//! | next | nothing; worlds of more than one strip of rows have come in, whose contacts are answered strip by strip and then across: no other world here has as many circles |
//! | next | pairs of static segments that come in chains are found along their rows, others in cells half as wide: these pairs, and events that tell of them, come in another order; sorted, and in all else, nothing has changed |
//! | next | pairs of static segments that come in chains come in the order of their rows where other segments move too, so that it does not depend on who moved when they were found: these pairs, and events that tell of them; sorted, and in all else, nothing has changed |
//! | next | cells of circles cover the static segments too: contacts with segments that reach beyond the circles come in another order, and circles that are answered against two of them at once move otherwise; which pairs touch, and the values of their contacts, stay |
//! | next | cells of circles are as narrow as they may be where more than five in four circles come to one: contacts come in another order, those of what may come to touch too, so that pairs of restitution below 1 are solved in another order; which pairs touch, their normals and separations stay, and points of two circles but for the last place, since it depends on which of both comes first |
//! | next | contacts of restitution 1 across strips come before those within, and a strip has its impulses and pushes in one go: positions and velocities of worlds of more than one strip (16 384 circles) change |
//! | next | blocks of segments that come in chains are ten times as large as most of them, no longer eight times, look a strip at a time, and of two blocks the rows of that look of which fewer meet the other: pairs of static segments, and events that tell of them, come in another order; sorted (the code before and after, in all rows of this table), and in all else, nothing has changed |
//! | next | cells that repeat begin at zero where all circles are within 122 880 cells of it, no longer at a rounded median, which jumped from step to step: contacts of circles that lie far apart come in another order, and circles that are answered against several of them at once move otherwise; which pairs touch, and the values of their contacts, stay (all detections here are as they were) |
//! | next | where an ulp of the largest coordinate is more than 1/1024 of the shortest wall that stands, circles are held off walls by ulps of where they are, no longer of where that coordinate is: those that fly into walls, or go by the door, move otherwise in such worlds (two of these, clusters up to 100 000 apart); contacts of what is where, and all other worlds, stay |
//! | next | who is deep (a fifth of its radius) in a wall and between walls that push against each other is pushed out by all of them no faster than by one, and they bear nothing against each other: where restitution is below 1, circles that are put over such walls, as some are in all worlds here but the piles and the crowd, move otherwise, and whom they meet; contacts of what is where stay |
//! | next | circles whose radii are less than 2^-100 of where they lie have the cells that points have, and segments much smaller than most, where they are crowded, a level of their own: contacts of such scenes come in another order; sorted (the code before and after, in the detections here), and in all else, nothing has changed |
//! | next | where bounds reflect and gravity pulls, what leaves goes back as it came and no longer a kick slower: positions and velocities change in all worlds here that have both (with velocities turned as before, those without moving walls had the numbers that they had); who flies along a wall that flees, and who gives way to two walls that move, ends elsewhere: the mixed and the edited worlds, which have some |
//! | next | who falls onto something meets it as fast as it was when they touched, no longer as fast as gravity has made it since, so that what bounces comes to rest: positions and velocities change in all worlds here where gravity pulls and restitution is below 1; points, and circles about ends of walls, meet those to within fewer roundings; worlds without gravity and detections stay |
//! | next | of what a pair bore only that is given again at the start of a substep which grows no faster than weight and pushes: positions and velocities change in all worlds here where restitution is below 1; those where all is 1, and detections, stay |
//! | next | fast circles that glide along a wall that moves away and come upon one from which their velocity points away fly on by it: the large mixed world (without this change it had its number before); all others, and detections, stay |
//! | next | what bounces off a wall in flight, or off one of restitution 1, gives back the approach when they touched, no longer the velocity that gravity has made of it at the end of the step, so that a gas keeps its energy: positions and velocities change in all worlds here where gravity pulls and somebody is fast or elastic; worlds without gravity, what lies still, and detections stay |
//! | next | a velocity counts for the middle of a substep where it is one, no longer for that of a step, and who is cut short on the way back from a bounce is as fast as there, so that what bounces rises as high as its restitution says: positions and velocities change in all worlds here where gravity pulls and restitution is below 1; worlds without gravity, and detections, stay |
//! | next | events tell of pairs that are hit on the way of a step, by way of a third body or after a bounce, and touch neither where flights end nor before: begins and ends in all worlds here in which something may rest, but the crowd, which has none; without those events all rows have the numbers that they had: positions, velocities, contacts and all other events stay |
//! | next | who bore something, or was borne, when a step ended is remembered by circle, no longer told from what its present contacts bore, so that nobody is given gravity that was not taken; and of two circles that both can be pushed neither is made faster for the height that it loses by being cut short, so that they keep their momentum: positions and velocities change where gravity pulls, restitution is below 1 and contacts change, as in gases and on maps; clusters and the crowd, in which nothing pulls, the pile, whose bodies keep those they bear, and detections stay |
//! | next | where velocities change by more than weight changes them, pairs are solved once more there and back in each substep, so that rows that are stopped do not come back: positions and velocities change in all worlds here where restitution is below 1 and somebody meets; those where all is 1 (crowded), and detections, stay |
//! | next | who flies is turned where the wall is, no longer as much too high as it stops before it, and who bounces under gravity and may not be moved back all the way is turned where that ends: positions and velocities change in all worlds here where somebody flies, or bounces with restitution 1 under gravity; the others, and detections, stay |
//! | next | between circles of unlike masses springs are softer, so that heavy ones on light ones come to rest: positions and velocities change in the worlds here that have masses (mixed ones); all others, and detections, have the numbers they had |
//! | next | where velocities change by more than weight changes them, pairs are solved further until little changes, all passes one way, no longer once more there and back, so that rows that are stopped stay: positions and velocities change in worlds here where something may rest |

use super::flavours::{self, FLAVOURS};
use super::scenes::scene;
use super::truth::{Columns, bytes};
use super::worlds::{LARGE, Record, SMALL, Start, edit, fnv, freedoom, little_endian, record};
use gridlane::{Contacts, Detector, DetectorConfig, WorldConfig};

/// Name, hash of what goes in, hash of what comes out. Where what goes in differs, something before this library made it: sines of
/// the scenes come from the target's own mathematics.
pub type Golden = (&'static str, &'static str, &'static str);

/// See the head of the module.
pub const GOLDENS: [Golden; 15] = [
    ("gas-1k", "8e6181824b7f81c9", "86c435e531679ced"),
    ("mixed and moving", "7328148a9d1ca57e", "916191d25d18809f"),
    ("pile", "9864fb97cd95af97", "b35f4f73d63cb8b0"),
    ("clusters far apart", "d5be2965219ea58d", "61462aba27f244f9"),
    ("map", "5c355603725dbcee", "7f059bda37ded7dd"),
    ("gas-10k", "99b85fed0c18e75c", "ed47e0ca157410b2"),
    ("large mixed", "472e9fac1d0ed39f", "a829c88b7ced8f28"),
    ("crowded", "4babb4b344afd916", "0e57fedaf212915d"),
    ("large pile", "11a278d995ebc90c", "38df78aa229c73ce"),
    ("gas-1k, edited", "8e6181824b7f81c9", "ed3b012c8d4e3ed8"),
    ("mixed and moving, edited", "7328148a9d1ca57e", "90d4a52f8e6b77aa"),
    ("clusters far apart, edited", "d5be2965219ea58d", "2cb13e20d56b0516"),
    ("detect: flavours", "5a1df9f76d16466c", "b25e65d139b45100"),
    ("detect: map", "c7abfe6c6ecad0f4", "27fc547d2fac0074"),
    ("detect: soup-100k", "73bd40cf19869d5e", "9e63df504d8ec702"),
];

/// Steps that a golden world makes.
const STEPS: usize = 20;

/// The length of a step.
pub const DT: f32 = 1.0 / 60.0;

/// The record after each step.
pub fn run((_, start): Start, config: WorldConfig, steps: usize, edited: bool) -> Vec<Record> {
    let mut world = start(config);
    let one_step = |step: usize| {
        if edited {
            edit(&mut world, step);
        }
        world.step(DT).unwrap();
        record(&world)
    };
    (0..steps).map(one_step).collect()
}

/// The name in the table, what goes in and what comes out: of every row, in its order.
pub fn all(world: &WorldConfig, detector: &DetectorConfig) -> Vec<[String; 3]> {
    let names = GOLDENS.iter().map(|golden| golden.0);
    names.map(|name| [[name.to_owned()].as_slice(), &one(name, world, detector)].concat().try_into().unwrap()).collect()
}

/// What goes in and what comes out under one name of the table.
pub fn one(name: &str, world: &WorldConfig, detector: &DetectorConfig) -> [String; 2] {
    let hashes = match name.strip_prefix("detect: ") {
        Some("flavours") => detections(detector, &flavoured()),
        Some("map") => detections(detector, &[freedoom()]),
        Some(scene_name) => detections(detector, &[Columns::from(scene(scene_name).unwrap())]),
        None => {
            let (plain, edited) = name.strip_suffix(", edited").map_or((name, false), |plain| (plain, true));
            let start = SMALL.into_iter().chain(LARGE).find(|start| start.0 == plain).unwrap();
            stepped(start, world.clone(), edited)
        }
    };
    hashes.map(|hash| format!("{hash:016x}"))
}

/// The state at the start; the records after every step, in order.
fn stepped(start: Start, config: WorldConfig, edited: bool) -> [u64; 2] {
    let mut all = Vec::new();
    for record in run(start, config.clone(), STEPS, edited) {
        for hash in [record.state, record.rows, record.contacts, record.events] {
            all.extend_from_slice(&hash.to_le_bytes());
        }
    }
    [(start.1)(config).state_hash(), fnv(&all)]
}

/// A few scenes of every kind that is hard.
pub fn flavoured() -> Vec<Columns> {
    let of = |flavour| [0, 1].map(|seed| flavours::make(flavour, 5000 + seed, 150, 60, false));
    FLAVOURS.iter().flat_map(of).collect()
}

/// All columns; all contacts in their order.
fn detections(config: &DetectorConfig, scenes: &[Columns]) -> [u64; 2] {
    let mut detector = Detector::new(config.clone()).unwrap();
    let (mut contacts, mut input, mut output) = (Contacts::new(), Vec::new(), Vec::new());
    for s in scenes {
        for column in [&s.x, &s.y, &s.radius, &s.x0, &s.y0, &s.x1, &s.y1] {
            input.extend(column.iter().flat_map(|v| v.to_le_bytes()));
        }
        detector.set_segments(s.segments()).unwrap();
        detector.detect(s.circles(), &mut contacts).unwrap();
        output.extend(little_endian(&bytes(&contacts)));
    }
    [fnv(&input), fnv(&output)]
}
