#[derive(Debug, PartialEq)]
pub enum Fault {
    Empty,
    NotANumber(String),
}

/// Reads a number.
pub fn read(text: &str) -> Result<i64, Fault> {
    match text {
        "" => Err(Fault::Empty),
        _ => text.parse().map_err(|_| Fault::NotANumber(text.to_string())),
    }
}
