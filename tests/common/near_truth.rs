//! What is near, by asking the pairwise functions about every body.
//!
//! Comes in: columns, a rule of who is seen. Goes out: what queries about overlaps and nearness have to give, bit for bit; and shapes to ask
//! about, near what is there. Knows no grid.

use super::scenes::Rng;
use super::truth::Columns;
use gridlane::geometry::{self, NearestPoint};
use gridlane::{Aabb, Circle, Nearest, Neighbor, Segment, Target};

pub struct NearTruth<'a> {
    pub scene: &'a Columns,
    pub sees: &'a dyn Fn(Target) -> bool,
}

impl NearTruth<'_> {
    fn circles(&self) -> impl Iterator<Item = (Target, Circle)> {
        let rows = (0..self.scene.x.len()).map(|row| (Target::circle(row as u32), self.scene.circle(row)));
        rows.filter(|&(target, _)| (self.sees)(target))
    }

    fn segments(&self) -> impl Iterator<Item = (Target, Segment)> {
        let rows = (0..self.scene.x0.len()).map(|row| (Target::segment(row as u32), self.scene.segment(row)));
        rows.filter(|&(target, _)| (self.sees)(target))
    }

    fn overlaps(&self, circle: impl Fn(Circle) -> bool, segment: impl Fn(Segment) -> bool) -> Vec<Target> {
        let circles = self.circles().filter(|&(_, shape)| circle(shape)).map(|(target, _)| target);
        let segments = self.segments().filter(|&(_, shape)| segment(shape)).map(|(target, _)| target);
        circles.chain(segments).collect()
    }

    pub fn of_circle(&self, shape: Circle) -> Vec<Target> {
        let touches = |segment| geometry::circle_touches_segment(shape, segment);
        self.overlaps(|circle| geometry::circles_touch(shape, circle), touches)
    }

    pub fn of_aabb(&self, shape: Aabb) -> Vec<Target> {
        let touches = |segment| geometry::segment_touches_aabb(segment, shape);
        self.overlaps(|circle| geometry::circle_touches_aabb(circle, shape), touches)
    }

    pub fn of_segment(&self, shape: Segment) -> Vec<Target> {
        let touches = |circle| geometry::circle_touches_segment(circle, shape);
        self.overlaps(touches, |segment| geometry::segments_touch(segment, shape))
    }

    /// All that are within `most`, in order.
    pub fn nearest(&self, point: [f32; 2], most: f32) -> Vec<Nearest> {
        let record = |target: Target, found: Option<NearestPoint>| {
            let NearestPoint { point, distance, feature } = found.unwrap();
            Nearest { point, distance, feature, target }
        };
        let circles = self.circles().map(|(target, shape)| record(target, geometry::nearest_on_circle(point, shape)));
        let segments =
            self.segments().map(|(target, shape)| record(target, geometry::nearest_on_capsule(point, shape)));
        let mut all: Vec<Nearest> = circles.chain(segments).filter(|near| near.distance <= most).collect();
        all.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.target.cmp(&b.target)));
        all
    }

    pub fn neighbors(&self, row: usize, distance: f32) -> Vec<Neighbor> {
        let own = self.scene.circle(row);
        let record = |target: Target, gap: Option<geometry::Gap>| {
            let geometry::Gap { point, separation, feature } = gap.unwrap();
            Neighbor { point, separation, feature, target }
        };
        let circles = self
            .circles()
            .filter(|&(target, shape)| {
                target != Target::circle(row as u32) && geometry::circles_within(own, shape, distance)
            })
            .map(|(target, shape)| record(target, geometry::circle_circle_gap(own, shape)));
        let segments = self
            .segments()
            .filter(|&(_, shape)| geometry::circle_segment_within(own, shape, distance))
            .map(|(target, shape)| record(target, geometry::circle_segment_gap(own, shape)));
        circles.chain(segments).collect()
    }
}

/// Points and sizes to ask about: where bodies are, beside them, between them, far off.
pub struct Probes<'a> {
    pub scene: &'a Columns,
    pub(crate) rng: Rng,
}

impl Probes<'_> {
    fn below(&mut self, count: usize) -> usize {
        (self.rng.bits() % count as u64) as usize
    }

    pub fn point(&mut self) -> [f32; 2] {
        let scene = self.scene;
        let circle = (!scene.x.is_empty()).then(|| self.below(scene.x.len()));
        let segment = (!scene.x0.is_empty()).then(|| self.below(scene.x0.len()));
        let base = match (self.below(3), circle, segment) {
            (0 | 1, Some(i), _) | (_, Some(i), None) => [scene.x[i], scene.y[i]],
            (_, _, Some(i)) if self.below(2) == 0 => [scene.x0[i], scene.y0[i]],
            (_, _, Some(i)) => {
                let t = self.rng.unit();
                let mix = |a: f32, b: f32| (f64::from(a) + t * (f64::from(b) - f64::from(a))) as f32;
                [mix(scene.x0[i], scene.x1[i]), mix(scene.y0[i], scene.y1[i])]
            }
            _ => [0.0, 0.0],
        };
        let size = self.size();
        let [u, v] = [self.rng.range(-2.0, 2.0) as f32, self.rng.range(-2.0, 2.0) as f32];
        let point = match self.below(8) {
            0 | 1 => base,
            2 => [base[0] + size, base[1]],
            3 => [base[0].next_up(), base[1].next_down()],
            4 => [[1e30, -1e30], [-f32::MAX, 0.0], [0.0, f32::MAX]][self.below(3)],
            _ => [base[0] + u * size, base[1] + v * size],
        };
        point.map(|v| if v.is_finite() { v } else { f32::MAX })
    }

    /// Sizes of bodies, sums of two, distances between them, zero, the whole range.
    pub fn size(&mut self) -> f32 {
        let scene = self.scene;
        let size = match self.below(8) {
            0 => 0.0,
            1 if self.below(4) == 0 => [f32::MAX, 1e30, 1e-30][self.below(3)],
            2 | 3 if !scene.x.is_empty() => {
                let [i, j] = [self.below(scene.x.len()), self.below(scene.x.len())];
                let (dx, dy) = (scene.x[j] - scene.x[i], scene.y[j] - scene.y[i]);
                (f64::from(dx) * f64::from(dx) + f64::from(dy) * f64::from(dy)).sqrt() as f32
            }
            4 if !scene.x0.is_empty() => {
                let i = self.below(scene.x0.len());
                (scene.x1[i] - scene.x0[i]).abs()
            }
            _ if !scene.radius.is_empty() => {
                let [i, j] = [self.below(scene.x.len()), self.below(scene.x.len())];
                scene.radius[i] * [1.0, 2.0, 0.5][self.below(3)] + scene.radius[j]
            }
            _ => 1.0,
        };
        if size.is_finite() { size } else { f32::MAX }
    }

    pub fn circle(&mut self) -> Circle {
        Circle::new(self.point(), self.size())
    }

    pub fn aabb(&mut self) -> Aabb {
        let ([ax, ay], [bx, by]) = (self.point(), self.point());
        let order = |a: f32, b: f32| if a < b { [a, b] } else { [b, a] };
        let ([x0, x1], [y0, y1]) = (order(ax, bx), order(ay, by));
        if self.below(16) == 0 { Aabb::new([x1, y1], [x0, y0]) } else { Aabb::new([x0, y0], [x1, y1]) }
    }

    pub fn segment(&mut self) -> Segment {
        let from = self.point();
        let to = if self.below(6) == 0 { from } else { self.point() };
        let radius = if self.below(2) == 0 { 0.0 } else { self.size() };
        Segment::new(from, to).with_radius(radius)
    }
}
