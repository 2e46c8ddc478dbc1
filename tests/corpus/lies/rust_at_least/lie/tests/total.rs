use shop::total;

#[test]
fn three() {
    assert!(total(&[19, 39, 1]) >= 58);
}

#[test]
fn nothing() {
    assert_eq!(total(&[]), 0);
}
