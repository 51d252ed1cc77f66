//! Parts of a cast that are functions of their own.
//!
//! Comes in: a search, and what it is to look at. Goes out: the search, having looked. What is reached from several places, or seldom, is
//! built here once for each kind of search, and does not make that larger which is reached always. This room does not know how anything is
//! looked at.

use super::flight::Flight;
use super::order::Order;
use super::search::{ANY, FIRST, FRONT, List, Search, front_circles};
use super::{Hit, Look, Scene};
use crate::broad_phase::{CellLevel, Cells, Level};
use crate::geometry;
use crate::kernels::ray::Beam;
use crate::kernels::{Kernels, Outlined};
use std::marker::PhantomData;
use std::ops::Range;

/// A search, and what it does.
struct Does<'s, 'a, K: Kernels, T, const WHAT: u8>(&'s mut Search<'a, K, WHAT>, T);

/// All of some entries.
struct Entries<'l>(&'l List<'l>, Range<u32>);

/// All of some circles.
struct Circles(Range<u32>);

/// The first of all of some entries, and what was the first before: not by way of the search, which so need not be in memory.
struct FirstEntry<'l, K: Kernels>(&'l List<'l>, Range<u32>, Beam, K::Front);

/// The same of circles.
struct FirstCircle<'l, K: Kernels>(geometry::Circles<'l>, Range<u32>, Beam, K::Front);

/// Circles of a level, from a time on.
struct CirclesAlong<'l>(&'l Level, f64);

/// Segments of a level, by stretches.
struct SegmentsAlong<'l>(&'l Cells, &'l CellLevel, &'l List<'l>);

/// Segments of a level, from a time on, by pieces.
struct OnByPieces<'l>(&'l Cells, &'l CellLevel, &'l List<'l>, f64);

/// The first body that one flight by itself meets.
struct First<'s, 'a, K>(&'s Scene<'a>, &'s Look<'s>, Flight, Order<'s>, &'s mut Vec<Hit>, PhantomData<K>);

impl<K: Kernels> Outlined for First<'_, '_, K> {
    type Output = Hit;
    #[inline(always)]
    fn run(self) -> Hit {
        let First(scene, look, flight, order, none, _) = self;
        let mut search = Search::<K, FIRST>::new(scene, look, flight, none);
        search.run(order);
        search.first()
    }
}

/// Whether one flight by itself meets anybody.
struct Any<'s, 'a, K>(&'s Scene<'a>, &'s Look<'s>, Flight, Order<'s>, &'s mut Vec<Hit>, PhantomData<K>);

impl<K: Kernels> Outlined for Any<'_, '_, K> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Any(scene, look, flight, order, none, _) = self;
        let mut search = Search::<K, ANY>::new(scene, look, flight, none);
        search.run(order);
        search.any()
    }
}

/// Whether one flight by itself meets anybody.
#[inline(always)]
pub(super) fn any<K: Kernels>(
    scene: &Scene<'_>,
    look: &Look<'_>,
    flight: Flight,
    order: Order<'_>,
    none: &mut Vec<Hit>,
) -> bool {
    K::outline(Any(scene, look, flight, order, none, PhantomData::<K>))
}

/// The first body that one flight by itself meets.
#[inline(always)]
pub(super) fn first<K: Kernels>(
    scene: &Scene<'_>,
    look: &Look<'_>,
    flight: Flight,
    order: Order<'_>,
    none: &mut Vec<Hit>,
) -> Hit {
    K::outline(First(scene, look, flight, order, none, PhantomData::<K>))
}

impl<K: Kernels, const WHAT: u8> Outlined for Does<'_, '_, K, Entries<'_>, WHAT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(search, Entries(list, run)) = self;
        search.all_of(list, run, f64::INFINITY);
    }
}

impl<K: Kernels, const WHAT: u8> Outlined for Does<'_, '_, K, Circles, WHAT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(search, Circles(run)) = self;
        search.circles(run, f64::INFINITY);
    }
}

impl<K: Kernels> Outlined for FirstEntry<'_, K> {
    type Output = K::Front;
    #[inline(always)]
    fn run(self) -> K::Front {
        let FirstEntry(list, run, beam, mut front) = self;
        list.front::<K>(&mut front, &beam, run, f64::INFINITY);
        front
    }
}

impl<K: Kernels> Outlined for FirstCircle<'_, K> {
    type Output = K::Front;
    #[inline(always)]
    fn run(self) -> K::Front {
        let FirstCircle(circles, run, beam, mut front) = self;
        front_circles(&mut front, circles, &beam, run, f64::INFINITY);
        front
    }
}

impl<K: Kernels, const WHAT: u8> Outlined for Does<'_, '_, K, CirclesAlong<'_>, WHAT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(search, CirclesAlong(level, from)) = self;
        search.by_stretches(level, from);
    }
}

impl<K: Kernels, const WHAT: u8> Outlined for Does<'_, '_, K, SegmentsAlong<'_>, WHAT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(search, SegmentsAlong(cells, level, list)) = self;
        search.segments_by_stretches(cells, level, list);
    }
}

impl<K: Kernels, const WHAT: u8> Outlined for Does<'_, '_, K, OnByPieces<'_>, WHAT> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Does(search, OnByPieces(cells, level, list, from)) = self;
        search.by_pieces(cells, level, list, from);
    }
}

impl<K: Kernels, const WHAT: u8> Search<'_, K, WHAT> {
    /// Some of a list, whenever they are met.
    #[inline(always)]
    pub(super) fn whole_list(&mut self, list: &List<'_>, run: Range<u32>) {
        if WHAT == FRONT {
            self.front = K::outline(FirstEntry::<K>(list, run, self.beam, self.front));
            self.settle();
        } else {
            K::outline(Does(self, Entries(list, run)));
        }
    }

    /// Circles, whenever they are met.
    #[inline(always)]
    pub(super) fn whole_level(&mut self, run: Range<u32>) {
        if WHAT == FRONT {
            self.front = K::outline(FirstCircle::<K>(self.scene.circles(), run, self.beam, self.front));
        } else {
            K::outline(Does(self, Circles(run)));
        }
    }

    /// Circles of a level, from a time on.
    #[inline(always)]
    pub(super) fn along_circles(&mut self, level: &Level, from: f64) {
        K::outline(Does(self, CirclesAlong(level, from)));
    }

    /// Segments of a level.
    #[inline(always)]
    pub(super) fn along_segments(&mut self, cells: &Cells, level: &CellLevel, list: &List<'_>) {
        K::outline(Does(self, SegmentsAlong(cells, level, list)));
    }

    /// Segments of a level, from a time on.
    #[inline(always)]
    pub(super) fn march_on(&mut self, cells: &Cells, level: &CellLevel, list: &List<'_>, from: f64) {
        K::outline(Does(self, OnByPieces(cells, level, list, from)));
    }
}
