//! What may come to touch before a step is over, for bodies that are held up on their flight by others.
//!
//! Comes in: circles after their flight, segments. Goes out: contacts of circles a little larger than they are, so that what was not
//! stopped yet where detection looked is known as well. A second detection, of its own cells, made when it is first asked for; its
//! contacts are never handed out. This room does not know what they are for.

use super::periodic::{acts, add_solid};
use super::solid::{Picked, Solid};
use super::step::view;
use super::{WorldConfig, options};
use crate::geometry::Circles;
use crate::narrow_phase::{
    Across, Bodies, CircleCircleContact, CircleSegmentContact, Contacts, Detection, Joints, Options, PairKinds,
    Segments, Wrap,
};
use crate::parallel::{Split, Threads};
use crate::storage::{CircleColumns, Labels, SegmentColumns};

/// How far around itself a circle looks: this share of its radius, and as far as it flies in the step, but no farther than half
/// its radius: who is faster has flown already.
const MARGIN: f32 = 0.05;
const FLIGHT: f32 = 0.5;

/// See the head of the module.
#[derive(Debug, Default)]
pub(super) struct Near {
    detection: Option<Box<Detection>>,
    /// The same across the border of a plane that repeats.
    wrap: Option<Box<Wrap>>,
    found: Box<Found>,
}

/// What is of use within one step alone.
#[derive(Debug, Default)]
struct Found {
    radius: Vec<f32>,
    contacts: Contacts,
    solid: Solid,
}

impl Near {
    /// Finds them, with the threads of `main`; false if there are more than contacts may be, and none is known then. Rows are those of the circles.
    pub(super) fn find(
        &mut self,
        options: Options,
        main: &mut Detection,
        circles: &CircleColumns,
        segments: Segments<'_>,
        dt: f32,
    ) -> bool {
        let pair_kinds = PairKinds { segment_segment: false, ..options.pair_kinds };
        let options = Options { pair_kinds, threads: Threads::Fixed(1), ..options };
        let detection = self.detection.get_or_insert_with(|| Box::new(Detection::new(options)));
        detection.swap_pool(main);
        grow(circles, dt, &mut self.found.radius);
        detection.bin(Circles { x: &circles.x, y: &circles.y, radius: &self.found.radius }, segments);
        let found = detection.detect(segments, circles.labels.filters(), true, &mut self.found.contacts).is_ok();
        detection.swap_pool(main);
        found
    }

    /// Leaves those that count, as of the contacts themselves.
    pub(super) fn join(
        &mut self,
        joints: &mut Joints,
        config: &WorldConfig,
        main: &Detection,
        circles: &CircleColumns,
        segments: &SegmentColumns,
    ) {
        let shapes = Circles { x: &circles.x, y: &circles.y, radius: &self.found.radius };
        super::joints::join(
            joints,
            config,
            main,
            (shapes, &circles.labels),
            segments,
            (&mut self.found.contacts, Split::SERIAL),
        );
    }

    /// Adds those across the border; false if they are more than may be.
    pub(super) fn find_across(
        &mut self,
        config: &WorldConfig,
        circles: &CircleColumns,
        segments: &SegmentColumns,
    ) -> bool {
        let periods = config.bounds.periods();
        if periods.is_none() {
            return true;
        }
        let wrap = self.wrap.get_or_insert_with(|| {
            let options = options(config);
            let pair_kinds = PairKinds { segment_segment: false, ..options.pair_kinds };
            Box::new(Wrap::new(periods, Options { pair_kinds, ..options }))
        });
        let bodies = Bodies {
            circles: Circles { x: &circles.x, y: &circles.y, radius: &self.found.radius },
            filters: circles.labels.filters(),
            segments: view(segments),
        };
        let places = (circles.x.as_slice(), circles.y.as_slice());
        let acts = |rows, count| acts((places, &circles.labels), segments, (&periods, count), rows);
        if wrap.add(bodies, &acts, &mut self.found.contacts).is_err() {
            return false;
        }
        let own = self.found.contacts.circle_segment.len() - wrap.across().met.len();
        self.found.contacts.circle_segment.truncate(own);
        add_solid(wrap, &mut self.found.contacts);
        true
    }

    /// Those without a sensor, and by which images.
    pub(super) fn contacts(
        &mut self,
        circles: &Labels,
        segments: &Labels,
    ) -> (Across<'_>, (&[CircleCircleContact], &[CircleSegmentContact])) {
        let Near { wrap, found, .. } = self;
        let Found { contacts, solid, .. } = &mut **found;
        let Picked { circle_circle, circle_segment, .. } = solid.of(contacts, circles, segments, None);
        let across = wrap.as_ref().map_or(Across::default(), |wrap| wrap.across());
        (across, (circle_circle, circle_segment))
    }

    /// Reads something of its line, as a world does where many are stepped.
    pub(super) fn read_ahead(&self) -> usize {
        usize::from(self.detection.is_some())
    }

    /// Exchanges all that is of use within one step alone, as [`Detection::swap_kept`] says.
    pub(super) fn swap_buffers(&mut self, other: &mut Near) {
        if let (Some(one), Some(two)) = (&mut self.detection, &mut other.detection) {
            std::mem::swap(one, two);
            one.swap_kept(two);
        }
        std::mem::swap(&mut self.found, &mut other.found);
    }

    /// To be called when the configuration is another.
    pub(super) fn forget(&mut self) {
        self.detection = None;
        self.wrap = None;
    }
}

/// The radii of [`Near`].
fn grow(circles: &CircleColumns, dt: f32, grown: &mut Vec<f32>) {
    grown.clear();
    let velocities = circles.velocity_x.iter().zip(&circles.velocity_y);
    grown.extend(circles.radius.iter().zip(velocities).map(|(&radius, (&vx, &vy))| {
        let flight = f64::from(dt) * (f64::from(vx) * f64::from(vx) + f64::from(vy) * f64::from(vy)).sqrt();
        let most = f64::from(FLIGHT * radius);
        let flight = if flight < most { flight as f32 } else { most as f32 };
        let grown = radius + MARGIN * radius + flight;
        if grown < f32::MAX { grown } else { f32::MAX }
    }));
}
