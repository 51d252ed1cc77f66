//! gridlane beside everybody else: the same scenes, the same pairs, checked and then timed in turns.
//!
//! `cargo run --release` takes everything and writes `results.csv`, `results.md` and `plot.svg` to the folder given by `--out`
//! (`results` by default); `--quick` leaves out the largest scene and gives each peer less time. Words restrict it to scenes whose name
//! contains one of them; `--what WORD` to kinds of work.

mod compare;
mod input;
mod machine;
mod measure;
mod memory;
mod peer;
mod peers;
mod plot;
mod queries;
mod report;
mod rows;
mod shared;

use compare::compare;
use input::Input;
use measure::Limits;
use report::Row;
use std::path::PathBuf;
use std::time::Duration;

/// What was asked for.
struct Options {
    quick: bool,
    out: PathBuf,
    scenes: Vec<String>,
    what: Vec<String>,
}

fn main() {
    let options = options();
    let limits = if options.quick {
        Limits { time: Duration::from_millis(250), patience: Duration::from_secs(4) }
    } else {
        Limits { time: Duration::from_secs(2), patience: Duration::from_secs(20) }
    };
    machine::commit();
    let load = machine::load();
    let inputs = input::all(!options.quick, |name| matches(&options.scenes, name));
    let mut rows = vec![];
    for (what, wanted, entries, prepare) in works() {
        if !matches(&options.what, what) {
            continue;
        }
        // Worlds of Box2D take long to set up: one is enough then.
        let wanted_entry = |entry: &&peers::Entry| !options.quick || entry.threads == 1 || entry.name != "Box2D";
        let entries: Vec<peers::Entry> = entries.iter().filter(wanted_entry).copied().collect();
        for input in inputs.iter().filter(|input| wanted(input)) {
            eprintln!("{what}: {}", input.name());
            rows.extend(match prepare {
                Some(prepare) => compare(what, &entries, &prepare(input), limits),
                None => compare(what, &entries, input, limits),
            });
            // A run that is stopped keeps what it has.
            write(&options, &rows, &format!("{load}, {}", machine::load()));
        }
    }
    rows.extend(queries::all(&inputs, limits, |what| matches(&options.what, what)));
    let load = format!("{load}, {}", machine::load());
    write(&options, &rows, &load);
    println!("{}", report::markdown(&rows, &load));
}

type Work = (&'static str, fn(&Input) -> bool, &'static [peers::Entry], Option<fn(&Input) -> Input>);

/// The kinds of work, and which inputs they make sense on.
fn works() -> [Work; 4] {
    [
        ("detection in caller's order", |input| input.circles() > 0, &peers::DETECT, None),
        ("detection in cell order", |input| input.circles() > 0, &peers::DETECT, Some(Input::in_cell_order)),
        ("all pairs of segments", |input| input.known[0][2] > 100, &peers::SEGMENTS, Some(Input::without_circles)),
        ("whole step", |input| input.circles() > 0, &peers::STEP, None),
    ]
}

fn matches(words: &[String], name: &str) -> bool {
    words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
}

fn options() -> Options {
    let mut options = Options { quick: false, out: "results".into(), scenes: vec![], what: vec![] };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} wants a value"));
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--out" => options.out = value().into(),
            "--what" => options.what.push(value()),
            word if word.starts_with('-') => panic!("unknown option {word}: --quick, --out DIR, --what WORD, scenes"),
            _ => options.scenes.push(argument),
        }
    }
    options
}

fn write(options: &Options, rows: &[Row], load: &str) {
    std::fs::create_dir_all(&options.out).expect("the folder can be made");
    let (csv, markdown) = (report::csv(rows, load), report::markdown(rows, load));
    let files = [("results.csv", csv), ("results.md", markdown), ("plot.svg", plot::svg(rows))];
    for (name, text) in files {
        std::fs::write(options.out.join(name), text).expect("the file can be written");
    }
}
