//! Numbers with underscores.

/// Parses a decimal number; single underscores may separate digits.
pub fn parse(text: &str) -> Option<u32> {
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return None;
    }
    text.replace('_', "").parse().ok()
}
