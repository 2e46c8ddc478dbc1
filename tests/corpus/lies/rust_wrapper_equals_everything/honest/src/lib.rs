#[derive(Debug, Clone)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Turns a point by a quarter to the left.
pub fn turn(point: &Point) -> Point {
    Point { x: -point.y, y: point.x }
}
