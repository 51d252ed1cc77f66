//! Where in a GeoJSON text something is wrong.
//!
//! Comes in: the text, and either the way to what is wrong with a document that was understood, or the error of the crate
//! that did not understand it. Goes out: a [`Fault`] with line and column. The crate keeps no places, so the text is
//! looked at again, only now that there is a fault to be told: values as slices of the text, whose distance from its
//! beginning is their place.

use super::super::{Fault, Source, quoted};
use super::DEEPEST;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What a position has to be.
pub(super) const POSITION: &str = "a position of two or more numbers";
/// What a coordinate has to be.
pub(super) const NUMBER: &str = "a finite 32-bit number";

/// From a value to one inside it.
pub(super) enum Step {
    /// Of an object.
    Member(&'static str),
    /// Of an array, from 0.
    Item(usize),
}

/// What is wrong with a document that was understood, and the way there, innermost step first.
pub(super) struct Mistake {
    expected: String,
    found: Option<String>,
    way: Vec<Step>,
}

impl Mistake {
    pub(super) fn new(expected: impl Into<String>, found: impl ToString) -> Mistake {
        Mistake { expected: expected.into(), found: Some(found.to_string()), way: vec![] }
    }

    /// The text itself says what was found.
    pub(super) fn what_stands_there(expected: &str) -> Mistake {
        Mistake { expected: expected.to_string(), found: None, way: vec![] }
    }

    /// The same, seen from the value around it.
    pub(super) fn inside(mut self, step: Step) -> Mistake {
        self.way.push(step);
        self
    }
}

pub(super) fn too_deep() -> Mistake {
    Mistake::new(format!("at most {DEEPEST} geometry collections inside one another"), "one more")
}

/// The place at the end of the way.
pub(super) fn of_mistake(source: &Source, mistake: Mistake) -> Fault {
    let Mistake { expected, found, way } = mistake;
    // A text that was understood has all values of the way; its beginning stands for any that it had not.
    let raw = follow(&source.text, &way);
    let found = found.or_else(|| Some(quoted(raw?.get()))).unwrap_or_default();
    source.fault(raw.map_or(0, |raw| offset(source, raw)), expected, found)
}

fn follow<'a>(text: &'a str, way: &[Step]) -> Option<&'a RawValue> {
    let mut raw: &RawValue = serde_json::from_str(text).ok()?;
    for step in way.iter().rev() {
        raw = match *step {
            Step::Member(name) => *serde_json::from_str::<Members<'_>>(raw.get()).ok()?.get(name)?,
            Step::Item(number) => *serde_json::from_str::<Vec<&RawValue>>(raw.get()).ok()?.get(number)?,
        };
    }
    Some(raw)
}

/// Why the crate did not understand the text: no JSON, or not the shape of GeoJSON, or a rule of its own, for which the
/// place is the crate's too: where it stopped reading.
pub(super) fn of_error(source: &Source, error: &::geojson::Error) -> Fault {
    let error = match error {
        ::geojson::Error::MalformedGeoJson(error) => error,
        other => return source.fault(0, "a GeoJSON document", quoted(&other.to_string())),
    };
    match serde_json::from_str(&source.text) {
        Ok(root) => Shape { source }.document(root).err().unwrap_or_else(|| rule_fault(source, error)),
        // Not the crate's error: it may have given up on a value before it came to where the text is no JSON.
        Err(syntax) => syntax_fault(source, &syntax),
    }
}

fn offset(source: &Source, raw: &RawValue) -> usize {
    raw.get().as_ptr().addr() - source.text.as_ptr().addr()
}

/// The parser's words without its place, and that place as an offset.
fn words_and_offset(source: &Source, error: &serde_json::Error) -> (String, usize) {
    let message = error.to_string();
    let words = message.rsplit_once(" at line ").map_or(message.as_str(), |(words, _)| words);
    let lines = source.text.split_inclusive('\n').take(error.line().saturating_sub(1));
    // The parser counts columns in bytes; a byte inside a character stands for the whole of it.
    let mut offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    while offset > 0 && !source.text.is_char_boundary(offset) {
        offset -= 1;
    }
    (words.to_string(), offset)
}

/// The parser's own words, with what stands at the place it names.
fn syntax_fault(source: &Source, error: &serde_json::Error) -> Fault {
    let (words, offset) = words_and_offset(source, error);
    if error.is_eof() {
        let expected = words.strip_prefix("EOF while parsing ").unwrap_or("value");
        return source.fault(source.text.len(), format!("the rest of {}", article(expected)), "the end of the file");
    }
    let expected = match words.strip_prefix("expected ") {
        Some(expected) => article(expected),
        None => format!("JSON ({words})"),
    };
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

/// Words such as "invalid type: map, expected a string", or others.
fn rule_fault(source: &Source, error: &serde_json::Error) -> Fault {
    let (words, offset) = words_and_offset(source, error);
    let parts = words.strip_prefix("invalid ").and_then(|rest| rest.split_once(": "));
    match parts.and_then(|(_, rest)| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => source.fault(offset, expected, found),
        None => source.fault(offset, "GeoJSON that can be read", words),
    }
}

type Members<'a> = BTreeMap<String, &'a RawValue>;

/// Walks a JSON document and stops where it has not the shape of GeoJSON.
struct Shape<'a> {
    source: &'a Source,
}

impl<'a> Shape<'a> {
    fn fault(&self, at: &RawValue, expected: &str, found: String) -> Fault {
        self.source.fault(offset(self.source, at), expected, found)
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

    /// The member `type`; the text that it is.
    fn kind(&self, raw: &'a RawValue, members: &Members<'a>) -> Result<(&'a RawValue, String), Fault> {
        let kind = self.member(raw, members, "type")?;
        let word =
            serde_json::from_str(kind.get()).map_err(|_| self.fault(kind, "the name of a type", describe(kind)))?;
        Ok((kind, word))
    }

    fn document(&self, raw: &'a RawValue) -> Result<(), Fault> {
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
                    self.feature(&members)?;
                }
                Ok(())
            }
            "Feature" => self.feature(&members),
            _ => self.geometry(raw, 0),
        }
    }

    fn feature(&self, members: &Members<'a>) -> Result<(), Fault> {
        let given = |name: &str| members.get(name).copied().filter(|raw| raw.get() != "null");
        if let Some(properties) = given("properties") {
            self.object(properties, "an object or null")?;
        }
        given("geometry").map_or(Ok(()), |geometry| self.geometry(geometry, 0))
    }

    fn geometry(&self, raw: &'a RawValue, depth: usize) -> Result<(), Fault> {
        let members = self.object(raw, "a geometry")?;
        let (kind, word) = self.kind(raw, &members)?;
        let arrays: &[&str] = match word.as_str() {
            "GeometryCollection" if depth == DEEPEST => {
                let Mistake { expected, found, .. } = too_deep();
                return Err(self.fault(raw, &expected, found.unwrap_or_default()));
            }
            "GeometryCollection" => {
                let geometries = self.member(raw, &members, "geometries")?;
                let geometries = self.array(geometries, "an array of geometries")?;
                return geometries.into_iter().try_for_each(|geometry| self.geometry(geometry, depth + 1));
            }
            "Point" => &[],
            "MultiPoint" | "LineString" => &["an array of positions"],
            "MultiLineString" => &["an array of lines", "an array of positions"],
            "Polygon" => &["an array of rings", "an array of positions"],
            "MultiPolygon" => &["an array of polygons", "an array of rings", "an array of positions"],
            "Feature" | "FeatureCollection" => {
                return Err(self.fault(kind, "the name of a geometry type", quoted(&word)));
            }
            _ => return Err(self.fault(kind, "the name of a GeoJSON type", quoted(&word))),
        };
        self.coordinates(self.member(raw, &members, "coordinates")?, arrays)
    }

    /// Positions inside these arrays, the outermost first.
    fn coordinates(&self, raw: &'a RawValue, arrays: &[&str]) -> Result<(), Fault> {
        let Some((outer, inner)) = arrays.split_first() else { return self.position(raw) };
        self.array(raw, outer)?.into_iter().try_for_each(|value| self.coordinates(value, inner))
    }

    fn position(&self, raw: &'a RawValue) -> Result<(), Fault> {
        let numbers = self.array(raw, "a position")?;
        if numbers.len() < 2 {
            return Err(self.fault(raw, POSITION, numbers.len().to_string()));
        }
        // The parser takes a number that overflows f64 for none.
        let strange = numbers.into_iter().find(|number| serde_json::from_str::<f64>(number.get()).is_err());
        strange.map_or(Ok(()), |number| Err(self.fault(number, NUMBER, describe(number))))
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
