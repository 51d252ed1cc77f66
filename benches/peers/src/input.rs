//! The inputs: built-in scenes and real maps, each in two frames, with the pairs that are known to touch.
//!
//! Comes in: a name. Goes out: the same bodies at two moments, so that whoever keeps something from frame to frame has to look at what
//! moved, and the counts for the first, found by others: published with the scenes, or in the `truth.json` of a map (exact arithmetic,
//! another program). The counts of the second frame are gridlane's, which had to agree on the first.

use crate::peer::{circle_box, segment_box};
use crate::shared::scenes::scene;
use crate::shared::{Counts, KNOWN, Rng, Scene};
use gridlane::internals::Binned;
use gridlane::{Circles, Contacts, Detector, DetectorConfig, Segments};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The maps of this tree.
const MAPS: [&str; 3] = ["freedoom1-e1m1", "freedoom1-e1m1-solid", "world-land-110m-ll"];
/// Seconds between the two frames: at most a fifth of the largest radius for the built-in scenes.
const MOMENT: f32 = 1.0 / 60.0;

/// One set of bodies.
pub(crate) struct Input {
    /// The circles now and a moment later; equal segments.
    pub(crate) frames: [Scene; 2],
    /// What touches in each.
    pub(crate) known: [Counts; 2],
}

impl Input {
    pub(crate) fn name(&self) -> &'static str {
        self.frames[0].name
    }

    pub(crate) fn circles(&self) -> usize {
        self.frames[0].x.len()
    }

    pub(crate) fn segments(&self) -> usize {
        self.frames[0].x0.len()
    }

    /// Circles and segments together.
    pub(crate) fn bodies(&self) -> usize {
        self.circles() + self.segments()
    }

    /// Lower and upper corner of the box around everything.
    pub(crate) fn bounds(&self) -> [f32; 4] {
        let scene = &self.frames[0];
        let circles = (0..self.circles()).map(|row| circle_box(scene, row));
        let all = circles.chain((0..self.segments()).map(|row| segment_box(scene, row)));
        all.reduce(|p, q| [p[0].min(q[0]), p[1].min(q[1]), p[2].max(q[2]), p[3].max(q[3])]).expect("a scene has bodies")
    }

    /// Where the bodies were strewn: the square of a built-in scene, the box of a map.
    pub(crate) fn area(&self) -> [f32; 4] {
        let half = self.frames[0].half_width;
        if self.is_built_in() { [-half, -half, half, half] } else { self.bounds() }
    }

    /// Not a map.
    pub(crate) fn is_built_in(&self) -> bool {
        self.frames[0].half_width > 0.0
    }

    fn new(first: Scene, known: Counts) -> Input {
        let mut second = copy(&first);
        for (x, v) in second.x.iter_mut().zip(&first.velocity_x) {
            *x += v * MOMENT;
        }
        for (y, v) in second.y.iter_mut().zip(&first.velocity_y) {
            *y += v * MOMENT;
        }
        let here = found_by_gridlane(&first);
        assert_eq!(here, known, "{}: the library disagrees with what is known", first.name);
        let known = [known, found_by_gridlane(&second)];
        Input { frames: [first, second], known }
    }

    /// The same bodies with the circles in the order of the cells they are in, as a world keeps them.
    pub(crate) fn in_cell_order(&self) -> Input {
        let first = &self.frames[0];
        let mut binned = Binned::default();
        binned.bin(circles(first));
        let gather = |from: &[f32]| -> Vec<f32> { binned.order().iter().map(|&row| from[row as usize]).collect() };
        let sorted = |scene: &Scene| {
            let mut sorted = copy(scene);
            for column in
                [&mut sorted.x, &mut sorted.y, &mut sorted.radius, &mut sorted.velocity_x, &mut sorted.velocity_y]
            {
                *column = gather(column);
            }
            sorted
        };
        Input { frames: [sorted(&self.frames[0]), sorted(&self.frames[1])], known: self.known }
    }

    /// The segments alone: what all pairs of segments are searched in.
    pub(crate) fn without_circles(&self) -> Input {
        let bare = |scene: &Scene| {
            let mut bare = copy(scene);
            for column in [&mut bare.x, &mut bare.y, &mut bare.radius, &mut bare.velocity_x, &mut bare.velocity_y] {
                column.clear();
            }
            bare
        };
        let known = self.known.map(|[.., segments]| [0, 0, segments]);
        Input { frames: [bare(&self.frames[0]), bare(&self.frames[1])], known }
    }
}

/// Every input, smallest first; the largest only where it is asked for.
pub(crate) fn all(large: bool, wanted: impl Fn(&str) -> bool) -> Vec<Input> {
    let scenes = KNOWN.into_iter().filter(|(name, _)| (large || *name != "gas-1m") && wanted(name));
    let scenes = scenes.map(|(name, known)| Input::new(scene(name).expect("a built-in scene"), known));
    scenes.chain(MAPS.into_iter().filter(|name| wanted(name)).map(map)).collect()
}

/// The circles of a scene as columns.
pub(crate) fn circles(scene: &Scene) -> Circles<'_> {
    Circles { x: &scene.x, y: &scene.y, radius: &scene.radius }
}

/// The segments of a scene as columns.
pub(crate) fn segments(scene: &Scene) -> Segments<'_> {
    Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 }
}

/// How many contacts of each kind there are.
pub(crate) fn counts(contacts: &Contacts) -> Counts {
    [contacts.circle_circle().len(), contacts.circle_segment().len(), contacts.segment_segment().len()]
}

fn found_by_gridlane(scene: &Scene) -> Counts {
    let mut detector = Detector::new(DetectorConfig::default()).expect("in range");
    let mut contacts = Contacts::new();
    detector.set_segments(segments(scene)).expect("finite");
    detector.detect(circles(scene), &mut contacts).expect("finite");
    counts(&contacts)
}

fn copy(scene: &Scene) -> Scene {
    Scene {
        name: scene.name,
        half_width: scene.half_width,
        x: scene.x.clone(),
        y: scene.y.clone(),
        radius: scene.radius.clone(),
        velocity_x: scene.velocity_x.clone(),
        velocity_y: scene.velocity_y.clone(),
        x0: scene.x0.clone(),
        y0: scene.y0.clone(),
        x1: scene.x1.clone(),
        y1: scene.y1.clone(),
    }
}

/// A map with the ten thousand circles of its truth: `random_circles` there is the recipe.
fn map(name: &'static str) -> Input {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/maps");
    let lines = rows(&folder.join(format!("{name}.segments.csv")));
    let text = std::fs::read_to_string(folder.join(format!("{name}.truth.json"))).expect("a truth beside each map");
    let truth: Value = serde_json::from_str(&text).expect("the truth is JSON");
    let column = |k: usize| lines.iter().map(|line| line[k]).collect();
    let mut scene = Scene { name, x0: column(0), y0: column(1), x1: column(2), y1: column(3), ..Scene::default() };
    let side = |k: usize| truth["bbox"][k].as_f64().expect("a number");
    let most = f64::max(side(2) - side(0), side(3) - side(1)) / 200.0;
    let (mut places, mut velocities) = (Rng::new(0xC1_AC1E), Rng::new(0x5EED));
    for _ in 0..10_000 {
        scene.x.push(places.range(side(0), side(2)) as f32);
        scene.y.push(places.range(side(1), side(3)) as f32);
        scene.radius.push(places.range(0.05 * most, most) as f32);
        // As fast for their size as in the built-in scenes.
        scene.velocity_x.push(velocities.range(-10.0 * most, 10.0 * most) as f32);
        scene.velocity_y.push(velocities.range(-10.0 * most, 10.0 * most) as f32);
    }
    let known = |a: &str, b: &str| truth[a][b].as_u64().expect("a count") as usize;
    let circles = ["circle_circle_pairs", "circle_segment_pairs"].map(|kind| known("circles_random", kind));
    Input::new(scene, [circles[0], circles[1], known("segment_pairs", "hit")])
}

/// Four numbers a line, after a line of names.
fn rows(path: &Path) -> Vec<[f32; 4]> {
    let text = std::fs::read_to_string(path).expect("a map of this tree");
    let number = |field: &str| field.trim().parse::<f32>().expect("a number");
    let row = |line: &str| -> Vec<f32> { line.split(',').map(number).collect() };
    text.lines().skip(1).map(|line| row(line).try_into().expect("four of them")).collect()
}
