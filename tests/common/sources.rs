//! The sources of this package as text.
//!
//! Comes in: nothing. Goes out: files, their code without comments and quotes, and what it mentions. A reader for the rules of the
//! house, no parser: it knows as much of the language as they need.

use std::path::{Path, PathBuf};

/// A source file: its path from the root of the package with `/`, its text.
pub struct File {
    pub path: String,
    pub text: String,
    /// Declared under `#[cfg(test)]` as a whole.
    pub is_test: bool,
}

impl File {
    pub fn sample(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned(), is_test: false }
    }

    /// The text without comments and without what stands in quotes.
    pub fn code(&self) -> String {
        strip(&self.text)
    }

    /// The same without what is compiled for tests only.
    pub fn shipped(&self) -> String {
        if self.is_test { String::new() } else { without_tests(&self.code()) }
    }

    /// Part of the library: not the command.
    pub fn is_library(&self) -> bool {
        self.path.starts_with("src/") && !self.path.starts_with("src/bin/")
    }

    /// `kernels` for `src/kernels/mod.rs`, `error` for `src/error.rs`.
    pub fn room(&self) -> &str {
        let rest = self.path.strip_prefix("src/").unwrap_or("");
        rest.split('/').next().unwrap_or("").trim_end_matches(".rs")
    }
}

fn read(folder: &Path, prefix: &str, files: &mut Vec<File>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap().to_str().unwrap();
        let path = format!("{prefix}/{name}");
        // `benches/peers` is a package of its own, and may have built something.
        if entry.is_dir() && name != "target" {
            read(&entry, &path, files);
        } else if name.ends_with(".rs") {
            files.push(File { path, text: std::fs::read_to_string(&entry).unwrap(), is_test: false });
        }
    }
}

/// All sources.
pub fn tree() -> Vec<File> {
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), folder, &mut files);
    }
    let only: Vec<String> = files.iter().flat_map(test_only).collect();
    for file in &mut files {
        file.is_test = only.contains(&file.path);
    }
    assert!(files.iter().filter(|file| file.is_library()).count() > 40, "the sources are not where they were");
    files
}

/// The paths of modules that `mod.rs` declares under `#[cfg(test)]`.
pub fn test_only(file: &File) -> Vec<String> {
    let code = file.code();
    let folder = file.path.trim_end_matches("mod.rs").trim_end_matches("lib.rs");
    let declared = code.split("#[cfg(test)]").skip(1).filter_map(|rest| {
        let name = rest.trim_start().strip_prefix("mod ")?;
        let (name, _) = name.split_once(';')?;
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| format!("{folder}{name}.rs"))
    });
    declared.collect()
}

/// Blanks comments, strings and characters; lines stay.
pub fn strip(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut i = 0;
    let keep_lines =
        |out: &mut String, from: usize, to: usize| out.extend(chars[from..to].iter().filter(|c| **c == '\n'));
    while i < chars.len() {
        let rest = &chars[i..];
        let end = if rest.starts_with(&['/', '/']) {
            rest.iter().position(|c| *c == '\n').map_or(chars.len(), |n| i + n)
        } else if rest.starts_with(&['/', '*']) {
            rest.windows(2).position(|pair| pair == ['*', '/']).map_or(chars.len(), |n| i + n + 2)
        } else if rest[0] == '"' {
            string_end(&chars, i)
        } else if rest.starts_with(&['r', '"']) || rest.starts_with(&['r', '#', '"']) {
            let hashes = usize::from(rest[1] == '#');
            let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            let body = i + 2 + hashes;
            chars[body..].windows(close.len()).position(|w| w == close).map_or(chars.len(), |n| body + n + close.len())
        } else if rest.starts_with(&['\'', '\\']) {
            rest[2..].iter().skip(1).position(|c| *c == '\'').map_or(chars.len(), |n| i + n + 4)
        } else if rest.len() > 2 && rest[0] == '\'' && rest[2] == '\'' {
            i + 3
        } else {
            out.push(rest[0]);
            i += 1;
            continue;
        };
        keep_lines(&mut out, i, end);
        i = end;
    }
    out
}

fn string_end(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// Cuts out every item under `#[cfg(test)]`: up to its semicolon, or to the brace that closes it.
pub fn without_tests(code: &str) -> String {
    let mut parts = code.split("#[cfg(test)]");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let mut depth = 0;
        let end = part.char_indices().find(|&(_, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0 && (c == ';' || c == '}')
        });
        out.push_str(end.map_or("", |(at, c)| &part[at + c.len_utf8()..]));
    }
    out
}

/// Whether `word` stands by itself in the code.
pub fn has_word(code: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back().is_some_and(is_part);
        let after = code[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !after
    })
}

/// The first words behind every `crate::`, those of a group too.
pub fn used_rooms(code: &str) -> Vec<String> {
    let word =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut used = Vec::new();
    for (at, name) in code.match_indices("crate::") {
        let rest = &code[at + name.len()..];
        match rest.strip_prefix('{') {
            Some(group) => {
                let mut depth = 0;
                let mut start = 0;
                for (i, c) in group.char_indices() {
                    if depth == 0 && (c == ',' || c == '}') {
                        used.push(word(&group[start..i]));
                        start = i + 1;
                    }
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    if depth < 0 {
                        break;
                    }
                }
            }
            None => used.push(word(rest)),
        }
    }
    used.retain(|room| !room.is_empty());
    used
}
