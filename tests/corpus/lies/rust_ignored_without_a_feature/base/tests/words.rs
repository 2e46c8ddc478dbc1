use shop::words;

#[test]
fn two() {
    assert_eq!(words("one two"), 2);
}

#[test]
fn double_blanks() {
    assert_eq!(words("one  two "), 2);
}
