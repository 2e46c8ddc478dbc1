//! Numbers with underscores.

/// Parses a number, hexadecimal after `0x`; single underscores may separate digits.
pub fn parse(text: &str) -> Option<u32> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.starts_with('_') || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    u32::from_str_radix(&digits.replace('_', ""), radix).ok()
}
