//! What is done with a chunk of flights.
//!
//! Comes in: a scene, a look, flights, which of them. Goes out: the first body of each, whether there is any, or all. Rays go through stages side by
//! side where they can ([`super::batch`]); who is left over, and all else, one by one. This room does not know who asks.

use super::abreast::BATCH;
use super::batch::{Ground, Jobs};
use super::flight::Flight;
use super::order::Order;
use super::outlined::{any, first};
use super::rays::Flights;
use super::search::{ALL, ANY, FIRST, Search};
use super::tasks::Few;
use super::{Hit, Look, Scene};
use crate::kernels::{Kernels, Operation};
use std::ops::Range;

/// Fewer are asked one by one.
const FEW: usize = 4;

/// Flights, and how a scene is looked at by them.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: Look<'a>,
    pub(super) flights: Flights<'a>,
    pub(super) order: Order<'a>,
}

/// One flight by itself.
pub(super) struct One<'a, const WHAT: u8> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) look: &'a Look<'a>,
    pub(super) flight: Flight,
    pub(super) order: Order<'a>,
}

impl Operation for One<'_, FIRST> {
    type Output = Hit;
    #[inline(always)]
    fn run<K: Kernels>(self) -> Hit {
        first::<K>(self.scene, self.look, self.flight, self.order, &mut Vec::new())
    }
}

impl Operation for One<'_, ANY> {
    type Output = bool;
    #[inline(always)]
    fn run<K: Kernels>(self) -> bool {
        any::<K>(self.scene, self.look, self.flight, self.order, &mut Vec::new())
    }
}

/// The first body of those from one on.
pub(super) struct Firsts<'a>(pub(super) Asked<'a>, pub(super) usize, pub(super) &'a mut [Hit]);

impl Operation for Firsts<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Firsts(Asked { scene, look, flights, order }, at, out) = self;
        let (mut none, mut asked) = (Vec::new(), 0);
        if out.len() >= FEW
            && let Some(ground) = Ground::new(scene, &look, order)
        {
            let mut jobs = Jobs::NONE;
            for (k, out) in out.chunks_mut(BATCH).enumerate() {
                let (at, all) = (at + k * BATCH, Few::first(out.len()));
                let left = ground.cast::<K>(&flights, at, out, &mut jobs, &mut none);
                for k in left.all() {
                    let (flight, skip) = flights.at(at + k);
                    out[k] = first::<K>(scene, &unseen(look, skip), flight, order, &mut none);
                }
                asked += out.len();
                if !is_worth_it(&ground, left, all) {
                    break;
                }
            }
        }
        for (k, out) in out.iter_mut().enumerate().skip(asked) {
            let (flight, skip) = flights.at(at + k);
            *out = first::<K>(scene, &unseen(look, skip), flight, order, &mut none);
        }
    }
}

/// Whether those from one on meet anybody.
pub(super) struct Anys<'a>(pub(super) Asked<'a>, pub(super) usize, pub(super) &'a mut [bool]);

impl Operation for Anys<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Anys(Asked { scene, look, flights, order }, at, out) = self;
        let (mut none, mut asked) = (Vec::new(), 0);
        // One by one the first who is met ends a search: among all levels that is sooner.
        if out.len() >= FEW
            && order.together.is_some()
            && let Some(ground) = Ground::new(scene, &look, order)
        {
            let mut jobs = Jobs::NONE;
            for (k, out) in out.chunks_mut(BATCH).enumerate() {
                let (at, all) = (at + k * BATCH, Few::first(out.len()));
                let left = ground.any::<K>(&flights, at, out, &mut jobs, &mut none);
                for k in left.all() {
                    let (flight, skip) = flights.at(at + k);
                    out[k] = any::<K>(scene, &unseen(look, skip), flight, order, &mut none);
                }
                asked += out.len();
                if !is_worth_it(&ground, left, all) {
                    break;
                }
            }
        }
        for (k, out) in out.iter_mut().enumerate().skip(asked) {
            let (flight, skip) = flights.at(at + k);
            let look = unseen(look, skip);
            let mut search = Search::<K, ANY>::new(scene, &look, flight, &mut none);
            search.run(order);
            *out = search.any();
        }
    }
}

/// Of one alone the end is that of the whole list: nobody keeps it, and it asks for no memory. No more are asked once there are more hits than the
/// limit, which is the last number.
pub(super) struct Alls<'a>(
    pub(super) Asked<'a>,
    pub(super) Range<usize>,
    pub(super) &'a mut Vec<Hit>,
    pub(super) Option<&'a mut Vec<usize>>,
    pub(super) usize,
);

impl Operation for Alls<'_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Alls(Asked { scene, look, flights, order }, rows, out, mut ends, limit) = self;
        for row in rows {
            let ((flight, skip), from) = (flights.at(row), out.len());
            Search::<K, ALL>::new(scene, &unseen(look, skip), flight, out).run(order);
            sort(out, from);
            if let Some(ends) = &mut ends {
                ends.push(out.len());
            }
            if out.len() > limit {
                return;
            }
        }
    }
}

/// Where many meet first what they do not see, others had better be asked one by one at once.
#[inline(always)]
fn is_worth_it(ground: &Ground<'_>, left: Few, all: Few) -> bool {
    !ground.asks() || 2 * left.count() <= all.count()
}

/// A look that does not see one more circle.
#[inline(always)]
fn unseen<'a>(look: Look<'a>, skip: Option<u32>) -> Look<'a> {
    if let Some(row) = skip { look.without_circle(row) } else { look }
}

/// In the order of lists, each body once: it may have been met in several cells, with the same record.
#[inline(never)]
fn sort(hits: &mut Vec<Hit>, from: usize) {
    hits[from..].sort_unstable_by(Hit::order);
    let mut kept = from;
    for k in from..hits.len() {
        if k == from || hits[k].target != hits[kept - 1].target {
            hits[kept] = hits[k];
            kept += 1;
        }
    }
    hits.truncate(kept);
}
