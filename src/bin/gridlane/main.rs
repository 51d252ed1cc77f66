//! The command `gridlane`: steps or inspects a scene, says what happened, writes tables and a picture.
//!
//! Comes in: arguments and files. Goes out: text or JSON on standard output, progress and faults on standard error,
//! files, an exit code: 0 done, 2 the input is at fault, 1 the machine is. Knows the library's public surface only.

mod args;
mod events;
mod input;
mod outputs;
mod picture;
mod rays;
mod readers;
mod report;
mod run;
mod scenes;
mod shows;
mod snapshot;
mod tables;

use args::{Cli, Command, DetectArgs};
use clap::Parser;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;

/// Why the command gave up.
#[derive(Debug)]
enum Failure {
    /// What was asked for is wrong: exit code 2.
    Input(String),
    /// What was asked for could not be done here: exit code 1.
    Machine(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) | Failure::Machine(message) => f.write_str(message),
        }
    }
}

impl From<readers::Fault> for Failure {
    fn from(fault: readers::Fault) -> Failure {
        Failure::Input(fault.to_string())
    }
}

impl From<gridlane::Error> for Failure {
    fn from(error: gridlane::Error) -> Failure {
        use gridlane::Error;
        match error {
            // Bodies are numbered as they were added, so the index in the handle is the row in the input.
            Error::OutOfRange { kind, bits, field } => {
                Failure::Input(format!("{kind} {}: {field} would leave the finite range", bits as u32))
            }
            // The command makes no such call: these would be its own faults.
            Error::StaleHandle { .. } | Error::RowRange { .. } | Error::ColumnLength { .. } => {
                Failure::Machine(error.to_string())
            }
            _ => Failure::Input(error.to_string()),
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        None => run::run(&cli.run),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Detect(DetectArgs { common })) => run::detect(&common),
        Some(Command::Rays(args)) => rays::rays(&args),
        Some(Command::Scenes) => say(&report::catalogue()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&failure.to_string());
            ExitCode::from(match failure {
                Failure::Input(_) => 2,
                Failure::Machine(_) => 1,
            })
        }
    }
}

/// Writes a line to standard error. Where that cannot be, there is nobody to be told of it.
fn tell(line: &str) {
    _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Writes to standard output. A reader that has gone away, as `head` does, is no failure.
fn say(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Machine(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
