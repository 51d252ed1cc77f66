//! The other ways out of a detector: one by one, rows alone, slices of the caller's. All say what `detect` said.

use crate::truth::bytes;
use gridlane::{
    AnyContact, CircleCircleContact, CircleSegmentContact, ContactCounts, ContactSlices, Contacts, Detector, Error,
    Frame, PairLists, SegmentSegmentContact,
};

/// `short`: which kind has one place too few.
pub fn check(detector: &mut Detector, frame: Frame<'_>, contacts: &Contacts, short: Option<usize>) {
    let circles = contacts.circle_circle().iter().map(|c| AnyContact::CircleCircle(*c));
    let walls = contacts.circle_segment().iter().map(|c| AnyContact::CircleSegment(*c));
    let segments = contacts.segment_segment().iter().map(|c| AnyContact::SegmentSegment(*c));
    let expected: Vec<AnyContact> = circles.chain(walls).chain(segments).collect();
    let mut seen = Vec::new();
    assert_eq!(detector.visit(frame, |contact| seen.push(contact)), Ok(()));
    assert!(seen == expected, "the visitor sees {seen:?}, not {expected:?}");
    let mut pairs = PairLists::new();
    assert_eq!(detector.pairs(frame, &mut pairs), Ok(()));
    let listed = [pairs.circle_circle(), pairs.circle_segment(), pairs.segment_segment()].concat();
    assert_eq!(listed, expected.iter().map(AnyContact::rows).collect::<Vec<_>>());

    let need = [contacts.circle_circle().len(), contacts.circle_segment().len(), contacts.segment_segment().len()];
    let [circle_circle, circle_segment, segment_segment] = need;
    let mut room = need;
    let short = short.filter(|&kind| need[kind] > 0);
    if let Some(kind) = short {
        room[kind] -= 1;
    }
    let mut one = vec![CircleCircleContact::default(); room[0]];
    let mut two = vec![CircleSegmentContact::default(); room[1]];
    let mut three = vec![SegmentSegmentContact::default(); room[2]];
    let slices = ContactSlices { circle_circle: &mut one, circle_segment: &mut two, segment_segment: &mut three };
    let result = detector.detect_into(frame, slices);
    if short.is_some() {
        assert_eq!(result, Err(Error::NoRoom { circle_circle, circle_segment, segment_segment }));
        return;
    }
    assert_eq!(result, Ok(ContactCounts { circle_circle, circle_segment, segment_segment }));
    let parts: [&[u8]; 3] = [bytemuck::cast_slice(&one), bytemuck::cast_slice(&two), bytemuck::cast_slice(&three)];
    assert!(parts.concat() == bytes(contacts), "other bytes in slices");
}
