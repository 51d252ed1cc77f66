//! The contacts of joined walls, a share at a time.
//!
//! Comes in: contacts, and what becomes of each. Goes out: those that count, in their order, those on straight lines with the values of
//! the line. Shares are looked at side by side. This room does not know why a contact counts.

use super::{Joined, Joints, Verdict};
use crate::geometry::{Capsules, Circles};
use crate::kernels::{Kernels, Names, Operation, Pairs, dispatch};
use crate::narrow_phase::CircleSegmentContact;
use crate::parallel::Split;

/// Contacts that one thread looks at.
const SHARE: usize = 1024;

/// Some contacts, and buffers.
#[derive(Debug, Default)]
pub(super) struct Share {
    /// Those that count come first.
    kept: usize,
    /// Circles and lines whose contacts are still to be found, and at which place they belong.
    flanks: Pairs,
    at: Vec<u32>,
    found: Vec<CircleSegmentContact>,
}

/// Leaves those contacts that `work` has brought to the front of their share: as many as it says there.
pub(super) fn retain(
    shares: &mut Vec<Share>,
    contacts: &mut Vec<CircleSegmentContact>,
    split: Split,
    work: &(impl Fn(&mut Share, &mut [CircleSegmentContact]) + Sync),
) {
    let count = contacts.len().div_ceil(SHARE);
    if shares.len() < count {
        shares.resize_with(count, Share::default);
    }
    halves(&mut shares[..count], contacts, split, work);
    let mut end = 0;
    for (k, &Share { kept, .. }) in shares[..count].iter().enumerate() {
        let from = k * SHARE;
        if from != end {
            contacts.copy_within(from..from + kept, end);
        }
        end += kept;
    }
    contacts.truncate(end);
}

fn halves(
    shares: &mut [Share],
    contacts: &mut [CircleSegmentContact],
    split: Split,
    work: &(impl Fn(&mut Share, &mut [CircleSegmentContact]) + Sync),
) {
    match shares {
        [] => {}
        [share] => work(share, contacts),
        _ => {
            let middle = shares.len() / 2;
            let (low, high) = shares.split_at_mut(middle);
            let (of_low, of_high) = contacts.split_at_mut(middle * SHARE);
            split.join(|| halves(low, of_low, split, work), || halves(high, of_high, split, work));
        }
    }
}

impl Joints {
    /// See [`Joints::apply`]; for [`retain`].
    pub(super) fn judge_all(&self, scene: &Joined<'_>, contacts: &mut [CircleSegmentContact], share: &mut Share) {
        let Share { kept, flanks, at: places, .. } = share;
        flanks.clear();
        places.clear();
        *kept = 0;
        let mut out = flanks.writer(contacts.len());
        for at in 0..contacts.len() {
            // Most walls are joined with no other, and most often nothing has been dropped yet.
            if self.is_plain(scene.segments, contacts[at].b) {
                if *kept != at {
                    contacts[*kept] = contacts[at];
                }
                *kept += 1;
                continue;
            }
            let contact = contacts[at];
            match self.judge(scene, &contact) {
                Verdict::Drop => continue,
                Verdict::Keep => {}
                Verdict::Flank(line) => {
                    out.push(contact.a, line);
                    places.push(*kept as u32);
                }
            }
            contacts[*kept] = contact;
            *kept += 1;
        }
        let written = out.len();
        flanks.keep(written);
        self.bring_to_lines(scene, contacts, share);
    }

    /// What becomes of one contact of those that [`Joints::apply`] has dropped, with other walls gone.
    pub(crate) fn judge_again(
        &mut self,
        scene: &Joined<'_>,
        contact: CircleSegmentContact,
    ) -> Option<CircleSegmentContact> {
        let (mut shares, mut one) = (std::mem::take(&mut self.shares), [contact]);
        // There is one: it was dropped there.
        let kept = shares.first_mut().is_some_and(|share| {
            self.judge_all(scene, &mut one, share);
            share.kept > 0
        });
        self.shares = shares;
        kept.then_some(one[0])
    }

    /// The kernels of detection, run on the lines: so the values are those of the uncut wall, bit for bit.
    fn bring_to_lines(&self, scene: &Joined<'_>, contacts: &mut [CircleSegmentContact], share: &mut Share) {
        let Share { flanks, at, found, .. } = share;
        if at.is_empty() {
            return;
        }
        found.resize(at.len(), CircleSegmentContact::default());
        let work = OnLines { circles: scene.circles, lines: self.chains.lines(), pairs: flanks, out: found };
        let count = dispatch(scene.backend, scene.set, work);
        // What touches a piece misses the line only by units in the last place; then the piece's own values stand.
        let mut found = found[..count].iter();
        let mut next = found.next();
        let (rows, lines) = flanks.rows();
        for ((&at, &row), &line) in at.iter().zip(rows).zip(lines) {
            let Some(on_line) = next.filter(|on_line| (on_line.a, on_line.b) == (row, line)) else { continue };
            let contact = &mut contacts[at as usize];
            let (n, m) = (contact.normal, on_line.normal);
            // As near as that to the wall they may see the centre on different sides, or on the wall.
            if n.x * m.x + n.y * m.y > 0.0 {
                *contact = CircleSegmentContact { a: contact.a, b: contact.b, ..*on_line };
            }
            next = found.next();
        }
    }
}

struct OnLines<'a> {
    circles: Circles<'a>,
    lines: Capsules<'a>,
    pairs: &'a Pairs,
    out: &'a mut [CircleSegmentContact],
}

impl Operation for OnLines<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<K: Kernels>(self) -> usize {
        K::circle_segment(self.circles, self.lines, [Names::Rows; 2], self.pairs, self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{Pool, Threads};

    #[test]
    fn what_is_kept_of_each_share_stands_in_its_order() {
        for threads in [1, 3] {
            for (count, keep) in
                [(0, 3), (1, 1), (SHARE, 3), (3 * SHARE + 7, 1), (3 * SHARE + 7, 3), (2 * SHARE, 1 << 30)]
            {
                let all = (0..count as u32).map(|a| CircleSegmentContact { a, ..Default::default() });
                let mut contacts: Vec<_> = all.collect();
                let kept: Vec<u32> = (0..count as u32).filter(|a| (a + 1).is_multiple_of(keep)).collect();
                Pool::new(Threads::Fixed(threads)).run(usize::MAX, |split| {
                    retain(&mut vec![], &mut contacts, split, &|share, contacts| {
                        share.kept = 0;
                        for at in 0..contacts.len() {
                            if (contacts[at].a + 1).is_multiple_of(keep) {
                                contacts[share.kept] = contacts[at];
                                share.kept += 1;
                            }
                        }
                    });
                });
                assert!(contacts.iter().map(|contact| contact.a).eq(kept));
            }
        }
    }
}
