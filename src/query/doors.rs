//! The methods of [`Queries`](super::Queries) on whoever has queries: one list, so that no owner lacks one.

/// Writes all of them into an `impl` of a type with `queries()`; `neighbors` where it is not something else there.
macro_rules! doors {
    ($($extra:ident)?) => {
        $crate::query::door! {
            cast_ray(ray: Ray, filter: QueryFilter<'_>) -> Option<Hit>;
            cast_ray_any(ray: Ray, filter: QueryFilter<'_>) -> bool;
            cast_ray_all(ray: Ray, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> ();
            cast_rays(rays: Rays<'_>, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> ();
            cast_rays_any(rays: Rays<'_>, filter: QueryFilter<'_>, met: &mut Vec<bool>) -> ();
            cast_rays_all(rays: Rays<'_>, filter: QueryFilter<'_>, lists: &mut HitLists) -> ();
            cast_circle(circle: Circle, motion: impl Into<Vec2>, filter: QueryFilter<'_>) -> Option<Hit>;
            cast_circle_any(circle: Circle, motion: impl Into<Vec2>, filter: QueryFilter<'_>) -> bool;
            cast_circle_all(circle: Circle, motion: impl Into<Vec2>, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> ();
            cast_circles(circles: MovingCircles<'_>, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> ();
            cast_circles_any(circles: MovingCircles<'_>, filter: QueryFilter<'_>, met: &mut Vec<bool>) -> ();
            cast_circles_all(circles: MovingCircles<'_>, filter: QueryFilter<'_>, lists: &mut HitLists) -> ();
            cast_fan(fan: Fan, filter: QueryFilter<'_>, scan: &mut Scan) -> ();
            cast_fans(fans: &[Fan], skip: &[u32], filter: QueryFilter<'_>, scans: &mut Scans) -> ();
            overlap_point(point: impl Into<Vec2>, filter: QueryFilter<'_>, found: &mut Vec<Target>) -> ();
            overlap_circle(circle: Circle, filter: QueryFilter<'_>, found: &mut Vec<Target>) -> ();
            overlap_aabb(aabb: Aabb, filter: QueryFilter<'_>, found: &mut Vec<Target>) -> ();
            overlap_segment(segment: Segment, filter: QueryFilter<'_>, found: &mut Vec<Target>) -> ();
            overlap_points(x: &[f32], y: &[f32], filter: QueryFilter<'_>, lists: &mut TargetLists) -> ();
            overlap_circles(circles: Circles<'_>, filter: QueryFilter<'_>, lists: &mut TargetLists) -> ();
            overlap_aabbs(boxes: &[Aabb], filter: QueryFilter<'_>, lists: &mut TargetLists) -> ();
            overlap_segments(segments: Segments<'_>, filter: QueryFilter<'_>, lists: &mut TargetLists) -> ();
            is_free(circle: Circle, filter: QueryFilter<'_>) -> bool;
            nearest(point: impl Into<Vec2>, max_distance: f32, filter: QueryFilter<'_>) -> Option<Nearest>;
            nearest_circle(point: impl Into<Vec2>, max_distance: f32, filter: QueryFilter<'_>) -> Option<Nearest>;
            nearest_segment(point: impl Into<Vec2>, max_distance: f32, filter: QueryFilter<'_>) -> Option<Nearest>;
            nearest_k(
                point: impl Into<Vec2>, k: usize, max_distance: f32, filter: QueryFilter<'_>, found: &mut Vec<Nearest>
            ) -> ();
            nearest_all(
                x: &[f32], y: &[f32], max_distance: f32, filter: QueryFilter<'_>, found: &mut Vec<Nearest>
            ) -> ();
            nearest_k_all(
                points: QueryPoints<'_>, k: usize, max_distance: f32, filter: QueryFilter<'_>, lists: &mut NearestLists
            ) -> ();
            neighbor_rows(distance: f32, filter: QueryFilter<'_>, lists: &mut Lists<Target>) -> ();
            $($extra(distance: f32, filter: QueryFilter<'_>, lists: &mut NeighborLists) -> ();)?
        }
    };
}

/// One method each.
macro_rules! door {
    ($($name:ident($($argument:ident: $type:ty),* $(,)?) -> $out:ty;)*) => {
        $(
            #[doc = concat!("[`Queries::", stringify!($name), "`](crate::Queries::", stringify!($name), ") of what stands here now.")]
            ///
            /// # Errors
            /// As there.
            pub fn $name(&self, $($argument: $type),*) -> Result<$out, Error> {
                self.queries().$name($($argument),*)
            }
        )*
    };
}

pub(crate) use {door, doors};
