//! What figures have to be read with: the processor, the compiler, the flags, the commit, and what else ran.

use gridlane::instruction_set;
use std::process::Command;
use std::sync::OnceLock;

/// One fact a line.
pub(crate) fn lines(load: &str) -> Vec<String> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let name = name.map_or("unknown", |rest| rest.trim_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let built = [("avx2", cfg!(target_feature = "avx2")), ("avx512f", cfg!(target_feature = "avx512f"))];
    let built: Vec<&str> = built.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
    let built = if built.is_empty() { "the default target".into() } else { built.join(" ") };
    let features = [("parallel", cfg!(feature = "parallel")), ("simd8", cfg!(feature = "simd8"))]
        .map(|(name, on)| if on { name } else { "" });
    vec![
        format!("machine: {name}, {cores} cores seen"),
        format!(
            "lanes of gridlane: {}; of Box2D: AVX2; of rapier2d and parry2d: what the build is for",
            instruction_set()
        ),
        format!("compiler: {}", output("rustc", &["--version"])),
        format!(
            "flags: {}; built for {built}; features: {}",
            option_env!("RUSTFLAGS").unwrap_or("none"),
            if features.concat().is_empty() { "none".into() } else { features.join(" ") }
        ),
        format!("commit: {}", commit()),
        format!("load of the machine over one minute, at the start and the end: {load}"),
    ]
}

/// As it was when this was first asked: at the start, since nothing that is edited meanwhile is measured.
pub(crate) fn commit() -> &'static str {
    static COMMIT: OnceLock<String> = OnceLock::new();
    COMMIT.get_or_init(|| output("git", &["describe", "--always", "--dirty", "--exclude=*"]))
}

/// Average number of processes that wanted to run in the last minute.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").into()
}

fn output(program: &str, arguments: &[&str]) -> String {
    let run = Command::new(program).args(arguments).output().ok().filter(|run| run.status.success());
    run.map_or("unknown".into(), |run| String::from_utf8_lossy(&run.stdout).trim().into())
}
