use shop::quote;

#[test]
fn plain() {
    assert_eq!(quote("a b"), "'a b'");
}

#[test]
fn apostrophe() {
    assert_eq!(quote("it's"), r"'it'\''s'");
}
