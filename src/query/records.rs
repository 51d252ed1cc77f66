//! What is written of neighbours.
//!
//! Comes in: eight pairs of near circles, or of a circle and a segment, as rows in cell order. Goes out: records, put where they belong. This
//! room does not know who is near whom, nor where lists are.

use super::neighbors::Neighbor;
use super::{Scene, Target, TargetKind};
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
        // What a row is told by lower ones comes before what it is told by higher ones.
        for k in 0..count {
            if ALL || places.seen[a[k] as usize] {
                places.put(b[k], Target::circle(scene.name(a[k])));
            }
        }
        for k in 0..count {
            if ALL || places.seen[b[k] as usize] {
                places.put(a[k], Target::circle(scene.name(b[k])));
            }
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
        let (circle, interior): (u32, u32) = (bytemuck::cast(TargetKind::Circle), bytemuck::cast(Feature::Interior));
        // A record is three words: written as such, it takes half as many steps.
        let mut to_a: [[u64; LANES]; 3] = [[0; LANES]; 3];
        let mut to_b = to_a;
        for k in 0..LANES {
            (to_a[0][k], to_b[0][k]) = (bytemuck::cast([bx[k], by[k]]), bytemuck::cast([ax[k], ay[k]]));
            to_a[1][k] = bytemuck::cast([gaps.separation[k].to_bits(), interior]);
            to_a[2][k] = bytemuck::cast([circle, order[b[k] as usize]]);
            to_b[2][k] = bytemuck::cast([circle, order[a[k] as usize]]);
        }
        to_b[1] = to_a[1];
        if gaps.sure != u32::from(u8::MAX) {
            doubt(scene, [a, b], gaps.sure, [&mut to_a, &mut to_b]);
        }
        // What a row is told by lower ones comes before what it is told by higher ones.
        for k in 0..count {
            if ALL || places.seen[a[k] as usize] {
                places.put(b[k], bytemuck::cast([to_b[0][k], to_b[1][k], to_b[2][k]]));
            }
        }
        for k in 0..count {
            if ALL || places.seen[b[k] as usize] {
                places.put(a[k], bytemuck::cast([to_a[0][k], to_a[1][k], to_a[2][k]]));
            }
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

/// What is not sure, by the function that is right for all.
#[cold]
#[inline(never)]
fn doubt(scene: &Scene<'_>, pairs: [&[u32; LANES]; 2], sure: u32, told: [&mut [[u64; LANES]; 3]; 2]) {
    let [to_a, to_b] = told;
    for k in (0..LANES).filter(|k| sure >> k & 1 == 0) {
        let [a, b] = pairs.map(|rows| scene.circle(rows[k]));
        for (own, other, words) in [(a, b, &mut *to_a), (b, a, &mut *to_b)] {
            let gap = geometry::circle_circle_gap(own, other).unwrap_or_default();
            let [point, between, _]: [u64; 3] = bytemuck::cast(Neighbor::new(gap, Target::NOTHING));
            (words[0][k], words[1][k]) = (point, between);
        }
    }
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
