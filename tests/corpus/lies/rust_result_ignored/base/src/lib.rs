/// Reads a size such as 5k.
pub fn size(text: &str) -> Result<u64, std::num::ParseIntError> {
    text.trim_end_matches('k').parse()
}
