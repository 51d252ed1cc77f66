//! Many fans at once, one a robot.
//!
//! Comes in: fans, checked here, and for each a circle that it does not see. Goes out: what each beam of each meets, fan after fan. Pieces of some fans
//! are done side by side, each with lists of its own of who is in sight; how one fan is done: [`super::fan`].

use super::fan::{self, Fan};
use super::image_casts::Way;
use super::sight::Sight;
use super::{Hit, HitLists, Queries, QueryFilter};
use crate::error::{Error, Kind};
use crate::parallel::Split;

/// Fans of a piece.
const PIECE: usize = 4;

/// What many fans have met. Reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scans {
    /// One a fan, its beams in their order.
    lists: HitLists,
    distances: Vec<f32>,
    /// One a piece.
    sights: Vec<Sight>,
}

impl Scans {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Scans {
        Scans::default()
    }

    /// The number of fans.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// There are no fans.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Where the beams of each fan begin in [`Self::hits`] and [`Self::distances`], and the end of the last. Empty before the first use.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        self.lists.offsets()
    }

    /// What each beam meets first, fan after fan; [`Hit::NOTHING`] where it meets nothing within the range.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        self.lists.hits()
    }

    /// How far each beam comes, fan after fan, as [`Scan::distances`](crate::Scan::distances) tells it.
    #[must_use]
    pub fn distances(&self) -> &[f32] {
        &self.distances
    }

    /// What the beams of one fan meet, and how far they come. Past the last fan: nothing.
    #[must_use]
    pub fn scan(&self, fan: usize) -> (&[Hit], &[f32]) {
        let hits = self.lists.list(fan);
        let from = self.offsets().get(fan).copied().unwrap_or(0);
        (hits, &self.distances[from..from + hits.len()])
    }
}

impl Queries<'_> {
    /// [`Self::cast_fan`] for each, in their order. `skip`: for each a circle that it does not see, by its row; left out (empty), or a row that is not
    /// there: it sees all. `scans` is written over.
    ///
    /// ```
    /// use gridlane::{Circle, Fan, QueryFilter, Scans, World, WorldConfig};
    ///
    /// // Three robots, each of which sees the others and not itself.
    /// let mut world = World::new(WorldConfig::default())?;
    /// for x in [0.0, 3.0, 6.0] {
    ///     world.add_circle(Circle::new([x, 0.0], 0.5))?;
    /// }
    /// let circles = world.circles();
    /// let at = |row: usize| [circles.x()[row], circles.y()[row]];
    /// let fans: Vec<Fan> = (0..3).map(|row| Fan::around(at(row), 8, 100.0)).collect();
    /// let mut scans = Scans::new();
    /// world.cast_fans(&fans, &[0, 1, 2], QueryFilter::new(), &mut scans)?;
    /// for row in 0..3 {
    ///     let (hits, distances) = scans.scan(row);
    ///     assert!(hits.iter().all(|hit| hit.target.row as usize != row || !hit.is_hit()));
    ///     assert!(distances.contains(&2.5) && distances.contains(&100.0));
    /// }
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`] or [`Error::Negative`] naming the fan, [`Error::ColumnLength`], [`Error::TooManyResults`] for more than
    /// [`Fan::MOST_BEAMS`] in all; `scans` is as it was then.
    pub fn cast_fans(
        &self,
        fans: &[Fan],
        skip: &[u32],
        filter: QueryFilter<'_>,
        scans: &mut Scans,
    ) -> Result<(), Error> {
        if !skip.is_empty() && skip.len() != fans.len() {
            let (field, length, expected) = ("skip", skip.len(), fans.len());
            return Err(Error::ColumnLength { kind: Kind::Ray, field, length, expected });
        }
        fan::check(fans)?;
        let count = fans.iter().map(|fan| fan.beams as usize).sum();
        if !self.is_plain() {
            self.cast_fans_by_images(fans, skip, filter, &mut scans.lists.hits)?;
        }
        let Scans { lists: HitLists { offsets, hits, .. }, distances, sights } = scans;
        offsets.clear();
        offsets.push(0);
        offsets.extend(ends(fans));
        hits.resize(count, Hit::NOTHING);
        distances.resize(count, 0.0);
        let pieces = fans.len().div_ceil(PIECE);
        if sights.len() < pieces {
            sights.resize_with(pieces, Sight::default);
        }
        let look = self.look(&filter);
        self.pool.run(count, |split| {
            Pieces { fans, skip, hits, distances, sights: &mut sights[..pieces] }.each(split, &|piece| {
                let Pieces { fans, skip, mut hits, mut distances, sights } = piece;
                for (k, fan) in fans.iter().enumerate() {
                    let (own, rest) = hits.split_at_mut(fan.beams as usize);
                    let (far, other) = distances.split_at_mut(fan.beams as usize);
                    (hits, distances) = (rest, other);
                    if self.is_plain() {
                        let look = skip.get(k).map_or(look, |&row| look.without_circle(row));
                        self.scan(fan, &look, split, &mut sights[0], own);
                    }
                    for (far, hit) in far.iter_mut().zip(own) {
                        *far = fan.distance(hit);
                    }
                }
            });
        });
        Ok(())
    }

    fn cast_fans_by_images(
        &self,
        fans: &[Fan],
        skip: &[u32],
        filter: QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        let ends: Vec<usize> = ends(fans).collect();
        self.each_image(ends.last().copied().unwrap_or(0), hits, |row| {
            let fan = ends.partition_point(|&end| end <= row);
            let first = ends[fan] - fans[fan].beams as usize;
            let way = Way::Ray(fans[fan].ray((row - first) as u32));
            self.ask_without((way, skip.get(fan).copied()), filter, |way, filter| self.first_image(way, fan, filter))
        })
    }
}

/// Where the beams of each end.
fn ends(fans: &[Fan]) -> impl Iterator<Item = usize> + '_ {
    fans.iter().scan(0, |end, fan| {
        *end += fan.beams as usize;
        Some(*end)
    })
}

/// Some fans, and where what they find goes.
struct Pieces<'a> {
    fans: &'a [Fan],
    skip: &'a [u32],
    hits: &'a mut [Hit],
    distances: &'a mut [f32],
    sights: &'a mut [Sight],
}

impl Pieces<'_> {
    /// `work(piece)` for each, split in halves down to one.
    fn each(self, split: Split, work: &(impl Fn(Pieces<'_>) + Sync)) {
        if self.sights.len() <= 1 {
            work(self);
            return;
        }
        let Pieces { fans, skip, hits, distances, sights } = self;
        let (fans, sights) = (fans.split_at(sights.len() / 2 * PIECE), sights.split_at_mut(sights.len() / 2));
        let skip = skip.split_at(if skip.is_empty() { 0 } else { fans.0.len() });
        let middle = fans.0.iter().map(|fan| fan.beams as usize).sum();
        let (hits, distances) = (hits.split_at_mut(middle), distances.split_at_mut(middle));
        let low = Pieces { fans: fans.0, skip: skip.0, hits: hits.0, distances: distances.0, sights: sights.0 };
        let high = Pieces { fans: fans.1, skip: skip.1, hits: hits.1, distances: distances.1, sights: sights.1 };
        split.join(|| low.each(split, work), || high.each(split, work));
    }
}
