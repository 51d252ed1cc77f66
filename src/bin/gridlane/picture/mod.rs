//! Bodies and contacts as a picture.
//!
//! Comes in: a snapshot and a title. Goes out: a [`Drawing`], marks in groups of one style, in pixels, y downwards;
//! [`write_svg`] and [`write_png`] put the same drawing down in two formats. Coordinates are computed in f64 from
//! finite f32, so no extent overflows and every pixel is finite.

mod legend;
mod letters;
mod palette;
mod png;
mod svg;
mod thin;
mod view;

pub(crate) use png::write_png;
pub(crate) use svg::write_svg;

use crate::snapshot::Snapshot;
use gridlane::{SegmentClass, Vec2};
use palette::Colour;
use view::{View, between};

/// A whole picture on white.
pub(crate) struct Drawing {
    width: f64,
    height: f64,
    title: String,
    groups: Vec<Group>,
}

/// Marks of one style, drawn in order.
struct Group {
    style: Style,
    marks: Vec<Mark>,
}

/// How marks look.
#[derive(Clone, Copy)]
struct Style {
    /// Colour and opacity of the inside.
    fill: Option<(Colour, f64)>,
    /// Colour and width of the outline, of lines, and of dots.
    stroke: Option<(Colour, f64)>,
}

/// One thing to draw, in pixels.
enum Mark {
    Disc {
        x: f64,
        y: f64,
        radius: f64,
    },
    Line {
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
    },
    /// As wide as the stroke.
    Dot {
        x: f64,
        y: f64,
    },
    /// Standing on a corner.
    Diamond {
        x: f64,
        y: f64,
        half: f64,
    },
    Square {
        x: f64,
        y: f64,
        half: f64,
    },
    /// Begins at x, stands on y.
    Text {
        x: f64,
        y: f64,
        text: String,
    },
}

impl Group {
    fn new(fill: Option<(Colour, f64)>, stroke: Option<(Colour, f64)>) -> Group {
        Group { style: Style { fill, stroke }, marks: vec![] }
    }
}

/// The groups of a picture, back to front.
struct Groups {
    free: Group,
    touching: Group,
    segments: Group,
    overlaps: Group,
    normals: Group,
    contacts: Group,
    joints: Group,
    crossings: Group,
}

/// Circles lightly filled, those that touch in another colour; segments dark; contacts of circles as dots, with their
/// normals where there is room; joints of segments as squares, crossings as diamonds, overlaps as broad lines.
pub(crate) fn draw(snapshot: &Snapshot, title: &str) -> Drawing {
    let view = View::of(snapshot);
    let size = view.typical_size(snapshot);
    let mut groups = Groups::new(size);
    add_circles(&mut groups, snapshot, &view);
    add_segments(&mut groups, snapshot, &view);
    add_contacts(&mut groups, snapshot, &view, size);
    let mut text = Group::new(Some((palette::INK, 1.0)), None);
    let height = legend::add(&mut groups, &mut text, snapshot, title, &view);
    let Groups { free, touching, segments, overlaps, normals, contacts, joints, crossings } = groups;
    let mut groups = vec![free, touching, segments, overlaps, normals, contacts, joints, crossings, text];
    // After the legend, which counts them.
    for group in &mut groups {
        group.marks = thin::thin(std::mem::take(&mut group.marks), view.width, height);
    }
    Drawing { width: view.width, height, title: title.to_string(), groups }
}

impl Groups {
    /// `size`: what is typical, the radius of a circle or half the length of a segment, in pixels.
    fn new(size: f64) -> Groups {
        // Where most circles are dots, the outline is what is seen of them.
        let outline = if size < SMALLEST_DISC { 0.8 } else { between(0.12 * size, 0.3, 1.5) };
        let wall = between(0.3 * size, 0.7, 2.5);
        Groups {
            free: Group::new(Some((palette::SKY, 0.35)), Some((palette::BLUE, outline))),
            touching: Group::new(Some((palette::ORANGE, 0.6)), Some((palette::VERMILLION, outline))),
            segments: Group::new(None, Some((palette::INK, wall))),
            overlaps: Group::new(None, Some((palette::GREEN, 1.8 * wall))),
            normals: Group::new(None, Some((palette::INK, outline))),
            contacts: Group::new(None, Some((palette::BLACK, between(0.35 * size, 0.9, 5.0)))),
            joints: Group::new(Some((palette::GREEN, 1.0)), None),
            crossings: Group::new(Some((palette::PURPLE, 1.0)), Some((palette::BLACK, 0.6))),
        }
    }
}

fn add_circles(groups: &mut Groups, snapshot: &Snapshot, view: &View) {
    let circles = &snapshot.circles;
    let mut touches = vec![false; circles.x.len()];
    for contact in &snapshot.circle_circle {
        touches[contact.a as usize] = true;
        touches[contact.b as usize] = true;
    }
    for contact in &snapshot.circle_segment {
        touches[contact.a as usize] = true;
    }
    for (row, touches) in touches.into_iter().enumerate() {
        let (x, y) = view.place(circles.x[row], circles.y[row]);
        let radius = view.length(circles.radius[row]);
        let group = if touches { &mut groups.touching } else { &mut groups.free };
        // A body too small to be seen is still shown to be there.
        group.marks.push(if radius < SMALLEST_DISC { Mark::Dot { x, y } } else { Mark::Disc { x, y, radius } });
    }
}

/// A circle of a smaller radius, in pixels, is drawn as a dot.
const SMALLEST_DISC: f64 = 0.5;

fn add_segments(groups: &mut Groups, snapshot: &Snapshot, view: &View) {
    let segments = &snapshot.segments;
    for row in 0..segments.x0.len() {
        let (x0, y0) = view.place(segments.x0[row], segments.y0[row]);
        let (x1, y1) = view.place(segments.x1[row], segments.y1[row]);
        groups.segments.marks.push(line_or_dot(x0, y0, x1, y1));
    }
}

fn add_contacts(groups: &mut Groups, snapshot: &Snapshot, view: &View, size: f64) {
    let of_circles = snapshot.circle_circle.iter().map(|contact| (contact.point, contact.normal));
    let of_segments = snapshot.circle_segment.iter().map(|contact| (contact.point, contact.normal));
    // Smaller than this, normals are only dirt.
    let reach = if size < 5.0 { 0.0 } else { between(0.6 * size, 3.0, 14.0) };
    for (point, Vec2 { x: nx, y: ny }) in of_circles.chain(of_segments) {
        let (x, y) = view.place(point.x, point.y);
        groups.contacts.marks.push(Mark::Dot { x, y });
        if reach > 0.0 {
            let (dx, dy) = (reach * f64::from(nx), -reach * f64::from(ny));
            groups.normals.marks.push(Mark::Line { x0: x - dx, y0: y - dy, x1: x + dx, y1: y + dy });
        }
    }
    let (diamond, square) = (between(0.75 * size, 3.0, 6.0), between(0.35 * size, 0.9, 2.8));
    for contact in &snapshot.segment_segment {
        let (x, y) = view.place(contact.point.x, contact.point.y);
        match contact.class {
            SegmentClass::Cross => groups.crossings.marks.push(Mark::Diamond { x, y, half: diamond }),
            SegmentClass::Touch => groups.joints.marks.push(Mark::Square { x, y, half: square }),
            SegmentClass::Overlap => {
                let (x1, y1) = view.place(contact.to.x, contact.to.y);
                groups.overlaps.marks.push(line_or_dot(x, y, x1, y1));
            }
            // Two capsules that are near have no common point to mark.
            _ => {}
        }
    }
}

/// A line shorter than a printed digit would vanish, in some viewers.
fn line_or_dot(x0: f64, y0: f64, x1: f64, y1: f64) -> Mark {
    let (dx, dy) = (x1 - x0, y1 - y0);
    if dx * dx + dy * dy < 0.01 { Mark::Dot { x: x0, y: y0 } } else { Mark::Line { x0, y0, x1, y1 } }
}
