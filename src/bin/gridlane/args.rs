//! What can be asked for on the command line.
//!
//! Comes in: arguments. Goes out: checked values; what is wrong ends the process with a message and exit code 2.

use crate::scenes::CATALOG;
use crate::shows;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The scene that is taken when neither a scene nor an input file is named.
pub(crate) const DEFAULT_SCENE: &str = "gas-10k";

/// Steps circles and segments through time and tells what touched, exactly. Without arguments: `run` of gas-10k.
#[derive(Debug, Parser)]
#[command(name = "gridlane", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Step a scene or input files, and tell what happened
    Run(RunArgs),
    /// One detection, without motion
    Detect(DetectArgs),
    /// What rays meet first, from a table into a table
    Rays(RaysArgs),
    /// List the built-in scenes
    Scenes,
}

/// What `run` takes.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Number of steps; 0 detects without motion [default: 1200, or the scene's]
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// Seconds a step, as a number or a fraction [default: 1/240, or the scene's]
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) dt: Option<f32>,
    /// Acceleration of every circle that can be pushed, in length units per second squared [default: 0,0, or the scene's]
    #[arg(long, value_name = "X,Y", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) gravity: Option<[f32; 2]>,
    /// How much of the approach speed comes back, 0 to 1 [default: 1, or the scene's]
    #[arg(long, value_name = "E", value_parser = restitution, allow_hyphen_values = true)]
    pub(crate) restitution: Option<f32>,
    /// What is at the rim of the box about all bodies [default: the frame of a scene reflects, else nothing]
    #[arg(long, value_enum)]
    pub(crate) bounds: Option<BoundsName>,
    /// Write what began and ended to touch: step,event,kind,a,b,reason,x,y,nx,ny,approach; a and b are input rows
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) events: Option<PathBuf>,
    /// Give every circle that can be pushed this speed, in a direction drawn from --seed
    #[arg(long, value_name = "S", value_parser = speed, allow_hyphen_values = true)]
    pub(crate) speed: Option<f32>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What `detect` takes.
#[derive(Debug, Args)]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What `rays` takes.
#[derive(Debug, Args)]
pub(crate) struct RaysArgs {
    /// A built-in scene [default: gas-10k, unless files are given]
    #[arg(value_name = "SCENE", value_parser = scene_names(), hide_possible_values = true)]
    pub(crate) scene: Option<String>,
    /// Circles, as for run
    #[arg(long, value_name = "FILE.csv", conflicts_with = "scene")]
    pub(crate) circles: Option<PathBuf>,
    /// Segments, as for run
    #[arg(long, value_name = "FILE.csv|.geojson|.json", conflicts_with = "scene")]
    pub(crate) segments: Option<PathBuf>,
    /// Accepted as everywhere; a ray meets either side of a segment
    #[arg(long)]
    pub(crate) one_sided: bool,
    /// Rays: CSV with columns x,y,dx,dy[,max], in any order; fractions count in lengths of dx,dy, up to max
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) rays: PathBuf,
    /// Where to write fraction,segment,x,y,nx,ny, a row a ray, empty where nothing is met [default: standard output]
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,
    /// Rays see circles too: one more column, circle
    #[arg(long)]
    pub(crate) circles_too: bool,
    /// Threads, 1 to 1024 [default: chosen from the number of rays]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Kernels; the result does not depend on it
    #[arg(long, value_enum, default_value_t = BackendName::Wide)]
    pub(crate) backend: BackendName,
    /// Another built-in scene of the same kind and size
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

impl RaysArgs {
    /// What names the bodies and how they are worked on.
    pub(crate) fn common(&self) -> CommonArgs {
        CommonArgs {
            scene: self.scene.clone(),
            circles: self.circles.clone(),
            segments: self.segments.clone(),
            one_sided: self.one_sided,
            threads: self.threads,
            backend: self.backend,
            seed: self.seed,
            picture: None,
            contacts: None,
            state: None,
            json: false,
        }
    }
}

/// What `run` and `detect` take.
#[derive(Debug, Args)]
pub(crate) struct CommonArgs {
    /// A built-in scene [default: gas-10k, unless files are given]
    #[arg(value_name = "SCENE", value_parser = scene_names(), hide_possible_values = true)]
    pub(crate) scene: Option<String>,
    /// Circles: CSV with columns x,y,radius[,vx,vy][,mass], in any order; mass inf is immovable
    #[arg(long, value_name = "FILE.csv", conflicts_with = "scene")]
    pub(crate) circles: Option<PathBuf>,
    /// Segments: CSV with columns x0,y0,x1,y1[,vx0,vy0,vx1,vy1], or the lines and polygons of GeoJSON in a file that ends in .geojson or .json
    #[arg(long, value_name = "FILE.csv|.geojson|.json", conflicts_with = "scene")]
    pub(crate) segments: Option<PathBuf>,
    /// Segments are solid from the right of (x0,y0) to (x1,y1) only
    #[arg(long)]
    pub(crate) one_sided: bool,
    /// Threads, 1 to 1024 [default: chosen from the number of bodies]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Kernels; the result does not depend on it
    #[arg(long, value_enum, default_value_t = BackendName::Wide)]
    pub(crate) backend: BackendName,
    /// Another built-in scene of the same kind and size, and the directions of --speed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Draw the bodies and their contacts [default: gridlane.svg for a run of the default scene, unless --json]
    #[arg(long, value_name = "FILE.svg|.png", value_parser = picture_path)]
    pub(crate) picture: Option<PathBuf>,
    /// Write the contacts: kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y, sorted by kind, a, b; a and b are input rows, t and u
    /// where two segments meet on either, and an overlap goes from x,y to to_x,to_y; nx,ny goes from a to b, and is 0,1 where two centres
    /// coincide (as a step pushed them, where it pushed them apart)
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) contacts: Option<PathBuf>,
    /// Write the circles: x,y,radius,vx,vy,mass in the order of the input, readable again by --circles
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) state: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

impl CommonArgs {
    /// Neither a scene nor a file was named.
    pub(crate) fn is_default_scene(&self) -> bool {
        self.scene.is_none() && self.circles.is_none() && self.segments.is_none()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundsName {
    /// Nothing
    None,
    /// Circles are turned back
    Reflect,
    /// What leaves on one side comes in on the other
    Periodic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// Eight lanes at a time
    Wide,
    /// One pair at a time
    Scalar,
}

impl BackendName {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            BackendName::Wide => "wide",
            BackendName::Scalar => "scalar",
        }
    }
}

fn scene_names() -> PossibleValuesParser {
    PossibleValuesParser::new(CATALOG.iter().chain(shows::catalogue()).map(|entry| entry.name))
}

fn finite(text: &str) -> Option<f32> {
    text.trim().parse::<f32>().ok().filter(|value| value.is_finite())
}

fn seconds(text: &str) -> Result<f32, String> {
    let value = match text.split_once('/') {
        Some((above, below)) => finite(above).zip(finite(below)).map(|(above, below)| above / below),
        None => finite(text),
    };
    value
        .filter(|value| value.is_finite() && *value >= 0.0)
        .ok_or_else(|| "expected a finite number of seconds, zero or more, such as 0.01 or 1/240".to_string())
}

fn vector(text: &str) -> Result<[f32; 2], String> {
    text.split_once(',')
        .and_then(|(x, y)| Some([finite(x)?, finite(y)?]))
        .ok_or_else(|| "expected two finite numbers, such as 0,-9.81".to_string())
}

fn restitution(text: &str) -> Result<f32, String> {
    finite(text).filter(|value| (0.0..=1.0).contains(value)).ok_or_else(|| "expected a number from 0 to 1".to_string())
}

fn speed(text: &str) -> Result<f32, String> {
    finite(text).filter(|value| *value >= 0.0).ok_or_else(|| "expected a finite number, zero or more".to_string())
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let known = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg") || e.eq_ignore_ascii_case("png"));
    if known { Ok(path) } else { Err("expected a file name that ends in .svg or .png".to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_interface_is_consistent() {
        Cli::command().debug_assert();
        assert!(CATALOG.iter().any(|entry| entry.name == DEFAULT_SCENE));
    }

    #[test]
    fn values_are_taken_with_and_without_an_equals_sign() {
        let of = |arguments: &[&str]| Cli::try_parse_from(arguments).map(|cli| cli.run);
        let split = of(&["gridlane", "--gravity", "-1,-9.81", "--dt", "1/64", "gas-1k"]).expect("well formed");
        let joined = of(&["gridlane", "--gravity=-1,-9.81", "--dt=0.015625", "gas-1k"]).expect("well formed");
        assert_eq!((split.gravity, split.dt), (Some([-1.0, -9.81]), Some(0.015625)));
        assert_eq!((joined.gravity, joined.dt), (split.gravity, split.dt));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for text in ["-1", "1/0", "0/0", "nan", "inf", "1/", "x"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        for text in ["1", "1,", "1,nan", "1,2,3", "inf,0"] {
            assert!(vector(text).is_err(), "{text}");
        }
        for text in ["-0.1", "1.1", "nan"] {
            assert!(restitution(text).is_err(), "{text}");
        }
        for text in ["a.jpg", "svg", ""] {
            assert!(picture_path(text).is_err(), "{text}");
        }
        assert!(picture_path("A.SVG").is_ok());
    }
}
