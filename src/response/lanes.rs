//! Impulses and pushes of a strip, eight pairs at a time.
//!
//! Comes in: contacts in an [order](super::order) of fronts, within which no two pairs share a circle. Goes out: what `bouncing` does with one after the
//! other, bit for bit. This room does not know why a pair is in a strip.

use super::bouncing::{Strip, resolve_pair};
use super::law::Law;
use super::push_out;
use super::strips::Places;
use super::taken::Circles;
use crate::kernels::{Kernels, LANES, Operation};
use crate::narrow_phase::CircleCircleContact;

/// Fewer pairs than this are sooner done one by one than together.
const LANES_AT_LEAST: usize = 3;

/// The impulses of a strip in its order, eight at a time.
pub(super) struct Impulses<'a, 'c> {
    pub(super) circles: &'a mut Circles<'c>,
    pub(super) law: &'a Law<'a>,
    /// How long ago two circles may have met.
    pub(super) longest: f64,
    pub(super) contacts: &'a [CircleCircleContact],
    pub(super) places: Places<'a>,
    pub(super) strip: &'a mut Strip,
}

impl Operation for Impulses<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Impulses { circles, law, longest, contacts, places, strip: Strip { given, order, deep, fronts, .. } } =
            self;
        for front in order.fronts() {
            for pairs in front.chunks(LANES) {
                let mut at = [0; LANES];
                for (at, &pair) in at.iter_mut().zip(pairs) {
                    *at = places.get(pair);
                }
                let count = pairs.len();
                if count >= LANES_AT_LEAST {
                    let [a, b] = rows_of(contacts, &at, count);
                    let (mut one, mut two) = (circles.take_eight(&a), circles.take_eight(&b));
                    // Of two of which one is not pulled the impulse is another.
                    let alike = !law.pulls() || !one.inverse_mass.iter().chain(&two.inverse_mass).any(|&w| w == 0.0);
                    if alike && let Some(bounced) = K::bounce(&mut one, &mut two, longest) {
                        circles.put_eight(&a, &one, count);
                        circles.put_eight(&b, &two, count);
                        circles.finite &= bounced.finite;
                        for (k, virial) in bounced.virial.iter().enumerate().take(count) {
                            *given += virial;
                            if bounced.deep >> k & 1 == 1 {
                                deep.push(at[k]);
                            }
                        }
                        continue;
                    }
                }
                for &at in &at[..count] {
                    let contact = &contacts[at as usize];
                    let mut one = circles.take(contact.a as usize);
                    let (virial, overlap) = resolve_pair(circles, law, contact, &mut one);
                    *given += virial;
                    if overlap {
                        deep.push(at);
                    }
                }
            }
            fronts.push(deep.len() as u32);
        }
    }
}

/// Less than eight, and zeros behind them.
#[cold]
fn fewer(pairs: &[u32]) -> [u32; LANES] {
    let mut at = [0; LANES];
    at[..pairs.len()].copy_from_slice(pairs);
    at
}

/// The pushes of a strip in its order, eight at a time.
pub(super) struct Pushes<'a, 'c> {
    pub(super) circles: &'a mut Circles<'c>,
    pub(super) contacts: &'a [CircleCircleContact],
    pub(super) strip: &'a Strip,
    pub(super) factor: f64,
}

impl Operation for Pushes<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Pushes { circles, contacts, strip: Strip { deep, fronts, .. }, factor } = self;
        let mut from = 0;
        for &end in fronts {
            for pairs in deep[from..end as usize].chunks(LANES) {
                // Eight at once but for the last: of any number would be a call.
                let at = pairs.first_chunk().copied().unwrap_or_else(|| fewer(pairs));
                let count = pairs.len();
                if count >= LANES_AT_LEAST {
                    let [a, b] = rows_of(contacts, &at, count);
                    let (mut one, mut two) = (circles.take_eight(&a), circles.take_eight(&b));
                    if let Some(finite) = K::push(&mut one, &mut two, factor) {
                        circles.put_positions(&a, &one, count);
                        circles.put_positions(&b, &two, count);
                        circles.finite &= finite;
                        continue;
                    }
                }
                for &at in pairs {
                    let contact = &contacts[at as usize];
                    let mut one = circles.take(contact.a as usize);
                    push_out::circle_circle(circles, contact, &mut one, factor);
                }
            }
            from = end as usize;
        }
    }
}

/// The rows of the first `count` of eight contacts; for the lanes that are left over those of the first, who leaves the finite range with it alone.
#[inline(always)]
fn rows_of(contacts: &[CircleCircleContact], at: &[u32; LANES], count: usize) -> [[u32; LANES]; 2] {
    let first = &contacts[at[0] as usize];
    let mut rows = [[first.a; LANES], [first.b; LANES]];
    for k in 1..count {
        let contact = &contacts[at[k] as usize];
        (rows[0][k], rows[1][k]) = (contact.a, contact.b);
    }
    rows
}
