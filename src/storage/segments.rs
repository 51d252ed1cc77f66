//! The columns of the segments.
//!
//! Comes in: checked bodies. Goes out: one column a field, the rows that move, and a version by which others know that
//! what they cached about static segments is out of date. Rows stay put: only a removal moves one, the last. This room
//! does not know cells or time.

use super::labels::fill;
use super::{Edited, Label, Labels, SegmentBodies, SegmentBody, SegmentHandle};
use crate::geometry::{Capsules, Segment, Vec2};

/// The state of the segments, row by row.
#[derive(Debug, Default)]
pub(crate) struct SegmentColumns {
    pub(crate) x0: Vec<f32>,
    pub(crate) y0: Vec<f32>,
    pub(crate) x1: Vec<f32>,
    pub(crate) y1: Vec<f32>,
    pub(crate) radius: Vec<f32>,
    pub(crate) velocity_x0: Vec<f32>,
    pub(crate) velocity_y0: Vec<f32>,
    pub(crate) velocity_x1: Vec<f32>,
    pub(crate) velocity_y1: Vec<f32>,
    pub(crate) moving: Vec<bool>,
    /// Solid from the right only.
    pub(crate) one_sided: Vec<bool>,
    pub(crate) handle: Vec<SegmentHandle>,
    pub(crate) labels: Labels,
    /// Rows where `moving` is set, ascending.
    pub(crate) moving_rows: Vec<u32>,
    /// While many are edited at once: the list is behind, or only will be.
    behind: Option<bool>,
    /// Grows whenever a segment is added, removed or edited by hand; motion does not count.
    pub(crate) version: u64,
    /// Grows whenever the filter of a static segment is changed and nothing else.
    pub(crate) filter_version: u64,
    /// The rows of static segments, by [`SegmentColumns::edits`].
    pub(crate) edited: Edited,
}

impl SegmentColumns {
    pub(crate) fn len(&self) -> usize {
        self.x0.len()
    }

    /// The shapes.
    pub(crate) fn capsules(&self) -> Capsules<'_> {
        let SegmentColumns { x0, y0, x1, y1, radius, .. } = self;
        Capsules { x0, y0, x1, y1, radius }
    }

    /// The rows that do not move, ascending.
    pub(crate) fn fixed_rows(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len() as u32).filter(|&row| !self.moving[row as usize])
    }

    /// Of shapes, and of filters.
    pub(crate) fn versions(&self) -> (u64, u64) {
        (self.version, self.filter_version)
    }

    /// How many edits there were: what grows with either version.
    pub(crate) fn edits(&self) -> u64 {
        self.version + self.filter_version
    }

    /// The segment in `row` is, or was before this edit, static and is not what it was.
    fn note(&mut self, row: usize) {
        self.edited.note(self.edits(), row, self.len());
    }

    /// The body in `row`.
    pub(crate) fn body(&self, row: usize) -> SegmentBody {
        let Label { filter, sensor, user_data, restitution, enabled, .. } = self.labels.of(row);
        SegmentBody {
            shape: Segment {
                start: Vec2::new(self.x0[row], self.y0[row]),
                end: Vec2::new(self.x1[row], self.y1[row]),
                radius: self.radius[row],
            },
            start_velocity: Vec2::new(self.velocity_x0[row], self.velocity_y0[row]),
            end_velocity: Vec2::new(self.velocity_x1[row], self.velocity_y1[row]),
            moving: self.moving[row],
            one_sided: self.one_sided[row],
            filter,
            sensor,
            user_data,
            restitution,
            enabled,
        }
    }

    /// Overwrites the body in `row`; its handle stays.
    pub(crate) fn set(&mut self, row: usize, body: SegmentBody) {
        self.x0[row] = body.shape.start.x;
        self.y0[row] = body.shape.start.y;
        self.x1[row] = body.shape.end.x;
        self.y1[row] = body.shape.end.y;
        self.radius[row] = body.shape.radius;
        self.velocity_x0[row] = body.start_velocity.x;
        self.velocity_y0[row] = body.start_velocity.y;
        self.velocity_x1[row] = body.end_velocity.x;
        self.velocity_y1[row] = body.end_velocity.y;
        self.one_sided[row] = body.one_sided;
        self.labels.set(row, body.label());
        let stood = !self.moving[row];
        self.mark(row, moves(body));
        self.version += 1;
        if stood || !self.moving[row] {
            self.note(row);
        }
    }

    /// Overwrites the labels in `row`: whom it meets above all.
    pub(crate) fn set_label(&mut self, row: usize, label: Label) {
        let filter = |labels: &Labels| labels.filters().of(row as u32);
        let before = filter(&self.labels);
        self.labels.set(row, label);
        // Pairs of which one moves are found anew at each step; those of static segments are kept.
        if before != filter(&self.labels) && !self.moving[row] {
            self.filter_version += 1;
            self.note(row);
        }
    }

    /// Makes the body in `row` a sensor, or no longer. What is joined depends on it, so for a static one it counts as an edit.
    pub(crate) fn set_sensor(&mut self, row: usize, sensor: bool) {
        let label = self.labels.of(row);
        self.labels.set(row, Label { sensor, ..label });
        if label.sensor != sensor && !self.moving[row] {
            self.version += 1;
            self.note(row);
        }
    }

    /// Appends one body.
    pub(crate) fn push(&mut self, body: SegmentBody, handle: SegmentHandle) {
        self.x0.push(body.shape.start.x);
        self.y0.push(body.shape.start.y);
        self.x1.push(body.shape.end.x);
        self.y1.push(body.shape.end.y);
        self.radius.push(body.shape.radius);
        self.velocity_x0.push(body.start_velocity.x);
        self.velocity_y0.push(body.start_velocity.y);
        self.velocity_x1.push(body.end_velocity.x);
        self.velocity_y1.push(body.end_velocity.y);
        self.one_sided.push(body.one_sided);
        self.handle.push(handle);
        self.labels.push(body.label());
        self.append_marks();
        self.version += 1;
        if moves(body) {
            self.mark(self.len() - 1, true);
        } else {
            self.note(self.len() - 1);
        }
    }

    /// Appends checked columns, without their handles.
    pub(crate) fn extend(&mut self, bodies: SegmentBodies<'_>) {
        let first = self.len();
        if bodies.x0.is_empty() {
            return;
        }
        self.x0.extend_from_slice(bodies.x0);
        self.y0.extend_from_slice(bodies.y0);
        self.x1.extend_from_slice(bodies.x1);
        self.y1.extend_from_slice(bodies.y1);
        let len = self.x0.len();
        fill(&mut self.radius, bodies.radius, len, 0.0);
        fill(&mut self.velocity_x0, bodies.velocity_x0, len, 0.0);
        fill(&mut self.velocity_y0, bodies.velocity_y0, len, 0.0);
        fill(&mut self.velocity_x1, bodies.velocity_x1, len, 0.0);
        fill(&mut self.velocity_y1, bodies.velocity_y1, len, 0.0);
        fill(&mut self.one_sided, bodies.one_sided, len, false);
        self.labels.extend(bodies.labels(), len);
        self.append_marks();
        self.version += 1;
        for row in first..len {
            if !self.moving[row] {
                self.note(row);
            }
        }
    }

    /// Removes the body in `row`; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, row: usize) {
        let last = self.len() - 1;
        let last_moves = self.moving[last];
        self.version += 1;
        if !(self.moving[row] && last_moves) {
            self.note(row);
            self.note(last);
        }
        self.mark(last, false);
        if row < last {
            self.mark(row, last_moves);
        }
        self.moving.pop();
        self.x0.swap_remove(row);
        self.y0.swap_remove(row);
        self.x1.swap_remove(row);
        self.y1.swap_remove(row);
        self.radius.swap_remove(row);
        self.velocity_x0.swap_remove(row);
        self.velocity_y0.swap_remove(row);
        self.velocity_x1.swap_remove(row);
        self.velocity_y1.swap_remove(row);
        self.one_sided.swap_remove(row);
        self.handle.swap_remove(row);
        self.labels.swap_remove(row);
    }

    fn shapes(&self) -> [&[f32]; 5] {
        [&self.x0, &self.y0, &self.x1, &self.y1, &self.radius]
    }

    /// To be called after columns have been overwritten from outside: lists the rows that move, and takes over the versions of
    /// `before` for what is, of the segments that stand, the same in both; what somebody has cached of it stands then.
    pub(crate) fn succeed(&mut self, before: &SegmentColumns) {
        self.list_moving();
        let same_rows = self.moving == before.moving;
        let fixed = || (0..self.len()).filter(|&row| !self.moving[row]);
        let same_column = |(one, other): (&[f32], &[f32])| {
            let [one, other] = [one, other].map(bytemuck::cast_slice::<f32, u32>);
            one == other || fixed().all(|row| one[row] == other[row])
        };
        // Of moving ones too: whether there is a one-sided segment at all is kept.
        let same_sides = self.one_sided == before.one_sided && self.labels.sensors() == before.labels.sensors();
        let same_shapes = same_rows && same_sides && self.shapes().into_iter().zip(before.shapes()).all(same_column);
        let filters = [self, before].map(|c| c.labels.filters());
        let none = filters.iter().all(|filters| filters.are_left_out());
        let same = |row: usize| filters[0].of(row as u32) == filters[1].of(row as u32);
        let same_filters = same_rows && (none || fixed().all(same));
        (self.version, self.filter_version) = before.versions();
        self.version += u64::from(!same_shapes);
        self.filter_version += u64::from(!same_filters);
        self.edited.forget(self.edits());
    }

    /// Marks the rows that have none yet: they move where a velocity is not zero.
    fn append_marks(&mut self) {
        for row in self.moving.len()..self.len() {
            let moving = self.velocity_x0[row] != 0.0
                || self.velocity_y0[row] != 0.0
                || self.velocity_x1[row] != 0.0
                || self.velocity_y1[row] != 0.0;
            self.moving.push(moving);
            if moving {
                self.moving_rows.push(row as u32);
            }
        }
    }

    /// Many edits follow, and then [`SegmentColumns::edit_done`]: until then the rows that move are not listed, since each edit by itself may
    /// have to shift all of them.
    pub(crate) fn edit_many(&mut self) {
        self.behind = Some(false);
    }

    /// Lists the rows that move, where they are others than before.
    pub(crate) fn edit_done(&mut self) {
        if self.behind.take() == Some(true) {
            self.list_moving();
        }
    }

    fn list_moving(&mut self) {
        self.moving_rows.clear();
        self.moving_rows.extend(self.moving.iter().enumerate().filter(|row| *row.1).map(|(row, _)| row as u32));
    }

    /// Sets the mark of one row and keeps the list of moving rows ascending.
    fn mark(&mut self, row: usize, moving: bool) {
        if let Some(behind) = &mut self.behind {
            *behind |= self.moving[row] != moving;
            self.moving[row] = moving;
            return;
        }
        match (self.moving_rows.binary_search(&(row as u32)), moving) {
            (Ok(at), false) => {
                self.moving_rows.remove(at);
            }
            (Err(at), true) => self.moving_rows.insert(at, row as u32),
            _ => {}
        }
        self.moving[row] = moving;
    }
}

/// A body moves if it says so or has a velocity.
fn moves(body: SegmentBody) -> bool {
    body.moving || body.start_velocity != Vec2::ZERO || body.end_velocity != Vec2::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Filter;

    fn columns(velocities: &[f32]) -> SegmentColumns {
        let mut columns = SegmentColumns::default();
        for (row, &v) in velocities.iter().enumerate() {
            let shape = Segment::new([row as f32, 0.0], [row as f32, 1.0]);
            let body = if v == 0.0 { shape.into() } else { shape.with_velocity([v, 0.0]) };
            columns.push(body, SegmentHandle::new(row as u32, 0));
        }
        columns
    }

    #[test]
    fn moving_rows_follow_a_removal() {
        let mut c = columns(&[1.0, 0.0, 0.0, 2.0]);
        assert_eq!(c.moving_rows, [0, 3]);
        c.swap_remove(1); // row 3, which moves, comes to row 1
        assert_eq!((c.moving_rows.as_slice(), c.moving.as_slice()), (&[0, 1][..], &[true, true, false][..]));
        c.swap_remove(0); // row 2, static, comes to row 0
        assert_eq!((c.moving_rows.as_slice(), c.moving.as_slice()), (&[1][..], &[false, true][..]));
        c.swap_remove(1);
        c.swap_remove(0);
        assert!(c.moving_rows.is_empty() && c.moving.is_empty());
    }

    #[test]
    fn edits_in_bulk_list_the_same_rows_as_one_by_one() {
        let (mut many, mut single) = (columns(&[1.0, 0.0, 2.0, 0.0, 3.0]), columns(&[1.0, 0.0, 2.0, 0.0, 3.0]));
        let shape = Segment::new([0.0, 0.0], [1.0, 0.0]);
        let body = |v: f32| if v == 0.0 { shape.into() } else { shape.with_velocity([v, 0.0]) };
        let edit = |c: &mut SegmentColumns| {
            c.set(1, body(4.0));
            c.set(0, body(0.0));
            c.swap_remove(2); // row 4, which moves, comes to row 2
            c.set(3, body(0.0));
            c.swap_remove(0); // row 3, static, comes to row 0
        };
        many.edit_many();
        edit(&mut many);
        many.edit_done();
        edit(&mut single);
        assert_eq!((&many.moving_rows[..], &single.moving_rows[..]), (&[1, 2][..], &[1, 2][..]));
        assert_eq!((&many.moving, many.version), (&single.moving, single.version));
        // And then one by one again.
        many.set(0, body(1.0));
        assert_eq!(many.moving_rows, [0, 1, 2]);
    }

    #[test]
    fn bulk_and_single_agree() {
        let mut bulk = SegmentColumns::default();
        bulk.extend(SegmentBodies {
            x0: &[0.0, 1.0],
            y0: &[0.0, 0.0],
            x1: &[0.0, 1.0],
            y1: &[1.0, 1.0],
            velocity_x0: &[0.0, 3.0],
            velocity_x1: &[0.0, 3.0],
            ..Default::default()
        });
        let single = columns(&[0.0, 3.0]);
        for row in 0..2 {
            assert_eq!(bulk.body(row), single.body(row));
        }
        assert_eq!(bulk.moving_rows, [1]);
    }

    #[test]
    fn every_edit_grows_the_version() {
        let mut c = columns(&[0.0, 0.0]);
        let before = c.version;
        c.set(0, Segment::new([0.0, 0.0], [5.0, 0.0]).into());
        let set = c.version;
        c.swap_remove(0);
        assert!(before < set && set < c.version);
    }

    #[test]
    fn only_another_filter_of_a_static_segment_grows_the_other_version() {
        let mut c = columns(&[0.0, 2.0]);
        let (shapes, before) = (c.version, c.filter_version);
        c.set_label(0, Label::default());
        c.set_label(1, Label { filter: Filter::NOTHING, ..Label::default() });
        assert_eq!((c.version, c.filter_version), (shapes, before));
        c.set_label(0, Label { filter: Filter::NOTHING, ..Label::default() });
        let nothing = c.filter_version;
        assert!(c.version == shapes && nothing > before);
        // Nothing is what a disabled one meets.
        c.set_label(0, Label { enabled: false, ..Label::default() });
        assert_eq!(c.filter_version, nothing);
    }
}
