//! What is written of neighbours.
//!
//! Comes in: eight pairs of near circles, or of a circle and a segment, as rows in cell order. Goes out: records, put where they belong. This
//! room does not know who is near whom, nor where lists are.

use super::neighbors::Neighbor;
use super::{Scene, Target};
use crate::geometry::{self, Circle, Feature, Gap, Segment, Vec2};
use crate::kernels::{Kernels, LANES};

/// The lists of a strip of rows, each being written from its front on.
#[derive(Debug)]
pub(super) struct Places<'a, T, const ALL: bool> {
    /// The first row of the strip.
    pub(super) first: u32,
    /// Where the next record of each row goes.
    pub(super) next: &'a mut [usize],
    pub(super) items: &'a mut [T],
    /// By rows, whether a circle is seen; nobody asks where `ALL` are.
    pub(super) seen: &'a [bool],
}

impl<T, const ALL: bool> Places<'_, T, ALL> {
    /// Behind what the list has, if it is one of this strip.
    #[inline(always)]
    fn put(&mut self, row: u32, record: T) {
        if let Some(next) = self.next.get_mut(row.wrapping_sub(self.first) as usize) {
            self.items[*next] = record;
            *next += 1;
        }
    }

    /// The circles of the list in a place, so many, where no segments follow yet.
    #[inline(always)]
    pub(super) fn circles(&mut self, place: usize, count: u32) -> &mut [T] {
        let end = self.next[place];
        &mut self.items[end - count as usize..end]
    }

    /// To both, what each is told of the other.
    #[inline(always)]
    fn put_both(&mut self, [a, b]: [u32; 2], to_a: T, to_b: T) {
        if ALL || self.seen[b as usize] {
            self.put(a, to_a);
        }
        if ALL || self.seen[a as usize] {
            self.put(b, to_b);
        }
    }
}

/// What is written of a neighbour.
pub(super) trait Record: Copy + Default + Send + Sync {
    /// Of one that is known.
    fn of(neighbor: Neighbor) -> Self;
    /// The body.
    fn target(&self) -> Target;
    /// The first `count` of eight pairs of circles; the others are there, but nobody asks about them.
    fn circles<K: Kernels, const ALL: bool>(
        scene: &Scene<'_>,
        places: &mut Places<'_, Self, ALL>,
        pairs: [&[u32; LANES]; 2],
        count: usize,
    );
    /// The first `count` of eight circles and segments.
    fn segments<K: Kernels, const ALL: bool>(
        scene: &Scene<'_>,
        places: &mut Places<'_, Self, ALL>,
        pairs: [&[u32; LANES]; 2],
        count: usize,
    );
}

impl Record for Target {
    fn of(neighbor: Neighbor) -> Target {
        neighbor.target
    }

    #[inline(always)]
    fn target(&self) -> Target {
        *self
    }

    #[inline(always)]
    fn circles<K: Kernels, const ALL: bool>(
        scene: &Scene<'_>,
        places: &mut Places<'_, Target, ALL>,
        [a, b]: [&[u32; LANES]; 2],
        count: usize,
    ) {
        for (&a, &b) in a.iter().zip(b).take(count) {
            places.put_both([a, b], Target::circle(scene.name(b)), Target::circle(scene.name(a)));
        }
    }

    #[inline(always)]
    fn segments<K: Kernels, const ALL: bool>(
        _: &Scene<'_>,
        places: &mut Places<'_, Target, ALL>,
        [a, b]: [&[u32; LANES]; 2],
        count: usize,
    ) {
        for (&circle, &segment) in a.iter().zip(b).take(count) {
            places.put(circle, Target::segment(segment));
        }
    }
}

impl Record for Neighbor {
    fn of(neighbor: Neighbor) -> Neighbor {
        neighbor
    }

    #[inline(always)]
    fn target(&self) -> Target {
        self.target
    }

    #[inline(always)]
    fn circles<K: Kernels, const ALL: bool>(
        scene: &Scene<'_>,
        places: &mut Places<'_, Neighbor, ALL>,
        [a, b]: [&[u32; LANES]; 2],
        count: usize,
    ) {
        let gaps = K::circle_gaps(scene.circles(), a, b);
        let ([bx, by], [ax, ay], order) = (gaps.second, gaps.first, scene.grid.order());
        // A record is three words: written as such, it takes half as many steps.
        let (mut to_a, mut to_b, mut between) = ([0u64; LANES], [0u64; LANES], [0u64; LANES]);
        let interior: u32 = bytemuck::cast(Feature::Interior);
        for k in 0..LANES {
            (to_a[k], to_b[k]) = (bytemuck::cast([bx[k], by[k]]), bytemuck::cast([ax[k], ay[k]]));
            between[k] = bytemuck::cast([gaps.separation[k].to_bits(), interior]);
        }
        for k in 0..count {
            let targets = [Target::circle(order[a[k] as usize]), Target::circle(order[b[k] as usize])];
            if gaps.sure >> k & 1 == 0 {
                let (to_a, to_b) = of_circles([scene.circle(a[k]), scene.circle(b[k])], targets);
                places.put_both([a[k], b[k]], to_a, to_b);
                continue;
            }
            let [name_a, name_b]: [u64; 2] = [bytemuck::cast(targets[0]), bytemuck::cast(targets[1])];
            let told = [[to_a[k], between[k], name_b], [to_b[k], between[k], name_a]];
            places.put_both([a[k], b[k]], bytemuck::cast(told[0]), bytemuck::cast(told[1]));
        }
    }

    #[inline(always)]
    fn segments<K: Kernels, const ALL: bool>(
        scene: &Scene<'_>,
        places: &mut Places<'_, Neighbor, ALL>,
        [a, b]: [&[u32; LANES]; 2],
        count: usize,
    ) {
        let gaps = K::segment_gaps(scene.circles(), scene.capsules, a, b);
        for k in 0..count {
            let target = Target::segment(b[k]);
            if gaps.sure >> k & 1 == 0 {
                places.put(a[k], of_segment(scene.circle(a[k]), scene.segment(b[k]), target));
                continue;
            }
            let feature = match (gaps.inside >> k & 1, gaps.start >> k & 1) {
                (1, _) => Feature::Interior,
                (_, 1) => Feature::Start,
                _ => Feature::End,
            };
            let point = Vec2 { x: gaps.x[k], y: gaps.y[k] };
            places.put(a[k], Neighbor { point, separation: gaps.separation[k], feature, target });
        }
    }
}

/// By the function that is right for all: what the first one is told, and what the second one.
#[cold]
#[inline(never)]
fn of_circles([a, b]: [Circle; 2], targets: [Target; 2]) -> (Neighbor, Neighbor) {
    let of = |own, other, target| Neighbor::new(geometry::circle_circle_gap(own, other).unwrap_or_default(), target);
    (of(a, b, targets[1]), of(b, a, targets[0]))
}

/// By the function that is right for all.
#[cold]
#[inline(never)]
fn of_segment(own: Circle, segment: Segment, target: Target) -> Neighbor {
    Neighbor::new(geometry::circle_segment_gap(own, segment).unwrap_or_default(), target)
}

impl Neighbor {
    fn new(Gap { point, separation, feature }: Gap, target: Target) -> Neighbor {
        Neighbor { point, separation, feature, target }
    }
}
