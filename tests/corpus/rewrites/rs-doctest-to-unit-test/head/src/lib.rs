//! Ordinal numbers in English.

/// Returns the number with its ending.
///
/// ```
/// use ordinal::ordinal;
///
/// assert_eq!(ordinal(2), "2nd");
/// assert_eq!(ordinal(12), "12th");
/// ```
pub fn ordinal(number: u64) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn first_five() {
        let texts: Vec<_> = (0..5).map(ordinal).collect();
        assert_eq!(texts, ["0th", "1st", "2nd", "3rd", "4th"]);
    }

    #[test]
    fn teens() {
        assert_eq!(ordinal(11), "11th");
        assert_eq!(ordinal(12), "12th");
        assert_eq!(ordinal(13), "13th");
        assert_eq!(ordinal(111), "111th");
    }

    #[test]
    fn above_twenty() {
        assert_eq!(ordinal(21), "21st");
        assert_eq!(ordinal(122), "122nd");
    }
}
