//! Box2D v3 by its raw crate (the safe one asks more of each call): its whole step, and a world to ask.
//!
//! Its limits: segments no longer than its slop of 0.005 are not made (counted in the objection), contacts within 0.02 count as
//! touching (here only those not apart do), and beyond some bodies per worker most no longer move, which is looked for.

use crate::input::Input;
use crate::peer::{Peer, circle, ends};
use crate::peers::DT;
use crate::shared::{Counts, Scene};
use boxdd_sys::ffi::*;

/// With more circles a worker, blocks of its solver are larger than the 65 535 that it asserts, which ends the process.
const MOST: usize = 4 * 65_535;

/// Why it cannot be run on this.
pub(crate) fn refusal(input: &Input, threads: usize) -> Option<String> {
    let most = MOST * threads;
    (input.circles() > most).then(|| format!("an assertion of its solver ends the process beyond {most} bodies"))
}

/// Its `B2_LINEAR_SLOP` for lengths in metres: it aborts on a segment no longer than this.
const SLOP: f32 = 0.005;

/// A world that frees itself.
pub(crate) struct Handle(pub(crate) b2WorldId);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by b2CreateWorld and destroyed once.
        unsafe { b2DestroyWorld(self.0) }
    }
}

/// A world with the bodies of a scene: static segments on one body, a dynamic body for each circle.
pub(crate) struct Bodies {
    pub(crate) world: Handle,
    circles: Vec<b2BodyId>,
    /// Segments too short for it.
    pub(crate) refused: usize,
}

impl Bodies {
    pub(crate) fn new(scene: &Scene, threads: usize) -> Bodies {
        // SAFETY: definitions come from their own default functions, ids are used while the world lives, pointers for the call alone.
        unsafe {
            let mut def = b2DefaultWorldDef();
            def.gravity = vector(0.0, 0.0);
            def.restitutionThreshold = 0.0;
            def.enableSleep = false;
            def.enableContinuous = false;
            def.workerCount = threads as i32;
            let world = Handle(b2CreateWorld(&raw const def));
            let ground = b2CreateBody(world.0, &raw const *Box::new(b2DefaultBodyDef()));
            let mut shape = b2DefaultShapeDef();
            shape.material.friction = 0.0;
            shape.material.restitution = 1.0;
            let mut refused = 0;
            for row in 0..scene.x0.len() {
                let [x0, y0, x1, y1] = ends(scene, row);
                let segment = b2Segment { point1: vector(x0, y0), point2: vector(x1, y1) };
                let square = (x1 - x0).powi(2) + (y1 - y0).powi(2);
                if square <= SLOP * SLOP {
                    refused += 1;
                } else {
                    b2CreateSegmentShape(ground, &raw const shape, &raw const segment);
                }
            }
            shape.enableContactEvents = true;
            let mut body = b2DefaultBodyDef();
            body.type_ = b2BodyType_b2_dynamicBody;
            body.motionLocks.angularZ = true;
            body.enableSleep = false;
            let circles = (0..scene.x.len()).map(|row| {
                let [x, y, radius] = circle(scene, row);
                body.position = vector(x, y);
                body.linearVelocity = vector(scene.velocity_x[row], scene.velocity_y[row]);
                let made = b2CreateBody(world.0, &raw const body);
                let circle = b2Circle { center: vector(0.0, 0.0), radius };
                b2CreateCircleShape(made, &raw const shape, &raw const circle);
                made
            });
            let circles = circles.collect();
            Bodies { world, circles, refused }
        }
    }

    pub(crate) fn step(&mut self, dt: f32) {
        // SAFETY: the world lives. Four sub-steps are what its manual recommends.
        unsafe { b2World_Step(self.world.0, dt, 4) }
    }

    /// Pairs with a contact point that is not apart.
    fn touching(&self) -> Counts {
        let mut counts = [0; 3];
        let mut buffer: Vec<b2ContactData> = vec![];
        for &body in &self.circles {
            // SAFETY: the body lives, and the buffer has room for as many as are said to be there.
            let contacts = unsafe {
                let room = b2Body_GetContactCapacity(body);
                buffer.reserve(room as usize);
                let count = b2Body_GetContactData(body, buffer.as_mut_ptr(), room);
                std::slice::from_raw_parts(buffer.as_ptr(), count as usize)
            };
            for contact in contacts {
                let points = &contact.manifold.points[..contact.manifold.pointCount as usize];
                if points.iter().any(|point| point.separation <= 0.0) {
                    // SAFETY: shapes of a contact that was just handed out.
                    let [a, b] = unsafe { [contact.shapeIdA, contact.shapeIdB].map(|shape| b2Shape_GetType(shape)) };
                    let wall = a == b2ShapeType_b2_segmentShape || b == b2ShapeType_b2_segmentShape;
                    counts[usize::from(wall)] += 1;
                }
            }
        }
        // Two circles have each other among their contacts.
        [counts[0] / 2, counts[1], 0]
    }

    /// How many circles have not moved from where the scene has them.
    fn still(&self, scene: &Scene) -> usize {
        // SAFETY: the bodies live.
        let place = |body: &b2BodyId| unsafe { b2Body_GetPosition(*body) };
        let places = self.circles.iter().map(place);
        places.zip(scene.x.iter().zip(&scene.y)).filter(|(p, (x, y))| p.x == **x && p.y == **y).count()
    }
}

/// Bytes that all of Box2D holds; it does not tell the most that it held.
fn held() -> i64 {
    // SAFETY: reads a counter.
    unsafe { b2GetByteCount() }
}

pub(crate) fn vector(x: f32, y: f32) -> b2Vec2 {
    b2Vec2 { x, y }
}

/// A simulation: discs that neither rotate nor rub nor sleep, as gridlane's do, without continuous collision.
pub(crate) struct Steps {
    bodies: Bodies,
    first: Counts,
    /// Bytes that it held before this was made, for other worlds.
    before: i64,
}

impl Steps {
    pub(crate) fn new(input: &Input, threads: usize) -> Steps {
        let scene = &input.frames[0];
        let before = held();
        let mut bodies = Bodies::new(scene, threads);
        // A step so short that nothing moves tells what is found where the scene begins.
        bodies.step(1e-7);
        let first = bodies.touching();
        Steps { bodies, first, before }
    }
}

impl Peer for Steps {
    fn run(&mut self, _: &Scene) {
        self.bodies.step(DT);
    }

    fn found(&self) -> Counts {
        self.bodies.touching()
    }

    fn first(&self) -> Option<Counts> {
        Some(self.first)
    }

    fn objection(&self, began: &Scene) -> Option<String> {
        let (still, all) = (self.bodies.still(began), self.bodies.circles.len());
        (still > all / 100).then(|| format!("{still} of {all} bodies have not moved"))
    }

    fn bytes_elsewhere(&self) -> usize {
        (held() - self.before) as usize
    }

    fn remark(&self) -> Option<String> {
        let refused = self.bodies.refused;
        (refused > 0).then(|| format!("{refused} segments are too short for it"))
    }
}
