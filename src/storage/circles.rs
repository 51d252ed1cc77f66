//! The columns of the circles.
//!
//! Comes in: checked bodies and orders. Goes out: one column a field, all of the same length. This room does not know
//! cells, handles' slots or time.

use super::labels::fill;
use super::{CircleBodies, CircleBody, CircleHandle, Label, Labels};
use crate::geometry::{Circle, Vec2};

/// The state of the circles, row by row.
#[derive(Debug, Default)]
pub(crate) struct CircleColumns {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) radius: Vec<f32>,
    pub(crate) velocity_x: Vec<f32>,
    pub(crate) velocity_y: Vec<f32>,
    pub(crate) inverse_mass: Vec<f32>,
    pub(crate) handle: Vec<CircleHandle>,
    pub(crate) labels: Labels,
}

impl CircleColumns {
    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    /// The body in `row`.
    pub(crate) fn body(&self, row: usize) -> CircleBody {
        let Label { filter, sensor, user_data, restitution, enabled, bullet } = self.labels.of(row);
        CircleBody {
            shape: Circle { center: Vec2::new(self.x[row], self.y[row]), radius: self.radius[row] },
            velocity: Vec2::new(self.velocity_x[row], self.velocity_y[row]),
            inverse_mass: self.inverse_mass[row],
            filter,
            sensor,
            user_data,
            restitution,
            enabled,
            bullet,
        }
    }

    /// Overwrites the body in `row`; its handle stays.
    pub(crate) fn set(&mut self, row: usize, body: CircleBody) {
        self.x[row] = body.shape.center.x;
        self.y[row] = body.shape.center.y;
        self.radius[row] = body.shape.radius;
        self.velocity_x[row] = body.velocity.x;
        self.velocity_y[row] = body.velocity.y;
        self.inverse_mass[row] = body.inverse_mass;
        self.labels.set(row, body.label());
    }

    /// Appends one body.
    pub(crate) fn push(&mut self, body: CircleBody, handle: CircleHandle) {
        self.x.push(body.shape.center.x);
        self.y.push(body.shape.center.y);
        self.radius.push(body.shape.radius);
        self.velocity_x.push(body.velocity.x);
        self.velocity_y.push(body.velocity.y);
        self.inverse_mass.push(body.inverse_mass);
        self.handle.push(handle);
        self.labels.push(body.label());
    }

    /// Appends checked columns, without their handles.
    pub(crate) fn extend(&mut self, bodies: CircleBodies<'_>) {
        self.x.extend_from_slice(bodies.x);
        self.y.extend_from_slice(bodies.y);
        self.radius.extend_from_slice(bodies.radius);
        let len = self.x.len();
        fill(&mut self.velocity_x, bodies.velocity_x, len, 0.0);
        fill(&mut self.velocity_y, bodies.velocity_y, len, 0.0);
        fill(&mut self.inverse_mass, bodies.inverse_mass, len, 1.0);
        self.labels.extend(bodies.labels(), len);
    }

    /// Removes the body in `row`; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, row: usize) {
        self.x.swap_remove(row);
        self.y.swap_remove(row);
        self.radius.swap_remove(row);
        self.velocity_x.swap_remove(row);
        self.velocity_y.swap_remove(row);
        self.inverse_mass.swap_remove(row);
        self.handle.swap_remove(row);
        self.labels.swap_remove(row);
    }

    /// Takes over what was written beside these columns in a new order, in exchange for memory to be used again.
    pub(crate) fn swap(&mut self, sorted: &mut CircleColumns) {
        self.labels.swap(&mut sorted.labels);
        // The labels are in their new order where they are: exchanged once more, they stay there.
        std::mem::swap(&mut self.labels, &mut sorted.labels);
        std::mem::swap(self, sorted);
    }
}

/// Writes `from` in a new order: `to[row] = from[order[row]]`. Capacity is kept from call to call.
pub(crate) fn gather<T: Copy>(from: &[T], order: &[u32], to: &mut Vec<T>) {
    to.clear();
    to.extend(order.iter().map(|&row| from[row as usize]));
}

/// So many places, of whatever value. Without rows to take from there are none to fill.
pub(crate) fn fit<T: Copy>(to: &mut Vec<T>, from: &[T], len: usize) {
    match from.first() {
        Some(&any) => to.resize(len, any),
        None => to.clear(),
    }
}

/// Room for `more` values, and an eighth, where doubling would hold twice what is needed for as long as the list lives.
pub(crate) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    let need = list.len() + more;
    if need > list.capacity() {
        list.reserve_exact(more + if list.capacity() > 0 { need / 8 } else { 0 });
    }
}

/// Gives back the room of a long list but for an eighth more than it needs, where doubling has made more than a quarter.
pub(crate) fn trim<T>(list: &mut Vec<T>) {
    /// Of fewer values nothing is gained.
    const FEW: usize = 1024;
    let len = list.len();
    if len >= FEW && list.capacity() > len + len / 4 {
        list.shrink_to(len + len / 8);
    }
}

/// Overwrites `to` with `from`. Capacity is kept from call to call.
pub(crate) fn copy<T: Copy>(from: &[T], to: &mut Vec<T>) {
    to.clear();
    to.extend_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f32) -> CircleBody {
        Circle::new([x, 0.0], 1.0).into()
    }

    #[test]
    fn swap_remove_moves_the_last_row() {
        let mut columns = CircleColumns::default();
        for row in 0..3 {
            columns.push(ball(row as f32), CircleHandle::new(row, 0));
        }
        columns.swap_remove(0);
        assert_eq!(columns.len(), 2);
        assert_eq!(columns.body(0), ball(2.0));
        assert_eq!(columns.handle, [CircleHandle::new(2, 0), CircleHandle::new(1, 0)]);
    }

    #[test]
    fn columns_left_out_get_their_defaults() {
        let mut columns = CircleColumns::default();
        columns.extend(CircleBodies { x: &[1.0, 2.0], y: &[0.0; 2], radius: &[1.0; 2], ..Default::default() });
        assert_eq!(columns.body(1), ball(2.0));
        assert_eq!(columns.inverse_mass, [1.0, 1.0]);
    }

    #[test]
    fn long_lists_are_trimmed_to_an_eighth_more() {
        for (len, capacity, expected) in
            [(800, 1600, 1600), (1600, 2000, 2000), (1600, 2001, 1800), (8000, 16_384, 9000)]
        {
            let mut list: Vec<u32> = Vec::with_capacity(capacity);
            list.extend(0..len);
            trim(&mut list);
            assert_eq!((list.capacity(), list.len()), (expected, len as usize));
            assert!(list.iter().copied().eq(0..len));
        }
    }

    #[test]
    fn gather_follows_the_order() {
        let mut to = vec![9.0; 7];
        gather(&[1.0, 2.0, 3.0], &[2, 0, 1], &mut to);
        assert_eq!(to, [3.0, 1.0, 2.0]);
    }
}
