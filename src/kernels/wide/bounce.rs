//! Impulses and pushes of eight pairs of circles, or of a circle and a wall, four at a time in double precision.

use super::{Doubles, Lanes, Quad};
use crate::kernels::LANES;
use crate::kernels::bounce::{Bodies, Bounced, LONGEST, Mirrored, Pull, SLOP, Speeds, Tangents, Tips};

/// Four circles.
#[derive(Clone, Copy)]
struct Four<D> {
    position: [D; 2],
    velocity: [D; 2],
    radius: D,
    inverse_mass: D,
}

#[inline(always)]
fn widen<L: Lanes>(bodies: &Bodies) -> (Four<L::Doubles>, Four<L::Doubles>) {
    let (x, x2) = L::load(&bodies.position[0]).widen();
    let (y, y2) = L::load(&bodies.position[1]).widen();
    let (vx, vx2) = L::load(&bodies.velocity[0]).widen();
    let (vy, vy2) = L::load(&bodies.velocity[1]).widen();
    let (radius, radius2) = L::load(&bodies.radius).widen();
    let (inverse_mass, inverse_mass2) = L::load(&bodies.inverse_mass).widen();
    (
        Four { position: [x, y], velocity: [vx, vy], radius, inverse_mass },
        Four { position: [x2, y2], velocity: [vx2, vy2], radius: radius2, inverse_mass: inverse_mass2 },
    )
}

/// Rounds positions, and velocities where they are `MOVING`, to what columns hold; whether all are finite.
#[inline(always)]
fn narrow<L: Lanes, const MOVING: bool>(low: &Four<L::Doubles>, high: &Four<L::Doubles>, to: &mut Bodies) -> bool {
    let most = L::splat(f32::MAX);
    let x = L::narrow(low.position[0], high.position[0]);
    let y = L::narrow(low.position[1], high.position[1]);
    to.position = [x.store(), y.store()];
    let mut finite = x.abs().le(most) & y.abs().le(most);
    if MOVING {
        let vx = L::narrow(low.velocity[0], high.velocity[0]);
        let vy = L::narrow(low.velocity[1], high.velocity[1]);
        to.velocity = [vx.store(), vy.store()];
        finite = finite & vx.abs().le(most) & vy.abs().le(most);
    }
    finite.mask() == 0xff
}

#[inline(always)]
fn dot<D: Quad>(a: [D; 2], b: [D; 2]) -> D {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
fn difference<D: Quad>(from: [D; 2], to: [D; 2]) -> [D; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

/// How near centres may be without being pushed.
#[inline(always)]
fn tolerated<D: Quad>(one: &Four<D>, two: &Four<D>) -> D {
    let smaller = one.radius.lt(two.radius).select(one.radius, two.radius);
    one.radius + two.radius - D::splat(SLOP) * smaller
}

/// Moves by so much, at most half the radius, against the normal or along it.
#[inline(always)]
fn shift<D: Quad, const ALONG: bool>(body: &mut Four<D>, normal: [D; 2], by: D, acts: D) {
    let longest = D::splat(LONGEST) * body.radius;
    let acts = acts & by.gt(D::splat(0.0));
    let by = longest.at_most(by);
    for (position, normal) in body.position.iter_mut().zip(normal) {
        let (from, way) = (*position, normal * by);
        *position = acts.select(if ALONG { from + way } else { from - way }, from);
    }
}

/// Changes the velocity by so much against the normal or along it, and the position by what that was worth since.
#[inline(always)]
fn kick<D: Quad, const ALONG: bool>(body: &mut Four<D>, normal: [D; 2], by: D, since: D, acts: D) {
    let acts = acts & by.gt(D::splat(0.0));
    for (velocity, normal) in body.velocity.iter_mut().zip(normal) {
        let (from, change) = (*velocity, normal * by);
        *velocity = acts.select(if ALONG { from + change } else { from - change }, from);
    }
    shift::<D, ALONG>(body, normal, by * since, acts);
}

/// One impulse each; the shares of the virial.
#[inline(always)]
fn bounce_four<D: Quad>(one: &mut Four<D>, two: &mut Four<D>, longest: D) -> D {
    let zero = D::splat(0.0);
    let weight = one.inverse_mass + two.inverse_mass;
    let (d, u) = (difference(one.position, two.position), difference(one.velocity, two.velocity));
    let (b, u2, reach) = (dot(d, u), dot(u, u), one.radius + two.radius);
    let root = b * b - u2 * (dot(d, d) - reach * reach);
    let root = root.at_least(zero).sqrt();
    let since = (b + root) / u2;
    let since = longest.at_most(since.at_least(zero));
    let back = [d[0] - u[0] * since, d[1] - u[1] * since];
    let length = dot(back, back).sqrt();
    let normal = [back[0] / length, back[1] / length];
    let approach = zero - dot(u, normal);
    // Where the length is 0 nothing is above 0: the normal is not a number.
    let met = b.lt(zero) & approach.gt(zero) & weight.gt(zero);
    let change = approach + approach;
    kick::<D, false>(one, normal, change * (one.inverse_mass / weight), since, met);
    kick::<D, true>(two, normal, change * (two.inverse_mass / weight), since, met);
    met.select(change / weight * length, zero)
}

/// Which pairs still overlap.
#[inline(always)]
fn deep_four<D: Quad>(one: &Four<D>, two: &Four<D>) -> u32 {
    let (d, near) = (difference(one.position, two.position), tolerated(one, two));
    (dot(d, d).lt(near * near) & (one.inverse_mass + two.inverse_mass).gt(D::splat(0.0))).mask()
}

#[inline(always)]
pub(crate) fn bounce<L: Lanes>(one: &mut Bodies, two: &mut Bodies, longest: f64) -> Bounced {
    let longest = L::Doubles::splat(longest);
    let ((mut a, mut a2), (mut b, mut b2)) = (widen::<L>(one), widen::<L>(two));
    let low = bounce_four(&mut a, &mut b, longest).store();
    let high = bounce_four(&mut a2, &mut b2, longest).store();
    let finite = narrow::<L, true>(&a, &a2, one) & narrow::<L, true>(&b, &b2, two);
    // From what the columns hold now.
    let ((a, a2), (b, b2)) = (widen::<L>(one), widen::<L>(two));
    let mut virial = [0.0; 8];
    virial[..4].copy_from_slice(&low);
    virial[4..].copy_from_slice(&high);
    Bounced { virial, deep: deep_four(&a, &b) | deep_four(&a2, &b2) << 4, finite }
}

#[inline(always)]
fn push_four<D: Quad>(one: &mut Four<D>, two: &mut Four<D>, factor: D) {
    let zero = D::splat(0.0);
    let weight = one.inverse_mass + two.inverse_mass;
    let (d, near) = (difference(one.position, two.position), tolerated(one, two));
    let square = dot(d, d);
    let acts = square.lt(near * near) & weight.gt(zero);
    let distance = square.sqrt();
    let push = factor * (near - distance) / weight;
    let apart = distance.gt(zero);
    let normal = [apart.select(d[0] / distance, zero), apart.select(d[1] / distance, D::splat(1.0))];
    shift::<D, false>(one, normal, push * one.inverse_mass, acts);
    shift::<D, true>(two, normal, push * two.inverse_mass, acts);
}

/// Positions alone; whether all are finite.
#[inline(always)]
pub(crate) fn push<L: Lanes>(one: &mut Bodies, two: &mut Bodies, factor: f64) -> bool {
    let factor = L::Doubles::splat(factor);
    let ((mut a, mut a2), (mut b, mut b2)) = (widen::<L>(one), widen::<L>(two));
    push_four(&mut a, &mut b, factor);
    push_four(&mut a2, &mut b2, factor);
    narrow::<L, false>(&a, &a2, one) & narrow::<L, false>(&b, &b2, two)
}

/// Four walls where circles touch them.
#[derive(Clone, Copy)]
struct FourWalls<D> {
    point: [D; 2],
    normal: [D; 2],
    velocity: [D; 2],
}

#[inline(always)]
fn widen_walls<L: Lanes>(
    tangents: &Tangents,
    speeds: Option<&Speeds>,
) -> (FourWalls<L::Doubles>, FourWalls<L::Doubles>) {
    let (x, x2) = L::load(&tangents.point[0]).widen();
    let (y, y2) = L::load(&tangents.point[1]).widen();
    let (nx, nx2) = L::load(&tangents.normal[0]).widen();
    let (ny, ny2) = L::load(&tangents.normal[1]).widen();
    let zero = [L::Doubles::splat(0.0); 2];
    let (velocity, velocity2) = if let Some(speeds) = speeds {
        let [[x, x2], [y, y2]]: &[[[f64; 4]; 2]; 2] = bytemuck::cast_ref(speeds);
        ([L::Doubles::load(x), L::Doubles::load(y)], [L::Doubles::load(x2), L::Doubles::load(y2)])
    } else {
        (zero, zero)
    };
    (
        FourWalls { point: [x, y], normal: [nx, ny], velocity },
        FourWalls { point: [x2, y2], normal: [nx2, ny2], velocity: velocity2 },
    )
}

/// What the records of eight contacts say of walls.
#[inline(always)]
fn tangents<L: Lanes>(contacts: [&[f32; 8]; LANES]) -> Tangents {
    let mut halves = [[&[0.0; 4]; LANES]; 2];
    for (k, contact) in contacts.into_iter().enumerate() {
        let [low, high]: &[[f32; 4]; 2] = bytemuck::cast_ref(contact);
        (halves[0][k], halves[1][k]) = (low, high);
    }
    // Two rows, the point; the normal, the separation, the feature.
    let ([_, _, x, y], [nx, ny, _, _]) = (L::columns_of(halves[0]), L::columns_of(halves[1]));
    Tangents { point: [x.store(), y.store()], normal: [nx.store(), ny.store()] }
}

/// How deep circles are behind the tangents.
#[inline(always)]
fn penetration<D: Quad>(body: &Four<D>, wall: &FourWalls<D>) -> D {
    body.radius - dot(difference(body.position, wall.point), wall.normal)
}

/// The impulses of flanks that were met no longer ago than `longest`: how large they are.
#[inline(always)]
fn mirror_four<D: Quad>(body: &mut Four<D>, wall: &FourWalls<D>, longest: D, pull: Option<&Pull>) -> D {
    let zero = D::splat(0.0);
    let u = difference(body.velocity, wall.velocity);
    let approach = zero - dot(u, wall.normal);
    let since = penetration(body, wall) / approach;
    let since = longest.at_most(since.at_least(zero));
    reflect(body, wall.normal, (approach, since), approach.gt(zero), pull)
}

/// The same where some are ends: `longest` of flanks and of ends.
#[inline(always)]
fn mirror_four_at_ends<D: Quad>(
    body: &mut Four<D>,
    wall: &FourWalls<D>,
    (end, around): ([D; 2], D),
    longest: [D; 2],
    pull: Option<&Pull>,
) -> D {
    let zero = D::splat(0.0);
    let u = difference(body.velocity, wall.velocity);
    let (d, reach) = (difference(body.position, end), body.radius + around);
    let at_end = d[0].abs().gt(zero) | d[1].abs().gt(zero);
    let (b, u2) = (dot(d, u), dot(u, u));
    let root = b * b - u2 * (dot(d, d) - reach * reach);
    let root = root.at_least(zero).sqrt();
    let over = at_end.select(b + root, penetration(body, wall));
    let since = over / at_end.select(u2, zero - dot(u, wall.normal));
    let longest = at_end.select(longest[1], longest[0]);
    let since = longest.at_most(since.at_least(zero));
    let back = [d[0] - u[0] * since, d[1] - u[1] * since];
    let length = dot(back, back).sqrt();
    let normal = [at_end.select(back[0] / length, wall.normal[0]), at_end.select(back[1] / length, wall.normal[1])];
    let approach = zero - dot(u, normal);
    // An end that is left behind is not met, whatever the rounding says of the way there.
    let met = at_end.select(b.lt(zero) & approach.gt(zero), approach.gt(zero));
    reflect(body, normal, (approach, since), met, pull)
}

/// Turns those round that have met a wall: how large the impulses are.
#[inline(always)]
fn reflect<D: Quad>(body: &mut Four<D>, normal: [D; 2], (approach, since): (D, D), met: D, pull: Option<&Pull>) -> D {
    let zero = D::splat(0.0);
    let met = met & body.inverse_mass.gt(zero);
    let (change, since) = if let Some(Pull { gravity, half }) = pull {
        let (way, longest) = (approach + approach, D::splat(LONGEST) * body.radius);
        let since = (way * since).gt(longest).select(longest / way, since);
        let at_touch = approach + dot(gravity.map(D::splat), normal) * (D::splat(*half) - since);
        let change = at_touch + at_touch;
        (approach.gt(change).select(approach, change), since)
    } else {
        (approach + approach, since)
    };
    kick::<D, false>(body, normal, change, since, met);
    met.select(change / body.inverse_mass, zero)
}

/// One impulse each; without speeds of walls that stand.
#[inline(always)]
pub(crate) fn mirror<L: Lanes>(
    bodies: &mut Bodies,
    contacts: [&[f32; 8]; LANES],
    (tips, speeds): (Option<&Tips>, Option<&Speeds>),
    longest: [f64; 2],
    pull: Option<&Pull>,
) -> Mirrored {
    let longest = [L::Doubles::splat(longest[0]), L::Doubles::splat(longest[1])];
    let tangents = tangents::<L>(contacts);
    let ((mut low, mut high), (walls, walls2)) = (widen::<L>(bodies), widen_walls::<L>(&tangents, speeds));
    let (of_low, of_high) = if let Some(tips) = tips {
        let (x, x2) = L::load(&tips.end[0]).widen();
        let (y, y2) = L::load(&tips.end[1]).widen();
        let (radius, radius2) = L::load(&tips.radius).widen();
        let of_low = mirror_four_at_ends(&mut low, &walls, ([x, y], radius), longest, pull);
        (of_low, mirror_four_at_ends(&mut high, &walls2, ([x2, y2], radius2), longest, pull))
    } else {
        let of_low = mirror_four(&mut low, &walls, longest[0], pull);
        (of_low, mirror_four(&mut high, &walls2, longest[0], pull))
    };
    let mut given = [0.0; LANES];
    given[..4].copy_from_slice(&of_low.store());
    given[4..].copy_from_slice(&of_high.store());
    Mirrored { given, tangents, finite: narrow::<L, true>(&low, &high, bodies) }
}

#[inline(always)]
fn back_four<D: Quad>(body: &mut Four<D>, wall: &FourWalls<D>, factor: D) {
    let push = factor * (penetration(body, wall) - D::splat(SLOP) * body.radius);
    shift::<D, false>(body, wall.normal, push, body.inverse_mass.gt(D::splat(0.0)));
}

/// Positions alone; whether all are finite.
#[inline(always)]
pub(crate) fn push_back<L: Lanes>(bodies: &mut Bodies, tangents: &Tangents, factor: f64) -> bool {
    let factor = L::Doubles::splat(factor);
    let ((mut low, mut high), (walls, walls2)) = (widen::<L>(bodies), widen_walls::<L>(tangents, None));
    back_four(&mut low, &walls, factor);
    back_four(&mut high, &walls2, factor);
    narrow::<L, false>(&low, &high, bodies)
}
