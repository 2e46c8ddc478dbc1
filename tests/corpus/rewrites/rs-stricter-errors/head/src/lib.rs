//! Colours such as `#ff8000`.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    NoHash,
    Length(usize),
    Digit(char),
}

impl std::str::FromStr for Color {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digits = text.strip_prefix('#').ok_or(Error::NoHash)?;
        if let Some(bad) = digits.chars().find(|character| !character.is_ascii_hexdigit()) {
            return Err(Error::Digit(bad));
        }
        let at = |from: usize, to: usize| u8::from_str_radix(&digits[from..to], 16).unwrap_or_default();
        match digits.len() {
            3 => Ok(Color(at(0, 1) * 17, at(1, 2) * 17, at(2, 3) * 17)),
            6 => Ok(Color(at(0, 2), at(2, 4), at(4, 6))),
            length => Err(Error::Length(length)),
        }
    }
}
