//! Promise: columns may lie anywhere in the caller's own records; what is found is what plain slices give, byte for byte, and what cannot
//! be laid over the records is refused by field, with nothing changed.

use crate::common::flavours::{self, FLAVOURS};
use crate::common::truth::{Columns, bytes};
use gridlane::{
    Circle, CircleColumns, Circles, Column, Contacts, Detector, DetectorConfig, Error, Frame, Kind, PairLists, Points,
    Segment, SegmentColumns, Segments, Vec2,
};
use std::mem::offset_of;

fn detector() -> Detector {
    Detector::new(DetectorConfig::default()).unwrap()
}

fn found<'a>(circles: impl Into<Frame<'a>>, segments: impl Into<SegmentColumns<'a>>) -> Vec<u8> {
    let (mut detector, mut contacts) = (detector(), Contacts::new());
    detector.set_segments(segments).unwrap();
    detector.detect(circles, &mut contacts).unwrap();
    bytes(&contacts)
}

/// A record as a game might have it.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Agent {
    id: u64,
    at: Vec2,
    health: u32,
    radius: f32,
}

/// As one might be read from a file.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Road {
    y1: f32,
    kind: [u8; 4],
    start: [f32; 2],
    x1: f32,
}

#[test]
fn records_of_every_shape_give_the_bytes_of_slices() {
    let mut total = 0;
    for flavour in &FLAVOURS {
        let scene = flavours::make(flavour, 61, 90, 40, false);
        let Columns { x, y, radius, x0, y0, x1, y1, .. } = &scene;
        let expected = found(scene.circles(), scene.segments());
        total += expected.len();
        let rows = || 0..x.len();
        let agents: Vec<Agent> =
            rows().map(|i| Agent { id: 9, at: [x[i], y[i]].into(), health: u32::MAX, radius: radius[i] }).collect();
        let of_agents = CircleColumns {
            x: Column::field(&agents, offset_of!(Agent, at.x)),
            y: Column::field(&agents, offset_of!(Agent, at.y)),
            radius: Column::field(&agents, offset_of!(Agent, radius)),
        };
        let circles: Vec<Circle> = rows().map(|i| scene.circle(i)).collect();
        let triples: Vec<[f32; 3]> = rows().map(|i| [x[i], y[i], radius[i]]).collect();
        let pairs: Vec<[f32; 2]> = rows().map(|i| [x[i], y[i]]).collect();
        let vectors: Vec<Vec2> = rows().map(|i| [x[i], y[i]].into()).collect();
        let apart = CircleColumns { x: x.into(), y: y.into(), radius: Column::strided(radius, 0, 1) };
        let ways = [
            of_agents,
            CircleColumns::from(&circles),
            CircleColumns::from(&triples),
            CircleColumns::at(&pairs, radius),
            CircleColumns::at(&vectors, Column::field(&triples, 8)),
            apart,
        ];
        for (way, columns) in ways.into_iter().enumerate() {
            assert!(found(columns, scene.segments()) == expected, "{}: circles, way {way}", flavour.0);
        }
        let rows = || 0..x0.len();
        let roads: Vec<Road> =
            rows().map(|i| Road { y1: y1[i], kind: [255; 4], start: [x0[i], y0[i]], x1: x1[i] }).collect();
        let of_roads = SegmentColumns::new(
            Column::field(&roads, offset_of!(Road, start)),
            Column::field(&roads, offset_of!(Road, start) + 4),
            Column::field(&roads, offset_of!(Road, x1)),
            Column::field(&roads, offset_of!(Road, y1)),
        );
        let segments: Vec<Segment> = rows().map(|i| scene.segment(i)).collect();
        let fours: Vec<[f32; 4]> = rows().map(|i| [x0[i], y0[i], x1[i], y1[i]]).collect();
        let ends: Vec<[[f32; 2]; 2]> = rows().map(|i| [[x0[i], y0[i]], [x1[i], y1[i]]]).collect();
        let [starts, stops] = [0, 1].map(|end| ends.iter().map(|ends| ends[end]).collect::<Vec<[f32; 2]>>());
        let ways = [
            of_roads,
            SegmentColumns::from(&segments),
            SegmentColumns::from(&fours),
            SegmentColumns::from(&ends),
            SegmentColumns::between(&starts, &stops),
        ];
        for (way, columns) in ways.into_iter().enumerate() {
            assert!(found(scene.circles(), columns) == expected, "{}: segments, way {way}", flavour.0);
        }
        // Replaced one by one from records they are the same again.
        let (mut detector, mut contacts) = (detector(), Contacts::new());
        detector.set_segments(&vec![Segment::default(); fours.len()]).unwrap();
        detector.replace_segments(3..fours.len(), &fours[3..]).unwrap();
        detector.replace_segments(0..3, &segments[..3]).unwrap();
        detector.detect(&circles[..], &mut contacts).unwrap();
        assert!(bytes(&contacts) == expected, "{}", flavour.0);
    }
    assert!(total > 100_000);
}

#[test]
fn one_radius_serves_all() {
    let scene = flavours::make(&FLAVOURS[0], 5, 200, 30, false);
    let same = vec![0.75; scene.x.len()];
    let expected = found(Circles { radius: &same, ..scene.circles() }, scene.segments());
    let positions: Vec<Vec2> = scene.x.iter().zip(&scene.y).map(|(&x, &y)| Vec2::new(x, y)).collect();
    assert!(found(CircleColumns::at(&positions, 0.75), scene.segments()) == expected);
    // Of segments too: as capsules of one radius.
    let thick: Vec<Segment> = (0..scene.x0.len()).map(|i| scene.segment(i).with_radius(0.25)).collect();
    let capsules = SegmentColumns::from(scene.segments()).with_radius(0.25);
    assert!(found(scene.circles(), capsules) == found(scene.circles(), &thick));
    assert!(found(scene.circles(), capsules) != found(scene.circles(), scene.segments()));
}

#[test]
fn numbers_are_checked_where_they_lie() {
    let (mut detector, mut pairs) = (detector(), PairLists::new());
    detector.pairs(CircleColumns::at(&[[0.0, 0.0], [1.0, 0.0]], 0.5), &mut pairs).unwrap();
    assert_eq!(pairs.circle_circle(), [[0, 1]]);
    let mut refuse = |columns: CircleColumns<'_>, error: Error| {
        assert_eq!(detector.pairs(columns, &mut pairs), Err(error));
        assert_eq!(pairs.circle_circle(), [[0, 1]], "a refused call has changed something");
    };
    let kind = Kind::Circle;
    let triples = [[0.0, 1.0, 1.0], [f32::NAN, f32::INFINITY, -2.0], [0.0, 0.0, -f32::INFINITY]];
    let columns = CircleColumns::from(&triples);
    let value = f32::INFINITY;
    refuse(CircleColumns { x: 0.0.into(), ..columns }, Error::NotFinite { kind, row: 1, field: "y", value });
    let value = -f32::INFINITY;
    let flat = CircleColumns { x: 0.0.into(), y: 1.0.into(), ..columns };
    refuse(flat, Error::NotFinite { kind, row: 2, field: "radius", value });
    let triples = CircleColumns { radius: Column::field(&triples[..2], 8), ..columns };
    let value = -2.0;
    let flat = CircleColumns { x: 0.0.into(), y: 1.0.into(), ..triples };
    refuse(flat, Error::Negative { kind, row: 1, field: "radius", value });
    // One bad number for all is that of the first row.
    let points = [[0.0; 2]; 3];
    refuse(CircleColumns::at(&points, -1.0), Error::Negative { kind, row: 0, field: "radius", value: -1.0 });
    let points = CircleColumns::at(&points, f32::INFINITY);
    refuse(points, Error::NotFinite { kind, row: 0, field: "radius", value: f32::INFINITY });
    refuse(triples, Error::ColumnLength { kind, field: "radius", length: 2, expected: 3 });
}

#[test]
fn what_cannot_be_laid_over_records_is_refused_by_field() {
    let (mut detector, mut contacts) = (detector(), Contacts::new());
    let own = Segments { x0: &[0.0], y0: &[0.0], x1: &[9.0], y1: &[0.0] };
    detector.set_segments(own).unwrap();
    let good = Circles { x: &[0.0, 1.0], y: &[0.0; 2], radius: &[1.0; 2] };
    detector.detect(good, &mut contacts).unwrap();
    let before = bytes(&contacts);
    let floats = [0.5f32; 12];
    #[repr(C, packed)]
    #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
    struct Odd {
        letter: u8,
        x: f32,
        tail: u8,
    }
    let odd = [Odd { letter: 0, x: 0.0, tail: 0 }; 4];
    let octets = [[0u8; 8]; 9];
    let raw: &[[u8; 8]] = &octets;
    // Of eight neighbouring places of a byte slice, at least six are not aligned to four.
    let flat: &[u8] = bytemuck::cast_slice(raw);
    let unaligned: &[[u8; 8]] = (0..8)
        .map(|at| &flat[at..at + 64])
        .find(|part| !(part.as_ptr() as usize).is_multiple_of(4))
        .map(bytemuck::cast_slice)
        .unwrap();
    let agents = [Agent { id: 0, at: Vec2::ZERO, health: 0, radius: 0.0 }; 2];
    let size = size_of::<Agent>();
    let whole = "records whose size is a multiple of four bytes";
    let within = "a field at a multiple of four bytes within the record";
    for (column, expected) in [
        (Column::strided(&floats, 0, 0), "a stride above zero"),
        (Column::strided(&floats, 3, 3), "an offset below the stride"),
        (Column::strided(&floats, usize::MAX, usize::MAX), "an offset below the stride"),
        (Column::strided(&floats, 0, 5), "a whole number of records"),
        (Column::strided(&floats, 0, usize::MAX), "a whole number of records"),
        (Column::field(&odd, offset_of!(Odd, x)), whole),
        (Column::field(&[(); 3], 0), whole),
        (Column::field(&agents, size), within),
        (Column::field(&agents, usize::MAX), within),
        (Column::field(&agents, usize::MAX - 3), within),
        (Column::field(&agents, 2), within),
        (Column::field(unaligned, 4), "records that are aligned to four bytes"),
    ] {
        for (field, circles) in [
            ("x", CircleColumns { x: column, ..good.into() }),
            ("y", CircleColumns { y: column, ..good.into() }),
            ("radius", CircleColumns { radius: column, ..good.into() }),
        ] {
            let refused = detector.detect(circles, &mut contacts);
            assert_eq!(refused, Err(Error::Layout { kind: Kind::Circle, field, expected }));
            assert!(refused.unwrap_err().to_string().ends_with(expected));
        }
        let segments = SegmentColumns { y1: column, ..own.into() };
        let refused = Err(Error::Layout { kind: Kind::Segment, field: "y1", expected });
        assert_eq!(detector.set_segments(segments), refused);
        assert_eq!(detector.replace_segments(0..1, segments), refused);
        assert_eq!(detector.detect(Frame::from(good).with_moving(segments), &mut contacts), refused);
        assert_eq!(bytes(&contacts), before);
    }
    let expected = "one column at least with a number a row";
    let same = CircleColumns { x: 0.0.into(), y: 0.0.into(), radius: 1.0.into() };
    let refused = Err(Error::Layout { kind: Kind::Circle, field: "x", expected });
    assert_eq!(detector.detect(same, &mut contacts), refused);
    assert_eq!(bytes(&contacts), before);
    detector.detect(good, &mut contacts).unwrap();
    assert_eq!(bytes(&contacts), before);
}

#[test]
fn nothing_is_nothing_in_every_shape() {
    let (mut detector, mut contacts) = (detector(), Contacts::new());
    let none: &[Agent] = &[];
    // Where nothing is kept, of what may lie anywhere: at an odd address.
    let bytes: Vec<[u8; 12]> = Vec::new();
    assert!(!(bytes.as_ptr() as usize).is_multiple_of(4));
    let of_bytes =
        CircleColumns { x: Column::field(&bytes, 0), y: Column::field(&bytes, 4), radius: Column::field(&bytes, 8) };
    let columns =
        CircleColumns { x: Column::field(none, 8), y: Column::field(none, 12), radius: Column::strided(&[], 2, 3) };
    detector.set_segments(&[] as &[Segment]).unwrap();
    for frame in [
        Frame::from(columns),
        Frame::from(of_bytes),
        Frame::default(),
        Frame::new(CircleColumns::at(Points::default(), 3.0)).with_moving(&[] as &[[f32; 4]]),
    ] {
        detector.detect(frame, &mut contacts).unwrap();
        assert!(contacts.is_empty() && detector.segments() == 0);
    }
}
