//! The scenes are the ones that every figure of this project is measured on: their bytes are hashed.
//!
//! The hashes were not taken from this generator. They come from the definition that the project shares with its
//! measurements, a separate text of the same scenes, compiled by itself and hashed in the same way.

use crate::common::scenes;
use crate::common::worlds::{fnv, fnv_on};

/// Half the width, then each column: its length as u64, then its values, all little-endian.
fn hash(scene: &scenes::Scene) -> u64 {
    let mut hash = fnv(&scene.half_width.to_le_bytes());
    for column in [
        &scene.x,
        &scene.y,
        &scene.radius,
        &scene.velocity_x,
        &scene.velocity_y,
        &scene.x0,
        &scene.y0,
        &scene.x1,
        &scene.y1,
    ] {
        hash = fnv_on(hash, &(column.len() as u64).to_le_bytes());
        for value in column {
            hash = fnv_on(hash, &value.to_le_bytes());
        }
    }
    hash
}

const HASHES: [(&str, usize, usize, u64); 9] = [
    ("gas-1k", 1_000, 104, 0x9757_8d51_43a4_53de),
    ("gas-10k", 10_000, 1_004, 0xfc57_e74a_9835_53c7),
    ("gas-100k", 100_000, 10_004, 0xc8e7_208a_1075_ca8d),
    ("gas-1m", 1_000_000, 100_004, 0x8de1_05fb_28c8_6427),
    ("dense-100k", 100_000, 4, 0x9d09_50db_ab1d_fe7d),
    ("mixed-100k", 100_000, 10_004, 0x4306_38c2_2e21_cebf),
    ("cluster-100k", 100_000, 10_004, 0x04e5_fa70_b253_d084),
    ("soup-100k", 0, 100_000, 0xdebd_69c5_5ec1_7055),
    ("city-100k", 100_000, 20_004, 0xf6fd_5d99_a807_0582),
];

#[test]
fn every_scene_has_the_bytes_of_the_shared_definition() {
    for (name, circles, segments, expected) in HASHES {
        let scene = scenes::scene(name).expect(name);
        assert_eq!((scene.x.len(), scene.x0.len()), (circles, segments), "{name}");
        assert_eq!(format!("{:016x}", hash(&scene)), format!("{expected:016x}"), "{name}");
    }
}

#[test]
fn the_catalogue_counts_what_the_scenes_hold() {
    let listed: Vec<_> = scenes::CATALOG.iter().map(|entry| (entry.name, entry.circles, entry.segments)).collect();
    let expected: Vec<_> = HASHES.iter().map(|&(name, circles, segments, _)| (name, circles, segments)).collect();
    assert_eq!(listed, expected);
}

#[test]
fn another_seed_is_another_scene_and_another_name_is_none() {
    let seeded = scenes::seeded("gas-1k", 1).expect("gas-1k");
    assert_eq!((seeded.x.len(), seeded.x0.len()), (1_000, 104));
    assert_ne!(hash(&seeded), HASHES[0].3);
    assert!(scenes::scene("gas-2k").is_none());
}
