//! The files that a run writes, opened before it begins, so that hours of steps are not lost to a wrong path.
//!
//! Comes in: paths, later a snapshot. Goes out: tables and a picture. A file that exists keeps what is in it until there
//! is something to write; one that did not exist is empty until then, and gone if nothing is ever written.

use crate::args::CommonArgs;
use crate::snapshot::Snapshot;
use crate::{Failure, picture, tables};
use same_file::is_same_file;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The picture of the default scene, in the directory the command is run in.
const DEFAULT_PICTURE: &str = "gridlane.svg";

/// What was asked for, open for writing.
pub(crate) struct Outputs {
    /// What is read, and is not to be written over.
    inputs: Vec<PathBuf>,
    contacts: Option<Output>,
    state: Option<Output>,
    picture: Option<Output>,
}

/// One file, open for writing.
pub(crate) struct Output {
    path: PathBuf,
    file: File,
    new: New,
}

/// A file that did not exist, if there is one. Who drops it takes it away.
struct New(Option<PathBuf>);

impl Drop for New {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // If that cannot be, an empty file is left: what went wrong has been told.
            _ = std::fs::remove_file(path);
        }
    }
}

impl Outputs {
    /// Opens all files. `picture`: draw even where no picture was asked for.
    pub(crate) fn open(args: &CommonArgs, picture: bool) -> Result<Outputs, Failure> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Output::open).transpose();
        let by_default = picture.then(|| PathBuf::from(DEFAULT_PICTURE));
        let inputs = [&args.circles, &args.segments].into_iter().flatten().cloned().collect();
        let mut outputs = Outputs { inputs, contacts: None, state: None, picture: None };
        outputs.refuse(args.contacts.as_deref())?;
        outputs.contacts = open(&args.contacts)?;
        outputs.refuse(args.state.as_deref())?;
        outputs.state = open(&args.state)?;
        let picture = args.picture.clone().or(by_default);
        outputs.refuse(picture.as_deref())?;
        outputs.picture = open(&picture)?;
        Ok(outputs)
    }

    /// A file that is written by one of these is not to be written over by another. What is no file (a pipe, a device) may take several.
    pub(crate) fn refuse(&self, path: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = path else { return Ok(()) };
        keep_input(path, &self.inputs)?;
        if is_one_of(path, &self.paths()) {
            return Err(Failure::Input(format!(
                "{}: two tables, or a table and a picture, in one file",
                path.display()
            )));
        }
        Ok(())
    }

    /// The files' names, in the order they are written.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let all = [&self.contacts, &self.state, &self.picture];
        all.into_iter().flatten().map(|output| output.path.clone()).collect()
    }

    /// Writes all files. `title` stands under the picture.
    pub(crate) fn write(self, snapshot: &Snapshot, title: &str) -> Result<(), Failure> {
        if let Some(output) = self.contacts {
            output.write(|out| tables::write_contacts(snapshot, out))?;
        }
        if let Some(output) = self.state {
            output.write(|out| tables::write_state(snapshot, out))?;
        }
        if let Some(output) = self.picture {
            let drawing = picture::draw(snapshot, title);
            let is_png = output.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
            output.write(
                |out| {
                    if is_png { picture::write_png(&drawing, out) } else { picture::write_svg(&drawing, out) }
                },
            )?;
        }
        Ok(())
    }
}

impl Output {
    pub(crate) fn open(path: &Path) -> Result<Output, Failure> {
        let mut options = OpenOptions::new();
        let created = options.write(true).create_new(true).open(path);
        let new = New(created.is_ok().then(|| path.to_path_buf()));
        let file = created.or_else(|_| options.create_new(false).create(true).truncate(false).open(path));
        Ok(Output { path: path.to_path_buf(), file: file.map_err(|error| failure(path, &error))?, new })
    }

    /// For who writes as things happen: emptied at once.
    pub(crate) fn emptied(self) -> Result<BufWriter<File>, Failure> {
        let Output { path, file, mut new } = self;
        new.0 = None;
        let attempt = || {
            // A pipe or a device has no length to set.
            if file.metadata()?.is_file() {
                file.set_len(0)?;
            }
            Ok(BufWriter::new(file))
        };
        attempt().map_err(|error| failure(&path, &error))
    }

    pub(crate) fn write(self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
        let path = self.path.clone();
        let mut out = self.emptied()?;
        written(&path, write(&mut out).and_then(|()| out.flush()))
    }
}

/// An output is not to be written over an input, however either is spelled.
pub(crate) fn keep_input(path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if is_one_of(path, inputs) {
        return Err(Failure::Input(format!("{}: an output in a file that is read", path.display())));
    }
    Ok(())
}

/// Links of any kind lead to the same file. What is no file (a pipe, a device) is never one of them.
fn is_one_of(path: &Path, others: &[PathBuf]) -> bool {
    path.is_file() && others.iter().any(|other| is_same_file(other, path).unwrap_or(other == path))
}

/// How writing went. A reader that has gone away, as `head` does, is no failure.
pub(crate) fn written(path: &Path, result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failure(path, &error)),
        _ => Ok(()),
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::Machine(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_file_stays_until_there_is_more() {
        let path = std::env::temp_dir().join(format!("gridlane-outputs-{}.csv", std::process::id()));
        std::fs::write(&path, "a long text of an earlier run").expect("a file for the test");
        let read = || std::fs::read_to_string(&path).expect("the file of the test");
        let output = Output::open(&path);
        assert_eq!(read(), "a long text of an earlier run");
        output.expect("open").write(|out| out.write_all(b"short")).expect("written");
        assert_eq!(read(), "short");
        std::fs::remove_file(&path).expect("removed");
        drop(Output::open(&path));
        assert!(!path.exists(), "nothing was written");
        Output::open(&path).expect("open").write(|_| Ok(())).expect("written");
        assert_eq!(read(), "", "that was all there was to write");
        drop(Output::open(&path));
        assert_eq!(read(), "", "it was there before");
        std::fs::remove_file(&path).expect("removed");
        assert!(Output::open(&path.join("inside-nothing")).is_err());
    }
}
