//! Promise: no kernel loses its instruction set. What is not inlined into the function that is compiled for a set, such as a closure or
//! a function without `#[inline(always)]`, is compiled for less than that, and calls each intrinsic as a function: ten times slower, and
//! right, so nothing else would tell.
//!
//! Read is the table of symbols of this very program, which holds every function that is not inlined everywhere. Without optimisation
//! nothing is inlined; other formats of programs are not read.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(debug_assertions)))]

use gridlane::internals::{PairList, Text, circle_run, circle_runs, wall_run};
use gridlane::{
    Circle, Circles, Contacts, Detector, DetectorConfig, Fan, Filters, QueryFilter, Ray, Rays, Segment, Segments,
    World, WorldConfig,
};

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// The names in the tables of symbols of an ELF file of 64 bits: section headers of 64 bytes, symbols of 24.
fn symbols(file: &[u8]) -> Vec<String> {
    const SYMBOLS: usize = 2;
    assert_eq!(file[..5], *b"\x7FELF\x02");
    let (headers, count) = (number(&file[0x28..0x30]), number(&file[0x3C..0x3E]));
    let header = |k: usize| &file[headers + 64 * k..][..64];
    let content = |header: &[u8]| &file[number(&header[0x18..0x20])..][..number(&header[0x20..0x28])];
    let mut names = vec![];
    for table in (0..count).map(header).filter(|header| number(&header[4..8]) == SYMBOLS) {
        let strings = content(header(number(&table[0x28..0x2C])));
        for symbol in content(table).chunks_exact(24) {
            let name = &strings[number(&symbol[..4])..];
            let end = name.iter().position(|&byte| byte == 0).expect("a last zero");
            names.push(String::from_utf8_lossy(&name[..end]).into_owned());
        }
    }
    names
}

/// Through the doors behind which the kernels are, so that they are linked.
fn doors() {
    let (zero, one) = (&[0.0; 3][..], &[1.0; 3][..]);
    let (circles, segments) =
        (Circles { x: zero, y: one, radius: one }, Segments { x0: zero, y0: zero, x1: one, y1: one });
    let mut detector = Detector::new(DetectorConfig::default()).unwrap();
    detector.set_segments(segments).unwrap();
    let mut contacts = Contacts::new();
    detector.detect(circles, &mut contacts).unwrap();
    assert_eq!((contacts.circle_circle().len(), contacts.circle_segment().len()), (3, 9));
    detector.set_circles(circles, Filters::default()).unwrap();
    let (queries, filter) = (detector.queries(), QueryFilter::default());
    let (mut targets, mut near, mut scan, mut met) = Default::default();
    let rays = Rays { x: zero, y: zero, direction_x: one, direction_y: zero, max: one, skip: &[] };
    queries.overlap_circles(circles, filter, &mut targets).unwrap();
    queries.neighbors(1.0, filter, &mut near).unwrap();
    queries.cast_fan(Fan::around([0.0, 9.0], 8, 10.0), filter, &mut scan).unwrap();
    queries.cast_rays(rays, filter, &mut met).unwrap();
    assert!(queries.cast_ray_any(Ray::new([5.0, 1.0], [-5.0, 0.0]), filter).unwrap());
    assert!(queries.nearest_segment([5.0, 5.0], f32::MAX, filter).unwrap().is_some());
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_circle(Circle::new([0.0, 0.5], 1.0)).unwrap();
    world.add_segment(Segment::new([-1.0, 0.0], [1.0, 0.0])).unwrap();
    world.step(0.1).unwrap();
    let text = Text::Best;
    let mut pairs = PairList::default();
    let columns = [0.0, 0.0, f32::NAN, f32::NAN, f32::NAN, f32::NAN, f32::NAN, f32::NAN, f32::NAN, f32::NAN];
    let circles = Circles { x: &columns, y: &columns, radius: &columns };
    circle_run(text, circles, 0, 0.0, 0..2, &mut pairs);
    circle_runs(text, circles, 0, 0.0, [0..2, 1..2], &mut pairs);
    wall_run(text, circles, Segment::new([0.0, 0.0], [1.0, 0.0]), 0, 0.0, 0..2, &mut pairs);
    assert_eq!(pairs.rows().0.len(), 2 + 3 + 2);
}

#[test]
fn no_intrinsic_is_called_as_a_function() {
    doors();
    let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let names = symbols(&program);
    for set in ["run_avx2", "run_avx512"] {
        let compiled = names.iter().filter(|name| name.contains(set)).count();
        assert!(compiled > 1, "{set}: {compiled} of {}", names.len());
    }
    let called: Vec<&String> =
        names.iter().filter(|name| name.contains("_mm256_") || name.contains("_mm512_")).collect();
    assert!(called.is_empty(), "{called:?}");
}
