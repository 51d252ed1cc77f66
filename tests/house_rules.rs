//! Promise: the house stands: which room uses which, which operations are banned, where `unsafe` may be.
//!
//! Reads the sources as text. Every rule is a function from a file to what it finds wrong, and is tried on a bad sample before
//! it is believed about the tree.

use crate::common::sources::{File, has_word, strip, test_only, tree, used_rooms, without_tests};
use std::path::Path;

/// Every file through a rule that has first been seen to find fault with a bad sample, and none with a good one.
fn enforce(rule: impl Fn(&File) -> Vec<String>, bad: &[(&str, &str)], good: &[(&str, &str)]) {
    for (path, text) in bad {
        assert!(!rule(&File::sample(path, text)).is_empty(), "the rule overlooks {path}: {text}");
    }
    for (path, text) in good {
        assert_eq!(rule(&File::sample(path, text)), [""; 0], "the rule is too strict with {path}: {text}");
    }
    let faults: Vec<String> =
        tree().iter().flat_map(|file| rule(file).into_iter().map(|fault| format!("{}: {fault}", file.path))).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

const UNSAFE_ROOM: &str = "src/kernels/instruction_set.rs";

#[test]
fn unsafe_is_in_one_file() {
    let rule = |file: &File| {
        let here = file.path.starts_with("src/") && file.path != UNSAFE_ROOM && has_word(&file.code(), "unsafe");
        let allowed = file.is_library() && file.path != UNSAFE_ROOM && has_word(&file.code(), "unsafe_code");
        [(here, "unsafe"), (allowed, "allows unsafe_code")]
            .iter()
            .filter(|fault| fault.0)
            .map(|fault| fault.1.to_owned())
            .collect()
    };
    enforce(
        rule,
        &[
            ("src/storage/a.rs", "fn f() { unsafe { g() } }"),
            ("src/bin/gridlane/a.rs", "unsafe fn f() {}"),
            ("src/storage/a.rs", "#[allow(unsafe_code)] mod a {}"),
        ],
        &[("src/storage/a.rs", "// unsafe is denied\nlet s = \"unsafe\";"), (UNSAFE_ROOM, "unsafe { f() }")],
    );
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    assert!(manifest.contains("unsafe_code = \"deny\""));
}

/// Results of these change with the target, or between two sides of a zero or a NaN. For integers there are `std::cmp::min` and
/// `max`, which do not take floats. What goes by a type's name is in `clippy.toml` too, which knows types and is not to be fooled.
const BANNED: &str = "mul_add mul_sub mul_neg_add mul_neg_sub recip recip_sqrt sin cos tan sin_cos asin acos atan atan2 sinh cosh \
    tanh asinh acosh atanh hypot powi powf powf_simd exp exp2 exp_m1 ln ln_1p log log2 log10 cbrt to_degrees to_radians midpoint \
    reduce_add reduce_mul fast_min fast_max fast_clamp min max clamp minimum maximum abs_sub gamma ln_gamma algebraic_add \
    algebraic_sub algebraic_mul algebraic_div algebraic_rem par_iter par_chunks into_par_iter par_bridge fold_with reduce_with";

#[test]
fn operations_that_change_results_are_not_used() {
    let rule = |file: &File| {
        let code = if file.is_library() { file.shipped() } else { String::new() };
        // `a.min (b)` and a line break before the dot are the same call.
        let code: String = code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".").replace(". ", ".");
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let uses = |word: &&str| {
            code.match_indices(*word).any(|(at, _)| {
                let (before, after) = (&code[..at], &code[at + word.len()..]);
                let method = before.ends_with('.') && !before.ends_with("..") && after.trim_start().starts_with('(');
                // By whatever name the type goes, but for the integers' own.
                let path = before.ends_with("::") && !before.ends_with("cmp::") && !before.ends_with("usize::");
                (method || path) && !after.starts_with(is_part)
            })
        };
        BANNED.split_whitespace().filter(uses).map(|word| format!("uses {word}")).collect()
    };
    enforce(
        rule,
        &[
            ("src/kernels/scalar/a.rs", "let a = b.mul_add(c, d);"),
            ("src/geometry/a.rs", "let a = b.min(c);"),
            ("src/geometry/a.rs", "let a = b\n    .min (c);"),
            ("src/response/a.rs", "let a = f32::max(b, c);"),
            ("src/response/a.rs", "let a = <f32>::max(b, c);"),
            ("src/response/a.rs", "type F = f32; let a = F::max(b, c);"),
            ("src/exact/a.rs", "xs.iter().fold(0.0, f64::max)"),
            ("src/exact/a.rs", "use std::primitive; xs.iter().fold(0.0, primitive::f64::max)"),
            ("src/world/a.rs", "let a = b.clamp(0.0, 1.0);"),
            ("src/response/a.rs", "let l = x.hypot(y);"),
            ("src/kernels/wide/a.rs", "f32x8::reduce_add(v)"),
            ("src/kernels/wide/a.rs", "v.mul_neg_sub(a, b)"),
            ("src/response/a.rs", "let sum: f32 = xs.par_iter().sum();"),
        ],
        &[
            ("src/geometry/a.rs", "let a = std::cmp::min(b, c); // not b.min(c)"),
            ("src/geometry/a.rs", "#[cfg(test)]\nmod tests { fn f() { a.powi(2); } }"),
            ("src/geometry/a.rs", "let a = f32::MAX; let b = f32::min_exact(); let c = self.max; let d = min..max;"),
            ("src/bin/gridlane/scenes.rs", "angle.cos()"),
        ],
    );
}

/// One operation of IEEE 754 each, or none: comparisons, bits, moves. No fused, approximate, horizontal or least-of-two ones.
const INTRINSICS: &str = "_mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_sqrt_ps _mm256_and_ps _mm256_or_ps \
    _mm256_andnot_ps _mm256_set1_ps _mm256_cmp_ps _mm256_blendv_ps _mm256_movemask_ps _mm256_add_pd _mm256_sub_pd _mm256_mul_pd \
    _mm256_div_pd _mm256_sqrt_pd _mm256_and_pd _mm256_or_pd _mm256_andnot_pd _mm256_set1_pd _mm256_cmp_pd _mm256_blendv_pd \
    _mm256_unpacklo_ps _mm256_unpackhi_ps _mm256_shuffle_ps _mm256_permute2f128_ps _mm256_permute4x64_pd _mm256_permutevar8x32_ps _mm256_cmpgt_epi32 \
    _mm256_castps_pd _mm256_castpd_ps _mm256_castps_si256 _mm256_castsi256_ps _mm256_movemask_pd _mm256_cvtps_pd _mm256_cvtpd_ps _mm256_castps256_ps128 _mm256_extractf128_ps _mm256_set_m128 _mm256_set_m128d \
    _mm256_unpacklo_pd _mm256_unpackhi_pd \
    _mm256_add_epi32 _mm256_set1_epi32 _mm256_setr_epi32 _mm256_maskz_compress_epi32 _mm512_add_epi32 _mm512_set1_epi32 \
    _mm512_setr_epi32 _mm512_mask_set1_epi32 _mm512_maskz_compress_epi32 _mm512_castsi512_si256 _mm512_extracti64x4_epi64 \
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_sqrt_pd _mm512_and_pd _mm512_or_pd _mm512_abs_pd _mm512_set1_pd \
    _mm512_cmp_pd_mask _mm512_mask_blend_pd _mm512_movm_epi64 _mm512_movepi64_mask _mm512_castsi512_pd _mm512_castpd_si512 \
    _mm512_cvtps_pd _mm512_cvtpd_ps";

#[test]
fn intrinsics_are_those_that_are_exact() {
    let rule = |file: &File| {
        let code = if file.path.starts_with("src/") { file.code() } else { String::new() };
        let mut faults: Vec<String> = code
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| word.starts_with("_mm") && !INTRINSICS.split_whitespace().any(|known| known == *word))
            .map(|word| format!("uses {word}"))
            .collect();
        let foreign = ["arch::aarch64", "arch::arm", "arch::wasm32", "core_arch", "intrinsics::", "asm!"];
        faults.extend(foreign.iter().filter(|name| code.contains(**name)).map(|name| format!("uses {name}")));
        faults
    };
    enforce(
        rule,
        &[
            (UNSAFE_ROOM, "_mm256_fmadd_ps(a, b, c)"),
            (UNSAFE_ROOM, "intrinsic!(_mm256_min_ps(a, b))"),
            (UNSAFE_ROOM, "_mm256_rcp_ps(a)"),
            (UNSAFE_ROOM, "use std::arch::aarch64::vrecpeq_f32;"),
            ("src/kernels/a.rs", "std::intrinsics::fadd_fast(a, b)"),
        ],
        &[(UNSAFE_ROOM, "_mm256_add_ps(a, b)"), ("src/kernels/a.rs", "// not _mm256_fmadd_ps")],
    );
}

/// What differs from run to run or from machine to machine, and the only rooms that may know of it.
const SECRETS: [(&str, &[&str]); 12] = [
    // Whoever hands work out may not let results be joined in the order in which they come.
    ("rayon", &["src/parallel.rs"]),
    ("current_num_threads", &["src/parallel.rs"]),
    ("current_thread_index", &["src/parallel.rs"]),
    ("available_parallelism", &[]),
    ("thread_local", &["src/kernels/choice.rs"]),
    ("is_x86_feature_detected", &[UNSAFE_ROOM]),
    ("ThreadId", &[]),
    // Times reach nothing but a StepStats.
    ("Instant", &["src/world/stats.rs"]),
    ("SystemTime", &[]),
    ("env", &[]),
    ("to_ne_bytes", &[]),
    ("from_ne_bytes", &[]),
];

#[test]
fn what_differs_from_run_to_run_stays_in_its_room() {
    let rule = |file: &File| {
        let code = if file.is_library() { file.shipped() } else { String::new() };
        let tells = |secret: &&(&str, &[&str])| has_word(&code, secret.0) && !secret.1.contains(&file.path.as_str());
        SECRETS.iter().filter(tells).map(|secret| format!("knows {}", secret.0)).collect()
    };
    enforce(
        rule,
        &[
            ("src/response/a.rs", "use rayon::prelude::*;"),
            ("src/narrow_phase/a.rs", "let chunk = rows / current_num_threads();"),
            ("src/world/a.rs", "let seed = std::time::Instant::now();"),
            ("src/kernels/a.rs", "if std::env::var(\"X\").is_ok() {}"),
            ("src/world/hash.rs", "hash(&v.to_ne_bytes())"),
        ],
        &[
            ("src/parallel.rs", "rayon::join(a, b)"),
            ("src/world/a.rs", "#[cfg(test)]\nmod tests { fn f() { std::env::var(\"X\"); } }"),
            ("src/bin/gridlane/a.rs", "std::env::args()"),
        ],
    );
    // Within its room rayon is asked for both of two pieces, a pool, work for who waits, and whether (not where) who asks is of a pool.
    let parallel = tree().into_iter().find(|file| file.path == "src/parallel.rs").unwrap().shipped();
    for (at, _) in parallel.match_indices("rayon::") {
        let rest = &parallel[at + "rayon::".len()..];
        let pool = ["ThreadPool>", "ThreadPoolBuilder::new()", "current_num_threads()", "current_thread_index().is"];
        let allowed = ["join(", "yield_now()", "Yield::Executed"].into_iter().chain(pool);
        assert!(allowed.into_iter().any(|name| rest.starts_with(name)), "rayon::{}", &rest[..20]);
    }
}

#[test]
fn clippy_refuses_by_path_what_is_refused_here_by_word() {
    let read =
        |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap_or_default();
    let denied = "#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]";
    assert!(read("src/lib.rs").contains(denied));
    let config = read("clippy.toml");
    for float in ["f32", "f64"] {
        for word in ["min", "max", "clamp", "mul_add", "recip", "sin", "powf", "powi", "hypot", "exp", "ln"] {
            assert!(config.contains(&format!("\"{float}::{word}\"")), "{float}::{word}");
        }
    }
    assert!(config.contains("std::collections::HashMap"));
}

#[test]
fn scalar_and_wide_texts_do_not_know_each_other() {
    let rule = |file: &File| {
        let code = file.code();
        let banned: &[&str] = if file.path.starts_with("src/kernels/scalar/") {
            &["wide", "Lanes", "Portable", "f32x8"]
        } else if file.path.starts_with("src/kernels/wide/") {
            &["scalar", "Scalar"]
        } else {
            &[]
        };
        banned.iter().filter(|word| has_word(&code, word)).map(|word| format!("mentions {word}")).collect()
    };
    enforce(
        rule,
        &[
            ("src/kernels/scalar/a.rs", "use super::super::wide::f;"),
            ("src/kernels/wide/a.rs", "use crate::kernels::scalar;"),
            ("src/kernels/scalar/a.rs", "fn f<L: Lanes>() {}"),
        ],
        &[("src/kernels/mod.rs", "mod scalar; mod wide;"), ("src/kernels/wide/a.rs", "/// As scalar.\nfn f() {}")],
    );
}

/// Each room and the rooms it may use besides itself: floors below, never above.
const FLOORS: [(&str, &[&str]); 14] = [
    ("error", &[]),
    ("exact", &[]),
    ("parallel", &[]),
    ("geometry", &["exact"]),
    ("storage", &["geometry", "error"]),
    ("kernels", &["geometry", "exact"]),
    // Keys are computed with the instruction set that `kernels` chooses.
    ("broad_phase", &["geometry", "storage", "kernels", "parallel"]),
    ("narrow_phase", &["kernels", "broad_phase", "storage", "geometry", "exact", "parallel", "error"]),
    // Legs are decided exactly; fast circles and the door look for walls by the cells they lie in, eight at a time.
    ("response", &["storage", "narrow_phase", "broad_phase", "kernels", "geometry", "exact", "parallel"]),
    ("query", &["broad_phase", "kernels", "storage", "geometry", "parallel", "error"]),
    ("detector", &["query", "narrow_phase", "broad_phase", "kernels", "storage", "geometry", "parallel", "error"]),
    (
        "world",
        &[
            "detector",
            "query",
            "response",
            "narrow_phase",
            "broad_phase",
            "kernels",
            "storage",
            "geometry",
            "parallel",
            "error",
        ],
    ),
    ("interop", &["world", "query", "narrow_phase", "geometry"]),
    // Hands the rooms out one by one, to benches and tests.
    ("internals", &["world", "storage", "broad_phase", "kernels", "geometry", "parallel"]),
];

/// How many `super` lead from the file to the root of the crate: the rest of the house must be called by `crate::`.
fn climb(file: &File) -> usize {
    let parts = file.path.trim_start_matches("src/").trim_end_matches(".rs").split('/');
    parts.filter(|part| *part != "mod").count()
}

#[test]
fn every_room_uses_only_the_floors_below() {
    let rule = |file: &File| {
        if !file.is_library() || file.path == "src/lib.rs" {
            return Vec::new();
        }
        let Some((_, allowed)) = FLOORS.iter().find(|floor| floor.0 == file.room()) else {
            return vec![format!("{} is no room of this house: put it on its floor", file.room())];
        };
        let code = file.shipped();
        let used =
            used_rooms(&code).into_iter().filter(|room| room != file.room() && !allowed.contains(&room.as_str()));
        let mut faults: Vec<String> = used.map(|room| format!("uses {room}")).collect();
        if code.contains(&"super::".repeat(climb(file))) {
            faults.push("climbs to the root by super".to_owned());
        }
        faults
    };
    enforce(
        rule,
        &[
            ("src/geometry/a.rs", "use crate::storage::Slots;"),
            ("src/kernels/wide/a.rs", "use crate::{geometry::Vec2, narrow_phase::Contacts};"),
            ("src/exact/mod.rs", "use super::geometry;"),
            ("src/storage/a.rs", "fn f() { crate::world::g(); }"),
            ("src/response/a.rs", "use crate::World;"),
            ("src/cellar/mod.rs", ""),
        ],
        &[
            (
                "src/geometry/a.rs",
                "use crate::exact::P; use super::Vec2;\n#[cfg(test)]\nmod tests { use crate::World; }",
            ),
            ("src/world/step.rs", "use crate::{geometry::Vec2, storage::{A, B}};"),
            ("src/kernels/scalar/a.rs", "use super::super::Pairs;"),
        ],
    );
}

#[test]
fn the_command_uses_the_public_api_only() {
    let rule = |file: &File| {
        let inside = file.path.starts_with("src/bin/") && has_word(&file.code(), "internals");
        if inside { vec!["uses internals".to_owned()] } else { Vec::new() }
    };
    enforce(
        rule,
        &[("src/bin/gridlane/a.rs", "use gridlane::internals::Text;")],
        &[("src/bin/gridlane/a.rs", "use gridlane::World;"), ("tests/a.rs", "use gridlane::internals::Text;")],
    );
    let scenes = tree().into_iter().find(|file| file.path == "src/bin/gridlane/scenes.rs").unwrap().code();
    assert!(!has_word(&scenes, "gridlane") && !has_word(&scenes, "crate::"), "scenes stand alone");
}

#[test]
fn no_hash_map_stands_on_the_way_to_output() {
    let rule = |file: &File| {
        let code = if file.is_library() { file.shipped() } else { String::new() };
        let maps = ["HashMap", "HashSet", "RandomState", "DefaultHasher"];
        // `FxHashMap` and its like too.
        maps.iter().filter(|map| code.contains(**map)).map(|map| format!("uses {map}")).collect()
    };
    enforce(
        rule,
        &[
            ("src/world/a.rs", "use std::collections::HashMap;"),
            ("src/world/a.rs", "for (k, v) in &FxHashMap::default() {}"),
            ("src/world/a.rs", "use std::hash::{DefaultHasher, Hash};"),
        ],
        &[
            ("src/world/a.rs", "#[cfg(test)]\nmod tests { use std::collections::HashSet; }"),
            ("src/world/a.rs", "use std::collections::BTreeMap; // not HashMap"),
        ],
    );
}

/// About 400 lines with its tests; this is where "about" ends.
const MOST_LINES: usize = 450;

#[test]
fn files_are_short_and_say_what_they_are() {
    let rule = |file: &File| {
        let mut faults = Vec::new();
        let lines = file.text.lines().count();
        if lines > MOST_LINES {
            faults.push(format!("{lines} lines"));
        }
        if !file.text.starts_with("//!") {
            faults.push("does not begin by saying what it is (//!)".to_owned());
        }
        faults
    };
    let long = format!("//! Head.\n{}", "\n".repeat(MOST_LINES));
    enforce(
        rule,
        &[("src/a.rs", &long), ("src/a.rs", "use std::fmt;\n")],
        &[("src/a.rs", "//! Head.\nuse std::fmt;\n")],
    );
}

#[test]
fn every_test_file_is_part_of_one_program() {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let programs: Vec<File> = tree().into_iter().filter(|file| file.path.starts_with("tests/programs/")).collect();
    let rule = |file: &File| {
        let Some(name) = file.path.strip_prefix("tests/").filter(|name| !name.starts_with("common/")) else {
            return Vec::new();
        };
        let module = format!("\n#[path = \"../{name}\"]\nmod {};\n", name.trim_end_matches(".rs"));
        let own = format!("\npath = \"tests/{name}\"\n");
        let parts = programs.iter().map(|program| program.text.matches(&module).count());
        let count = manifest.matches(&own).count() + parts.sum::<usize>();
        if count == 1 { Vec::new() } else { vec![format!("is part of {count} programs: name it in tests/programs")] }
    };
    // Cargo looks for none by itself.
    assert!(manifest.contains("\nautotests = false\n"));
    enforce(
        rule,
        &[("tests/forgotten.rs", ""), ("tests/programs/forgotten.rs", ""), ("tests/deep/forgotten.rs", "")],
        &[("tests/house_rules.rs", ""), ("tests/programs/house.rs", ""), ("tests/alloc.rs", "")],
    );
}

#[test]
fn the_library_is_finished_and_silent() {
    let rule = |file: &File| {
        let code = if file.is_library() { file.shipped() } else { String::new() };
        let macros = ["todo!", "unimplemented!", "dbg!", "println!", "print!", "eprintln!", "eprint!"];
        let uses = |name: &&&str| {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            code.match_indices(**name).any(|(at, _)| !code[..at].ends_with(is_part))
        };
        macros.iter().filter(uses).map(|name| format!("uses {name}")).collect()
    };
    enforce(
        rule,
        &[("src/world/a.rs", "fn f() { todo!() }"), ("src/a.rs", "eprintln!(\"{x}\");")],
        &[("src/bin/gridlane/a.rs", "println!(\"{x}\");"), ("src/a.rs", "/// println!(\"{x}\");\nfn f() {}")],
    );
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let roots = ["home", "root", "work", "tmp", "usr", "Users", "mnt"].map(|root| ["/", root, "/"].concat());
    let drive = ["C", ":\\"].concat();
    let rule = |file: &File| {
        let text = &file.text;
        let mut faults: Vec<String> = roots
            .iter()
            .filter(|root| {
                // `a/tmp/b` is a relative path.
                let starts = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/".contains(c));
                text.match_indices(root.as_str()).any(|(at, _)| starts(at))
            })
            .map(|root| format!("names {root}"))
            .collect();
        if text.contains(&drive) {
            faults.push("names a drive".to_owned());
        }
        faults
    };
    let bad = ["let path = \"", "/", "home", "/", "me/a.csv\";"].concat();
    enforce(rule, &[("tests/a.rs", &bad)], &[("tests/a.rs", "let path = \"target/tmp/a.csv\";")]);
}

#[test]
fn the_reader_of_sources_reads_them_right() {
    let text = "let a = \"// no \\\" comment\"; // \"yes\"\nlet b = '\"'; let c = '\\''; /* unsafe\n */ fn f<'a>(x: &'a str) {}";
    let code = strip(text);
    assert_eq!(code.lines().count(), text.lines().count());
    for gone in ["comment", "yes", "unsafe", "\""] {
        assert!(!code.contains(gone), "{gone} in {code}");
    }
    assert!(code.contains("fn f<'a>(x: &'a str) {}"));
    assert_eq!(strip("r#\"a \" b\"# + r\"c\\\" + d").trim(), "+  + d");
    let cut = without_tests(
        "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { { } } }\nfn c() {}\n#[cfg(test)]\nuse x;\nfn d() {}",
    );
    assert!(cut.contains("fn a") && cut.contains("fn c") && cut.contains("fn d") && !cut.contains("fn b"));
    assert_eq!(used_rooms("crate::{a::{b, c}, d}; crate::e::F; crate::g"), ["a", "d", "e", "g"]);
    let room = File::sample("src/hall/mod.rs", "mod a;\n#[cfg(test)]\nmod tests;\n");
    assert_eq!(test_only(&room), ["src/hall/tests.rs"]);
}
