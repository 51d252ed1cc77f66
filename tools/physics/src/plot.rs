//! Lines over two axes, as SVG.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// What stands at an axis, and how it is divided.
pub(crate) struct Axis {
    label: &'static str,
    logarithmic: bool,
}

impl Axis {
    pub(crate) fn linear(label: &'static str) -> Axis {
        Axis { label, logarithmic: false }
    }

    pub(crate) fn logarithmic(label: &'static str) -> Axis {
        Axis { label, logarithmic: true }
    }
}

/// Points that belong together.
pub(crate) struct Line {
    name: String,
    points: Vec<[f64; 2]>,
    dots: bool,
}

impl Line {
    pub(crate) fn new(name: impl Into<String>, points: Vec<[f64; 2]>) -> Line {
        Line { name: name.into(), points, dots: false }
    }

    /// Dots that are not joined.
    pub(crate) fn dots(self) -> Line {
        Line { dots: true, ..self }
    }
}

/// Told apart by most eyes (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Writes the plot.
pub(crate) fn lines(path: &Path, title: &str, x: Axis, y: Axis, all: &[Line]) -> Result<(), Box<dyn Error>> {
    let range = |k: usize, logarithmic: bool| {
        let values =
            || all.iter().flat_map(|line| &line.points).map(move |p| p[k]).filter(|v| !logarithmic || *v > 0.0);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if !(low <= high) {
            (1.0, 2.0)
        } else if logarithmic {
            (low / 1.3, high * 1.3)
        } else {
            let room = if high > low { 0.05 * (high - low) } else { 1.0 };
            (low - room, high + room)
        }
    };
    let ((x0, x1), (y0, y1)) = (range(0, x.logarithmic), range(1, y.logarithmic));
    match (x.logarithmic, y.logarithmic) {
        (false, false) => draw(path, title, (x.label, x0..x1), (y.label, y0..y1), all),
        (false, true) => draw(path, title, (x.label, x0..x1), (y.label, (y0..y1).log_scale()), all),
        (true, false) => draw(path, title, (x.label, (x0..x1).log_scale()), (y.label, y0..y1), all),
        (true, true) => draw(path, title, (x.label, (x0..x1).log_scale()), (y.label, (y0..y1).log_scale()), all),
    }
}

fn draw<X, Y>(path: &Path, title: &str, x: (&str, X), y: (&str, Y), all: &[Line]) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let area = SVGBackend::new(path, (760, 460)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(x.1, y.1)?;
    let number =
        |v: &f64| if *v != 0.0 && (v.abs() < 1e-3 || v.abs() >= 1e5) { format!("{v:.1e}") } else { format!("{v}") };
    chart.configure_mesh().x_desc(x.0).y_desc(y.0).x_label_formatter(&number).y_label_formatter(&number).draw()?;
    for (line, &colour) in all.iter().zip(COLOURS.iter().cycle()) {
        let points = line.points.iter().map(|p| (p[0], p[1]));
        let drawn = if line.dots {
            chart.draw_series(points.map(|point| Circle::new(point, 2, colour.filled())))?
        } else {
            chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?
        };
        drawn
            .label(line.name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
    area.present()?;
    Ok(())
}
