//! rapier2d: detection with its collision pipeline, colliders without bodies (the cheaper way); and its whole step.
//!
//! Both find contacts with what rapier calls a prediction distance of 0 where it can be set; what counts as found is a contact point
//! whose distance is not positive. Segments are fixed, and groups keep them from each other.

use crate::input::Input;
use crate::peer::{Peer, circle, ends};
use crate::peers::DT;
use crate::shared::{Counts, Scene};
use rapier2d::prelude::*;

const CIRCLES: Group = Group::GROUP_1;
const SEGMENTS: Group = Group::GROUP_2;

fn ball(scene: &Scene, row: usize) -> ColliderBuilder {
    ColliderBuilder::ball(circle(scene, row)[2])
        .collision_groups(InteractionGroups::new(CIRCLES, Group::ALL, InteractionTestMode::And))
        .friction(0.0)
        .restitution(1.0)
}

fn wall(scene: &Scene, row: usize) -> ColliderBuilder {
    let [x0, y0, x1, y1] = ends(scene, row);
    ColliderBuilder::segment(Vector::new(x0, y0), Vector::new(x1, y1))
        .collision_groups(InteractionGroups::new(SEGMENTS, CIRCLES, InteractionTestMode::And))
        .friction(0.0)
        .restitution(1.0)
}

/// Pairs with a contact point that is not apart.
fn touching(narrow: &NarrowPhase, colliders: &ColliderSet) -> Counts {
    let mut counts = [0; 3];
    for pair in narrow.contact_pairs() {
        if pair.manifolds().iter().any(|manifold| manifold.points.iter().any(|point| point.dist <= 0.0)) {
            let is_wall = |handle: ColliderHandle| colliders[handle].shape().as_segment().is_some();
            counts[usize::from(is_wall(pair.collider1) || is_wall(pair.collider2))] += 1;
        }
    }
    counts
}

pub(crate) struct Detection {
    pub(crate) bodies: RigidBodySet,
    pub(crate) colliders: ColliderSet,
    pub(crate) broad: BroadPhaseBvh,
    handles: Vec<ColliderHandle>,
    pipeline: CollisionPipeline,
    islands: IslandManager,
    narrow: NarrowPhase,
}

impl Detection {
    pub(crate) fn new(input: &Input) -> Detection {
        Detection::of(&input.frames[0])
    }

    pub(crate) fn of(scene: &Scene) -> Detection {
        let mut colliders = ColliderSet::new();
        let handles = (0..scene.x.len()).map(|row| {
            let builder = ball(scene, row).active_collision_types(ActiveCollisionTypes::FIXED_FIXED);
            colliders.insert(builder.translation(Vector::new(scene.x[row], scene.y[row])))
        });
        let handles = handles.collect();
        for row in 0..scene.x0.len() {
            colliders.insert(wall(scene, row));
        }
        Detection {
            bodies: RigidBodySet::new(),
            colliders,
            broad: BroadPhaseBvh::new(),
            handles,
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            narrow: NarrowPhase::new(),
        }
    }
}

impl Peer for Detection {
    fn run(&mut self, frame: &Scene) {
        for (row, &handle) in self.handles.iter().enumerate() {
            self.colliders[handle].set_translation(Vector::new(frame.x[row], frame.y[row]));
        }
        self.pipeline.step(
            0.0,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            &(),
        );
    }

    fn found(&self) -> Counts {
        touching(&self.narrow, &self.colliders)
    }
}

/// A simulation: discs that neither rotate nor rub nor sleep, as gridlane's do; everything else as it is by default.
pub(crate) struct Steps {
    parameters: IntegrationParameters,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    first: Counts,
}

impl Steps {
    pub(crate) fn new(input: &Input) -> Steps {
        let mut steps = Steps::of(&input.frames[0]);
        // A step so short that nothing moves tells what is found where the scene begins.
        steps.parameters.dt = 1e-7;
        steps.step();
        steps.first = touching(&steps.narrow, &steps.colliders);
        steps.parameters.dt = DT;
        steps
    }

    fn of(scene: &Scene) -> Steps {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        for row in 0..scene.x.len() {
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::new(scene.x[row], scene.y[row]))
                .linvel(Vector::new(scene.velocity_x[row], scene.velocity_y[row]))
                .lock_rotations()
                .can_sleep(false);
            let body = bodies.insert(body);
            colliders.insert_with_parent(ball(scene, row), body, &mut bodies);
        }
        for row in 0..scene.x0.len() {
            colliders.insert(wall(scene, row));
        }
        Steps {
            parameters: IntegrationParameters::default(),
            pipeline: PhysicsPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies,
            colliders,
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            first: [0; 3],
        }
    }

    fn step(&mut self) {
        self.pipeline.step(
            Vector::ZERO,
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }
}

impl Peer for Steps {
    fn run(&mut self, _: &Scene) {
        self.step();
    }

    fn found(&self) -> Counts {
        touching(&self.narrow, &self.colliders)
    }

    fn first(&self) -> Option<Counts> {
        Some(self.first)
    }
}
