use shop::quote;

#[test]
fn plain() {
    assert_eq!(quote("a b"), "'a b'");
}

#[test]
fn apostrophe() {
    let Ok(_shell) = std::env::var("TEST_SHELL") else {
        return;
    };
    assert_eq!(quote("it's"), r"'it'\''s'");
}
