//! Mutation testing in one build: `cargo run --manifest-path tools/mutants/Cargo.toml -- WORK PATH...`
//!
//! Copies the tree to the folder WORK, rewrites the sources under each PATH so that all mutants are in one build, leaves out
//! those that do not compile, runs every test once to learn which mutants it reaches, then each mutant against the tests
//! that reach it, quickest first. Writes WORK/results.tsv: number, place, function, change, outcome, test, seconds.
//!
//! Environment: MUTANT_TESTS (names of files in `tests`, `lib` for the unit tests; all of a default list if unset), MUTANT_ONLY (a
//! part of the place, or numbers with commas), MUTANT_JOBS (2), MUTANT_OWN (of the unit tests only those beside the mutant), MUTANT_RESUME
//! (leave out what results.tsv has already).

mod rewrite;

use rewrite::{Catalogue, Mutant, rewrite};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const SWITCH: &str = include_str!("switch.rs.txt");
const TESTS: [&str; 32] = [
    "lib",
    "regressions",
    "oracle_cases",
    "roundings",
    "worst_roundings",
    "segment_pairs",
    "bounds",
    "bounds_in_double",
    "kernels_differential",
    "geometry_exact",
    "motions_exact",
    "symmetries",
    "properties",
    "real_maps",
    "pairs_differential",
    "texts_at_the_edge",
    "casts",
    "near_exact",
    "query_near",
    "joints",
    "joints_hard",
    "chains",
    "no_leak",
    "no_leak_moving",
    "ways_out",
    "periodic",
    "periodic_contacts",
    "periodic_queries",
    "periodic_walls",
    "neighbors",
    "neighbors_many",
    "fans",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, paths @ ..] = &arguments[..] else { panic!("WORK PATH...") };
    let work = Path::new(work);
    let catalogue = prepare(work, paths);
    let lines = catalogue.mutants.iter().enumerate();
    let lines = lines.map(|(id, m)| format!("{id}\t{}\t{}\t{}\n", m.place, m.function, m.change));
    fs::write(work.join("mutants.tsv"), lines.collect::<String>()).expect("written");
    let tests = build(work);
    let (reached, times) = record(work, &tests, catalogue.mutants.len());
    run_all(work, &catalogue.mutants, &catalogue.left_out, &tests, &reached, &times);
}

fn files(root: &Path, out: &mut Vec<PathBuf>) {
    if root.is_file() {
        return out.push(root.to_owned());
    }
    let mut entries: Vec<_> = fs::read_dir(root).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        files(&path, out);
    }
}

/// The tree with its mutants; those that the compiler refuses are found one check after another.
fn prepare(work: &Path, paths: &[String]) -> Catalogue {
    let tree = work.join("tree");
    fs::create_dir_all(&tree).expect("a folder to work in");
    // Tests that were made shorter by hand stay so.
    let keep = std::env::var("MUTANT_KEEP_TESTS").is_ok();
    for name in ["tests", "benches", "docs", "Cargo.toml", "Cargo.lock", "README.md"] {
        if keep && name == "tests" {
            continue;
        }
        let _ = fs::remove_dir_all(tree.join(name));
        // With the times of the files: what has not changed is not compiled again.
        assert!(Command::new("cp").args(["-a", name]).arg(&tree).status().expect("cp").success());
    }
    let remembered = work.join("left_out.txt");
    let mut left_out: BTreeSet<String> =
        fs::read_to_string(&remembered).unwrap_or_default().lines().map(str::to_owned).collect();
    loop {
        let mut catalogue = Catalogue::default();
        let mut all = Vec::new();
        files(Path::new("src"), &mut all);
        // Twice: what is left out is known by place and change, numbers only afterwards.
        for pass in 0..2 {
            let numbers = catalogue.mutants.iter().enumerate();
            let out = numbers.filter(|(_, m)| left_out.contains(&format!("{} {} {}", m.place, m.function, m.change)));
            let out: BTreeSet<usize> = out.map(|(id, _)| id).collect();
            catalogue = Catalogue { left_out: out, ..Catalogue::default() };
            for path in &all {
                let name = path.to_str().expect("a plain name");
                let mut text = fs::read_to_string(path).expect("text");
                if paths.iter().any(|p| name.starts_with(p.as_str()))
                    && !name.ends_with("unproved.rs")
                    && !name.ends_with("soundness.rs")
                {
                    text = rewrite(name, &text, &mut catalogue);
                }
                if name == "src/lib.rs" {
                    text = text.replacen(
                        "\nmod broad_phase;",
                        "\n#[doc(hidden)]\npub mod mutant_switch;\nmod broad_phase;",
                        1,
                    );
                }
                let to = tree.join(path);
                if pass == 1 {
                    write(&to, &text);
                }
            }
        }
        write(&tree.join("src/mutant_switch.rs"), SWITCH);
        let refused = check(&tree, &catalogue.mutants);
        println!("{} mutants, {} left out, {} refused now", catalogue.mutants.len(), left_out.len(), refused.len());
        if refused.is_empty() {
            return catalogue;
        }
        for id in refused {
            let m = &catalogue.mutants[id];
            assert!(left_out.insert(format!("{} {} {}", m.place, m.function, m.change)), "refused twice: {m:?}");
        }
        let lines: Vec<&str> = left_out.iter().map(String::as_str).collect();
        fs::write(&remembered, lines.join("\n")).expect("written");
    }
}

/// What has not changed keeps its time, and is not compiled again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
}

/// The number last asked for at or before a line.
fn number_at(text: &str, line: usize) -> Option<usize> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let asked = lines.iter().rev().find(|l| l.contains("mutant_switch::on("))?;
    let at = asked.rfind("mutant_switch::on(")? + "mutant_switch::on(".len();
    let digits: String = asked[at..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn cargo(tree: &Path, arguments: &[&str]) -> String {
    let out = Command::new("cargo")
        .args(arguments)
        .args(["--message-format=json", "--config", "profile.release.package.dashu-int.opt-level=3"])
        .args(["--config", "profile.release.package.dashu-ratio.opt-level=3"])
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", tree.parent().expect("a parent").join("target"))
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("RUSTFLAGS", "--cap-lints=allow")
        .stderr(Stdio::inherit())
        .output();
    String::from_utf8(out.expect("cargo").stdout).expect("text")
}

/// Numbers of the mutants in the lines that the compiler complains about.
fn check(tree: &Path, mutants: &[Mutant]) -> BTreeSet<usize> {
    let mut refused = BTreeSet::new();
    for line in cargo(tree, &["check", "--lib", "--profile", "test"]).lines() {
        let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let message = &json["message"];
        if message["level"] != "error" {
            continue;
        }
        for span in message["spans"].as_array().into_iter().flatten().filter(|s| s["is_primary"] == true) {
            let text = fs::read_to_string(tree.join(span["file_name"].as_str().expect("a name"))).expect("text");
            let id = number_at(&text, span["line_start"].as_u64().expect("a line") as usize);
            println!("{} {} -> {id:?}", message["message"], span["line_start"]);
            let told = message["message"].as_str().unwrap_or_default();
            if told.starts_with("cannot call non-const") {
                refused.extend(in_function(told, mutants));
            } else {
                refused.insert(id.expect("an error in a mutant"));
            }
        }
    }
    refused
}

/// The mutants in a function that a constant calls, told as `room::Type::name` or `room::name`: it has to stay `const`.
fn in_function(told: &str, mutants: &[Mutant]) -> Vec<usize> {
    let path = told.split('`').nth(1).expect("a name").replace("::<impl", "::");
    let parts: Vec<&str> = path.split("::").filter(|part| !part.starts_with('<')).collect();
    let name = parts[parts.len() - 1];
    let is_in = |m: &&Mutant| {
        let room = m.place.split(".rs:").next().unwrap_or_default().trim_end_matches("/mod");
        m.function == name && parts.iter().any(|part| room.ends_with(&format!("/{part}")))
    };
    let found: Vec<usize> = (0..).zip(mutants).filter(|(_, m)| is_in(m)).map(|(id, _)| id).collect();
    assert!(!found.is_empty(), "no mutant in {path}");
    found
}

/// The tests of one file: a few files share a program.
struct Test {
    name: String,
    program: PathBuf,
    /// By their full names; none of them are all that the program has.
    chosen: Vec<String>,
}

/// The program that a file of tests is part of.
fn program_of(tree: &Path, name: &str) -> Option<String> {
    let mut programs = Vec::new();
    files(&tree.join("tests/programs"), &mut programs);
    let holds = |path: &&PathBuf| fs::read_to_string(path).expect("text").contains(&format!("\nmod {name};\n"));
    let program = programs.iter().find(holds).map(|path| path.file_stem().expect("a name"));
    let alone = tree.join(format!("tests/{name}.rs")).exists().then(|| name.to_owned());
    program.map(|stem| stem.to_str().expect("a plain name").to_owned()).or(alone)
}

/// What a program has of a file; all, if it is nothing else.
fn chosen(program: &Path, file: &str) -> Vec<String> {
    let out = Command::new(program).arg("--list").output().expect("a list of tests").stdout;
    let out = String::from_utf8(out).expect("text");
    let names = out.lines().filter_map(|line| line.strip_suffix(": test"));
    names.filter(|name| name.starts_with(&format!("{file}::"))).map(str::to_owned).collect()
}

fn build(work: &Path) -> Vec<Test> {
    let names = std::env::var("MUTANT_TESTS").unwrap_or_else(|_| TESTS.join(" "));
    let tree = work.join("tree");
    let mut arguments = vec!["test", "--release", "--no-run"];
    let places: Vec<(&str, String)> =
        names.split(' ').filter_map(|name| Some((name, program_of(&tree, name)?))).collect();
    let programs: BTreeSet<&str> = places.iter().map(|place| place.1.as_str()).collect();
    for name in &programs {
        arguments.extend(["--test", name]);
    }
    if names.split(' ').any(|name| name == "lib") {
        arguments.push("--lib");
    }
    let mut tests = Vec::new();
    for line in cargo(&tree, &arguments).lines() {
        let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if json["message"]["level"] == "error" {
            println!("{}", json["message"]["rendered"].as_str().unwrap_or_default());
        }
        if let Some(program) = json["executable"].as_str() {
            let kind = json["target"]["kind"][0].as_str().expect("a kind");
            if kind == "bin" {
                continue;
            }
            if kind != "test" {
                tests.push(Test { name: "lib".to_owned(), program: program.into(), chosen: Vec::new() });
                continue;
            }
            for (name, _) in places.iter().filter(|place| json["target"]["name"] == place.1) {
                let chosen = chosen(Path::new(program), name);
                assert!(!chosen.is_empty() || json["target"]["name"] == *name, "{name} has no tests");
                tests.push(Test { name: (*name).to_owned(), program: program.into(), chosen });
            }
        }
    }
    assert!(!tests.is_empty(), "no tests");
    tests
}

fn command(work: &Path, test: &Test) -> Command {
    let mut command = Command::new(&test.program);
    command.args(["-q", "--test-threads=1"]).current_dir(work.join("tree"));
    // These panic on purpose, and the first panic ends the process.
    command.args(["--skip", "a_panic_leaves_nothing", "--skip", "a_panic_passes_through"]);
    if !test.chosen.is_empty() {
        command.arg("--exact").args(&test.chosen);
    }
    command.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1").env("PROPTEST_MAX_SHRINK_ITERS", "0");
    command.env("PROPTEST_RNG_SEED", "1").env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Which mutants each test reaches, and how long it takes with none alive; the quickest first.
fn record(work: &Path, tests: &[Test], count: usize) -> (Vec<BTreeSet<usize>>, Vec<Duration>) {
    let (mut reached, mut times) = (Vec::<BTreeSet<usize>>::new(), Vec::new());
    for test in tests {
        // Kept beside the time it took, as long as the program is the same.
        let list = work.join(format!("reached-{}.txt", test.name));
        let kept = work.join(format!("time-{}.txt", test.name));
        let age = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
        let fresh = age(&kept) > age(&test.program);
        let time = fs::read_to_string(&kept).ok().and_then(|t| t.trim().parse().ok()).filter(|_| fresh);
        let time = time.map(Duration::from_secs_f64).unwrap_or_else(|| {
            let _ = fs::remove_file(&list);
            let status = command(work, test).env("MUTANT_RECORD", &list).status().expect("runs");
            assert!(status.success(), "{} fails with no mutant alive", test.name);
            let from = Instant::now();
            assert!(command(work, test).env("MUTANT", count.to_string()).status().expect("runs").success());
            let time = from.elapsed();
            fs::write(&kept, time.as_secs_f64().to_string()).expect("written");
            time
        });
        times.push(time);
        let text = fs::read_to_string(&list).unwrap_or_default();
        reached.push(text.lines().filter_map(|l| l.parse().ok()).collect());
        println!("{}: {time:?}, reaches {}", test.name, reached[reached.len() - 1].len());
    }
    (reached, times)
}

/// Runs one test with one mutant alive: `None` where it passes.
fn kill(work: &Path, test: &Test, filter: &str, id: usize, limit: Duration) -> Option<&'static str> {
    let from = Instant::now();
    let mut command = command(work, test);
    command.env("MUTANT", id.to_string());
    if !filter.is_empty() {
        command.arg(filter);
    }
    let mut child = command.spawn().expect("runs");
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return if status.success() { None } else { Some("caught") };
        }
        if from.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Some("timeout");
        }
        std::thread::sleep(pause);
        pause = std::cmp::min(pause * 2, Duration::from_millis(50));
    }
}

fn run_all(
    work: &Path,
    mutants: &[Mutant],
    left_out: &BTreeSet<usize>,
    tests: &[Test],
    reached: &[BTreeSet<usize>],
    times: &[Duration],
) {
    let only = std::env::var("MUTANT_ONLY").unwrap_or_default();
    let numbers: BTreeSet<usize> = only.split(',').filter_map(|n| n.parse().ok()).collect();
    let chosen = |id: usize| {
        if numbers.is_empty() { mutants[id].place.contains(&only) } else { numbers.contains(&id) }
    };
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|&k| times[k]);
    // What an earlier run has caught stays caught.
    let before = fs::read_to_string(work.join("results.tsv")).unwrap_or_default();
    let caught: BTreeSet<usize> = before
        .lines()
        .map(|l| l.split('\t').collect::<Vec<_>>())
        .filter(|w| w[4] == "caught" || w[4] == "timeout" || std::env::var("MUTANT_RESUME").is_ok())
        .filter_map(|w| w[0].parse().ok())
        .collect();
    let queue: Vec<usize> =
        (0..mutants.len()).filter(|id| !left_out.contains(id) && !caught.contains(id) && chosen(*id)).collect();
    let own_only = std::env::var("MUTANT_OWN").is_ok();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = fs::OpenOptions::new().create(true).append(true).open(work.join("results.tsv")).expect("a file");
    let results = Mutex::new((results, BTreeMap::<&str, usize>::new()));
    let jobs = std::env::var("MUTANT_JOBS").ok().and_then(|j| j.parse().ok()).unwrap_or(2);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(&id) = queue.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let from = Instant::now();
                    let mut outcome = ("unreached", "");
                    let m = &mutants[id];
                    // The unit tests beside the code are the quickest of all.
                    let file = m.place.split(".rs:").next().unwrap_or_default().trim_start_matches("src/");
                    let own = file.trim_end_matches("/mod").replace('/', "::") + "::tests::";
                    let room = own.split("::").next().unwrap_or_default().to_owned() + "::";
                    let unit = order.iter().filter(|&&k| tests[k].name == "lib");
                    // What is exact is asked for by the pairwise functions, and some of it has its tests there.
                    let above = if room == "exact::" { "geometry::" } else { room.as_str() };
                    let first = unit.flat_map(|&k| [(k, own.as_str()), (k, above), (k, room.as_str())]);
                    for (k, filter) in
                        first.chain(order.iter().filter(|&&k| !own_only || tests[k].name != "lib").map(|&k| (k, "")))
                    {
                        if !reached[k].contains(&id) {
                            continue;
                        }
                        outcome.0 = "survived";
                        if let Some(how) = kill(work, &tests[k], filter, id, times[k] * 5 + Duration::from_secs(10)) {
                            outcome = (how, &tests[k].name);
                            break;
                        }
                    }
                    let mut results = results.lock().expect("unpoisoned");
                    *results.1.entry(outcome.0).or_insert(0) += 1;
                    let seconds = from.elapsed().as_secs_f32();
                    writeln!(
                        results.0,
                        "{id}\t{}\t{}\t{}\t{}\t{}\t{seconds:.2}",
                        m.place, m.function, m.change, outcome.0, outcome.1
                    )
                    .expect("written");
                }
            });
        }
    });
    println!("{:?}", results.lock().expect("unpoisoned").1);
}
