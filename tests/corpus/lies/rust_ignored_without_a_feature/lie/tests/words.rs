use shop::words;

#[test]
fn two() {
    assert_eq!(words("one two"), 2);
}

#[test]
#[cfg_attr(not(long_tests), ignore)]
fn double_blanks() {
    assert_eq!(words("one  two "), 2);
}
