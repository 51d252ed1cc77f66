//! Which beams of a fan may meet a body: where bodies are few, that is told from the side of the bodies, and no beam has to walk.
//!
//! Comes in: a fan, a scene, what is seen of it. Goes out: for each beam all bodies that it may meet and that are seen, and some more; or nothing, where bodies
//! are many, or wide for the fan, and walks are cheaper. This room does not decide what is met: who is on a list is then asked by
//! [`super::search`], and what that finds does not depend on who else is asked.
//!
//! *Why nobody is left out.* Seen from outside, a segment lies between the directions to its ends, the short way around; a segment with a radius,
//! or a circle, between those to the rims of the discs about its ends. A disc of radius r about a centre d away is seen `asin(r/d)`
//! to each side, at most `π/2 · r/d`, and d is at least the longer of its components. Whoever cannot be told to see it from outside sees
//! it in all directions. Angles are off by less than 10^-5 by the polynomial (Abramowitz and Stegun, Handbook of Mathematical
//! Functions, 4.4.49), by 2^-23 for the rounding of the two differences, by some 2^-22 for that of the sums in single precision; a beam's
//! own direction by 2^-23 for its rounding, and by 2^-42 for that of the angle. [`ALLOWANCE`] is more than all of them.
//!
//! *Cost*: O(bodies + beams + lists), lists at most [`LISTED`] bodies a beam in the mean.

use super::angle::near;
use super::{Fan, Look, Scene};
use crate::geometry::Vec2;
use crate::kernels::{Kernels, Operation, dispatch};
use std::f64::consts::{PI, TAU};

/// Radians; see the head of the module.
const ALLOWANCE: f64 = 1.0 / 16_384.0;
/// Beams closer together than this are not told apart by the allowance.
const LEAST_STEP: f64 = ALLOWANCE / 2.0;
/// Headings beyond this are multiples of something by themselves; up to it, directions are near as [`super::angle`] has it.
const FAR: f32 = 1024.0;
/// What is seen wider than this is seen in all directions: π, less some allowances.
const WIDE: f64 = 3.125;
/// Bodies a beam, more of which it is better to walk among; and on its list, in the mean. A body takes some 10 ns, one on a list 3, a walk 100
/// to 200.
const BODIES: usize = 4;
const LISTED: usize = 16;
/// With fewer beams nothing is gained.
const FEW: u32 = 16;

/// Lists of bodies by beam. Used again from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// By row: ends of segments, or centres of circles.
    first: Ends,
    last: Ends,
    /// Beams from one to before another, and the body that they may meet.
    spans: Vec<[u32; 3]>,
    /// Where the list of a beam begins.
    starts: Vec<u32>,
    bodies: Vec<u32>,
    /// All of them are seen; else they have to be asked about.
    is_seen: bool,
    directions: Vec<Vec2>,
}

/// Points as they are seen.
#[derive(Clone, Debug, Default)]
struct Ends {
    angle: Vec<f32>,
    /// The longer component of the way there.
    away: Vec<f32>,
}

impl Ends {
    fn resize(&mut self, count: usize) {
        self.angle.resize(count, 0.0);
        self.away.resize(count, 0.0);
    }
}

/// Points to look at, from an origin.
struct Angles<'a> {
    x: &'a [f32],
    y: &'a [f32],
    origin: [f32; 2],
    angle: &'a mut [f32],
    away: &'a mut [f32],
}

impl Operation for Angles<'_> {
    type Output = ();
    /// No kernel is needed, only the code compiled for what the machine has. Where the origin itself is looked at, or what is too far, the
    /// angle is no number.
    #[inline(always)]
    fn run<K: Kernels>(self) {
        use std::f32::consts::{FRAC_PI_2, PI};
        let Angles { x, y, origin, angle, away } = self;
        for (((&x, &y), angle), away) in x.iter().zip(y).zip(angle).zip(away) {
            let (dx, dy) = (x - origin[0], y - origin[1]);
            let (wide, high) = (dx.abs(), dy.abs());
            let steep = high > wide;
            let (long, short) = if steep { (high, wide) } else { (wide, high) };
            let t = short / long;
            let s = t * t;
            let p = t * (0.999_866 + s * (-0.330_299_5 + s * (0.180_141 + s * (-0.085_133 + s * 0.020_835_1))));
            let p = if steep { FRAC_PI_2 - p } else { p };
            let p = if dx < 0.0 { PI - p } else { p };
            let p = if dy < 0.0 { 0.0 - p } else { p };
            (*angle, *away) = (if long <= f32::MAX { p } else { f32::NAN }, long);
        }
    }
}

/// The directions of all beams.
struct Directions<'a>(&'a Fan, &'a mut [Vec2]);

impl Operation for Directions<'_> {
    type Output = ();
    /// No kernel is needed here either.
    #[inline(always)]
    fn run<K: Kernels>(self) {
        // By columns: that is vector code.
        const SOME: usize = 16;
        let (mut angles, mut sines, mut cosines) = ([0.0; SOME], [0.0; SOME], [0.0; SOME]);
        for (k, directions) in self.1.chunks_mut(SOME).enumerate() {
            for (beam, angle) in angles.iter_mut().enumerate() {
                *angle = self.0.angle((k * SOME + beam) as u32);
            }
            for beam in 0..SOME {
                [sines[beam], cosines[beam]] = near(angles[beam]);
            }
            for (direction, (&sine, &cosine)) in directions.iter_mut().zip(sines.iter().zip(&cosines)) {
                *direction = Vec2 { x: cosine as f32 + 0.0, y: sine as f32 + 0.0 };
            }
        }
    }
}

/// The angles of a fan.
struct Beams {
    /// Of the first.
    start: f64,
    /// Beams a radian: its rounding, and that of products with it, are far less than the allowance.
    per: f64,
    count: u32,
}

impl Beams {
    /// None where angles do not tell beams apart.
    fn new(fan: &Fan) -> Option<Beams> {
        let (around, count) = (fan.is_around(), f64::from(fan.beams));
        let spread = f64::from(fan.spread);
        let (back, each) = if around { (PI, TAU / count) } else { (spread / 2.0, spread / (count - 1.0)) };
        let known = fan.beams >= FEW && fan.heading.abs() <= FAR && each >= LEAST_STEP;
        known.then_some(Beams { start: f64::from(fan.heading) - back, per: 1.0 / each, count: fan.beams })
    }

    /// The beams between two angles, less than a turn apart, from one to before another: one range, and another where the fan is met from both
    /// sides. Where nobody is between them a range may end before it begins.
    #[inline(always)]
    fn between(&self, [low, high]: [f64; 2]) -> [u32; 4] {
        let wide = high - low + 2.0 * ALLOWANCE;
        let turns = (low - ALLOWANCE - self.start) * (1.0 / TAU);
        let from = (turns - down(turns)) * TAU;
        let other = from - TAU;
        let ([first, end], [second, last]) = (self.range(from, from + wide), self.range(other, other + wide));
        [first, end, second, last]
    }

    #[inline(always)]
    fn range(&self, low: f64, high: f64) -> [u32; 2] {
        let (first, end) = (0.0 - down(0.0 - low * self.per), down(high * self.per) + 1.0);
        [self.beam(first), self.beam(end)]
    }

    /// A whole number, or the nearest that there is a beam for, or the number of beams.
    #[inline(always)]
    fn beam(&self, v: f64) -> u32 {
        /// 2^52: what is less, added to it, stands in its lowest bits.
        const WHOLE: f64 = (1u64 << 52) as f64;
        let count = f64::from(self.count);
        let v = if v > 0.0 { v } else { 0.0 };
        let v = if v < count { v } else { count };
        (v + WHOLE).to_bits() as u32
    }
}

/// Which beams may meet what is seen between two points with a disc about each.
struct Between<'a> {
    ends: [&'a Ends; 2],
    radius: &'a [f32],
    beams: &'a Beams,
    /// What the first is called.
    name: u32,
    spans: &'a mut Vec<[u32; 3]>,
}

impl Operation for Between<'_> {
    type Output = ();
    /// By columns, and without a branch until it is known who is met; no kernel is needed here either.
    #[inline(always)]
    fn run<K: Kernels>(self) {
        const SOME: usize = 16;
        let Between { ends: [first, last], radius, beams, name, spans } = self;
        let mut columns = [[0.0; SOME]; 5];
        let (mut narrow, mut ranges) = ([0; SOME], [[0; SOME]; 4]);
        for at in (0..radius.len()).step_by(SOME) {
            let end = if at + SOME < radius.len() { at + SOME } else { radius.len() };
            let rows = [&first.angle, &first.away, &last.angle, &last.away].map(|column| &column[at..end]);
            for (to, from) in columns.iter_mut().zip(rows.into_iter().chain([&radius[at..end]])) {
                to[..end - at].copy_from_slice(from);
            }
            let [first, away, last, away_last, radius] = &columns;
            for k in 0..SOME {
                let [low, high] = seen([(first[k], away[k]), (last[k], away_last[k])], radius[k]);
                // What is no number is not narrow either.
                narrow[k] = u32::from(high - low < WIDE);
                let [first, end, second, last] = beams.between([low, high]);
                ranges[0][k] = first;
                ranges[1][k] = end;
                ranges[2][k] = second;
                ranges[3][k] = last;
            }
            for k in 0..end - at {
                let body = name + (at + k) as u32;
                if narrow[k] == 0 {
                    spans.push([0, beams.count, body]);
                    continue;
                }
                for [first, end] in [[ranges[0][k], ranges[1][k]], [ranges[2][k], ranges[3][k]]] {
                    if first < end {
                        spans.push([first, end, body]);
                    }
                }
            }
        }
    }
}

/// Between which angles.
#[inline(always)]
fn seen([(first, away), (last, away_last)]: [(f32, f32); 2], radius: f32) -> [f64; 2] {
    let (first, half) = (f64::from(first), [aside(radius, away), aside(radius, away_last)]);
    let way = f64::from(last) - first;
    let way = if way > PI { way - TAU } else { way };
    let way = if way < -PI { way + TAU } else { way };
    let low = less(0.0 - half[0], way - half[1]);
    let high = 0.0 - less(0.0 - half[0], 0.0 - way - half[1]);
    [first + low, first + high]
}

impl Sight {
    /// Makes the lists; false if it is better to walk.
    pub(super) fn make(&mut self, scene: &Scene<'_>, look: &Look<'_>, fan: &Fan) -> bool {
        let count = |seen: bool, count: usize| if seen { count } else { 0 };
        let segments = count(look.segments(), scene.capsules.x0.len());
        let circles = count(look.circles(), scene.count() as usize);
        let Some(beams) = Beams::new(fan).filter(|_| segments + circles <= BODIES * fan.beams as usize) else {
            return false;
        };
        self.spans.clear();
        self.see_segments(scene, segments, fan, &beams);
        self.see_circles(scene, circles, fan, &beams);
        self.leave_out(scene, look);
        let few = self.list(&beams);
        if few {
            // All at once: each is a long chain of operations, and here nobody waits for its end.
            self.directions.resize(beams.count as usize, Vec2::ZERO);
            dispatch(scene.backend, scene.set, Directions(fan, &mut self.directions));
        }
        few
    }

    /// All bodies on the lists are seen. A condition of the caller's is asked only about those that are near.
    #[inline(always)]
    pub(super) fn is_seen(&self) -> bool {
        self.is_seen
    }

    fn leave_out(&mut self, scene: &Scene<'_>, look: &Look<'_>) {
        self.is_seen = look.has_no_condition();
        let segments = scene.capsules.x0.len() as u32;
        if self.is_seen && !(look.all_circles() && look.all_segments()) {
            self.spans.retain(|&[_, _, body]| match body.checked_sub(segments) {
                Some(circle) => scene.sees_circle(look, scene.name(circle)),
                None => scene.sees_segment(look, body),
            });
        }
    }

    /// The direction of a beam.
    #[inline(always)]
    pub(super) fn direction(&self, beam: usize) -> Vec2 {
        self.directions[beam]
    }

    /// What a beam may meet: first segments, by their rows, then circles, by their rows in cell order behind those of all segments.
    #[inline(always)]
    pub(super) fn bodies(&self, beam: usize) -> &[u32] {
        &self.bodies[self.starts[beam] as usize..self.starts[beam + 1] as usize]
    }

    fn see_segments(&mut self, scene: &Scene<'_>, count: usize, fan: &Fan, beams: &Beams) {
        let (origin, columns) = (fan.origin.into(), scene.capsules);
        for (x, y, to) in [(columns.x0, columns.y0, &mut self.first), (columns.x1, columns.y1, &mut self.last)] {
            to.resize(count);
            let (angle, away) = (&mut to.angle[..], &mut to.away[..]);
            dispatch(scene.backend, scene.set, Angles { x: &x[..count], y: &y[..count], origin, angle, away });
        }
        let (ends, radius, spans) = ([&self.first, &self.last], &columns.radius[..count], &mut self.spans);
        dispatch(scene.backend, scene.set, Between { ends, radius, beams, name: 0, spans });
    }

    fn see_circles(&mut self, scene: &Scene<'_>, count: usize, fan: &Fan, beams: &Beams) {
        let (circles, segments) = (scene.circles(), scene.capsules.x0.len() as u32);
        self.first.resize(count);
        let (x, y) = (&circles.x[..count], &circles.y[..count]);
        let (angle, away) = (&mut self.first.angle[..], &mut self.first.away[..]);
        dispatch(scene.backend, scene.set, Angles { x, y, origin: fan.origin.into(), angle, away });
        let (ends, radius, spans) = ([&self.first; 2], &circles.radius[..count], &mut self.spans);
        dispatch(scene.backend, scene.set, Between { ends, radius, beams, name: segments, spans });
    }

    /// From spans to lists, by counting; false if they are too long.
    fn list(&mut self, beams: &Beams) -> bool {
        let listed = self.spans.iter().map(|&[first, end, _]| (end - first) as usize).sum::<usize>();
        if listed > LISTED * beams.count as usize {
            return false;
        }
        // Counts stand two places further than their beam; advancing the sums while placing then leaves the starts.
        self.starts.clear();
        self.starts.resize(beams.count as usize + 2, 0);
        for &[first, end, _] in &self.spans {
            for count in &mut self.starts[first as usize + 2..end as usize + 2] {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.bodies.resize(listed, 0);
        for &[first, end, body] in &self.spans {
            for place in &mut self.starts[first as usize + 1..end as usize + 1] {
                self.bodies[*place as usize] = body;
                *place += 1;
            }
        }
        true
    }
}

/// Rounded down, for what is far below 2^51.
#[inline(always)]
fn down(v: f64) -> f64 {
    /// 1.5 · 2^52: what is added to it is rounded to a whole number.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let near = v + WHOLE - WHOLE;
    if near > v { near - 1.0 } else { near }
}

#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// How far a disc reaches to each side, in radians and up; infinite where it may be seen from inside.
#[inline(always)]
fn aside(radius: f32, away: f32) -> f64 {
    let (radius, away) = (f64::from(radius), f64::from(away));
    if radius == 0.0 {
        0.0
    } else if radius * 1.001 < away {
        radius / away * 1.6
    } else {
        f64::INFINITY
    }
}
