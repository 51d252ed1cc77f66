//! Contacts, circles and hits as CSV.
//!
//! Comes in: a snapshot, or hits. Goes out: text whose numbers are the shortest that read back as the same f32. Does not know
//! files.

use crate::snapshot::Snapshot;
use gridlane::{Hit, TargetKind, Vec2};
use std::fmt;
use std::io::{self, Write};

/// The columns of [`write_contacts`].
const CONTACTS: &str = "kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y";

/// `kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y`: circle_circle, circle_segment, segment_segment, each sorted by a, then b.
///
/// A field that the kind does not have is empty. Two segments have no normal and no separation; their feature is how
/// they touch: cross, touch, overlap or near. `t` and `u` are where x,y is on either, 0 at its start, 1 at its end; an overlap goes from
/// x,y to to_x,to_y, which is the same point in the other classes.
pub(crate) fn write_contacts(snapshot: &Snapshot, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{CONTACTS}")?;
    for contact in &snapshot.circle_circle {
        let (point, normal) = (Pair(contact.point), Pair(contact.normal));
        let separation = Shortest(contact.separation);
        writeln!(out, "circle_circle,{},{},{point},{normal},{separation},,,,,", contact.a, contact.b)?;
    }
    for contact in &snapshot.circle_segment {
        let (point, normal) = (Pair(contact.point), Pair(contact.normal));
        let (separation, feature) = (Shortest(contact.separation), contact.feature.name());
        writeln!(out, "circle_segment,{},{},{point},{normal},{separation},{feature},,,,", contact.a, contact.b)?;
    }
    for contact in &snapshot.segment_segment {
        let (point, class) = (Pair(contact.point), contact.class.name());
        let (t, u, to) = (Shortest(contact.t), Shortest(contact.u), Pair(contact.to));
        writeln!(out, "segment_segment,{},{},{point},,,,{class},{t},{u},{to}", contact.a, contact.b)?;
    }
    Ok(())
}

/// `x,y,radius,vx,vy,mass` in input order.
pub(crate) fn write_state(snapshot: &Snapshot, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "x,y,radius,vx,vy,mass")?;
    let circles = &snapshot.circles;
    for row in 0..circles.x.len() {
        let centre = Pair(Vec2::new(circles.x[row], circles.y[row]));
        let velocity = Pair(Vec2::new(circles.velocity_x[row], circles.velocity_y[row]));
        let (radius, mass) = (Shortest(circles.radius[row]), Shortest(circles.mass[row]));
        writeln!(out, "{centre},{radius},{velocity},{mass}")?;
    }
    Ok(())
}

/// `fraction,segment,x,y,nx,ny`, and `circle` if asked for: a row a ray, in their order; empty fields where nothing is met.
pub(crate) fn write_hits(hits: &[Hit], circles: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "fraction,segment,x,y,nx,ny{}", if circles { ",circle" } else { "" })?;
    for hit in hits {
        if hit.is_hit() {
            write!(out, "{},", Shortest(hit.fraction))?;
            if hit.target.kind == TargetKind::Segment {
                write!(out, "{}", hit.target.row)?;
            }
            write!(out, ",{},{}", Pair(hit.point), Pair(hit.normal))?;
        } else {
            write!(out, ",,,,,")?;
        }
        if circles {
            write!(out, ",")?;
            if hit.target.kind == TargetKind::Circle {
                write!(out, "{}", hit.target.row)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The fewest digits that read back as the same number; with an exponent where zeros would fill the line.
pub(crate) struct Shortest(pub(crate) f32);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) || size.is_infinite() {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

pub(crate) struct Pair(pub(crate) Vec2);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", Shortest(self.0.x), Shortest(self.0.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::CircleColumns;
    use gridlane::{CircleCircleContact, CircleSegmentContact, Feature, SegmentClass, SegmentSegmentContact};

    #[test]
    fn contacts_are_written_kind_by_kind() {
        let point = Vec2::new(0.5, -1e30);
        let normal = Vec2::new(0.0, 1.0);
        let snapshot = Snapshot {
            circle_circle: vec![CircleCircleContact { a: 1, b: 2, point, normal, separation: -0.25 }],
            circle_segment: vec![CircleSegmentContact {
                a: 3,
                b: 4,
                point,
                normal,
                separation: 0.0,
                feature: Feature::End,
            }],
            segment_segment: vec![SegmentSegmentContact {
                a: 5,
                b: 6,
                class: SegmentClass::Overlap,
                point,
                t: 0.25,
                u: 1.0,
                to: normal,
            }],
            ..Snapshot::default()
        };
        let mut out = Vec::new();
        write_contacts(&snapshot, &mut out).expect("memory takes all");
        let expected = "kind,a,b,x,y,nx,ny,separation,feature,t,u,to_x,to_y\n\
            circle_circle,1,2,0.5,-1e30,0,1,-0.25,,,,,\n\
            circle_segment,3,4,0.5,-1e30,0,1,0,end,,,,\n\
            segment_segment,5,6,0.5,-1e30,,,,overlap,0.25,1,0,1\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn circles_are_written_row_by_row() {
        let circles = CircleColumns {
            x: vec![0.1],
            y: vec![-0.0],
            radius: vec![1e-45],
            velocity_x: vec![16_777_216.0],
            velocity_y: vec![f32::MAX],
            mass: vec![f32::INFINITY],
        };
        let mut out = Vec::new();
        write_state(&Snapshot { circles, ..Snapshot::default() }, &mut out).expect("memory takes all");
        assert_eq!(String::from_utf8_lossy(&out), "x,y,radius,vx,vy,mass\n0.1,-0,1e-45,16777216,3.4028235e38,inf\n");
    }
}
