//! The kernels of circles at walls, eight at a time.
//!
//! Comes in: columns, contacts. Goes out: how many of them acted. For the bench that tells what each costs.

use super::Text;
use crate::geometry::{Circles, Feature};
use crate::kernels::bounce::{Bodies, Tangents, Tips};
use crate::kernels::contact::CircleSegmentContact;
use crate::kernels::{Kernels, LANES, Operation};
use std::hint::black_box;

/// Circles and the walls that they touch, eight by eight.
#[derive(Clone, Debug)]
pub struct WallEights(Vec<WallEight>);

#[derive(Clone, Copy, Debug)]
struct WallEight {
    bodies: Bodies,
    contacts: [CircleSegmentContact; LANES],
    tips: Tips,
    tangents: Tangents,
}

impl WallEights {
    /// The whole eights of contacts, whose rows are those of the columns; all circles have the inverse mass 1.
    #[must_use]
    pub fn new(
        circles: Circles<'_>,
        velocities: [&[f32]; 2],
        walls: [&[f32]; 5],
        contacts: &[CircleSegmentContact],
    ) -> WallEights {
        let eight = |contacts: &[CircleSegmentContact; LANES]| {
            let of = |column: &[f32]| contacts.map(|contact| column[contact.a as usize]);
            let bodies = Bodies {
                position: [of(circles.x), of(circles.y)],
                velocity: velocities.map(of),
                radius: of(circles.radius),
                inverse_mass: [1.0; LANES],
            };
            let mut tips = Tips { end: bodies.position, radius: [0.0; LANES] };
            for (k, contact) in contacts.iter().enumerate() {
                let b = contact.b as usize;
                let [x, y] = match contact.feature {
                    Feature::Start => [walls[0][b], walls[1][b]],
                    Feature::End => [walls[2][b], walls[3][b]],
                    _ => continue,
                };
                (tips.end[0][k], tips.end[1][k], tips.radius[k]) = (x, y, walls[4][b]);
            }
            let tangents = Tangents {
                point: [contacts.map(|contact| contact.point.x), contacts.map(|contact| contact.point.y)],
                normal: [contacts.map(|contact| contact.normal.x), contacts.map(|contact| contact.normal.y)],
            };
            WallEight { bodies, contacts: *contacts, tips, tangents }
        };
        WallEights(contacts.as_chunks().0.iter().map(eight).collect())
    }
}

struct Mirrors<'a>(&'a WallEights, [f64; 2], bool);

impl Operation for Mirrors<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let mut met = 0;
        for WallEight { bodies, contacts, tips, .. } in &self.0.0 {
            let (mut bodies, [a, b, c, d, e, f, g, h]) = (*bodies, contacts.each_ref());
            let contacts = [record(a), record(b), record(c), record(d), record(e), record(f), record(g), record(h)];
            let tips = if self.2 { Some(tips) } else { None };
            if let Some(mirrored) = black_box(K::mirror(&mut bodies, contacts, tips, None, self.1, None)) {
                met += mirrored.given.iter().map(|&given| usize::from(given != 0.0)).sum::<usize>();
            }
            black_box(&bodies);
        }
        met
    }
}

#[inline(always)]
fn record(contact: &CircleSegmentContact) -> &[f32; 8] {
    bytemuck::cast_ref(contact)
}

/// The impulses of walls that stand, by a text that takes eight: how many have met, flanks and ends no longer ago than `longest`; without
/// `ends` all are taken for flanks.
pub fn mirrors(text: Text, eights: &WallEights, longest: [f64; 2], ends: bool) -> usize {
    text.run(Mirrors(eights, longest, ends))
}

struct PushesBack<'a>(&'a WallEights, f64);

impl Operation for PushesBack<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        let mut pushed = 0;
        for WallEight { bodies: was, tangents, .. } in &self.0.0 {
            let mut bodies = *was;
            black_box(K::push_back(&mut bodies, tangents, self.1));
            for (x, was) in bodies.position[0].iter().zip(was.position[0]) {
                pushed += usize::from(*x != was);
            }
            black_box(&bodies);
        }
        pushed
    }
}

/// Takes back this share of what circles are behind their walls, by a text that takes eight: how many have moved along x.
pub fn pushes_back(text: Text, eights: &WallEights, factor: f64) -> usize {
    text.run(PushesBack(eights, factor))
}
