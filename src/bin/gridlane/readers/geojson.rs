//! GeoJSON (RFC 7946): every line and every ring of the document becomes segments, in document order.
//!
//! Comes in: text. Goes out: columns of f32 and the number of point geometries passed over. Consecutive positions make
//! a segment; equal ones make one of zero length. Altitudes are ignored, properties are not looked at. A value is kept
//! as a slice of the file until it is understood, so that whatever is wrong with it has a place; each level of the
//! document is scanned once more for that, about eight times for a MultiPolygon.

use super::{Fault, Number, SegmentColumns, Source, quoted};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Geometry collections inside one another; the format advises against any.
const DEEPEST: usize = 32;

type Members<'a> = BTreeMap<String, &'a RawValue>;

pub(super) fn segments(source: &Source) -> Result<(SegmentColumns, usize), Fault> {
    let mut reader = Reader { source, segments: SegmentColumns::default(), points: 0 };
    let root = serde_json::from_str(&source.text).map_err(|error| syntax_fault(source, &error))?;
    reader.document(root)?;
    Ok((reader.segments, reader.points))
}

/// The parser's own words, with what stands at the place it names.
fn syntax_fault(source: &Source, error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
    if error.is_eof() {
        let expected = message.strip_prefix("EOF while parsing ").unwrap_or("value");
        return source.fault(source.text.len(), format!("the rest of {}", article(expected)), "the end of the file");
    }
    let expected = match message.strip_prefix("expected ") {
        Some(expected) => article(expected),
        None => format!("JSON ({message})"),
    };
    let line_start =
        source.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    // The parser counts columns in bytes; a byte inside a character stands for the whole of it.
    let mut offset = line_start + error.column().saturating_sub(1);
    while offset > 0 && !source.text.is_char_boundary(offset) {
        offset -= 1;
    }
    let found = source.text.get(offset..).and_then(|rest| rest.chars().next());
    source.fault(
        offset,
        expected,
        found.map_or("the end of the file".to_string(), |c| quoted(c.encode_utf8(&mut [0; 4]))),
    )
}

/// "value" and the like need an article, "`,` or `}`" does not.
fn article(words: &str) -> String {
    match words {
        "value" | "list" | "string" => format!("a {words}"),
        "object" => format!("an {words}"),
        _ => words.to_string(),
    }
}

struct Reader<'a> {
    source: &'a Source,
    segments: SegmentColumns,
    points: usize,
}

impl<'a> Reader<'a> {
    fn fault(&self, at: &RawValue, expected: &str, found: String) -> Fault {
        // The value is a slice of the text, so the distance of the two is its place.
        let offset = at.get().as_ptr().addr() - self.source.text.as_ptr().addr();
        self.source.fault(offset, expected, found)
    }

    fn object(&self, raw: &'a RawValue, expected: &str) -> Result<Members<'a>, Fault> {
        serde_json::from_str(raw.get()).map_err(|_| self.fault(raw, expected, describe(raw)))
    }

    fn array(&self, raw: &'a RawValue, expected: &str) -> Result<Vec<&'a RawValue>, Fault> {
        serde_json::from_str(raw.get()).map_err(|_| self.fault(raw, expected, describe(raw)))
    }

    fn member(&self, raw: &'a RawValue, members: &Members<'a>, name: &str) -> Result<&'a RawValue, Fault> {
        let expected = || format!("an object with a member {}", quoted(name));
        members.get(name).copied().ok_or_else(|| self.fault(raw, &expected(), "one without".to_string()))
    }

    /// The member `type`; the text, as it stands between its quotes.
    fn kind(&self, raw: &'a RawValue, members: &Members<'a>) -> Result<(&'a RawValue, String), Fault> {
        let kind = self.member(raw, members, "type")?;
        let word =
            serde_json::from_str(kind.get()).map_err(|_| self.fault(kind, "the name of a type", describe(kind)))?;
        Ok((kind, word))
    }

    fn document(&mut self, raw: &'a RawValue) -> Result<(), Fault> {
        let members = self.object(raw, "a GeoJSON object")?;
        match self.kind(raw, &members)?.1.as_str() {
            "FeatureCollection" => {
                let features = self.member(raw, &members, "features")?;
                for feature in self.array(features, "an array of features")? {
                    let members = self.object(feature, "a feature")?;
                    let (kind, word) = self.kind(feature, &members)?;
                    if word != "Feature" {
                        return Err(self.fault(kind, "\"Feature\"", quoted(&word)));
                    }
                    self.feature(feature, &members)?;
                }
                Ok(())
            }
            "Feature" => self.feature(raw, &members),
            _ => self.geometry(raw, 0),
        }
    }

    /// A feature may say that it is nowhere: its geometry is null then.
    fn feature(&mut self, raw: &'a RawValue, members: &Members<'a>) -> Result<(), Fault> {
        let geometry = self.member(raw, members, "geometry")?;
        if geometry.get() == "null" { Ok(()) } else { self.geometry(geometry, 0) }
    }

    fn geometry(&mut self, raw: &'a RawValue, depth: usize) -> Result<(), Fault> {
        let members = self.object(raw, "a geometry")?;
        let (kind, word) = self.kind(raw, &members)?;
        // How many arrays stand about a line's array of positions, and whether lines close.
        let (nesting, closed) = match word.as_str() {
            "Point" | "MultiPoint" => {
                self.points += 1;
                return Ok(());
            }
            "GeometryCollection" if depth == DEEPEST => {
                let expected = format!("at most {DEEPEST} geometry collections inside one another");
                return Err(self.fault(raw, &expected, "one more".to_string()));
            }
            "GeometryCollection" => {
                let geometries = self.member(raw, &members, "geometries")?;
                for geometry in self.array(geometries, "an array of geometries")? {
                    self.geometry(geometry, depth + 1)?;
                }
                return Ok(());
            }
            "LineString" => (0, false),
            "MultiLineString" => (1, false),
            "Polygon" => (1, true),
            "MultiPolygon" => (2, true),
            _ => return Err(self.fault(kind, "the name of a GeoJSON type", quoted(&word))),
        };
        self.lines(self.member(raw, &members, "coordinates")?, nesting, closed)
    }

    fn lines(&mut self, raw: &'a RawValue, nesting: usize, closed: bool) -> Result<(), Fault> {
        if nesting == 0 {
            return self.line(raw, closed);
        }
        for inner in self.array(raw, if closed { "an array of rings" } else { "an array of lines" })? {
            self.lines(inner, nesting - 1, closed)?;
        }
        Ok(())
    }

    /// No position at all is an empty geometry, which the format allows.
    fn line(&mut self, raw: &'a RawValue, closed: bool) -> Result<(), Fault> {
        let positions = self.array(raw, "an array of positions")?;
        let (fewest, expected) = if closed { (4, "four or more positions") } else { (2, "two or more positions") };
        if !positions.is_empty() && positions.len() < fewest {
            return Err(self.fault(raw, expected, positions.len().to_string()));
        }
        let mut previous: Option<[f32; 2]> = None;
        let mut first = None;
        for &position in &positions {
            let [x, y] = self.position(position)?;
            if let Some([x0, y0]) = previous {
                self.segments.x0.push(x0);
                self.segments.y0.push(y0);
                self.segments.x1.push(x);
                self.segments.y1.push(y);
            }
            first = first.or(Some([x, y]));
            previous = Some([x, y]);
        }
        match positions.last() {
            Some(last) if closed && first != previous => {
                Err(self.fault(last, "the first position of the ring again", quoted(last.get())))
            }
            _ => Ok(()),
        }
    }

    fn position(&self, raw: &'a RawValue) -> Result<[f32; 2], Fault> {
        let numbers = self.array(raw, "a position")?;
        let [x, y, ..] = numbers[..] else {
            return Err(self.fault(raw, "a position of two or more numbers", numbers.len().to_string()));
        };
        Ok([self.number(x)?, self.number(y)?])
    }

    /// JSON has no words for NaN and infinity: what is no finite f32 here is another kind of value, or too large.
    fn number(&self, raw: &RawValue) -> Result<f32, Fault> {
        Number::Finite.parse(raw.get()).map_err(|expected| self.fault(raw, expected, describe(raw)))
    }
}

/// A value in a few words.
fn describe(raw: &RawValue) -> String {
    match raw.get().as_bytes().first() {
        Some(b'{') => "an object".to_string(),
        Some(b'[') => "an array".to_string(),
        Some(b'"') => "the text ".to_string() + &quoted(raw.get().trim_matches('"')),
        _ => quoted(raw.get()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::csv;

    fn source(text: &str) -> Source {
        Source { file: "f".to_string(), text: text.to_string() }
    }

    fn rows(text: &str) -> Vec<[f32; 4]> {
        let (s, _) = segments(&source(text)).expect("well formed");
        (0..s.x0.len()).map(|i| [s.x0[i], s.y0[i], s.x1[i], s.y1[i]]).collect()
    }

    fn fault(text: &str) -> String {
        segments(&source(text)).expect_err(text).to_string()
    }

    #[test]
    fn the_map_has_the_segments_of_its_table() {
        let read = |name: &str| {
            let path = format!("{}/tests/data/maps/world-land-110m-ll.{name}", env!("CARGO_MANIFEST_DIR"));
            Source::open(path.as_ref()).expect("a map of this project")
        };
        let (map, points) = segments(&read("geojson")).expect("well formed");
        let table = csv::segments(&read("segments.csv")).expect("well formed");
        assert_eq!((map.x0.len(), points), (4999, 0));
        let bits = |column: &[f32]| column.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        for (ours, theirs) in [(&map.x0, &table.x0), (&map.y0, &table.y0), (&map.x1, &table.x1), (&map.y1, &table.y1)] {
            assert_eq!(bits(ours), bits(theirs));
        }
    }

    #[test]
    fn every_kind_of_line_is_walked_in_document_order() {
        assert_eq!(
            rows(r#"{"type":"LineString","coordinates":[[0,0],[1,2,99],[1,2]]}"#),
            [[0.0, 0.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0]],
            "an altitude is ignored, an equal vertex is a segment of no length"
        );
        let ring = r#"[[0,0],[1,0],[0,1],[0,0]]"#;
        let triangle = [[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]];
        assert_eq!(rows(&format!(r#"{{"coordinates":[{ring}],"type":"Polygon"}}"#)), triangle);
        assert_eq!(rows(&format!(r#"{{"type":"MultiPolygon","coordinates":[[{ring}],[{ring}]]}}"#)).len(), 6);
        let text = r#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"type":"x"},"geometry":null},
            {"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","geometries":[
                {"type":"Point","coordinates":[5,5]},
                {"type":"MultiLineString","coordinates":[[[7,7],[8,8]],[]]}]}}]}"#;
        assert_eq!(rows(text), [[7.0, 7.0, 8.0, 8.0]]);
        assert_eq!(segments(&source(text)).map(|(_, points)| points), Ok(1));
    }

    #[test]
    fn faults_have_a_place() {
        assert_eq!(fault(""), "f:1:1: expected the rest of a value, found the end of the file");
        assert_eq!(fault("{\n \"type\" 3}"), "f:2:9: expected `:`, found \"3\"");
        assert_eq!(fault("{\n \"type\": ["), "f:2:11: expected the rest of a list, found the end of the file");
        assert_eq!(fault(" [1]"), "f:1:2: expected a GeoJSON object, found an array");
        assert_eq!(fault(r#"{"a":1}"#), "f:1:1: expected an object with a member \"type\", found one without");
        assert_eq!(fault(r#"{"type":"Circle"}"#), "f:1:9: expected the name of a GeoJSON type, found \"Circle\"");
        let line = |coordinates: &str| format!("{{\"type\":\"LineString\",\n\"coordinates\":{coordinates}}}");
        // `"coordinates":` is 14 characters, so the array begins at column 15.
        assert_eq!(fault(&line("3")), "f:2:15: expected an array of positions, found \"3\"");
        assert_eq!(fault(&line("[[1,2]]")), "f:2:15: expected two or more positions, found 1");
        assert_eq!(fault(&line("[[1,2],[3]]")), "f:2:22: expected a position of two or more numbers, found 1");
        assert_eq!(fault(&line("[[1,2],[3,\"x\"]]")), "f:2:25: expected a finite 32-bit number, found the text \"x\"");
        assert_eq!(fault(&line("[[1,2],[3,1e39]]")), "f:2:25: expected a finite 32-bit number, found \"1e39\"");
        let ring = r#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,1],[9,0]]]}"#;
        assert_eq!(fault(ring), "f:1:53: expected the first position of the ring again, found \"[9,0]\"");
    }

    #[test]
    fn depth_is_bounded() {
        let nest = |depth: usize| {
            let open = r#"{"type":"GeometryCollection","geometries":["#;
            format!("{}{}", open.repeat(depth), "]}".repeat(depth))
        };
        assert!(rows(&nest(32)).is_empty());
        assert!(fault(&nest(33)).contains("expected at most 32 geometry collections"));
        assert!(fault(&"[".repeat(100_000)).contains("expected the rest of a list"));
    }
}
