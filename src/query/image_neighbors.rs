//! What is near each circle, in a plane that repeats.
//!
//! Comes in: a distance and a filter. Goes out: for each circle, by row, its neighbours, each once: circles by their shortest image, segments by
//! the nearest. This room does not know how bodies are found.
//!
//! Who is a neighbour is decided exactly. Points and separations are those of the circle's own image beside the other body, rounded where it is no
//! `f32`; points are then moved back to where the circle is. Some microseconds a circle.

use super::back::Move;
use super::images::{Imaged, widened};
use super::neighbors::Neighbor;
use super::{Queries, QueryFilter, Target, TargetKind};
use crate::error::{Error, Kind};
use crate::geometry::{self, Segment};
use std::ops::Range;

impl Queries<'_> {
    /// `list(its neighbours)` for each of some circles, until one is false.
    pub(super) fn near_images(
        &self,
        rows: Range<usize>,
        distance: f32,
        filter: &QueryFilter<'_>,
        mut list: impl FnMut(&[Neighbor]) -> bool,
    ) -> Result<(), Error> {
        let (mut found, mut targets) = (Vec::new(), Vec::new());
        for row in rows {
            found.clear();
            self.near_one(row as u32, distance, filter, &mut targets, &mut found)?;
            // The nearest image of each body comes first; of equally near ones that moved least, which was found first.
            found.sort_by(|one: &Neighbor, two: &Neighbor| {
                one.target.cmp(&two.target).then(one.separation.total_cmp(&two.separation))
            });
            found.dedup_by_key(|neighbor| neighbor.target);
            if !list(&found) {
                break;
            }
        }
        Ok(())
    }

    fn near_one(
        &self,
        row: u32,
        distance: f32,
        filter: &QueryFilter<'_>,
        targets: &mut Vec<Target>,
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        let own = self.circle_by_name(row);
        let asked = widened(own, distance);
        let around =
            self.around([own.center.x, own.center.y].map(f64::from), f64::from(own.radius) + f64::from(distance));
        for count in self.counts(around, self.cover(), Kind::Query, row as usize)? {
            let (way, by) = (Move::by(self.way(count)), self.periods().shift(count));
            let back = way.reverse();
            self.overlap_plainly(asked.moved(&back).grown(), filter, targets);
            let beside = own.moved(&back);
            for &target in targets.iter() {
                let (body, gap) = if target.kind == TargetKind::Circle {
                    let other = self.circle_by_name(target.row);
                    let point = Segment { start: other.center, end: other.center, radius: other.radius };
                    let is_shortest = self.periods().shortest(own.center.into(), other.center.into()) == count;
                    if target.row == row || !is_shortest {
                        continue;
                    }
                    (point, geometry::circle_circle_gap(beside, other))
                } else {
                    let segment = self.scene.segment(target.row);
                    (segment, geometry::circle_segment_gap(beside, segment))
                };
                if geometry::circle_within_image(own, body, &by, distance) {
                    let gap = gap.unwrap_or_default();
                    let point = way.moved(gap.point);
                    found.push(Neighbor { point, separation: gap.separation, feature: gap.feature, target });
                }
            }
        }
        Ok(())
    }
}
