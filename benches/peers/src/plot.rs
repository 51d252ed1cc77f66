//! ns per body against bodies as SVG, both axes logarithmic: a line for each peer on one thread, gas scenes, caller's order.

use crate::peers::OURS;
use crate::report::Row;
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
/// Left, top, right, bottom: labels of the lines stand at the right.
const MARGIN: [f64; 4] = [64.0, 40.0, 150.0, 48.0];
/// Told apart by most eyes (Okabe and Ito), ours first.
const COLOURS: [&str; 9] =
    ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c6d31", "#5254a3"];

struct Line {
    name: &'static str,
    points: Vec<[f64; 2]>,
}

/// The picture; axes without lines if nothing was measured on gas.
pub(crate) fn svg(rows: &[Row]) -> String {
    let lines = lines(rows);
    let all = || lines.iter().flat_map(|line| &line.points);
    // Whole powers of ten; what is less than a third beyond one is let stand out.
    let bounds = |k: usize| {
        let values = || all().map(|point| point[k].log10());
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if low <= high { [low.floor(), (high - 0.1).ceil().max(low.floor() + 1.0)] } else { [0.0, 1.0] }
    };
    let (across, up) = (bounds(0), bounds(1));
    let place = |[x, y]: [f64; 2]| {
        let share = |value: f64, [low, high]: [f64; 2]| (value.log10() - low) / (high - low);
        let x = MARGIN[0] + share(x, across) * (WIDTH - MARGIN[0] - MARGIN[2]);
        [x, HEIGHT - MARGIN[3] - share(y, up) * (HEIGHT - MARGIN[1] - MARGIN[3])]
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"22\" font-size=\"15\">All touching pairs of moving circles and static segments: ns a body, one thread</text>\n",
        MARGIN[0]
    );
    ticks(&mut text, across, up, &place);
    draw(&mut text, &lines, &place);
    text + "</svg>\n"
}

fn lines(rows: &[Row]) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![];
    let wanted =
        |row: &&Row| row.what.starts_with("detection in caller") && row.scene.starts_with("gas") && row.threads == 1;
    for row in rows.iter().filter(wanted) {
        let Ok(times) = &row.times else { continue };
        let point = [row.bodies as f64, times.least * 1e6 / row.bodies as f64];
        match lines.iter_mut().find(|line| line.name == row.peer) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { name: row.peer, points: vec![point] }),
        }
    }
    lines
}

/// A grid line for each power of ten, with its number.
fn ticks(text: &mut String, across: [f64; 2], up: [f64; 2], place: &impl Fn([f64; 2]) -> [f64; 2]) {
    let ten = |power: i32| 10f64.powi(power);
    let [left, right] = across.map(|power| ten(power as i32));
    let [low, high] = up.map(|power| ten(power as i32));
    let line = |text: &mut String, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2]| {
        _ = writeln!(text, "<path d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke=\"#ddd\"/>");
    };
    for power in across[0] as i32..=across[1] as i32 {
        let [x, y] = place([ten(power), low]);
        line(text, [x, y], place([ten(power), high]));
        let name = match power {
            6 => "1m".into(),
            3..=5 => format!("{}k", 10i32.pow(power as u32 - 3)),
            _ => format!("{}", ten(power)),
        };
        _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>", y + 18.0);
    }
    for power in up[0] as i32..=up[1] as i32 {
        let [x, y] = place([left, ten(power)]);
        line(text, [x, y], place([right, ten(power)]));
        let name = ten(power);
        _ = writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>", x - 8.0, y + 4.0);
    }
    let [x, y] = place([left, low]);
    _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{:.1}\">bodies (gas scenes)</text>", y + 38.0);
}

/// Lines with their names at the right end, pushed apart where they would stand on each other.
fn draw(text: &mut String, lines: &[Line], place: &impl Fn([f64; 2]) -> [f64; 2]) {
    let mut labels = vec![];
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let points: Vec<[f64; 2]> = line.points.iter().map(|&point| place(point)).collect();
        let path: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let width = if line.name == OURS { 3.0 } else { 1.5 };
        let path = path.join(" ");
        _ = writeln!(text, "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>");
        for [x, y] in &points {
            _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{colour}\"/>", width + 0.5);
        }
        let [x, y] = points[points.len() - 1];
        labels.push((y, x, line.name, *colour));
    }
    labels.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut lowest = f64::NEG_INFINITY;
    for (y, x, name, colour) in labels {
        let y = y.max(lowest + 14.0);
        lowest = y;
        _ = writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>", x + 9.0, y + 4.0);
    }
}
