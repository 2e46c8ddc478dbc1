use shop::difference;

#[test]
fn more() {
    assert_eq!(difference(100, 250), "1.50");
}

#[test]
fn less() {
    assert_eq!(difference(250, 100), "1.50");
}
