//! The command's readers on arbitrary bytes: columns that a world takes, or a fault with a place in the text; never a panic, never
//! memory out of proportion to the bytes.
#![no_main]

#[allow(dead_code, unreachable_pub, reason = "the readers of files are not called here")]
#[path = "../../src/bin/gridlane/readers/mod.rs"]
mod readers;

use gridlane::{CircleBodies, QueryFilter, Rays, SegmentBodies, World, WorldConfig};
use readers::{CircleColumns, Fault, RayColumns, SegmentColumns};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What the readers know as the failure of the command.
pub enum Failure {
    Input(String),
    Machine(String),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Input(fault.to_string())
    }
}

/// Counts the bytes that are held, and the most there were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(HELD.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that reading may hold for each byte of the text, and in any case: lists that double, and a tree of values for properties.
const BYTES_A_BYTE: usize = 200;
const BYTES: usize = 1 << 16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&which, text)) = bytes.split_first() else { return };
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let file = "f".to_owned();
    let (mut circles, mut segments, mut rays) = (None, None, None);
    match which % 4 {
        0 => circles = Some(readers::circles_in(file, text.to_vec())),
        3 => rays = Some(readers::rays_in(file, text.to_vec())),
        json => segments = Some(readers::segments_in(file, text.to_vec(), json == 2)),
    }
    let held = MOST.load(Relaxed) - before;
    assert!(held <= BYTES + BYTES_A_BYTE * text.len(), "{held} bytes held for {} of text", text.len());
    match (circles, segments, rays) {
        (Some(Ok(circles)), ..) => check_circles(&circles),
        (_, Some(Ok((segments, points))), _) => check_segments(&segments, points, text.len()),
        (_, _, Some(Ok(rays))) => check_rays(&rays),
        (Some(Err(fault)), ..) | (_, Some(Err(fault)), _) | (.., Some(Err(fault))) => {
            check_fault(&fault.to_string(), text);
        }
        _ => {}
    }
});

fn world() -> World {
    World::new(WorldConfig::default()).expect("the default")
}

/// What is read is taken.
fn check_circles(c: &CircleColumns) {
    let inverse_mass: Vec<f32> = c.mass.iter().map(|mass| 1.0 / mass).collect();
    let handles = world().add_circles(CircleBodies {
        x: &c.x,
        y: &c.y,
        radius: &c.radius,
        velocity_x: &c.velocity_x,
        velocity_y: &c.velocity_y,
        inverse_mass: &inverse_mass,
        ..Default::default()
    });
    assert_eq!(handles.expect("columns that fit").len(), c.x.len());
    assert!(c.mass.iter().all(|&mass| mass > 0.0));
}

fn check_segments(s: &SegmentColumns, points: usize, length: usize) {
    let [velocity_x0, velocity_y0, velocity_x1, velocity_y1] = s.velocity.each_ref().map(|column| &column[..]);
    let handles = world().add_segments(SegmentBodies {
        x0: &s.x0,
        y0: &s.y0,
        x1: &s.x1,
        y1: &s.y1,
        velocity_x0,
        velocity_y0,
        velocity_x1,
        velocity_y1,
        ..Default::default()
    });
    assert_eq!(handles.expect("columns that fit").len(), s.x0.len());
    // A segment takes a position of two digits, a comma and brackets; a point more.
    assert!((s.x0.len() + points) * 4 <= length);
}

/// Rays that are read can be cast.
fn check_rays(r: &RayColumns) {
    let (max, mut hits) = (&r.max[..], Vec::new());
    let rays = Rays { x: &r.x, y: &r.y, direction_x: &r.direction_x, direction_y: &r.direction_y, max, skip: &[] };
    world().cast_rays(rays, QueryFilter::new(), &mut hits).expect("columns that fit");
    assert_eq!(hits.len(), r.x.len());
}

/// `f:LINE:COLUMN: expected …, found …`, a place that the text has, on one line of bounded length.
fn check_fault(message: &str, text: &[u8]) {
    assert!(message.chars().count() < 600 && !message.chars().any(char::is_control), "{message:?}");
    let parts: Vec<&str> = message.splitn(4, ':').collect();
    let [file, line, column, words] = parts[..] else { panic!("{message}") };
    assert!(file == "f" && words.starts_with(" expected ") && words.contains(", found "), "{message}");
    let (line, column): (usize, usize) = (line.parse().expect("a line"), column.parse().expect("a column"));
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let here = lines.get(line - 1).unwrap_or_else(|| panic!("no such line: {message}"));
    assert!(column >= 1 && column <= here.len() + 1, "no such column: {message}");
}
