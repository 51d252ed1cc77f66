//! Promise: every hard named case of `tests/data/oracle/cases.jsonl` comes out as decided there.
//!
//! The cases were worked out in exact rational arithmetic by another program. Decisions must be equal, and values must be the very
//! `f32` nearest to the exact value (±`f32::MAX` where the oracle has an infinity): the bound is half an ulp.

use gridlane::geometry::*;
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::collections::BTreeMap;

struct Case {
    name: String,
    input: Vec<f32>,
    out: Json,
}

impl Case {
    fn vec(&self, at: usize) -> Vec2 {
        Vec2::new(self.input[at], self.input[at + 1])
    }

    fn segment(&self, at: usize) -> Segment {
        Segment::new(self.vec(at), self.vec(at + 2))
    }

    fn circle(&self, at: usize) -> Circle {
        Circle::new(self.vec(at), self.input[at + 2])
    }

    fn flag(&self, field: &str) -> bool {
        self.out[field].as_bool().unwrap_or_else(|| panic!("{}: no {field}", self.name))
    }

    fn text(&self, field: &str) -> &str {
        self.out[field].as_str().unwrap_or_else(|| panic!("{}: no {field}", self.name))
    }

    /// A real of the oracle, rounded once; compared by value, so that -0 is 0.
    fn real(&self, expected: &Json, got: f32, what: &str) {
        let bits = expected["f32bits"].as_str().unwrap_or_else(|| panic!("{}: {what}", self.name));
        let value = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
        let value = if value.is_infinite() { f32::MAX.copysign(value) } else { value };
        assert_eq!(got, value, "{}: {what}", self.name);
    }

    fn point(&self, expected: &Json, got: Vec2, what: &str) {
        self.real(&expected[0], got.x, what);
        self.real(&expected[1], got.y, what);
    }

    fn feature(&self, expected: &str, got: Feature) {
        let expected = match expected {
            "interior" => Feature::Interior,
            "a" | "degenerate" => Feature::Start,
            "b" => Feature::End,
            other => panic!("{}: region {other}", self.name),
        };
        assert_eq!(got, expected, "{}", self.name);
    }
}

/// The other way round, without -0.
fn negated(v: Vec2) -> Vec2 {
    Vec2::new(0.0 - v.x, 0.0 - v.y)
}

fn side(expected: &Json) -> Ordering {
    expected.as_i64().unwrap().cmp(&0)
}

#[test]
fn every_case_agrees() {
    let text = include_str!("data/oracle/cases.jsonl");
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let json: Json = serde_json::from_str(line).unwrap();
        let bits = json["bits"].as_array().unwrap().iter();
        let input = bits.map(|b| f32::from_bits(u32::from_str_radix(b.as_str().unwrap(), 16).unwrap())).collect();
        let kind = json["kind"].as_str().unwrap().to_owned();
        let name = format!("{} ({})", json["id"].as_str().unwrap(), json["why"].as_str().unwrap());
        let case = Case { name, input, out: json["out"].clone() };
        match kind.as_str() {
            "point_circle" => point_circle(&case),
            "point_line" => point_line(&case),
            "point_segment" => point_segment(&case),
            "line_circle" => line_circle_case(&case),
            "circle_segment" => circle_segment_case(&case),
            "circle_circle" => circle_circle_case(&case),
            "segment_segment" => segment_segment_case(&case),
            "reflect" => reflect_case(&case),
            "reflect_segment" => reflect_segment(&case),
            "swept_circle_segment" => swept_segment(&case),
            "swept_circle_circle" => swept_circle(&case),
            "ray_segment" => ray_segment_case(&case),
            "ray_circle" => ray_circle_case(&case),
            other => panic!("unknown kind {other}"),
        }
        *counts.entry(kind).or_insert(0) += 1;
    }
    let expected = [
        ("circle_circle", 8),
        ("circle_segment", 19),
        ("line_circle", 9),
        ("point_circle", 8),
        ("point_line", 5),
        ("point_segment", 2),
        ("ray_circle", 2),
        ("ray_segment", 6),
        ("reflect", 3),
        ("reflect_segment", 1),
        ("segment_segment", 21),
        ("swept_circle_circle", 3),
        ("swept_circle_segment", 18),
    ];
    assert_eq!(counts, expected.map(|(kind, count)| (kind.to_owned(), count)).into());
}

// In: p c r.
fn point_circle(case: &Case) {
    let (p, circle) = (case.vec(0), case.circle(2));
    assert_eq!(point_in_circle(p, circle), case.flag("hit"), "{}", case.name);
    let rows = points_in_circles(p, &[circle.center.x], &[circle.center.y], &[circle.radius]).count();
    assert_eq!(rows, usize::from(case.flag("hit")), "{}", case.name);
    case.real(
        &case.out["dist"],
        nearest_on_segment(p, Segment::new(circle.center, circle.center)).distance,
        "distance",
    );
}

// In: p a v.
fn point_line(case: &Case) {
    let (p, line) = (case.vec(0), Line::new(case.vec(2), case.vec(4)));
    let nearest = nearest_on_line(p, line);
    case.real(&case.out["t"], nearest.t, "t");
    case.real(&case.out["dist"], nearest.distance, "distance");
    case.point(&case.out["foot"], nearest.foot, "foot");
    let signed = signed_distance(p, line);
    assert_eq!(signed.side, side(&case.out["side"]), "{}", case.name);
    case.real(&case.out["dist"], signed.height.abs(), "height");
}

// In: p a b.
fn point_segment(case: &Case) {
    let (p, segment) = (case.vec(0), case.segment(2));
    let nearest = nearest_on_segment(p, segment);
    case.feature(case.text("region"), nearest.feature);
    case.real(&case.out["t"], nearest.t, "t");
    case.real(&case.out["dist"], nearest.distance, "distance");
    case.point(&case.out["closest"], nearest.foot, "closest");
    assert_eq!(signed_distance(p, Line::through(segment)).side, side(&case.out["side"]), "{}", case.name);
}

// In: a v c r.
fn line_circle_case(case: &Case) {
    let found = line_circle(Line::new(case.vec(0), case.vec(2)), case.circle(4));
    case.point(&case.out["foot"], found.foot, "foot");
    if !case.flag("degenerate") {
        case.real(&case.out["t_foot"], found.t, "t of the foot");
        let tangent = matches!(found.crossing, LineCrossing::Tangent(_));
        assert_eq!(tangent, case.flag("tangent"), "{}", case.name);
    }
    let points = match found.crossing {
        LineCrossing::Miss => vec![],
        LineCrossing::Tangent(p) => vec![p],
        LineCrossing::Secant(p, q) => vec![p, q],
    };
    assert_eq!(points.len() as u64, case.out["n"].as_u64().unwrap(), "{}", case.name);
    for (i, p) in points.iter().enumerate() {
        case.point(&case.out["points"][i], p.point, "point");
        case.real(&case.out["t"][i], p.t, "t");
    }
}

// In: c r a b.
fn circle_segment_case(case: &Case) {
    let (circle, segment) = (case.circle(0), case.segment(3));
    let contact = circle_segment(circle, segment);
    assert_eq!(contact.is_some(), case.flag("hit"), "{}", case.name);
    assert_eq!(circle_touches_segment(circle, segment), case.flag("hit"), "{}", case.name);
    let nearest = nearest_on_segment(circle.center, segment);
    case.feature(case.text("region"), nearest.feature);
    case.real(&case.out["t"], nearest.t, "t");
    case.real(&case.out["dist"], nearest.distance, "distance");
    case.point(&case.out["closest"], nearest.foot, "closest");
    let crossings = match segment_circle(segment, circle) {
        SegmentCircle::None => 0,
        SegmentCircle::One(_) => 1,
        SegmentCircle::Two(..) => 2,
    };
    assert_eq!(crossings, case.out["outline_crossings"].as_u64().unwrap(), "{}", case.name);
    let Some(contact) = contact else {
        return assert_eq!(push_out(circle, segment), circle.center, "{}", case.name);
    };
    case.feature(case.text("region"), contact.feature);
    case.point(&case.out["closest"], contact.point, "point");
    case.real(&case.out["depth"], 0.0 - contact.separation, "depth");
    assert_eq!(contact.separation == 0.0, case.flag("touch"), "{}", case.name);
    if let Json::Array(normal) = &case.out["normal"] {
        // The oracle's normal points from the segment to the circle.
        case.point(&Json::Array(normal.clone()), negated(contact.normal), "normal");
        case.point(&case.out["pushed_centre"], push_out(circle, segment), "pushed centre");
    } else if let Json::Array(choice) = &case.out["normal_any_of"] {
        let same = |one: &Json| {
            let bits = |axis: usize| u32::from_str_radix(one[axis]["f32bits"].as_str().unwrap(), 16).unwrap();
            contact.normal == Vec2::new(f32::from_bits(bits(0)), f32::from_bits(bits(1)))
        };
        assert!(choice.iter().any(same), "{}: {:?} of {choice:?}", case.name, contact.normal);
    } else {
        assert_eq!(contact.normal, Vec2::new(0.0, 1.0), "{}", case.name);
    }
}

// In: c1 r1 c2 r2.
fn circle_circle_case(case: &Case) {
    let (a, b) = (case.circle(0), case.circle(3));
    let contact = circle_circle(a, b);
    assert_eq!(contact.is_some(), case.flag("hit"), "{}", case.name);
    assert_eq!(circles_touch(a, b), case.flag("hit"), "{}", case.name);
    let Some(contact) = contact else { return };
    case.real(&case.out["depth"], 0.0 - contact.separation, "depth");
    if case.out["normal_1_to_2"].is_null() {
        assert_eq!(contact.normal, Vec2::new(0.0, 1.0), "{}", case.name);
    } else {
        case.point(&case.out["normal_1_to_2"], contact.normal, "normal");
    }
}

// In: a b c d.
fn segment_segment_case(case: &Case) {
    let (a, b) = (case.segment(0), case.segment(4));
    let relation = segment_segment(a, b);
    assert_eq!(segments_touch(a, b), case.flag("hit"), "{}", case.name);
    let at = |point: Vec2, t: f32, u: f32| {
        case.point(&case.out["point"], point, "point");
        case.real(&case.out["t1"], t, "t");
        case.real(&case.out["t2"], u, "u");
    };
    let class = match relation {
        SegmentRelation::Disjoint => "disjoint",
        SegmentRelation::Cross { point, t, u } => {
            at(point, t, u);
            "cross"
        }
        SegmentRelation::Touch { point, t, u } => {
            at(point, t, u);
            "touch"
        }
        SegmentRelation::Overlap { from, to } => {
            case.point(&case.out["overlap"][0], from, "from");
            case.point(&case.out["overlap"][1], to, "to");
            "overlap"
        }
    };
    assert_eq!(class, case.text("class"), "{}", case.name);
}

// In: v n.
fn reflect_case(case: &Case) {
    let (v, n) = (case.vec(0), case.vec(2));
    case.point(&case.out["out"], reflect(v, n), "mirrored");
    if case.out["approaching"] == Json::Bool(false) {
        assert_eq!(bounce(v, n), v, "{}", case.name);
    }
}

// In: v a b.
fn reflect_segment(case: &Case) {
    let (a, b) = (case.vec(2), case.vec(4));
    case.point(&case.out["out"], reflect(case.vec(0), [a.y - b.y, b.x - a.x]), "mirrored");
}

// In: c d r a b.
fn swept_segment(case: &Case) {
    let circle = Circle::new(case.vec(0), case.input[4]);
    let sweep = sweep_circle_segment(circle, case.vec(2), case.segment(5));
    assert_eq!(sweep.is_some(), case.flag("hit"), "{}", case.name);
    let Some(sweep) = sweep else { return };
    case.real(&case.out["t"], sweep.fraction, "fraction");
    case.point(&case.out["contact"], sweep.contact.point, "contact");
    case.feature(case.text("region"), sweep.contact.feature);
    if !case.out["normal"].is_null() {
        case.point(&case.out["normal"], negated(sweep.contact.normal), "normal");
    }
    if case.text("initial") != "clear" {
        assert_eq!((sweep.fraction, sweep.approaching), (0.0, case.flag("approaching")), "{}", case.name);
        assert_eq!(sweep.contact.separation == 0.0, case.text("initial") == "touch", "{}", case.name);
    } else {
        assert_eq!(sweep.contact.separation, 0.0, "{}", case.name);
        if !case.flag("graze") {
            assert!(sweep.approaching, "{}", case.name);
        }
    }
}

// In: c1 d1 r1 c2 d2 r2.
fn swept_circle(case: &Case) {
    let (a, b) = (Circle::new(case.vec(0), case.input[4]), Circle::new(case.vec(5), case.input[9]));
    let sweep = sweep_circle_circle(a, case.vec(2), b, case.vec(7));
    assert_eq!(sweep.is_some(), case.flag("hit"), "{}", case.name);
    let Some(sweep) = sweep else { return };
    case.real(&case.out["t"], sweep.fraction, "fraction");
    // The oracle's normal points from the second to the first here.
    case.point(&case.out["normal"], negated(sweep.contact.normal), "normal");
    if case.text("initial") != "clear" {
        assert_eq!((sweep.fraction, sweep.approaching), (0.0, case.flag("approaching")), "{}", case.name);
    } else if !case.flag("graze") {
        assert!(sweep.approaching, "{}", case.name);
    }
}

// In: o v tmax a b.
fn ray_segment_case(case: &Case) {
    let ray = Ray::new(case.vec(0), case.vec(2)).with_max(case.input[4]);
    let hit = ray_segment(ray, case.segment(5));
    assert_eq!(hit.is_some(), case.flag("hit"), "{}", case.name);
    let Some(hit) = hit else { return };
    case.real(&case.out["t"], hit.t, "t");
    if case.out["point"].is_array() {
        case.point(&case.out["point"], hit.point, "point");
    }
    if case.out["at"].is_string() {
        assert_eq!(case.text("at") == "interior", hit.feature == Feature::Interior, "{}", case.name);
    }
}

// In: o v tmax c r.
fn ray_circle_case(case: &Case) {
    let ray = Ray::new(case.vec(0), case.vec(2)).with_max(case.input[4]);
    let hit = ray_circle(ray, case.circle(5));
    assert_eq!(hit.is_some(), case.flag("hit"), "{}", case.name);
    let Some(hit) = hit else { return };
    case.real(&case.out["t"], hit.t, "t");
    case.point(&case.out["normal"], hit.normal, "normal");
}
