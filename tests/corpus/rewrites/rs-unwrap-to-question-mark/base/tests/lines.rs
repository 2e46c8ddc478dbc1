use kvline::{Error, Lines};

#[test]
fn get() {
    let lines = Lines::parse("a=1\nb=x=y").unwrap();
    assert_eq!(lines.get("a"), Some("1"));
    assert_eq!(lines.get("b"), Some("x=y"));
    assert_eq!(lines.get("c"), None);
}

#[test]
fn last_one_counts() {
    let lines = Lines::parse("a=1\na=2").unwrap();
    assert_eq!(lines.number("a").unwrap(), Some(2));
}

#[test]
fn number() {
    let lines = Lines::parse("a=-7\nb=x").unwrap();
    assert_eq!(lines.number("a").unwrap(), Some(-7));
    assert_eq!(lines.number("none").unwrap(), None);
    assert!(matches!(lines.number("b"), Err(Error::Number(_))));
}

#[test]
fn no_equals() {
    assert_eq!(Lines::parse("a=1\nb").unwrap_err(), Error::NoEquals(2));
}
