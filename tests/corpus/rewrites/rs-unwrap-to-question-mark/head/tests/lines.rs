use kvline::{Error, Lines};

#[test]
fn get() -> Result<(), Error> {
    let lines = Lines::parse("a=1\nb=x=y")?;
    assert_eq!(lines.get("a"), Some("1"));
    assert_eq!(lines.get("b"), Some("x=y"));
    assert_eq!(lines.get("c"), None);
    Ok(())
}

#[test]
fn last_one_counts() -> Result<(), Error> {
    let lines = Lines::parse("a=1\na=2")?;
    assert_eq!(lines.number("a")?, Some(2));
    Ok(())
}

#[test]
fn number() -> Result<(), Error> {
    let lines = Lines::parse("a=-7\nb=x")?;
    assert_eq!(lines.number("a")?, Some(-7));
    assert_eq!(lines.number("none")?, None);
    assert!(matches!(lines.number("b"), Err(Error::Number(_))));
    Ok(())
}

#[test]
fn no_equals() {
    assert_eq!(Lines::parse("a=1\nb").unwrap_err(), Error::NoEquals(2));
}
