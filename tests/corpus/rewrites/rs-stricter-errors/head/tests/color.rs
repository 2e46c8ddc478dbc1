use hexcolor::{Color, Error};

fn parse(text: &str) -> Result<Color, Error> {
    text.parse()
}

#[test]
fn valid() {
    assert_eq!(parse("#ff8000"), Ok(Color(255, 128, 0)));
    assert_eq!(parse("#FFF"), Ok(Color(255, 255, 255)));
    assert_eq!(parse("#f80"), Ok(Color(255, 136, 0)));
}

#[test]
fn invalid() {
    assert_eq!(parse("ff8000"), Err(Error::NoHash));
    assert_eq!(parse("#ff80"), Err(Error::Length(4)));
    assert_eq!(parse("#ff800g"), Err(Error::Digit('g')));
    assert_eq!(parse(""), Err(Error::NoHash));
}
