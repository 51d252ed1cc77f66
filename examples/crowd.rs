//! A crowd with forces of its own over a bare `Detector`: two groups of people cross a hall with three narrow doors in the wall between them. The
//! columns are the program's; the detector tells who is near whom and which wall, exactly, and knows nothing of people.
//!
//! `cargo run --release --example crowd`

use gridlane::{Circles, Contacts, Detector, DetectorConfig, Error, Segments};
use std::time::Instant;

const PEOPLE: usize = 2_000;
const STEPS: usize = 1_500;
const DT: f32 = 0.05;
/// Bodies end here, and attention reaches so far.
const BODY: f32 = 0.25;
const ATTENTION: f32 = 0.6;

fn main() -> Result<(), Error> {
    // A hall of 80 by 40 metres; walls across its middle leave doors of 4 metres.
    let mut detector = Detector::new(DetectorConfig::default())?;
    detector.set_segments(Segments {
        x0: &[-40.0, -40.0, 0.0, 0.0, 0.0, 0.0],
        y0: &[-20.0, 20.0, -20.0, -12.0, 2.0, 16.0],
        x1: &[40.0, 40.0, 0.0, 0.0, 0.0, 0.0],
        y1: &[-20.0, 20.0, -16.0, -2.0, 12.0, 20.0],
    })?;
    // Those on the left want to the right and the other way round; everybody starts on a loose grid.
    let side = |i: usize| if i.is_multiple_of(2) { -1.0f32 } else { 1.0 };
    let mut x: Vec<f32> = (0..PEOPLE).map(|i| side(i) * (8.0 + (i / 2 / 40) as f32 * 1.2)).collect();
    let mut y: Vec<f32> = (0..PEOPLE).map(|i| (i / 2 % 40) as f32 * 0.95 - 18.5 + side(i) * 0.1).collect();
    let (mut vx, mut vy) = (vec![0.0f32; PEOPLE], vec![0.0f32; PEOPLE]);
    let radius = vec![ATTENTION; PEOPLE];
    let doors = [-14.0f32, 0.0, 14.0];
    let (mut contacts, mut most, start) = (Contacts::new(), 0, Instant::now());
    let arrived = |x: &[f32]| (0..PEOPLE).filter(|&i| x[i] * side(i) < -1.0).count();
    for _ in 0..STEPS {
        detector.detect(Circles { x: &x, y: &y, radius: &radius }, &mut contacts)?;
        most = most.max(contacts.circle_circle().len());
        let (mut fx, mut fy) = (vec![0.0f32; PEOPLE], vec![0.0f32; PEOPLE]);
        for i in 0..PEOPLE {
            // To the nearest door first, then straight on.
            let before = x[i] * side(i) > 0.0;
            let door = doors.into_iter().min_by(|a, b| (a - y[i]).abs().total_cmp(&(b - y[i]).abs())).unwrap_or(0.0);
            let keep_right = door - side(i); // as one does in a door
            let (dx, dy) = if before { (-x[i] - side(i), keep_right - y[i]) } else { (-side(i) * 9.0, 0.0) };
            let length = (dx * dx + dy * dy).sqrt() + 1e-6;
            (fx[i], fy[i]) = (2.0 * (1.4 * dx / length - vx[i]), 2.0 * (1.4 * dy / length - vy[i]));
        }
        // Nearer than attention: give way, and harder the nearer. Normals lead from a to b.
        for c in contacts.circle_circle() {
            let (a, b, push) = (c.a as usize, c.b as usize, 6.0 * (-c.separation / (2.0 * ATTENTION)).powi(2) * 4.0);
            (fx[a], fy[a]) = (fx[a] - push * c.normal.x, fy[a] - push * c.normal.y);
            (fx[b], fy[b]) = (fx[b] + push * c.normal.x, fy[b] + push * c.normal.y);
        }
        for c in contacts.circle_segment() {
            let (a, push) = (c.a as usize, 60.0 * (-c.separation / ATTENTION).powi(2));
            (fx[a], fy[a]) = (fx[a] - push * c.normal.x, fy[a] - push * c.normal.y);
        }
        for i in 0..PEOPLE {
            (vx[i], vy[i]) = (vx[i] + fx[i] * DT, vy[i] + fy[i] * DT);
            (x[i], y[i]) = (x[i] + vx[i] * DT, y[i] + vy[i] * DT);
        }
    }
    let us = start.elapsed().as_secs_f64() * 1e6 / STEPS as f64;
    let through = arrived(&x);
    let squeezed = contacts.circle_circle().iter().filter(|c| c.separation < 2.0 * (BODY - ATTENTION)).count();
    println!("{through} of {PEOPLE} people are through a door after {:.0} s; {us:.0} us a step", STEPS as f32 * DT);
    println!("at most {most} pairs near each other; {squeezed} pairs of bodies overlap in the end");
    assert!(through > PEOPLE / 2 && x.iter().chain(&y).all(|v| v.is_finite()));
    Ok(())
}
