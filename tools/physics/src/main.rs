//! `gridlane-physics`: what bodies do in the engine, beside what theory says.
//!
//! Comes in: where to write, and whether to take a quick look only. Goes out: a table in Markdown and plots as SVG, and exit code 1 if a figure
//! is beyond its bound. Everything is a function of fixed seeds: the same figures on every machine.

mod gas;
mod meter;
mod piles;
mod plot;
mod pressure;
mod single;

use clap::Parser;
use meter::Row;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measures gases, piles and single balls, and writes a report with plots.
#[derive(Parser)]
struct Args {
    /// Where the report and its plots are written
    #[arg(long, default_value = "docs/physics")]
    out: PathBuf,
    /// Shorter runs with wider bounds: a minute instead of ten
    #[arg(long)]
    quick: bool,
    /// Only these parts
    #[arg(long, value_name = "PART", value_parser = ["single", "gas", "pressure", "piles"])]
    only: Vec<String>,
}

/// One part: rows of the table, and plots as it writes them into a folder.
type Part = fn(quick: bool, out: &Path) -> Result<Vec<Row>, Box<dyn std::error::Error>>;
const PARTS: [(&str, Part); 4] =
    [("single", single::measure), ("gas", gas::measure), ("pressure", pressure::measure), ("piles", piles::measure)];

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// True if every figure is within its bound.
fn run(args: &Args) -> Result<bool, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(&args.out)?;
    let mut rows = vec![];
    for (name, part) in PARTS {
        if args.only.is_empty() || args.only.iter().any(|only| only == name) {
            let start = std::time::Instant::now();
            rows.extend(part(args.quick, &args.out)?);
            eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    let mut text = String::from("| what | measured | bound | |\n|---|---|---|---|\n");
    for row in &rows {
        writeln!(
            text,
            "| {} | {} | {} | {} |",
            row.what,
            row.measured,
            row.bound,
            if row.holds { "" } else { "**beyond**" }
        )?;
    }
    print!("{text}");
    let kind = if args.quick { "`--quick`: shorter runs" } else { "the whole of it" };
    let head = format!("# Figures\n\nWritten by `tools/physics` ({kind}); fixed seeds, the same on every machine.\n\n");
    std::fs::write(args.out.join("figures.md"), head + &text)?;
    Ok(rows.iter().all(|row| row.holds))
}
