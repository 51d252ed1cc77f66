//! Labels as bytes, and back.
//!
//! Comes in: labels of bodies, or bytes that anybody may have written. Goes out: the other. This room does not know where in a snapshot it
//! is. A column that is not there is written as the one value that all have, and one in which all have that value is read as none.

use super::bytes::{Reader, Word, Writer};
use crate::error::Error;
use crate::storage::{Filter, Labels, LazyColumn, NO_RESTITUTION};

/// All but the bullets.
pub(super) fn save(labels: &Labels, rows: usize, to: &mut Writer<'_>) {
    let kinds = labels.kinds();
    save_column(&kinds.category, rows, to);
    save_column(&kinds.mask, rows, to);
    save_flags(&kinds.sensor, rows, to);
    save_column(&kinds.user_data, rows, to);
    save_column(&kinds.restitution, rows, to);
    save_flags(&kinds.enabled, rows, to);
    for (row, _) in labels.enabled().iter().enumerate().filter(|(_, enabled)| !**enabled) {
        let filter = kinds.aside.of(row);
        to.values(&[filter.category, filter.mask]);
    }
}

/// Behind the other labels of circles; segments have none.
pub(super) fn save_bullets(labels: &Labels, rows: usize, to: &mut Writer<'_>) {
    save_flags(&labels.kinds().bullet, rows, to);
}

fn save_column<T: Word>(column: &LazyColumn<T>, rows: usize, to: &mut Writer<'_>) {
    to.column_or(column.values(), rows, column.usual());
}

fn save_flags(column: &LazyColumn<bool>, rows: usize, to: &mut Writer<'_>) {
    to.column_or::<u8>(bytemuck::cast_slice(column.values()), rows, u8::from(column.usual()));
}

/// What [`save`] has written; nobody is a bullet so far. `flags` is a buffer.
pub(super) fn read(from: &mut Reader<'_>, rows: usize, flags: &mut Vec<u8>, labels: &mut Labels) -> Result<(), Error> {
    // Gone where an error comes in between.
    let mut to = std::mem::take(labels);
    // Mostly nobody has any, and then no column is made.
    if nobody_has_any(from, rows)? {
        to.reset(rows);
    } else {
        let kinds = to.overwrite(rows);
        read_column(from, rows, &mut kinds.category)?;
        read_column(from, rows, &mut kinds.mask)?;
        read_column_of_flags(from, rows, flags, &mut kinds.sensor)?;
        read_column(from, rows, &mut kinds.user_data)?;
        read_column(from, rows, &mut kinds.restitution)?;
        let share = |&own: &f32| own == NO_RESTITUTION || (0.0..=1.0).contains(&own);
        from.ensure(kinds.restitution.values().iter().all(share), "restitutions from 0 to 1")?;
        read_column_of_flags(from, rows, flags, &mut kinds.enabled)?;
        kinds.aside.reset(rows);
        for row in (0..rows).filter(|&row| !kinds.enabled.of(row)) {
            from.ensure(kinds.in_force(row) == Filter::NOTHING, "a disabled body that meets nothing")?;
            kinds.aside.put(row, rows, Filter::new(from.value()?, from.value()?), true);
        }
        kinds.bullet.reset(rows);
        to.recount();
    }
    *labels = to;
    Ok(())
}

/// What [`save_bullets`] has written.
pub(super) fn read_bullets(
    from: &mut Reader<'_>,
    rows: usize,
    flags: &mut Vec<u8>,
    to: &mut Labels,
) -> Result<(), Error> {
    if !from.is_all(rows, 0u8)? {
        read_flags(from, rows, flags, to.overwrite(rows).bullet.buffer())?;
        to.recount();
    }
    Ok(())
}

/// The next columns say that nobody has a label: then they have been read. Else nothing has.
fn nobody_has_any(from: &mut Reader<'_>, rows: usize) -> Result<bool, Error> {
    let ahead = &mut from.clone();
    let Filter { category, mask } = Filter::DEFAULT;
    let filtered = !(ahead.is_all(rows, category)? && ahead.is_all(rows, mask)?);
    let any = filtered || !(ahead.is_all(rows, 0u8)? && ahead.is_all(rows, 0u64)?);
    let any = any || !(ahead.is_all(rows, NO_RESTITUTION)? && ahead.is_all(rows, 1u8)?);
    if !any {
        *from = ahead.clone();
    }
    Ok(!any)
}

fn read_column<T: Word>(from: &mut Reader<'_>, rows: usize, to: &mut LazyColumn<T>) -> Result<(), Error> {
    if from.is_all(rows, to.usual())? {
        to.reset(rows);
    } else {
        from.column(rows, to.buffer())?;
    }
    Ok(())
}

fn read_column_of_flags(
    from: &mut Reader<'_>,
    rows: usize,
    flags: &mut Vec<u8>,
    to: &mut LazyColumn<bool>,
) -> Result<(), Error> {
    if from.is_all(rows, u8::from(to.usual()))? {
        to.reset(rows);
        return Ok(());
    }
    read_flags(from, rows, flags, to.buffer())
}

/// A column of yes and no.
pub(super) fn read_flags(
    from: &mut Reader<'_>,
    rows: usize,
    flags: &mut Vec<u8>,
    to: &mut Vec<bool>,
) -> Result<(), Error> {
    from.column(rows, flags)?;
    from.ensure(flags.iter().all(|&flag| flag < 2), "0 or 1")?;
    to.clear();
    to.extend(flags.iter().map(|&flag| flag == 1));
    Ok(())
}
