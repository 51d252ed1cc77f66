//! Promise: maps drawn by others come out with exactly the pairs that another program, in exact arithmetic, has found.
//!
//! The answers are in `*.truth.json` beside the maps; where maps and answers come from is in `tests/data/README.md`.

use crate::common::checksum::checksum;
use crate::common::scenes::Rng;
use crate::common::truth::{Columns, Sets, assert_sound, bytes};
use gridlane::{Backend, Contacts, Detector, DetectorConfig, Threads};
use serde_json::Value;
use std::path::PathBuf;

const MAPS: [&str; 3] = ["freedoom1-e1m1", "freedoom1-e1m1-solid", "world-land-110m-ll"];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/maps").join(name)
}

/// The rows of a CSV file of `N` numbers with one line of names; nothing if there is no such file.
fn rows<const N: usize>(name: &str) -> Vec<[f32; N]> {
    let Ok(mut reader) = csv::Reader::from_path(file(name)) else { return Vec::new() };
    reader.deserialize::<Vec<f32>>().map(|row| row.unwrap().try_into().unwrap()).collect()
}

struct Map {
    name: &'static str,
    walls: Vec<[f32; 4]>,
    circles: Vec<[f32; 3]>,
    truth: Value,
}

impl Map {
    fn open(name: &'static str) -> Map {
        let text = std::fs::read_to_string(file(&format!("{name}.truth.json"))).unwrap();
        let map = Map {
            name,
            walls: rows(&format!("{name}.segments.csv")),
            circles: rows(&format!("{name}.circles.csv")),
            truth: serde_json::from_str(&text).unwrap(),
        };
        assert_eq!(map.walls.len(), map.count(&["segments"]), "{name}");
        map
    }

    fn at(&self, path: &[&str]) -> &Value {
        path.iter().fold(&self.truth, |value, key| {
            value.get(key).unwrap_or_else(|| panic!("{}: no {key} in {path:?}", self.name))
        })
    }

    fn count(&self, path: &[&str]) -> usize {
        self.at(path).as_u64().unwrap() as usize
    }

    fn text(&self, path: &[&str]) -> &str {
        self.at(path).as_str().unwrap()
    }

    /// The map's walls and these circles.
    fn with(&self, circles: &[[f32; 3]]) -> Columns {
        let mut scene = Columns::default();
        for &[x0, y0, x1, y1] in &self.walls {
            scene.push_segment([x0, y0], [x1, y1]);
        }
        for &[x, y, radius] in circles {
            scene.push_circle([x, y], radius);
        }
        scene
    }

    /// By the recipe of the truth: x, y and radius drawn in f64 over the map's box, each rounded once.
    fn random_circles(&self) -> Vec<[f32; 3]> {
        let recipe = "SplitMix64 seed 0xC1AC1E; per circle x=range(bbox0,bbox2), y=range(bbox1,bbox3), \
                      r=range(0.05*m,m), m=max(width,height)/200 in f64, each rounded to f32";
        assert_eq!(self.text(&["random_circles", "rng"]), recipe, "{}", self.name);
        let side = |k: usize| self.truth["bbox"][k].as_f64().unwrap();
        let (width, height) = (side(2) - side(0), side(3) - side(1));
        let longer = if width > height { width } else { height };
        let most = longer / 200.0;
        let mut rng = Rng::new(0xC1_AC1E);
        let circle = |_| {
            let (x, y) = (rng.range(side(0), side(2)), rng.range(side(1), side(3)));
            [x as f32, y as f32, rng.range(0.05 * most, most) as f32]
        };
        (0..self.count(&["random_circles", "n"])).map(circle).collect()
    }
}

/// What both backends and one or two threads report, which has to be the same bytes.
fn detect(scene: &Columns, what: &str) -> Sets {
    let mut first: Option<(Vec<u8>, Sets)> = None;
    for backend in [Backend::Wide, Backend::Scalar] {
        for threads in [1, 2] {
            let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            let mut detector = Detector::new(config).unwrap();
            let mut contacts = Contacts::new();
            detector.set_segments(scene.segments()).unwrap();
            detector.detect(scene.circles(), &mut contacts).unwrap();
            assert_sound(&contacts, what);
            let found = (bytes(&contacts), Sets::reported(&contacts, what));
            let first = first.get_or_insert_with(|| found.clone());
            assert!(first.0 == found.0, "{what}, {backend:?} {threads}: other bytes");
        }
    }
    first.unwrap().1
}

#[test]
fn every_map_has_its_pairs_of_segments() {
    for map in MAPS.map(Map::open) {
        let pairs = detect(&map.with(&[]), map.name).segment_segment;
        let of = |class: &str| pairs.iter().filter(|pair| pair.2 == class).count();
        let expected = |key: &str| map.count(&["segment_pairs", key]);
        assert_eq!(pairs.len(), expected("hit"), "{}", map.name);
        assert_eq!(of("cross"), expected("cross"), "{}", map.name);
        assert_eq!(of("touch"), expected("touch"), "{}", map.name);
        assert_eq!(of("overlap"), expected("overlap"), "{}", map.name);
        let sum = checksum(pairs.iter().map(|pair| (pair.0, pair.1)));
        assert_eq!(sum, map.text(&["segment_pairs", "checksum"]), "{}", map.name);
        let crossing = pairs.iter().filter(|pair| pair.2 == "cross").map(|pair| (pair.0, pair.1));
        assert_eq!(checksum(crossing), map.text(&["segment_pairs", "checksum_cross"]), "{}", map.name);
    }
}

/// Pairs of one set of circles with each other and with the walls, against `truth[key]`.
fn check_circles(map: &Map, circles: &[[f32; 3]], key: &str) {
    let what = format!("{}, {key}", map.name);
    assert_eq!(circles.len(), map.count(&[key, "n"]), "{what}");
    let found = detect(&map.with(circles), &what);
    assert_eq!(found.circle_circle.len(), map.count(&[key, "circle_circle_pairs"]), "{what}");
    assert_eq!(found.circle_segment.len(), map.count(&[key, "circle_segment_pairs"]), "{what}");
    let mut touching: Vec<u32> = found.circle_segment.iter().map(|pair| pair.0).collect();
    touching.dedup();
    assert_eq!(touching.len(), map.count(&[key, "circles_touching_a_wall"]), "{what}");
    assert_eq!(checksum(found.circle_circle), map.text(&[key, "circle_circle_checksum"]), "{what}");
    assert_eq!(checksum(found.circle_segment), map.text(&[key, "checksum"]), "{what}");
}

#[test]
fn every_map_has_the_pairs_of_its_own_circles() {
    let mut maps = 0;
    for map in MAPS.map(Map::open).iter().filter(|map| !map.circles.is_empty()) {
        check_circles(map, &map.circles, "circles_own");
        maps += 1;
    }
    assert_eq!(maps, 2);
}

#[test]
fn every_map_has_the_pairs_of_ten_thousand_random_circles() {
    for map in MAPS.map(Map::open) {
        check_circles(&map, &map.random_circles(), "circles_random");
    }
}

#[test]
fn far_from_the_origin_and_scaled_by_powers_of_two_the_pairs_stay() {
    // Whole numbers below 2^12 moved by 2^20, and any number times a power of two, stay exact in f32.
    let map = Map::open("freedoom1-e1m1");
    let original = detect(&map.with(&map.circles), "unmoved");
    for (offset, scale) in [(1_048_576.0, 1.0), (0.0, 1.0 / 1024.0), (-1_048_576.0, 4096.0)] {
        let moved = |v: f32| (v + offset) * scale;
        let mut scene = map.with(&map.circles);
        for column in [&mut scene.x, &mut scene.y, &mut scene.x0, &mut scene.y0, &mut scene.x1, &mut scene.y1] {
            column.iter_mut().for_each(|v| *v = moved(*v));
        }
        scene.radius.iter_mut().for_each(|r| *r *= scale);
        assert_eq!(detect(&scene, "moved"), original, "{offset} {scale}");
    }
}
