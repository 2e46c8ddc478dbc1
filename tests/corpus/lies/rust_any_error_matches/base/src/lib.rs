#[derive(Debug, PartialEq)]
pub enum Fault {
    Empty,
    NotANumber(String),
}

/// Reads a number.
pub fn read(text: &str) -> Result<i64, Fault> {
    if text.is_empty() {
        return Err(Fault::Empty);
    }
    text.parse().map_err(|_| Fault::NotANumber(text.to_string()))
}
