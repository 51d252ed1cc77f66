//! Every intersecting pair of a map: the coast lines of the world (Natural Earth, 110 m) by themselves, and overlaid with a graticule
//! of parallels and meridians. Which pairs touch, and how, is exact; a grid of 10 degrees runs straight through many corners.
//!
//! `cargo run --release --example map_intersections [FILE.csv with x0,y0,x1,y1]`

use gridlane::{Circles, Contacts, Detector, DetectorConfig, SegmentClass, Segments};
use std::time::Instant;

type Columns = [Vec<f32>; 4];

fn read(text: &str) -> Columns {
    let mut columns = Columns::default();
    for line in text.lines().skip(1) {
        for (column, number) in columns.iter_mut().zip(line.split(',')) {
            column.push(number.trim().parse().unwrap_or_else(|_| panic!("expected a number, found {number:?}")));
        }
    }
    columns
}

/// All pairs: crossing, touching, overlapping.
fn intersect(what: &str, [x0, y0, x1, y1]: &Columns) -> Result<([usize; 3], Contacts), gridlane::Error> {
    let (mut detector, mut contacts) = (Detector::new(DetectorConfig::default())?, Contacts::new());
    let start = Instant::now();
    detector.set_segments(Segments { x0, y0, x1, y1 })?;
    detector.detect(Circles::default(), &mut contacts)?; // no circles: pairs of segments alone
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let count = |class| contacts.segment_segment().iter().filter(|pair| pair.class == class).count();
    let counts = [SegmentClass::Cross, SegmentClass::Touch, SegmentClass::Overlap].map(count);
    let [cross, touch, overlap] = counts;
    println!("{what}: {} segments; {cross} crossings, {touch} touches, {overlap} overlaps in {ms:.2} ms", x0.len());
    Ok((counts, contacts))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = std::env::args().nth(1);
    let text = match &own {
        Some(file) => std::fs::read_to_string(file)?,
        None => include_str!("../tests/data/maps/world-land-110m-ll.segments.csv").to_owned(),
    };
    let mut map = read(&text);
    let (alone, _) = intersect("coasts", &map)?;

    let coasts = map[0].len() as u32;
    for k in -18..=18 {
        let at = k as f32 * 10.0;
        for (column, value) in map.iter_mut().zip([at, -90.0, at, 90.0]) {
            column.push(value);
        }
        if (-9..=9).contains(&k) {
            for (column, value) in map.iter_mut().zip([-180.0, at, 180.0, at]) {
                column.push(value);
            }
        }
    }
    let (_, contacts) = intersect("with a graticule", &map)?;
    let overlay: Vec<_> = contacts.segment_segment().iter().filter(|c| c.a < coasts && c.b >= coasts).collect();
    let northmost = overlay.iter().max_by(|a, b| a.point.y.total_cmp(&b.point.y)).ok_or("nothing meets")?;
    println!(
        "{} meetings of coast and graticule; the northmost at {:.2} E, {:.2} N",
        overlay.len(),
        northmost.point.x,
        northmost.point.y
    );
    // As others have found (tests/data/maps/world-land-110m-ll.truth.json).
    assert!(own.is_some() || alone == TRUTH, "{alone:?}");
    Ok(())
}

/// Crossings, touches, overlaps.
const TRUTH: [usize; 3] = [132, 5_009, 0];
