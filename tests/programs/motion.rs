//! A step as mechanics has it: walls hold, bullets meet, what bounces bounces, and what may rest rests.

#[path = "../common/mod.rs"]
mod common;

#[path = "../bullets.rs"]
mod bullets;
#[path = "../bullets_many.rs"]
mod bullets_many;
#[path = "../chains.rs"]
mod chains;
#[path = "../crowds.rs"]
mod crowds;
#[path = "../far_walls.rs"]
mod far_walls;
#[path = "../fleeing.rs"]
mod fleeing;
#[path = "../flights.rs"]
mod flights;
#[path = "../hook.rs"]
mod hook;
#[path = "../hook_passes.rs"]
mod hook_passes;
#[path = "../impacts.rs"]
mod impacts;
#[path = "../masses.rs"]
mod masses;
#[path = "../meetings.rs"]
mod meetings;
#[path = "../no_leak.rs"]
mod no_leak;
#[path = "../no_leak_moving.rs"]
mod no_leak_moving;
#[path = "../odd_steps.rs"]
mod odd_steps;
#[path = "../periodic_walls.rs"]
mod periodic_walls;
#[path = "../physics.rs"]
mod physics;
#[path = "../rest.rs"]
mod rest;
#[path = "../sensors.rs"]
mod sensors;
#[path = "../step.rs"]
mod step;
#[path = "../stopped.rs"]
mod stopped;
#[path = "../touches.rs"]
mod touches;
