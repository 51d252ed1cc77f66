//! Which of many shapes a ray meets first, one at a time. See [`crate::kernels::foremost`].

use super::ray::{Sum, along, aside};
use crate::geometry::{Capsules, Circles};
use crate::kernels::LANES;
use crate::kernels::firsts::{Beams, Firsts};
use crate::kernels::foremost::{CLOSE, Foremost, Front, ROOT_BOUND, State};
use crate::kernels::ray::Beam;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ScalarFront(State);

impl ScalarFront {
    fn segment(&mut self, [x0, y0, x1, y1]: [f32; 4], beam: &Beam, until: f32, k: usize, name: u32) {
        if x0.is_nan() {
            return;
        }
        let (a, b) = ([x0 - beam.x, y0 - beam.y], [x1 - beam.x, y1 - beam.y]);
        let (ca, cb) = (aside(beam, a), aside(beam, b));
        let n = Sum::minus(a[0] * (y1 - y0), a[1] * (x1 - x0), beam.floor);
        let ahead = if ca.above(0.0) {
            if cb.above(0.0) || (cb.below(0.0) && n.above(0.0)) {
                return;
            }
            cb.below(0.0) && n.below(0.0)
        } else {
            if ca.below(0.0) && (cb.below(0.0) || (cb.above(0.0) && n.below(0.0))) {
                return;
            }
            ca.below(0.0) && cb.above(0.0) && n.above(0.0)
        };
        let (size, off) = (ca.0.abs() + cb.0.abs(), ca.1 + cb.1);
        let low = (n.0.abs() - n.1) / (size + off);
        if low > until {
            return;
        }
        let least = size - off;
        let sure = ahead && least <= f32::MAX;
        self.offer(low, if sure { (n.0.abs() + n.1) / least } else { f32::INFINITY }, k, name);
    }

    fn circle(&mut self, circles: Circles<'_>, beam: &Beam, until: f32, (i, k): (usize, usize), name: u32) {
        let w = [circles.x[i] - beam.x, circles.y[i] - beam.y];
        let (c, p) = (aside(beam, w), along(beam, w));
        let (most, k2) = (beam.square * (circles.radius[i] * circles.radius[i]), c.0 * c.0);
        let off = (most + k2) * ROOT_BOUND + (c.0.abs() + c.0.abs() + c.1) * c.1 + beam.floor;
        let (more, less) = (most - k2 + off, most - k2 - off);
        let outer = root(if more <= 0.0 { 0.0 } else { more });
        let inner = root(if less > 0.0 { less } else { 0.0 });
        let (near, far) = (p.0 - p.1, p.0 + p.1);
        let low = (near - outer) * beam.inverse[0];
        if more < 0.0 || far + outer < 0.0 || low > until {
            return;
        }
        let sure = less > 0.0 && near + inner > 0.0;
        let last = if far - inner > 0.0 { far - inner } else { 0.0 };
        self.offer(low, if sure { last * beam.inverse[1] } else { f32::INFINITY }, k, name);
    }

    fn offer(&mut self, low: f32, high: f32, lane: usize, name: u32) {
        let State { high: highs, low: lows, other, name: names } = &mut self.0;
        let low = if low > 0.0 && low <= f32::MAX { low } else { 0.0 };
        if high < highs[lane] {
            other[lane] = if lows[lane] < other[lane] { lows[lane] } else { other[lane] };
            (highs[lane], lows[lane], names[lane]) = (high, low, name);
        } else {
            other[lane] = if low < other[lane] { low } else { other[lane] };
        }
    }
}

fn root(v: f32) -> f32 {
    v.sqrt()
}

impl Front for ScalarFront {
    fn new() -> Self {
        ScalarFront(State::NOTHING)
    }

    fn segments(&mut self, segments: Capsules<'_>, beam: &Beam, until: f32, [from, to]: [u32; 2], name: u32) {
        for k in from as usize..if to < LANES as u32 { to as usize } else { LANES } {
            self.segment([segments.x0[k], segments.y0[k], segments.x1[k], segments.y1[k]], beam, until, k, name);
        }
    }

    fn circles(&mut self, circles: Circles<'_>, beam: &Beam, until: f32, [start, count]: [u32; 2], name: u32) {
        let count = if count < LANES as u32 { count } else { LANES as u32 };
        for k in 0..count as usize {
            self.circle(circles, beam, until, (start as usize + k, k), name);
        }
    }

    fn circles_but(
        &mut self,
        circles: Circles<'_>,
        beam: &Beam,
        until: f32,
        (count, names, skip): (u32, &[u32; LANES], u32),
        name: u32,
    ) {
        let count = if count < LANES as u32 { count } else { LANES as u32 };
        for k in (0..count as usize).filter(|&k| names[k] != skip) {
            self.circle(circles, beam, until, (k, k), name);
        }
    }

    fn segment_of_each(&mut self, segments: &[[f32; LANES]; 4], beams: &Beams<'_>, names: &[u32; LANES]) {
        for (k, &name) in names.iter().enumerate() {
            let segment = [0, 1, 2, 3].map(|axis| segments[axis][k]);
            self.segment(segment, &beams.get(k), f32::INFINITY, k, name);
        }
    }

    fn circle_of_each(&mut self, [x, y, radius]: &[[f32; LANES]; 3], beams: &Beams<'_>, names: &[u32; LANES]) {
        for (k, &name) in names.iter().enumerate() {
            if !x[k].is_nan() {
                self.circle(Circles { x, y, radius }, &beams.get(k), f32::INFINITY, (k, k), name);
            }
        }
    }

    fn foremost_of_each(&self, beams: &Beams<'_>) -> Firsts {
        let State { high, low, other, name: names } = self.0;
        let mut firsts = Firsts { nothing: 0, clear: 0, names };
        for k in 0..LANES {
            let last = if beams.last[k] < f32::MAX { beams.last[k] } else { f32::MAX };
            let close = if high[k] > CLOSE { high[k] } else { CLOSE };
            firsts.nothing |= u32::from(low[k] > last && other[k] > last) << k;
            firsts.clear |= u32::from(other[k] > close && high[k] <= beams.surely[k]) << k;
        }
        firsts
    }

    fn bound(&self) -> f32 {
        self.0.high.iter().fold(f32::INFINITY, |least, &v| if v < least { v } else { least })
    }

    fn is_met_before(&self, count: f32) -> bool {
        self.0.high.iter().any(|&high| high < count)
    }

    fn foremost(&self, beam: &Beam) -> Foremost {
        let State { high, low, other, name } = &self.0;
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let all = low.iter().chain(other).copied().fold(f32::INFINITY, least);
        if all > beam.last || all > f32::MAX {
            return Foremost::Nothing;
        }
        let best = self.bound();
        let lane = high.iter().position(|&v| v == best).unwrap_or(0);
        let others = (0..LANES).filter(|&k| k != lane).map(|k| low[k]);
        let rest = others.chain(*other).fold(f32::INFINITY, least);
        let close = if best > CLOSE { best } else { CLOSE };
        if rest > close && best <= beam.surely { Foremost::Clear { name: name[lane], lane } } else { Foremost::Doubt }
    }

    #[cfg(test)]
    fn state(&self) -> State {
        self.0
    }
}
