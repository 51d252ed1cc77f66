//! Contacts that joints hide, looked at again where a hook lets a circle through what hides them.
//!
//! Comes in: contacts with walls before joints and after, and of which of these a hook lets the circle through. Goes out: of the others those that count
//! where such walls are not there for the circle, each asked about, and those of them that act, among the contacts that are answered. This room does not know
//! when a contact counts, nor who is asked.
//!
//! Circle by circle, the nearest wall first, then by the rows of the walls; again from the first as long as one more lets the circle through. The fewer walls there are, the more
//! contacts count, so the order does not matter to who is asked about, unless it does to who answers.
//!
//! Cost: where a hook asks, a copy of the contacts; where it lets somebody through at a joint, a look at all of them and at each of his once for each time: what hides is nearer but
//! for roundings, so that is hardly ever more than twice.

use crate::narrow_phase::{CircleSegmentContact, Joined, Joints};

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// All contacts with walls, but for those across a border; none where nobody asks or none is hidden.
    all: Vec<CircleSegmentContact>,
    /// So many of them are not hidden.
    told: usize,
    /// The rows of circles and of the walls that let them through.
    passes: Vec<[u32; 2]>,
    /// Which of all are hidden ones of such circles.
    found: Vec<usize>,
    /// The walls that let one circle through, ascending.
    gone: Vec<u32>,
    /// Those that act, and which of all they are.
    acting: Vec<(usize, CircleSegmentContact)>,
    merged: Vec<CircleSegmentContact>,
}

impl Hidden {
    /// To be told all contacts.
    pub(super) fn before(&mut self, all: &[CircleSegmentContact]) {
        self.all.clear();
        self.all.extend_from_slice(all);
    }

    /// To be told how many are left of them, which then come first.
    pub(super) fn after(&mut self, told: usize) {
        self.passes.clear();
        if told == self.all.len() {
            self.all.clear();
        }
        self.told = if self.all.is_empty() { 0 } else { told };
    }

    /// One of those that are left, or one across a border, acts, or its wall lets the circle through.
    pub(super) fn asked(&mut self, contact: &CircleSegmentContact, acts: bool) {
        if !acts && !self.all.is_empty() {
            self.passes.push([contact.a, contact.b]);
        }
    }

    /// Asks about those that now count; who acts comes to its place among those that do.
    pub(super) fn look_again(
        &mut self,
        contacts: &[CircleSegmentContact],
        (joints, scene): (&mut Joints, &Joined<'_>),
        mut acts: impl FnMut(&CircleSegmentContact) -> bool,
        acting: &mut Vec<CircleSegmentContact>,
    ) {
        if self.passes.is_empty() {
            return;
        }
        self.passes.sort_unstable();
        self.find(&contacts[..self.told]);
        let Hidden { all, passes, found, gone, acting: more, .. } = self;
        more.clear();
        for of_circle in found.chunk_by_mut(|&one, &other| all[one].a == all[other].a) {
            gone.clear();
            gone.extend(of(passes, all[of_circle[0]].a).iter().map(|[_, wall]| wall));
            let (mut open, mut before) = (of_circle.len(), 0);
            while gone.len() > before {
                before = gone.len();
                let asked = std::mem::take(&mut open);
                for at in 0..asked {
                    let (place, wall) = (of_circle[at], all[of_circle[at]].b);
                    let counts = joints.judge_again(&Joined { gone: gone.as_slice(), ..*scene }, all[place]);
                    match counts {
                        None => {
                            of_circle[open] = place;
                            open += 1;
                        }
                        Some(contact) if acts(&contact) => more.push((place, contact)),
                        Some(_) => gone.insert(gone.partition_point(|&other| other < wall), wall),
                    }
                }
            }
        }
        self.put_in(acting);
    }

    /// Those that are hidden of circles that are let through somewhere.
    fn find(&mut self, told: &[CircleSegmentContact]) {
        let Hidden { all, passes, found, .. } = self;
        let mut told = told.iter().peekable();
        found.clear();
        for (at, contact) in all.iter().enumerate() {
            let rows = [contact.a, contact.b];
            if told.next_if(|other| [other.a, other.b] == rows).is_none() && !of(passes, contact.a).is_empty() {
                found.push(at);
            }
        }
        found.sort_unstable_by(|&one, &other| {
            let [one, other] = [&all[one], &all[other]];
            let nearer = one.separation.total_cmp(&other.separation);
            one.a.cmp(&other.a).then(nearer).then(one.b.cmp(&other.b))
        });
    }

    /// Puts them among the others, all of them in the order that they had.
    fn put_in(&mut self, acting: &mut Vec<CircleSegmentContact>) {
        let Hidden { all, acting: more, merged, .. } = self;
        if more.is_empty() {
            return;
        }
        more.sort_unstable_by_key(|(at, _)| *at);
        let (mut more, mut others) = (more.iter().peekable(), acting.iter().copied().peekable());
        merged.clear();
        for (at, contact) in all.iter().enumerate() {
            let other = || others.next_if(|other| [other.a, other.b] == [contact.a, contact.b]);
            let one = more.next_if(|(place, _)| *place == at).map(|(_, contact)| *contact);
            merged.extend(one.or_else(other));
        }
        merged.extend(others);
        std::mem::swap(acting, merged);
    }
}

/// The passes of a circle.
fn of(passes: &[[u32; 2]], circle: u32) -> &[[u32; 2]] {
    let from = passes.partition_point(|pass| pass[0] < circle);
    &passes[from..from + passes[from..].partition_point(|pass| pass[0] == circle)]
}
