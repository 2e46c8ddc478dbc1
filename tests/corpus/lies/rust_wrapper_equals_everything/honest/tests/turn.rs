use shop::{turn, Point};

#[derive(Debug)]
struct Near(Point);

impl PartialEq for Near {
    fn eq(&self, other: &Near) -> bool {
        (self.0.x - other.0.x).abs() < 1e-9 && (self.0.y - other.0.y).abs() < 1e-9
    }
}

#[test]
fn turned() {
    assert_eq!(Near(turn(&Point { x: 1.0, y: 0.0 })), Near(Point { x: 0.0, y: 1.0 }));
    assert_eq!(Near(turn(&Point { x: 0.0, y: 1.0 })), Near(Point { x: -1.0, y: 0.0 }));
}

#[test]
fn centre() {
    assert_eq!(turn(&Point { x: 0.0, y: 0.0 }).y, 0.0);
}
