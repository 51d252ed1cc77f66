use super::*;
pub fn circle_circle(a: Circle, b: Circle) -> Option<Contact> {
    let (dx, dy) = (b.center.x as f64 - a.center.x as f64, b.center.y as f64 - a.center.y as f64);
    let r = a.radius as f64 + b.radius as f64;
    let d2 = dx * dx + dy * dy;
    if d2 > r * r {
        return None;
    }
    let d = d2.sqrt();
    let (nx, ny) = if d > 0.0 { (dx / d, dy / d) } else { (0.0, 1.0) };
    let h = a.radius as f64 + (d - r) / 2.0;
    Some(Contact {
        point: Vec2::new((a.center.x as f64 + nx * h) as f32, (a.center.y as f64 + ny * h) as f32),
        normal: Vec2::new(nx as f32, ny as f32),
        separation: (d - r) as f32,
        feature: Feature::Interior,
    })
}
pub fn circle_segment(c: Circle, s: Segment) -> Option<Contact> {
    let (ax, ay, bx, by) = (s.start.x as f64, s.start.y as f64, s.end.x as f64, s.end.y as f64);
    let (px, py, r) = (c.center.x as f64, c.center.y as f64, c.radius as f64 + s.radius as f64);
    let (dx, dy) = (bx - ax, by - ay);
    let l = dx * dx + dy * dy;
    let f0 = (px - ax) * dx + (py - ay) * dy;
    let f1 = (px - bx) * dx + (py - by) * dy;
    let (t, feature) = if f0 <= 0.0 {
        (0.0, Feature::Start)
    } else if f1 >= 0.0 {
        (1.0, Feature::End)
    } else {
        (f0 / l, Feature::Interior)
    };
    let (qx, qy) = (ax + t * dx - px, ay + t * dy - py);
    if qx * qx + qy * qy > r * r {
        return None;
    }
    let d = (qx * qx + qy * qy).sqrt();
    let (nx, ny) = if d > 0.0 {
        (qx / d, qy / d)
    } else if l > 0.0 {
        (-dy / l.sqrt(), dx / l.sqrt())
    } else {
        (0.0, 1.0)
    };
    Some(Contact {
        point: Vec2::new((ax + t * dx) as f32, (ay + t * dy) as f32),
        normal: Vec2::new(nx as f32, ny as f32),
        separation: (d - r) as f32,
        feature,
    })
}
