//! What is printed on a label.

use crate::barcode::{read, Refusal};

/// Writes a number in groups: 1 and twice 6 digits, or twice 4.
pub fn grouped(text: &str) -> Result<String, Refusal> {
    let digits = read(text)?;
    let signs: String = digits.iter().map(|digit| digit.to_string()).collect();
    Ok(match signs.len() {
        8 => format!("{} {}", &signs[..4], &signs[4..]),
        _ => format!("{} {} {}", &signs[..1], &signs[1..7], &signs[7..]),
    })
}

/// Whether a number is the shop's own, which begins with a 2.
pub fn is_own(text: &str) -> bool {
    read(text).is_ok_and(|digits| digits[0] == 2)
}
