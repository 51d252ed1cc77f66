//! CSV with a header line, columns by name.
//!
//! Comes in: text. Goes out: columns of f32. Records and fields are those of the crate `csv` (RFC 4180, double quotes);
//! blanks around a field and blank lines are passed over. The crate tells where a record begins and how long its fields
//! are, from which follows where each of them stands: exactly, unless quotes follow the closing quote of a field.

use super::{CircleColumns, Fault, Number, RayColumns, SegmentColumns, Source, quoted};
use ::csv::{Reader, ReaderBuilder, StringRecord};

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

const RAYS: [Column; 5] = [
    column("x", Number::Finite, 0),
    column("y", Number::Finite, 0),
    column("dx", Number::Finite, 0),
    column("dy", Number::Finite, 0),
    column("max", Number::NotNegative, 1),
];

pub(super) fn circles(source: &Source) -> Result<CircleColumns, Fault> {
    let [x, y, radius, velocity_x, velocity_y, mass] = table(source, &CIRCLES)?;
    Ok(CircleColumns { x, y, radius, velocity_x, velocity_y, mass })
}

pub(super) fn segments(source: &Source) -> Result<SegmentColumns, Fault> {
    let [x0, y0, x1, y1, vx0, vy0, vx1, vy1] = table(source, &SEGMENTS)?;
    Ok(SegmentColumns { x0, y0, x1, y1, velocity: [vx0, vy0, vx1, vy1] })
}

pub(super) fn rays(source: &Source) -> Result<RayColumns, Fault> {
    let [x, y, direction_x, direction_y, max] = table(source, &RAYS)?;
    Ok(RayColumns { x, y, direction_x, direction_y, max })
}

/// One column of values for each name of the layout; empty where the file has no such column.
fn table<const N: usize>(source: &Source, layout: &[Column; N]) -> Result<[Vec<f32>; N], Fault> {
    let mut rows = Rows::new(source);
    if !rows.read_row()? {
        let names: Vec<_> = layout.iter().filter(|c| c.group == 0).map(|c| c.name).collect();
        let expected = format!("a header line with {}", names.join(","));
        return Err(source.fault(source.text.len(), expected, "the end of the file"));
    }
    let places = header_places(&rows, layout)?;
    let mut columns = [const { Vec::new() }; N];
    while rows.read_row()? {
        let count = rows.record.len();
        for (k, field) in rows.fields().enumerate() {
            let Some(&place) = places.get(k) else {
                return Err(rows.fault(k, format!("{} fields", places.len()), count.to_string()));
            };
            let value = layout[place].number.parse(field).map_err(|expected| rows.fault(k, expected, quoted(field)))?;
            columns[place].push(value);
        }
        if count < places.len() {
            return Err(rows.fault_at_end(format!("{} fields", places.len()), count.to_string()));
        }
    }
    Ok(columns)
}

/// For each field of the header, its column in the layout.
fn header_places<const N: usize>(header: &Rows<'_>, layout: &[Column; N]) -> Result<Vec<usize>, Fault> {
    let place_of = |name: &str| layout.iter().position(|column| column.name == name);
    let mut places = Vec::new();
    for (k, name) in header.fields().enumerate() {
        let Some(place) = place_of(name) else {
            let names: Vec<_> = layout.iter().map(|column| column.name).collect();
            let strange: Vec<_> = header.fields().filter(|name| place_of(name).is_none()).take(8).map(quoted).collect();
            return Err(header.fault(k, format!("no columns but {}", names.join(",")), strange.join(", ")));
        };
        if places.contains(&place) {
            return Err(header.fault(k, "each column once", format!("a second {}", quoted(name))));
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
            Err(header.fault_at_end(expected, format!("only {}", header.text().trim())))
        }
        None => Ok(places),
    }
}

/// Records one after the other, and their places.
struct Rows<'a> {
    source: &'a Source,
    reader: Reader<&'a [u8]>,
    record: StringRecord,
    /// Offset of the record's first byte.
    start: usize,
}

impl<'a> Rows<'a> {
    fn new(source: &'a Source) -> Rows<'a> {
        // Not trimmed by the crate: the blanks belong to the place of a field.
        let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(source.text.as_bytes());
        Rows { source, reader, record: StringRecord::new(), start: 0 }
    }

    /// The next record that is not a blank line; false at the end.
    fn read_row(&mut self) -> Result<bool, Fault> {
        loop {
            let before = self.next_byte();
            let more = self
                .reader
                .read_record(&mut self.record)
                .map_err(|error| self.source.fault(before, "a CSV record", quoted(&error.to_string())))?;
            // The crate counts the ends of lines that it skips as part of the record that follows.
            let from = self.record.position().map_or(before, |position| position.byte() as usize);
            let rest = self.source.text.get(from..).unwrap_or_default();
            self.start = from + (rest.len() - rest.trim_start_matches(['\r', '\n']).len());
            if !more || !self.text().trim().is_empty() {
                return if more { self.closed().map(|()| true) } else { Ok(false) };
            }
        }
    }

    /// The crate takes the end of the file for a closing quote, too. Only the last record can hold such a field.
    fn closed(&self) -> Result<(), Fault> {
        let rest = self.source.text.get(self.start..).unwrap_or_default();
        if self.next_byte() < self.source.text.len() {
            return Ok(());
        }
        match open_quote(rest) {
            Some(at) => Err(self.source.fault(self.start + at, "a field whose quote is closed", "the end of the file")),
            None => Ok(()),
        }
    }

    fn next_byte(&self) -> usize {
        self.reader.position().byte() as usize
    }

    /// The record as it stands in the file, without the end of its line.
    fn text(&self) -> &'a str {
        let text = self.source.text.get(self.start..self.next_byte()).unwrap_or_default();
        text.trim_end_matches(['\r', '\n'])
    }

    /// Fields without blanks about them.
    fn fields(&self) -> impl Iterator<Item = &str> {
        self.record.iter().map(str::trim)
    }

    /// A fault of the field with this number.
    fn fault(&self, number: usize, expected: impl Into<String>, found: impl Into<String>) -> Fault {
        let mut offset = self.start;
        for (k, field) in self.record.iter().enumerate() {
            let quote = self.source.text.as_bytes().get(offset) == Some(&b'"');
            if k == number {
                let blanks = if quote { 0 } else { field.len() - field.trim_start().len() };
                offset += blanks;
                break;
            }
            // Two quotes about the field, every quote inside it twice, and the comma behind it.
            offset += field.len() + if quote { 2 + field.matches('"').count() } else { 0 } + 1;
        }
        self.source.fault(offset, expected, found)
    }

    /// A fault of the record as a whole: something is missing at its end.
    fn fault_at_end(&self, expected: impl Into<String>, found: impl Into<String>) -> Fault {
        self.source.fault(self.start + self.text().len(), expected, found)
    }
}

/// Where in a record, which ends with the text, the last field's quote is that nothing closes.
fn open_quote(record: &str) -> Option<usize> {
    let bytes = record.as_bytes();
    let mut at = 0;
    loop {
        let start = at;
        if bytes.get(at) == Some(&b'"') {
            at += 1;
            // To the quote that closes it; two are one that is meant.
            loop {
                at += bytes.get(at..)?.iter().position(|&byte| byte == b'"').map_or(bytes.len(), |k| k + 1);
                match bytes.get(at) {
                    _ if at > bytes.len() => return Some(start),
                    Some(b'"') => at += 1,
                    _ => break,
                }
            }
        }
        // Behind it, and in a field without, quotes are letters.
        at += bytes[at..].iter().position(|&byte| byte == b',')? + 1;
    }
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
            "f:2:7: expected a mass above zero whose reciprocal is finite (2.94e-39 or more), or inf, found \"0\""
        );
    }
    #[test]
    fn quoted_fields_have_a_place() {
        let finite = "expected a finite 32-bit number, found";
        // The raw line is `"1", "2",x`: the second field begins at column 5 with a blank, so its quotes are its own.
        assert_eq!(circle_fault("x,y,radius\n\"1\", \"2\",x\n"), format!("f:2:6: {finite} \"\\\"2\\\"\""));
        // `"1" ,"2",x`: 4 and 3 characters and two commas before the x.
        assert_eq!(
            circle_fault("x,y,radius\r\n\"1\" ,\"2\",x\r\n"),
            "f:2:10: expected a finite 32-bit number, zero or more, found \"x\""
        );
        // `"a""b"` is the text a"b in six characters.
        assert_eq!(
            circle_fault("\"a\"\"b\",x,y"),
            "f:1:1: expected no columns but x,y,radius,vx,vy,mass, found \"a\\\"b\""
        );
        assert_eq!(circle_fault("x,y,radius\n\"äö\",2,3\n"), format!("f:2:1: {finite} \"äö\""));
        assert_eq!(
            circle_fault("x,y,radius\n1,2,\"3\n4,5,6\n"),
            "f:2:5: expected a field whose quote is closed, found the end of the file"
        );
        assert_eq!(circle_fault("x,y,radius\n\"\"\n"), format!("f:2:1: {finite} \"\""), "not a blank line");
    }

    #[test]
    fn quotes_have_to_be_closed() {
        let open = |at: &str| format!("f:{at}: expected a field whose quote is closed, found the end of the file");
        assert_eq!(circle_fault("x,y,radius\n1,2,\"3"), open("2:5"));
        assert_eq!(circle_fault("x,y,radius\n1,2,3\n1,\"2,3\n4,5,6\n"), open("3:3"));
        assert_eq!(circle_fault("x,y,\"radius"), open("1:5"));
        // The second quote is half of one that is meant; of three the last closes.
        assert_eq!(circle_fault("x,y,radius\n1,2,\"\"\""), open("2:5"));
        assert!(circles(&source("x,y,radius\n1,2,\"3\"")).is_ok());
        assert!(circles(&source("\"x\",\"y\",\"radius\"")).is_ok());
        let cases = ["", "\"", "a\"", "\"\"", "\"\"\"", "\"\"\"\"", "1,\"2,3", "\"1\"\",\"2", "\"1\"a\",\"2"];
        let places = [None, Some(0), None, None, Some(0), None, Some(2), None, Some(6)];
        assert_eq!(cases.map(open_quote), places);
    }
}
