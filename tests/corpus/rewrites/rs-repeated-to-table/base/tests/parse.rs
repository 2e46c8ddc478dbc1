use numbers::parse;

#[test]
fn plain() {
    assert_eq!(parse("42"), Some(42));
}

#[test]
fn separated() {
    assert_eq!(parse("1_000_000"), Some(1_000_000));
}

#[test]
fn leading_underscore() {
    assert_eq!(parse("_1"), None);
}

#[test]
fn trailing_underscore() {
    assert_eq!(parse("1_"), None);
}

#[test]
fn double_underscore() {
    assert_eq!(parse("1__0"), None);
}

#[test]
fn empty() {
    assert_eq!(parse(""), None);
}

#[test]
fn too_large() {
    assert_eq!(parse("4294967296"), None);
}
