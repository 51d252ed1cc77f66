//! The command does what its help says: exit codes, messages, counts, files that read back.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own for a test.
pub(crate) struct Room(pub(crate) PathBuf);

impl Room {
    pub(crate) fn new(name: &str) -> Room {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory for the test");
        Room(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file for the test");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridlane"));
        command.args(arguments).current_dir(&self.0).output().expect("the command starts")
    }

    /// Standard output of a run that has to succeed.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.text(arguments)).expect("one JSON object and nothing else")
    }

    /// Exit code and standard error of a run that has to fail without a word on standard output.
    pub(crate) fn fault(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.run(arguments);
        assert!(output.stdout.is_empty(), "{arguments:?}");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    }
}

fn map(name: &str) -> String {
    format!("{}/tests/data/maps/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn help_and_scenes_are_told() {
    let room = Room::new("help");
    let help = room.text(&["--help"]);
    for word in ["run", "detect", "rays", "scenes", "--circles", "--segments", "--picture", "--json"] {
        assert!(help.contains(word), "{word}");
    }
    let scenes = room.text(&["scenes"]);
    assert_eq!(scenes.lines().count(), 14, "a head, nine scenes to measure on, four to watch");
    let row = scenes.lines().find(|line| line.starts_with("gas-1m")).expect("gas-1m");
    assert!(row.contains("1 000 000") && row.contains("100 004"), "{row}");
}

#[test]
fn wrong_options_are_refused() {
    let room = Room::new("options");
    room.write("c.csv", "x,y,radius\n");
    for arguments in [
        &["--nonsense"][..],
        &["run", "gas-2k"],
        &["run", "gas-1k", "--circles", "c.csv"],
        &["run", "--dt", "-1"],
        &["run", "--gravity=1"],
        &["run", "--restitution", "1.5"],
        &["run", "--threads", "0"],
        &["run", "--backend", "gpu"],
        &["run", "--picture", "a.jpg"],
        &["detect", "--steps", "3"],
    ] {
        let (code, message) = room.fault(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(message.starts_with("error: "), "{message}");
    }
}

#[test]
fn wrong_files_are_named_with_line_and_column() {
    let room = Room::new("files");
    let cases = [
        ("--circles", "a.csv", "x,y,radius\n1,2,3\n4,oops,6\n", "3:3: expected a finite 32-bit number, found \"oops\""),
        (
            "--circles",
            "b.csv",
            "x,y,radius\n1,2,-3\n",
            "2:5: expected a finite 32-bit number, zero or more, found \"-3\"",
        ),
        ("--circles", "c.csv", "x,y,radius\n1,1e39,1\n", "2:3: expected a finite 32-bit number, found \"1e39\""),
        ("--circles", "d.csv", "x,y\n1,2\n", "1:4: expected a column \"radius\", found only x,y"),
        ("--circles", "e.csv", "", "1:1: expected a header line with x,y,radius, found the end of the file"),
        ("--segments", "f.csv", "x0,y0,x1,y1\n1,2,3\n", "2:6: expected 4 fields, found 3"),
        (
            "--segments",
            "g.csv",
            "x0,y0,x1,y1,z\n",
            "1:13: expected no columns but x0,y0,x1,y1,vx0,vy0,vx1,vy1, found \"z\"",
        ),
        (
            "--segments",
            "h.geojson",
            "{\"type\": \"LineString\",\n",
            "2:1: expected the rest of an object, found the end of the file",
        ),
        (
            "--segments",
            "i.geojson",
            "{\"type\":\"LineString\",\n \"coordinates\":[[0,0],[1]]}",
            "2:23: expected a position of two or more numbers, found 1",
        ),
    ];
    for (option, name, text, message) in cases {
        room.write(name, text);
        assert_eq!(room.fault(&["detect", option, name]), (Some(2), format!("{name}:{message}\n")));
    }
    let (code, message) = room.fault(&["detect", "--circles", "nowhere.csv"]);
    assert_eq!(code, Some(1), "a file that cannot be read is no fault of the data");
    assert!(message.starts_with("cannot read nowhere.csv: "), "{message}");
}

#[test]
fn a_level_has_the_contacts_of_its_truth() {
    let room = Room::new("level");
    let (circles, segments) = (map("freedoom1-e1m1.circles.csv"), map("freedoom1-e1m1.segments.csv"));
    let object =
        room.json(&["detect", "--circles", &circles, "--segments", &segments, "--json", "--contacts", "contacts.csv"]);
    assert_eq!((&object["circles"], &object["segments"]), (&Value::from(238), &Value::from(812)));
    let contacts = &object["contacts"];
    assert_eq!((&contacts["circle_circle"], &contacts["circle_segment"]), (&Value::from(10), &Value::from(29)));
    let pairs = &contacts["segment_segment"];
    let counts = ["cross", "touch", "overlap", "near", "total"].map(|class| pairs[class].as_u64());
    assert_eq!(counts, [0, 1183, 0, 0, 1183].map(Some));

    let table = room.read("contacts.csv");
    assert_eq!(table.lines().next(), Some("kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y"));
    let keys: Vec<(&str, u32, u32)> = table
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            assert_eq!(fields.len(), 13, "{line}");
            (fields[0], fields[1].parse().expect("a row"), fields[2].parse().expect("a row"))
        })
        .collect();
    assert_eq!(keys.len(), 10 + 29 + 1183);
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "sorted by kind, a, b, each once");
    assert!(keys.iter().all(|&(kind, a, b)| kind == "circle_segment" || a < b));
}

#[test]
fn a_coast_is_the_same_in_both_formats() {
    let room = Room::new("coast");
    let detect = |name: &str, out: &str| {
        let path = map(name);
        room.json(&["detect", "--segments", &path, "--json", "--contacts", out])
    };
    let map = detect("world-land-110m-ll.geojson", "map.csv");
    let table = detect("world-land-110m-ll.segments.csv", "table.csv");
    assert_eq!(map["segments"], Value::from(4999));
    let pairs = &map["contacts"]["segment_segment"];
    let counts = ["cross", "touch", "overlap", "total"].map(|class| pairs[class].as_u64());
    assert_eq!(counts, [132, 5009, 0, 5141].map(Some));
    assert_eq!(map["state_hash"], table["state_hash"]);
    assert!(room.read("map.csv") == room.read("table.csv"));
}

#[test]
fn contacts_are_written_as_a_hand_computes_them() {
    let room = Room::new("hand");
    room.write("c.csv", "radius,x,y\n1,0,0\n1,1.5,0\n");
    room.write("s.csv", "x0,y0,x1,y1\n-1,-1,1,-1\n0,-2,0,-0.5\n");
    room.text(&["detect", "--circles=c.csv", "--segments=s.csv", "--contacts=out.csv"]);
    // Circles 1.5 apart with radii 1 + 1: separation -0.5, point midway at 0.75.
    // Segment 0 passes 1 below circle 0: it touches, at its middle. From circle 1 its end (1, -1) is sqrt(1.25) away.
    // Segment 1 ends 0.5 below the centre of circle 0: separation 0.5 - 1. It crosses segment 0 at (0, -1).
    // They cross half along the one and 1 of 1.5 along the other.
    let expected = "kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y\n\
        circle_circle,0,1,0.75,0,1,0,-0.5,,,,,\n\
        circle_segment,0,0,0,-1,0,-1,0,interior,,,,\n\
        circle_segment,0,1,0,-0.5,0,-1,-0.5,end,,,,\n\
        segment_segment,0,1,0,-1,,,,cross,0.5,0.6666667,0,-1\n";
    assert_eq!(room.read("out.csv"), expected);
}

#[test]
fn lines_of_a_map_tell_how_they_meet() {
    let room = Room::new("lines");
    let lines = r#"{"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[8,0],[8,4]]}},
        {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[6,0],[10,0]]}},
        {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[2,-1],[2,3]]}},
        {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[8,3],[12,3]]}}]}"#;
    room.write("m.geojson", lines);
    let object = room.json(&["detect", "--segments=m.geojson", "--json", "--contacts=out.csv"]);
    let pairs = &object["contacts"]["segment_segment"];
    let counts = ["cross", "touch", "overlap", "near", "total"].map(|class| pairs[class].as_u64());
    assert_eq!(counts, [1, 3, 1, 0, 5].map(Some));
    // Segments 0 and 1 are the first line. 0 ends in 1's start; it overlaps 2 from (6, 0), 3/4 along it and the start of 2, to (8, 0), its
    // own end; 3 crosses it at (2, 0), a quarter along both. 2 meets 1 in 1's start, half along itself; 4 starts on 1, 3/4 along.
    let expected = "kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y\n\
        segment_segment,0,1,8,0,,,,touch,1,0,8,0\n\
        segment_segment,0,2,6,0,,,,overlap,0.75,0,8,0\n\
        segment_segment,0,3,2,0,,,,cross,0.25,0.25,2,0\n\
        segment_segment,1,2,8,0,,,,touch,0,0.5,8,0\n\
        segment_segment,1,4,8,3,,,,touch,0.75,0,8,3\n";
    assert_eq!(room.read("out.csv"), expected);
}

#[test]
fn json_has_the_promised_fields_and_no_choice_changes_the_state() {
    let room = Room::new("json");
    let run = |extra: &[&str]| room.json(&[&["run", "gas-1k", "--steps=20", "--json"], extra].concat());
    let object = run(&["--threads=1"]);
    for field in ["circles", "segments", "steps", "threads", "ns_per_body_step"] {
        assert!(object[field].is_number(), "{field}");
    }
    assert_eq!(
        [&object["circles"], &object["segments"], &object["steps"]].map(Value::as_u64),
        [1000, 104, 20].map(Some)
    );
    assert_eq!((&object["threads"], &object["backend"]), (&Value::from(1), &Value::from("wide")));
    assert!(object["instruction_set"].is_string());
    let energy = ["before", "after"].map(|when| object["kinetic_energy"][when].as_f64().expect("a number"));
    // 1000 circles of mass 1, components uniform in -5 to 5: the mean of m v^2 / 2 is 25/3, its spread below 10.
    assert!((energy[0] - 25_000.0 / 3.0).abs() < 1_000.0, "{energy:?}");
    assert!((energy[1] / energy[0] - 1.0).abs() < 1e-3, "an elastic gas: {energy:?}");
    let hash = object["state_hash"].as_str().expect("text");
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    for extra in [&["--threads=2"][..], &["--backend=scalar"], &["--backend", "scalar", "--threads", "3"]] {
        assert_eq!(run(extra)["state_hash"], object["state_hash"], "{extra:?}");
    }
    assert_ne!(run(&["--seed=1"])["state_hash"], object["state_hash"]);
    assert!(!room.0.join("gridlane.svg").exists(), "no picture unless it is asked for");
}

#[test]
fn a_state_reads_back_as_it_was_written() {
    let room = Room::new("state");
    room.write("c.csv", "x,y,radius,vx,vy,mass\n0,0,1,0.1,-3,3\n5,1e-20,0.5,0,0,inf\n-1e30,7,0,0,0,0.7\n");
    room.text(&["run", "--circles=c.csv", "--steps=7", "--gravity=0,-9.81", "--state=one.csv"]);
    room.text(&["detect", "--circles=one.csv", "--state=two.csv"]);
    let (one, two) = (room.read("one.csv"), room.read("two.csv"));
    assert_eq!(one, two);
    let rows: Vec<_> = one.lines().collect();
    assert_eq!((rows.len(), rows[0]), (4, "x,y,radius,vx,vy,mass"));
    assert_eq!(rows[2], "5,1e-20,0.5,0,0,inf", "nothing moves a circle of infinite mass");
    assert!(rows[1].ends_with(",3") && rows[3].ends_with(",0.7"), "masses stay");
}

#[test]
fn paths_that_cannot_be_written_fail_before_the_first_step() {
    let room = Room::new("unwritable");
    room.write("c.csv", "x,y,radius\n0,0,1\n");
    for option in ["--contacts=no/o.csv", "--state=no/o.csv", "--picture=no/o.svg"] {
        // So many steps would outlast any patience.
        let (code, message) = room.fault(&["run", "--circles=c.csv", "--steps=18446744073709551615", option]);
        assert_eq!(code, Some(1), "{message}");
        assert!(message.starts_with("cannot write no/o."), "{message}");
    }
}

#[test]
fn circles_get_a_speed() {
    let room = Room::new("speed");
    room.write("c.csv", "x,y,radius\n0,0,1\n10,0,1\n");
    let run = |seed: &str| {
        room.text(&["run", "--circles=c.csv", "--steps=0", "--speed=2", seed, "--state=out.csv"]);
        room.read("out.csv")
    };
    let state = run("--seed=5");
    for row in state.lines().skip(1) {
        let fields: Vec<f64> = row.split(',').map(|field| field.parse().expect("a number")).collect();
        assert!((fields[3] * fields[3] + fields[4] * fields[4] - 4.0).abs() < 1e-5, "{row}");
    }
    assert_eq!(state, run("--seed=5"));
    assert_ne!(state, run("--seed=6"));
}

#[test]
fn pictures_are_well_formed() {
    let room = Room::new("picture");
    let text = room.text(&["--steps", "2"]);
    assert!(text.starts_with("gas-10k\n") && text.contains("10 000 circles, 1 004 segments"), "{text}");
    assert!(text.contains("gridlane.svg"), "the default run draws, and says where");
    let svg = room.read("gridlane.svg");
    assert_balanced(&svg);
    // A legend entry has a sample disc of its own.
    let discs = svg.matches("<circle ").count();
    assert!((10_001..=10_002).contains(&discs), "{discs}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));

    room.write("c.csv", "x,y,radius\n1e30,-1e30,0\n");
    room.text(&["detect", "--circles=c.csv", "--picture=one.svg"]);
    assert_balanced(&room.read("one.svg"));
    room.text(&["detect", "gas-1k", "--picture", "two.png"]);
    let png = std::fs::read(room.0.join("two.png")).expect("two.png");
    assert_eq!(&png[..16], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
}

/// Every tag that opens is closed, in order, and text has no stray markup.
fn assert_balanced(xml: &str) {
    let mut open: Vec<&str> = vec![];
    for piece in xml.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{piece}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }
    assert!(open.is_empty() && xml.starts_with("<svg ") && xml.ends_with("</svg>\n"));
}

#[test]
fn an_empty_world_is_a_world() {
    let room = Room::new("empty");
    room.write("c.csv", "x,y,radius\n");
    room.write("s.geojson", r#"{"type":"FeatureCollection","features":[]}"#);
    let object =
        room.json(&["run", "--circles=c.csv", "--segments=s.geojson", "--steps=3", "--json", "--picture=e.svg"]);
    assert_eq!([&object["circles"], &object["segments"], &object["steps"]].map(Value::as_u64), [0, 0, 3].map(Some));
    assert_eq!(object["kinetic_energy"]["after"].as_f64(), Some(0.0));
    assert_balanced(&room.read("e.svg"));
}

#[test]
fn rays_are_answered_row_by_row() {
    let room = Room::new("rays");
    room.write("walls.csv", "x0,y0,x1,y1\n5,-1,5,1\n8,-1,8,1\n");
    room.write("circles.csv", "x,y,radius\n3,0,1\n");
    // Towards both walls; away; too short for the first; the first wall alone, from behind.
    room.write("rays.csv", "x,y,dx,dy,max\n0,0,2,0,100\n0,0,-1,0,9\n0,0,1,0,4\n6,0,-1,0.5,1e3\n");
    let files = ["--segments", "walls.csv", "--circles", "circles.csv", "--rays", "rays.csv"];
    let ask = |more: &[&str]| room.text(&[&["rays"], &files[..], more].concat());
    // 5 = 2.5 * 2; from (6, 0) the wall is met after 1, at (5, 0.5), from the right.
    let expected = "fraction,segment,x,y,nx,ny\n2.5,0,5,0,-1,0\n,,,,,\n,,,,,\n1,0,5,0.5,1,0\n";
    assert_eq!(ask(&[]), expected);
    assert_eq!(ask(&["--backend", "scalar", "--threads", "2"]), expected);
    let said = ask(&["--out", "hits.csv"]);
    assert_eq!(room.read("hits.csv"), expected);
    assert!(said.contains("4 rays, 2 met something"), "{said}");
    // The circle about (3, 0) is met at (2, 0).
    let too = ask(&["--circles-too"]);
    let rows = "fraction,segment,x,y,nx,ny,circle\n1,,2,0,-1,0,0\n,,,,,,\n2,,2,0,-1,0,0\n1,0,5,0.5,1,0,\n";
    assert_eq!(too, rows);
    // Without a column max they go as far as numbers do.
    room.write("far.csv", "dy,dx,y,x\n0,1e-3,0,0\n");
    let far = room.text(&["rays", "--segments", "walls.csv", "--rays", "far.csv"]);
    assert!(far.lines().nth(1).is_some_and(|line| line.ends_with(",0,5,0,-1,0")), "{far}");
}

#[test]
fn wrong_rays_are_named_with_line_and_column() {
    let room = Room::new("wrong-rays");
    room.write("walls.csv", "x0,y0,x1,y1\n");
    for (text, message) in [
        ("x,y,dx,dy,max\n0,0,1,0,-1\n", "2:9: expected a finite 32-bit number, zero or more, found \"-1\""),
        ("x,y,dx,dy\n0,0,nan,0\n", "2:5: expected a finite 32-bit number, found \"nan\""),
        ("x,y,dx\n", "1:7: expected a column \"dy\", found only x,y,dx"),
    ] {
        room.write("rays.csv", text);
        let (code, fault) = room.fault(&["rays", "--segments", "walls.csv", "--rays", "rays.csv"]);
        assert_eq!((code, fault.trim()), (Some(2), format!("rays.csv:{message}").as_str()));
    }
    assert_eq!(room.fault(&["rays", "--segments", "walls.csv"]).0, Some(2), "no rays");
    assert_eq!(room.fault(&["rays", "--segments", "walls.csv", "--rays", "none.csv"]).0, Some(1));
}

/// What begins ends once or still is: the table says what the contacts of the last step say.
#[test]
fn events_are_written_as_they_happen() {
    let room = Room::new("events");
    // Two balls meet a third in turn between two walls; e = 1, so that they go apart again.
    room.write("balls.csv", "x,y,radius,vx,vy\n0,0,0.5,0,0\n-3,0,0.5,1,0\n");
    room.write("walls.csv", "x0,y0,x1,y1\n5,-1,5,1\n-5,-1,-5,1\n");
    let files = ["--circles", "balls.csv", "--segments", "walls.csv"];
    let steps =
        ["run", "--steps", "768", "--dt", "1/64", "--events", "events.csv", "--contacts", "contacts.csv", "--json"];
    let json = room.json(&[&steps[..], &files].concat());
    let table = room.read("events.csv");
    let mut lines = table.lines();
    assert!(lines.next().is_some_and(|head| head.starts_with("step,event,kind,a,b,reason")));
    let (mut open, mut begins, mut ends) = (std::collections::BTreeSet::new(), 0, 0);
    let mut last = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let step: u64 = fields[0].parse().expect("a step");
        assert!(step >= last && step <= 768, "{line}");
        last = step;
        let pair = fields[2..5].join(",");
        match (fields[1], fields[5]) {
            ("begin", "") => {
                assert!(open.insert(pair), "twice: {line}");
                begins += 1;
            }
            ("end", "apart") => {
                assert!(open.remove(&pair), "not begun: {line}");
                ends += 1;
            }
            _ => panic!("{line}"),
        }
    }
    // Ball 1 flies 2 at speed 1 to the first touch: step 128. Ball 0 then flies 4.5 to the wall, and so on back.
    assert!(table.contains("\n128,begin,circle_circle,0,1,"), "{table}");
    assert!(begins >= 3, "{table}");
    assert_eq!((json["events"]["begin"].as_u64(), json["events"]["end"].as_u64()), (Some(begins), Some(ends)));
    let contacts = room.read("contacts.csv").lines().skip(1).filter(|line| line.starts_with("circle")).count();
    assert_eq!(contacts, open.len());
}

#[test]
fn no_file_is_written_twice_or_emptied_for_nothing() {
    let room = Room::new("twice");
    room.write("c.csv", "x,y,radius\n0,0,1\n");
    room.write("old.csv", "old");
    let run = ["run", "--circles", "c.csv", "--steps", "2"];
    for both in [["--contacts", "--state"], ["--events", "--state"], ["--contacts", "--events"]] {
        let (code, message) = room.fault(&[&run[..], &[both[0], "old.csv", both[1], "old.csv"]].concat());
        assert!(code == Some(2) && message.starts_with("old.csv: two tables"), "{both:?}: {message}");
    }
    let lost = ["--events", "old.csv", "--contacts", "nowhere/contacts.csv"];
    assert_eq!(room.fault(&[&run[..], &lost].concat()).0, Some(1));
    assert_eq!(room.read("old.csv"), "old");
}
