//! Promise: neighbours of very many circles are those that the detector's own search finds, with the values of `geometry`, in any order of the
//! columns, on any number of threads, filtered or not. So many that strips of rows, and pairs that lead out of them, matter.

use crate::common::scenes::{Scene, scene};
use gridlane::internals::Binned;
use gridlane::{
    Circle, Circles, Detector, DetectorConfig, Filters, NeighborLists, Neighbors, QueryFilter, Segments, Target,
    TargetKind, TargetLists, Threads, geometry,
};

fn detector(scene: &Scene, threads: usize) -> Detector {
    let mut detector = Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(threads))).unwrap();
    let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
    detector.set_segments(segments).unwrap();
    detector.set_circles(circles(scene), Filters::default()).unwrap();
    detector
}

fn circles(scene: &Scene) -> Circles<'_> {
    Circles { x: &scene.x, y: &scene.y, radius: &scene.radius }
}

fn circle(scene: &Scene, row: u32) -> Circle {
    let row = row as usize;
    Circle::new([scene.x[row], scene.y[row]], scene.radius[row])
}

/// Rows by height, and some way along: few pairs lead far in such columns.
fn by_height(scene: &Scene) -> Scene {
    let mut order: Vec<usize> = (0..scene.x.len()).collect();
    order.sort_by(|&a, &b| scene.y[a].total_cmp(&scene.y[b]));
    in_order("by height", scene, order.into_iter())
}

/// As a world keeps them: nothing is left to be sorted.
fn by_cells(scene: &Scene) -> Scene {
    let mut binned = Binned::default();
    binned.bin(circles(scene));
    let scene = in_order("by cells", scene, binned.order().iter().map(|&row| row as usize));
    binned.bin(circles(&scene));
    assert!(binned.order().iter().copied().eq(0..scene.x.len() as u32));
    scene
}

fn in_order(name: &'static str, scene: &Scene, order: impl Iterator<Item = usize> + Clone) -> Scene {
    let taken = |column: &[f32]| order.clone().map(|row| column[row]).collect();
    Scene {
        name,
        x: taken(&scene.x),
        y: taken(&scene.y),
        radius: taken(&scene.radius),
        x0: scene.x0.clone(),
        y0: scene.y0.clone(),
        x1: scene.x1.clone(),
        y1: scene.y1.clone(),
        ..Scene::default()
    }
}

/// Lists of circles against those of the other search; values and segments against `geometry`, for some rows.
fn check(scene: &Scene, distance: f32) -> usize {
    let (mut lists, mut rows, mut neighbors) = (NeighborLists::new(), TargetLists::new(), Neighbors::new());
    let mut one = detector(scene, 1);
    one.queries().neighbors(distance, QueryFilter::new(), &mut lists).unwrap();
    one.neighbors(circles(scene), distance, &mut neighbors).unwrap();
    for row in 0..scene.x.len() {
        let found = lists.get(row).iter().map(|near| near.target).filter(|target| target.kind == TargetKind::Circle);
        assert!(found.map(|target| target.row).eq(neighbors.of(row).iter().copied()), "{} row {row}", scene.name);
    }
    for row in (0..scene.x.len()).step_by(23) {
        let own = circle(scene, row as u32);
        for near in lists.get(row) {
            let k = near.target.row as usize;
            let gap = if near.target.kind == TargetKind::Circle {
                geometry::circle_circle_gap(own, circle(scene, near.target.row))
            } else {
                let wall = geometry::Segment::new([scene.x0[k], scene.y0[k]], [scene.x1[k], scene.y1[k]]);
                geometry::circle_segment_gap(own, wall)
            };
            let gap = gap.unwrap();
            assert_eq!((near.point, near.separation, near.feature), (gap.point, gap.separation, gap.feature));
        }
    }
    // Rows alone, and on several threads, the same; and with a filter what is left without those it refuses.
    let sees = |target: Target| target.row % 4 != 1;
    let filter = QueryFilter::new().with_condition(&sees);
    for threads in [1, 3] {
        let detector = detector(scene, threads);
        detector.queries().neighbor_rows(distance, QueryFilter::new(), &mut rows).unwrap();
        assert_eq!(rows.offsets(), lists.offsets());
        assert!(rows.items().iter().eq(lists.items().iter().map(|near| &near.target)), "{threads}");
        let mut again = NeighborLists::new();
        detector.queries().neighbors(distance, QueryFilter::new(), &mut again).unwrap();
        assert!(again.items() == lists.items(), "{threads}");
        detector.queries().neighbors(distance, filter, &mut again).unwrap();
        for (row, list) in again.iter().enumerate() {
            assert!(list.iter().eq(lists.get(row).iter().filter(|near| sees(near.target))), "{threads}, row {row}");
        }
    }
    lists.items().len()
}

#[test]
fn in_boxes_of_cells_and_around_tori_in_any_order() {
    for (name, distance) in [("gas-100k", 1.0), ("cluster-100k", 0.25), ("mixed-100k", 0.02)] {
        let scene = scene(name).expect("a built-in scene");
        let found = check(&scene, distance);
        assert!(found > 100_000, "{name}: {found}");
        assert_eq!(check(&by_height(&scene), distance), found, "{name}");
        assert_eq!(check(&by_cells(&scene), distance), found, "{name}");
    }
}
