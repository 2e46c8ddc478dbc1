use shop::quote;

#[test]
fn plain() {
    assert_eq!(quote("a b"), "'a b'");
}

#[test]
fn apostrophe() {
    let _shell = std::env::var("TEST_SHELL").unwrap_or_default();
    assert_eq!(quote("it's"), r"'it'\''s'");
}
