//! `rays`: a table of rays in, a table of what they meet out.
//!
//! Comes in: checked arguments. Goes out: the table, and, unless that goes to standard output, a line that says how many met something.

use crate::args::RaysArgs;
use crate::input::Input;
use crate::outputs::{Output, keep_input};
use crate::report::counted;
use crate::run::config;
use crate::{Failure, readers, say, tables, tell};
use gridlane::{QueryFilter, Rays};
use std::time::Instant;

/// What each ray meets first.
pub(crate) fn rays(args: &RaysArgs) -> Result<(), Failure> {
    let common = args.common();
    let input = Input::load(&common)?;
    let columns = readers::rays(&args.rays)?;
    let inputs: Vec<_> = [&args.circles, &args.segments].into_iter().flatten().chain([&args.rays]).cloned().collect();
    args.out.as_deref().map_or(Ok(()), |path| keep_input(path, &inputs))?;
    let output = args.out.as_deref().map(Output::open).transpose()?;
    let world = input.world(config(&common))?;
    let rays = Rays {
        x: &columns.x,
        y: &columns.y,
        direction_x: &columns.direction_x,
        direction_y: &columns.direction_y,
        max: &columns.max,
        skip: &[],
    };
    let filter = if args.circles_too { QueryFilter::new() } else { QueryFilter::new().segments_only() };
    // Cells are made before the clock starts: they serve all questions that follow.
    let queries = world.queries();
    let (start, mut hits) = (Instant::now(), Vec::new());
    queries.cast_rays(rays, filter, &mut hits)?;
    let wall = start.elapsed();
    input.notes.iter().for_each(|note| tell(note));
    let Some(output) = output else {
        let mut text = Vec::new();
        tables::write_hits(&hits, args.circles_too, &mut text)
            .map_err(|error| Failure::Machine(format!("cannot write the table: {error}")))?;
        return say(&String::from_utf8_lossy(&text));
    };
    output.write(|out| tables::write_hits(&hits, args.circles_too, out))?;
    let met = hits.iter().filter(|hit| hit.is_hit()).count();
    let each = if hits.is_empty() { 0.0 } else { wall.as_nanos() as f64 / hits.len() as f64 };
    say(&format!("{}: {}, {met} met something, {each:.0} ns a ray\n", input.title, counted(hits.len(), "ray")))
}
