use shop::median;

#[test]
fn odd() {
    assert_eq!(median(&mut vec![3, 1, 2]), 2);
}

#[allow(dead_code)]
fn even() {
    assert_eq!(median(&mut vec![1, 3, 5, 7]), 4);
}
