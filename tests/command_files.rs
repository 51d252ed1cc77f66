//! No run writes over what it reads, a reader that goes away is no failure, and what is wrong with numbers is told as it was given.

use crate::command::Room;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const CIRCLES: &str = "x,y,radius\n0,0,1\n4,0,1\n";

/// By its name, by a longer way to it, by a link, by a hard link: before a step is done, and with what is in it left there.
#[test]
fn inputs_are_not_written_over() {
    let room = Room::new("inputs");
    let (walls, rays) = ("x0,y0,x1,y1\n9,-1,9,1\n", "x,y,dx,dy\n0,0,1,0\n");
    room.write("c.csv", CIRCLES);
    room.write("w.csv", walls);
    room.write("r.csv", rays);
    room.write("w.svg", walls);
    std::fs::hard_link(room.0.join("c.csv"), room.0.join("hard.csv")).expect("a link");
    let mut names = vec!["c.csv", "./c.csv", "hard.csv", "w.csv"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("c.csv", room.0.join("soft.csv")).expect("a link");
        names.push("soft.csv");
    }
    let run = ["run", "--circles=c.csv", "--segments=w.csv", "--steps=18446744073709551615"];
    for name in names {
        for option in ["--contacts", "--state", "--events"] {
            let (code, message) = room.fault(&[&run[..], &[option, name]].concat());
            assert_eq!((code, message), (Some(2), format!("{name}: an output in a file that is read\n")), "{option}");
        }
    }
    assert_eq!(room.fault(&["detect", "--segments=w.svg", "--picture=w.svg"]).0, Some(2));
    for name in ["r.csv", "w.csv", "c.csv", "hard.csv"] {
        let out = ["rays", "--circles=c.csv", "--segments=w.csv", "--rays=r.csv", "--out", name];
        assert_eq!(room.fault(&out), (Some(2), format!("{name}: an output in a file that is read\n")));
    }
    assert_eq!(
        [room.read("c.csv"), room.read("w.csv"), room.read("w.svg"), room.read("r.csv")],
        [CIRCLES, walls, walls, rays]
    );
}

/// As `head -1` does: far more rows than a pipe holds.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let room = Room::new("pipe");
    for arguments in [
        &["detect", "gas-10k", "--contacts", "/dev/stdout"][..],
        &["run", "gas-10k", "--steps", "3", "--events", "/dev/stdout"],
        &["run", "gas-10k", "--steps", "1", "--state", "/dev/stdout"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridlane"));
        command.args(arguments).current_dir(&room.0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut line = String::new();
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        reader.read_line(&mut line).expect("a line");
        drop(reader);
        assert!(line.contains(','), "{line}");
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn bounds_about_bodies_on_a_line_are_told_as_such() {
    let room = Room::new("rim");
    room.write("w.csv", "x0,y0,x1,y1\n-2,3,7,3\n");
    for bounds in ["--bounds=reflect", "--bounds=periodic"] {
        let (code, message) = room.fault(&["run", "--segments=w.csv", "--steps=1", bounds]);
        let expected = "--bounds: expected bodies whose box has a finite width and height above zero, found x from -2 to 7, y from 3 to 3\n";
        assert_eq!((code, message.as_str()), (Some(2), expected));
    }
}

#[test]
fn one_is_not_many_and_help_names_what_is_read() {
    let room = Room::new("one");
    room.write("c.csv", "x,y,radius\n0,0,1\n");
    room.write("w.csv", "x0,y0,x1,y1\n9,-1,9,1\n");
    room.write("r.csv", "x,y,dx,dy\n0,0,1,0\n");
    let text = room.text(&["detect", "--circles=c.csv", "--segments=w.csv"]);
    assert!(text.contains("1 circle, 1 segment\n"), "{text}");
    let text = room.text(&["rays", "--segments=w.csv", "--rays=r.csv", "--out=o.csv"]);
    assert!(text.contains(": 1 ray, 1 met something"), "{text}");
    assert!(room.text(&["run", "--help"]).contains(".json"));
}
