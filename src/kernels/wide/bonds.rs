//! Four pairs that are solved together, in double precision.

use super::Quad;
use crate::kernels::bonds::{Bearing, Bonds, FOUR, Four, GROWTH, Manners, Pace, SLOP, Then};
use std::marker::PhantomData;

/// On these lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideBearing<D>(PhantomData<D>);

#[inline(always)]
fn pair<D: Quad>(columns: &[[f64; FOUR]; 2]) -> [D; 2] {
    [D::load(&columns[0]), D::load(&columns[1])]
}

#[inline(always)]
fn dot<D: Quad>(a: [D; 2], b: [D; 2]) -> D {
    a[0] * b[0] + a[1] * b[1]
}

/// Vectors of A and of B by columns.
#[inline(always)]
fn columns<D: Quad>(of: [Four<'_>; 2]) -> [[D; 2]; 2] {
    [D::columns(of[0]), D::columns(of[1])]
}

#[inline(always)]
fn difference<D: Quad>([[ax, ay], [bx, by]]: [[D; 2]; 2]) -> [D; 2] {
    [bx - ax, by - ay]
}

/// How fast they part along the normal.
#[inline(always)]
fn parting<D: Quad>(bonds: &Bonds, velocities: [[D; 2]; 2]) -> D {
    dot(difference(velocities), pair(&bonds.normal))
}

/// Changes how fast they part by so much; not where they are `still`.
#[inline(always)]
fn change<D: Quad>(bonds: &Bonds, vectors: [[D; 2]; 2], by: D, still: Option<D>) -> [Then; 2] {
    let ([nx, ny], [a, b]) = (pair::<D>(&bonds.normal), pair::<D>(&bonds.shares));
    let (by_a, by_b) = (by * a, by * b);
    let [[ax, ay], [bx, by]] = vectors;
    let a = [ax - nx * by_a, ay - ny * by_a];
    let b = [bx + nx * by_b, by + ny * by_b];
    let (a, b) = match still {
        None => (a, b),
        Some(still) => {
            ([still.select(ax, a[0]), still.select(ay, a[1])], [still.select(bx, b[0]), still.select(by, b[1])])
        }
    };
    [D::rows(a), D::rows(b)]
}

/// What of their bearing lasts, which is all that is left of it.
#[inline(always)]
fn lent<D: Quad>(bonds: &mut Bonds) -> D {
    let most = D::load(&bonds.lent) * D::splat(GROWTH) + D::load(&bonds.anew);
    let bearing = D::load(&bonds.bearing);
    let lent = bearing.gt(most).select(most, bearing);
    (bonds.bearing, bonds.lent) = (lent.store(), lent.store());
    lent
}

/// Zero, of either sign: whatever is no number is not.
#[inline(always)]
fn is_zero<D: Quad>(v: D) -> D {
    v.le(D::splat(0.0)) & v.ge(D::splat(0.0))
}

impl<D: Quad> Bearing for WideBearing<D> {
    #[inline(always)]
    fn look(bonds: &mut Bonds, ways: [Four<'_>; 2]) {
        let [x, y] = pair::<D>(&bonds.start);
        let [moved_x, moved_y] = difference::<D>(columns(ways));
        let d = [x + moved_x, y + moved_y];
        let distance = dot(d, d).sqrt();
        bonds.gap = (distance - D::load(&bonds.reach)).store();
        let inverse = D::splat(1.0) / distance;
        let apart = distance.gt(D::splat(0.0));
        let normal = [d[0] * inverse, d[1] * inverse];
        if apart.mask() == 0xf {
            bonds.normal = [normal[0].store(), normal[1].store()];
            return;
        }
        let [nx, ny] = pair::<D>(&bonds.normal);
        bonds.normal = [apart.select(normal[0], nx).store(), apart.select(normal[1], ny).store()];
    }

    #[inline(always)]
    fn hits(bonds: &mut Bonds, manners: &Manners, velocities: [Four<'_>; 2], calm: f64) -> u32 {
        let (zero, one) = (D::splat(0.0), D::splat(1.0));
        let (restitution, speed) = (D::load(&manners.restitution), D::load(&manners.speed));
        let (elastic, thrown) = (restitution.ge(one), speed.gt(zero));
        let limit = elastic.select(zero, D::splat(calm));
        let slow = (zero - parting::<D>(bonds, columns(velocities))).le(limit);
        let may = restitution.gt(zero) | D::load(&manners.flown).gt(zero);
        let idle = slow | D::load(&bonds.bearing).gt(zero);
        let (apart, none) = (D::load(&bonds.gap).ge(zero), zero);
        let comes = idle.select(none, may);
        bonds.free = (elastic | (comes & apart)).select(one, zero).store();
        (apart.select(none, comes) | thrown).mask()
    }

    #[inline(always)]
    fn lend(bonds: &mut Bonds, borne: [Four<'_>; 2]) -> [Then; 2] {
        let lent = lent::<D>(bonds);
        change(bonds, columns(borne), lent, None)
    }

    #[inline(always)]
    fn resume(bonds: &mut Bonds, velocities: [Four<'_>; 2]) -> [Then; 2] {
        let bearing = lent::<D>(bonds);
        // Never below zero, and always a number.
        change(bonds, columns(velocities), bearing, Some(bearing.le(D::splat(0.0))))
    }

    #[inline(always)]
    fn bear(bonds: &mut Bonds, velocities: [Four<'_>; 2], pace: &Pace) -> [Then; 2] {
        let (zero, velocities) = (D::splat(0.0), columns(velocities));
        let (parting, bearing) = (parting::<D>(bonds, velocities), D::load(&bonds.bearing));
        let (gap, radius, rate) = (D::load(&bonds.gap), D::load(&bonds.radius), D::splat(pace.rate));
        let coming = bearing - (parting + gap * rate);
        let unlike = D::load(&bonds.unlike).gt(zero);
        let back = unlike.select(D::splat(pace.unlike.back), D::splat(pace.like.back));
        let hard = unlike.select(D::splat(pace.unlike.hard), D::splat(pace.like.hard));
        let soft = unlike.select(D::splat(pace.unlike.soft), D::splat(pace.like.soft));
        let bias = (gap + D::splat(SLOP) * radius) * back;
        let push = D::splat(-pace.push) * radius;
        let bias = bias.at_least(push);
        let pressed = bearing - hard * (parting + bias) - soft * bearing;
        let sum = gap.gt(zero).select(coming, pressed);
        let sum = sum.at_least(zero);
        let by = sum - bearing;
        let still = D::load(&bonds.free).gt(zero) | is_zero(by);
        bonds.pressed = still.select(bearing, sum).store();
        bonds.acted |= !still.mask();
        change(bonds, velocities, by, Some(still))
    }

    #[inline(always)]
    fn settle(bonds: &mut Bonds, velocities: [Four<'_>; 2], quick: &[f64; FOUR], over: f64, second: bool) -> [Then; 2] {
        let (zero, velocities) = (D::splat(0.0), columns(velocities));
        let was = D::load(if second { &bonds.bearing } else { &bonds.pressed });
        let idle = D::load(&bonds.gap).gt(zero) & is_zero(was);
        let still = idle | D::load(&bonds.free).gt(zero) | D::load(quick).le(zero);
        let sum = was - D::splat(over) * parting::<D>(bonds, velocities);
        let sum = sum.at_least(zero);
        let by = sum - was;
        let bearing = still.select(was, sum).store();
        if second {
            bonds.pressed = bearing;
        } else {
            bonds.bearing = bearing;
        }
        bonds.acted |= !(still | is_zero(by)).mask();
        change(bonds, velocities, by, Some(still))
    }

    #[inline(always)]
    fn relax(bonds: &mut Bonds, velocities: [Four<'_>; 2]) -> ([Then; 2], [f64; FOUR]) {
        let (zero, velocities) = (D::splat(0.0), columns(velocities));
        let (parting, was) = (parting::<D>(bonds, velocities), D::load(&bonds.pressed));
        let (gap, free) = (D::load(&bonds.gap), D::load(&bonds.free).gt(zero));
        let sum = was - parting;
        let idle = gap.gt(zero) & is_zero(was);
        let sum = idle.select(zero, sum.at_least(zero));
        let by = sum - was;
        let bearing = free.select(was, sum);
        bonds.bearing = bearing.store();
        bonds.acted |= !(free | is_zero(by)).mask();
        let virial = bearing * D::load(&bonds.mass) * (gap + D::load(&bonds.reach));
        (change(bonds, velocities, by, Some(free)), virial.store())
    }
}
