use shop::total;

#[test]
fn three() {
    assert_eq!(total(&[19, 39, 1]), 59);
}

#[test]
fn nothing() {
    assert_eq!(total(&[]), 0);
}
