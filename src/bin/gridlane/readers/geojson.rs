//! GeoJSON (RFC 7946): every line and every ring of the document becomes segments, in document order.
//!
//! Comes in: text. Goes out: columns of f32 and the number of point geometries passed over. Consecutive positions make
//! a segment; equal ones make one of zero length. Altitudes are ignored, properties are not looked at, a feature without
//! a geometry is nowhere. The text is understood by the crate `geojson`; where that or this room finds fault, [`place`]
//! says where it is.
//!
//! The crate reads numbers as f64, correctly rounded, and they are rounded to f32 here. Two roundings differ from one
//! only where the decimal is not a tie of f32 but so near to one, within 2^-53 of its size, that its f64 is.

mod place;

use super::{Fault, SegmentColumns, Source};
use ::geojson::{Feature, GeoJson, Geometry, GeometryValue, Position};
use place::{Mistake, Step};

/// Geometry collections inside one another; the format advises against any.
const DEEPEST: usize = 32;

pub(super) fn segments(source: &Source) -> Result<(SegmentColumns, usize), Fault> {
    let document: GeoJson = source.text.parse().map_err(|error| place::of_error(source, &error))?;
    let mut reader = Reader::default();
    reader.document(&document).map_err(|mistake| place::of_mistake(source, mistake))?;
    Ok((reader.segments, reader.points))
}

type Walk = Result<(), Mistake>;

#[derive(Default)]
struct Reader {
    segments: SegmentColumns,
    points: usize,
}

impl Reader {
    fn document(&mut self, document: &GeoJson) -> Walk {
        match document {
            GeoJson::Geometry(geometry) => self.geometry(geometry, 0),
            GeoJson::Feature(feature) => self.feature(feature),
            GeoJson::FeatureCollection(collection) => each(&collection.features, |feature| self.feature(feature))
                .map_err(|mistake| mistake.inside(Step::Member("features"))),
        }
    }

    fn feature(&mut self, feature: &Feature) -> Walk {
        let Some(geometry) = &feature.geometry else { return Ok(()) };
        self.geometry(geometry, 0).map_err(|mistake| mistake.inside(Step::Member("geometry")))
    }

    fn geometry(&mut self, geometry: &Geometry, depth: usize) -> Walk {
        let done = match &geometry.value {
            GeometryValue::Point { .. } | GeometryValue::MultiPoint { .. } => {
                self.points += 1;
                Ok(())
            }
            GeometryValue::LineString { coordinates } => self.line(coordinates, false),
            GeometryValue::MultiLineString { coordinates } => each(coordinates, |line| self.line(line, false)),
            GeometryValue::Polygon { coordinates } => each(coordinates, |ring| self.line(ring, true)),
            GeometryValue::MultiPolygon { coordinates } => {
                each(coordinates, |polygon| each(polygon, |ring| self.line(ring, true)))
            }
            GeometryValue::GeometryCollection { .. } if depth == DEEPEST => return Err(place::too_deep()),
            GeometryValue::GeometryCollection { geometries } => {
                return each(geometries, |geometry| self.geometry(geometry, depth + 1))
                    .map_err(|mistake| mistake.inside(Step::Member("geometries")));
            }
        };
        done.map_err(|mistake| mistake.inside(Step::Member("coordinates")))
    }

    /// No position at all is an empty geometry, which the format allows.
    fn line(&mut self, positions: &[Position], closed: bool) -> Walk {
        let (fewest, expected) = if closed { (4, "four or more positions") } else { (2, "two or more positions") };
        if !positions.is_empty() && positions.len() < fewest {
            return Err(Mistake::new(expected, positions.len()));
        }
        let mut previous: Option<[f32; 2]> = None;
        let mut first = None;
        each(positions, |position| {
            let [x, y] = point(position)?;
            if let Some([x0, y0]) = previous {
                self.segments.x0.push(x0);
                self.segments.y0.push(y0);
                self.segments.x1.push(x);
                self.segments.y1.push(y);
            }
            first = first.or(Some([x, y]));
            previous = Some([x, y]);
            Ok(())
        })?;
        if closed && first != previous {
            let last = Step::Item(positions.len() - 1);
            return Err(Mistake::what_stands_there("the first position of the ring again").inside(last));
        }
        Ok(())
    }
}

/// All items in order, up to the first that is wrong.
fn each<T>(items: &[T], mut one: impl FnMut(&T) -> Walk) -> Walk {
    items
        .iter()
        .enumerate()
        .try_for_each(|(number, item)| one(item).map_err(|mistake| mistake.inside(Step::Item(number))))
}

fn point(position: &Position) -> Result<[f32; 2], Mistake> {
    let &[x, y, ..] = position.as_slice() else {
        return Err(Mistake::new(place::POSITION, position.len()));
    };
    let number = |value: f64, axis: usize| {
        let value = value as f32;
        let mistake = || Mistake::what_stands_there(place::NUMBER).inside(Step::Item(axis));
        if value.is_finite() { Ok(value) } else { Err(mistake()) }
    };
    Ok([number(x, 0)?, number(y, 1)?])
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
            Source { text: std::fs::read_to_string(&path).expect("a map of this project"), file: path }
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
        let feature = r#"{"type":"GeometryCollection","geometries":[{"type":"Feature","geometry":null}]}"#;
        assert_eq!(fault(feature), "f:1:52: expected the name of a geometry type, found \"Feature\"");
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
    fn faults_inside_many_values_have_a_place() {
        let text = r#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":null,"geometry":null},
            {"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","geometries":[
                {"type":"Point","coordinates":[1e39,5]},
                {"type":"MultiPolygon","coordinates":[[],[
                    [[0,0],[1,0],[0,1],[0,0]],
                    [[0,0],[1,0],[0,-1e39],[0,0]]]]}]}}]}"#;
        // The crate takes a MultiPolygon whose first polygon is empty for an array of positions: 20 blanks, then `[` and a position.
        assert!(fault(text).starts_with("f:6:21: expected"), "{}", fault(text));
        let text = text.replace("[[],[", "[[[[9,9],[8,8],[7,7],[9,9]]],[");
        // 20 blanks, then `[[0,0],[1,0],[0,` is 16 characters.
        assert_eq!(fault(&text), "f:7:37: expected a finite 32-bit number, found \"-1e39\"");
        let text = text.replace("-1e39", "-1e400");
        assert_eq!(fault(&text), "f:7:37: expected a finite 32-bit number, found \"-1e400\"");
        let text = text.replace("-1e400", "1,null");
        assert_eq!(fault(&text), "f:7:39: expected a finite 32-bit number, found \"null\"");
        let text = text.replace("1,null", "1").replace("[1e39,5]", "[[4],5]");
        // 16 blanks, then `{"type":"Point","coordinates":` is 30 characters and `[` one more.
        assert_eq!(fault(&text), "f:4:48: expected a finite 32-bit number, found an array");
        // One below the least decimal that rounds to infinity is the greatest finite one; it is a position of the ring.
        let greatest = text.replace("[[4],5]", "[1,2]").replace("[8,8]", "[8,3.4028235e38]");
        assert_eq!(rows(&greatest)[0][3], f32::MAX);
    }

    #[test]
    fn rules_of_the_crate_have_a_place() {
        let feature = |inside: &str| format!("{{\"type\":\"Feature\",\n{inside},\"geometry\":null}}");
        // `"properties":` is 13 characters.
        assert_eq!(fault(&feature("\"properties\":[1]")), "f:2:14: expected an object or null, found an array");
        // The crate stops behind what it refuses: 5 and 3 characters.
        assert_eq!(fault(&feature("\"bbox\":7")), "f:2:8: expected a sequence, found integer `7`");
        for text in ["\"id\":{}", "\"type\":\"Feature\"", "\"properties\":{\"deep\":1e400}"] {
            assert!(fault(&feature(text)).starts_with("f:2:"), "{}", fault(&feature(text)));
        }
        let deep = format!("\"properties\":{{\"deep\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
        assert!(fault(&feature(&deep)).starts_with("f:2:"), "{}", fault(&feature(&deep)));
    }

    #[test]
    fn depth_is_bounded() {
        let nest = |depth: usize| {
            let open = r#"{"type":"GeometryCollection","geometries":["#;
            format!("{}{}", open.repeat(depth), "]}".repeat(depth))
        };
        assert!(rows(&nest(32)).is_empty());
        // `{"type":"GeometryCollection","geometries":[` is 43 characters, 32 times.
        let expected = "f:1:1377: expected at most 32 geometry collections inside one another, found one more";
        assert_eq!(fault(&nest(33)), expected);
        assert_eq!(fault(&nest(5000)), expected);
        assert!(fault(&"[".repeat(100_000)).contains("expected the rest of a list"));
    }
}
