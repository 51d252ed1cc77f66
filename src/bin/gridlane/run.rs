//! `run` and `detect`: bodies in, steps done, report and files out.
//!
//! Comes in: checked arguments. Goes out: a report on standard output and the files asked for. The clock runs during
//! steps only.

use crate::args::{BackendName, BoundsName, CommonArgs, RunArgs};
use crate::events::EventTable;
use crate::input::Input;
use crate::outputs::Outputs;
use crate::report::{ContactCounts, Motion, Report};
use crate::snapshot::Snapshot;
use crate::tables::Shortest;
use crate::{Failure, say, tell};
use gridlane::{Backend, Bounds, StepStats, Threads, Vec2, World, WorldConfig};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Instant;

/// Steps the bodies and tells what happened. The frame of a built-in scene is also a boundary that reflects, so that
/// circles which overlap it at the start cannot end up outside.
pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let (mut input, course) = Input::with_course(&args.common)?;
    if let Some(speed) = args.speed {
        input.set_speed(speed, args.common.seed);
    }
    let (steps, dt) = (args.steps.unwrap_or(course.steps), args.dt.unwrap_or(course.dt));
    let gravity = args.gravity.unwrap_or(course.gravity);
    let restitution = args.restitution.unwrap_or(course.restitution);
    let (bounds, bounds_text) = bounds(args, &input)?;
    let config = config(&args.common).with_gravity(gravity).with_restitution(restitution).with_bounds(bounds);
    let mut world = input.world(config)?;
    let outputs = Outputs::open(&args.common, args.common.is_default_scene() && !args.common.json)?;
    // Last, since it empties its file.
    outputs.refuse(args.events.as_deref())?;
    let mut events = args.events.as_deref().map(EventTable::open).transpose()?;
    let mut report = Report::new("run", &input, args.common.backend.name(), world.kinetic_energy());
    report.motion = Some(Motion { dt, gravity, restitution, bounds: bounds_text });
    if steps == 0 {
        detect_once(&mut world, &mut report)?;
    }
    let bar = progress_bar(steps, args.common.json);
    for step in 1..=steps {
        if let Some(hand) = course.hand {
            hand(&mut world, step - 1, dt).map_err(|error| in_step(step, error.into()))?;
        }
        let start = Instant::now();
        let stats = world.step(dt).map_err(|error| in_step(step, error.into()))?;
        report.wall += start.elapsed();
        report.steps = step;
        count(&mut report, stats);
        if let Some(events) = &mut events {
            events.add(step, &world)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(events) = events {
        report.files.push(events.close()?);
    }
    finish(&args.common, &input, &world, outputs, report)
}

/// One detection of the bodies where they are.
pub(crate) fn detect(args: &CommonArgs) -> Result<(), Failure> {
    let input = Input::load(args)?;
    let mut world = input.world(config(args))?;
    let outputs = Outputs::open(args, false)?;
    let mut report = Report::new("detect", &input, args.backend.name(), world.kinetic_energy());
    detect_once(&mut world, &mut report)?;
    finish(args, &input, &world, outputs, report)
}

/// What is at the rim, and how it is told.
fn bounds(args: &RunArgs, input: &Input) -> Result<(Bounds, &'static str), Failure> {
    let name = args.bounds.unwrap_or(if input.frame.is_some() { BoundsName::Reflect } else { BoundsName::None });
    let Some([min, max]) = input.extent().filter(|_| name != BoundsName::None) else {
        return Ok((Bounds::None, ""));
    };
    let (min, max): (Vec2, Vec2) = (min.into(), max.into());
    let side = |low: f32, high: f32| low.is_finite() && high.is_finite() && low < high;
    if !(side(min.x, max.x) && side(min.y, max.y)) {
        return Err(Failure::Input(format!(
            "--bounds: expected bodies whose box has a finite width and height above zero, found x from {} to {}, y from {} to {}",
            Shortest(min.x),
            Shortest(max.x),
            Shortest(min.y),
            Shortest(max.y)
        )));
    }
    match name {
        BoundsName::Reflect if input.frame.is_some() => Ok((Bounds::Reflect { min, max }, ", the frame reflects")),
        BoundsName::Reflect => Ok((Bounds::Reflect { min, max }, ", the rim reflects")),
        _ => Ok((Bounds::periodic(min, max), ", periodic")),
    }
}

pub(crate) fn config(args: &CommonArgs) -> WorldConfig {
    WorldConfig::default()
        .with_backend(match args.backend {
            BackendName::Wide => Backend::Wide,
            BackendName::Scalar => Backend::Scalar,
        })
        .with_threads(args.threads.map_or(Threads::Auto, |count| Threads::Fixed(usize::from(count))))
}

fn detect_once(world: &mut World, report: &mut Report) -> Result<(), Failure> {
    let start = Instant::now();
    let stats = world.detect()?;
    report.wall += start.elapsed();
    count(report, stats);
    Ok(())
}

fn count(report: &mut Report, stats: StepStats) {
    report.threads = stats.threads;
    report.begins += stats.begins as u64;
    report.ends += stats.ends as u64;
    let calls = [stats.move_ns, stats.bin_ns, stats.detect_ns, stats.resolve_ns, stats.report_ns];
    for (sum, ns) in report.calls_ns.iter_mut().zip(calls) {
        *sum += ns;
    }
}

fn in_step(step: u64, failure: Failure) -> Failure {
    match failure {
        Failure::Input(message) => Failure::Input(format!("step {step}: {message}")),
        Failure::Machine(message) => Failure::Machine(format!("step {step}: {message}")),
    }
}

/// Shown on a terminal only, and not beside JSON.
fn progress_bar(steps: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {eta} left");
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Files first, so that the report can name them.
fn finish(
    args: &CommonArgs,
    input: &Input,
    world: &World,
    outputs: Outputs,
    mut report: Report,
) -> Result<(), Failure> {
    report.contacts = ContactCounts::of(world);
    report.energy_after = world.kinetic_energy();
    report.state_hash = world.state_hash();
    report.files.extend(outputs.paths());
    if !outputs.paths().is_empty() {
        outputs.write(&Snapshot::of(world, input), &report.picture_title())?;
    }
    input.notes.iter().for_each(|note| tell(note));
    say(&if args.json { report.json() } else { report.text() })
}
