//! CSV with a header line, columns by name.
//!
//! Comes in: text. Goes out: columns of f32. A table of numbers needs no more than lines, commas and, around a field,
//! blanks or double quotes; in return every field knows its place in the file. Blank lines are passed over.

use super::{CircleColumns, Fault, Number, SegmentColumns, Source, quoted};

/// A column that may or has to be there.
struct Column {
    name: &'static str,
    number: Number,
    /// 0: has to be there. Others: all columns of a group are there, or none.
    group: u8,
}

const fn column(name: &'static str, number: Number, group: u8) -> Column {
    Column { name, number, group }
}

const CIRCLES: [Column; 6] = [
    column("x", Number::Finite, 0),
    column("y", Number::Finite, 0),
    column("radius", Number::NotNegative, 0),
    column("vx", Number::Finite, 1),
    column("vy", Number::Finite, 1),
    column("mass", Number::Mass, 2),
];

const SEGMENTS: [Column; 8] = [
    column("x0", Number::Finite, 0),
    column("y0", Number::Finite, 0),
    column("x1", Number::Finite, 0),
    column("y1", Number::Finite, 0),
    column("vx0", Number::Finite, 1),
    column("vy0", Number::Finite, 1),
    column("vx1", Number::Finite, 1),
    column("vy1", Number::Finite, 1),
];

pub(super) fn circles(source: &Source) -> Result<CircleColumns, Fault> {
    let [x, y, radius, velocity_x, velocity_y, mass] = table(source, &CIRCLES)?;
    Ok(CircleColumns { x, y, radius, velocity_x, velocity_y, mass })
}

pub(super) fn segments(source: &Source) -> Result<SegmentColumns, Fault> {
    let [x0, y0, x1, y1, vx0, vy0, vx1, vy1] = table(source, &SEGMENTS)?;
    Ok(SegmentColumns { x0, y0, x1, y1, velocity: [vx0, vy0, vx1, vy1] })
}

/// One column of values for each name of the layout; empty where the file has no such column.
fn table<const N: usize>(source: &Source, layout: &[Column; N]) -> Result<[Vec<f32>; N], Fault> {
    let mut lines = lines(&source.text);
    let Some((start, header)) = lines.next() else {
        let names: Vec<_> = layout.iter().filter(|c| c.group == 0).map(|c| c.name).collect();
        let expected = format!("a header line with {}", names.join(","));
        return Err(source.fault(source.text.len(), expected, "the end of the file"));
    };
    let places = header_places(source, layout, start, header)?;
    let mut columns = [const { Vec::new() }; N];
    for (start, line) in lines {
        let mut count = 0;
        for (offset, field) in fields(start, line) {
            let Some(&place) = places.get(count) else {
                let found = line.split(',').count();
                return Err(source.fault(offset, format!("{} fields", places.len()), found.to_string()));
            };
            let value =
                layout[place].number.parse(field).map_err(|expected| source.fault(offset, expected, quoted(field)))?;
            columns[place].push(value);
            count += 1;
        }
        if count < places.len() {
            return Err(source.fault(start + line.len(), format!("{} fields", places.len()), count.to_string()));
        }
    }
    Ok(columns)
}

/// For each field of the header, its column in the layout.
fn header_places<const N: usize>(
    source: &Source,
    layout: &[Column; N],
    start: usize,
    header: &str,
) -> Result<Vec<usize>, Fault> {
    let place_of = |name: &str| layout.iter().position(|column| column.name == name);
    let mut places = Vec::new();
    for (offset, name) in fields(start, header) {
        let Some(place) = place_of(name) else {
            let names: Vec<_> = layout.iter().map(|column| column.name).collect();
            let strange: Vec<_> =
                fields(start, header).filter(|f| place_of(f.1).is_none()).map(|f| quoted(f.1)).collect();
            let expected = format!("no columns but {}", names.join(","));
            return Err(source.fault(offset, expected, strange.join(", ")));
        };
        if places.contains(&place) {
            return Err(source.fault(offset, "each column once", format!("a second {}", quoted(name))));
        }
        places.push(place);
    }
    let present = |group: u8| places.iter().any(|&place| layout[place].group == group);
    let missing = layout
        .iter()
        .enumerate()
        .find(|(place, column)| !places.contains(place) && (column.group == 0 || present(column.group)));
    match missing {
        Some((_, column)) => {
            let expected = format!("a column {}", quoted(column.name));
            Err(source.fault(start + header.len(), expected, format!("only {}", header.trim())))
        }
        None => Ok(places),
    }
}

/// Lines that are not blank, without their ends, with their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = next;
        next += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        (!line.trim().is_empty()).then_some((start, line))
    })
}

/// Fields of a line without blanks and quotes about them, with their offsets.
fn fields(start: usize, line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = start;
    line.split(',').map(move |raw| {
        let offset = next + (raw.len() - raw.trim_start().len());
        next += raw.len() + 1;
        let field = raw.trim();
        let bare = field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        (offset, bare.map_or(field, str::trim))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { file: "f".to_string(), text: text.to_string() }
    }

    fn circle_fault(text: &str) -> String {
        circles(&source(text)).expect_err(text).to_string()
    }

    #[test]
    fn columns_are_matched_by_name() {
        let read = circles(&source("\r\nradius, y ,x\r\n\r\n1,2,3\r\n \n\"0.5\" , -2e1,+.25")).expect("well formed");
        assert_eq!((read.x, read.y, read.radius), (vec![3.0, 0.25], vec![2.0, -20.0], vec![1.0, 0.5]));
        assert!(read.velocity_x.is_empty() && read.velocity_y.is_empty() && read.mass.is_empty());
        let read = circles(&source("x,y,radius,mass,vx,vy\n0,0,1,inf,2,3\n")).expect("well formed");
        assert_eq!((read.velocity_x, read.velocity_y, read.mass), (vec![2.0], vec![3.0], vec![f32::INFINITY]));
        let read = segments(&source("x0,y0,x1,y1\n1,2,3,4\n")).expect("well formed");
        assert_eq!((read.x0, read.y0, read.x1, read.y1), (vec![1.0], vec![2.0], vec![3.0], vec![4.0]));
        assert!(circles(&source("x,y,radius")).is_ok_and(|read| read.x.is_empty()));
    }

    #[test]
    fn headers_are_checked() {
        assert_eq!(circle_fault(""), "f:1:1: expected a header line with x,y,radius, found the end of the file");
        assert_eq!(circle_fault("\n\n"), "f:3:1: expected a header line with x,y,radius, found the end of the file");
        let only = "expected no columns but x,y,radius,vx,vy,mass, found";
        assert_eq!(circle_fault("x,y,z,radius,\n"), format!("f:1:5: {only} \"z\", \"\""));
        assert_eq!(circle_fault("1,2,3\n"), format!("f:1:1: {only} \"1\", \"2\", \"3\""));
        assert_eq!(circle_fault("x,y, x,radius"), "f:1:6: expected each column once, found a second \"x\"");
        assert_eq!(circle_fault("\nx,y\n"), "f:2:4: expected a column \"radius\", found only x,y");
        assert_eq!(circle_fault("vy,x,y,radius"), "f:1:14: expected a column \"vx\", found only vy,x,y,radius");
    }

    #[test]
    fn rows_are_checked() {
        assert_eq!(circle_fault("x,y,radius\n1,2\n"), "f:2:4: expected 3 fields, found 2");
        assert_eq!(circle_fault("x,y,radius\n1,2,3,4,5\n"), "f:2:7: expected 3 fields, found 5");
        let finite = "expected a finite 32-bit number, found";
        assert_eq!(circle_fault("x,y,radius\n\n1, abc,3\n"), format!("f:3:4: {finite} \"abc\""));
        assert_eq!(circle_fault("x,y,radius\n1,,3\n"), format!("f:2:3: {finite} \"\""));
        assert_eq!(circle_fault("x,y,radius\nNaN,2,3\n"), format!("f:2:1: {finite} \"NaN\""));
        assert_eq!(
            circle_fault("x,y,radius\n1,2,-3\n"),
            "f:2:5: expected a finite 32-bit number, zero or more, found \"-3\""
        );
        assert_eq!(
            circle_fault("x,y,radius,mass\n1,2,3,0\n"),
            "f:2:7: expected a mass above zero, or inf, found \"0\""
        );
    }
}
