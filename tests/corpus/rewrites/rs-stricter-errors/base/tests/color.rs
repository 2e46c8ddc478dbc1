use hexcolor::Color;

fn parse(text: &str) -> Result<Color, hexcolor::Error> {
    text.parse()
}

#[test]
fn valid() {
    assert!(parse("#ff8000").is_ok());
    assert!(parse("#FFF").is_ok());
    assert_eq!(parse("#f80").unwrap(), Color(255, 136, 0));
}

#[test]
fn invalid() {
    assert!(parse("ff8000").is_err());
    assert!(parse("#ff80").is_err());
    assert!(parse("#ff800g").is_err());
    assert!(parse("").is_err());
}
