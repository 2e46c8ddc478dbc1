/// Returns the days of a month in a common year.
pub fn days(month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::days;

    #[test]
    fn february() {
        assert_eq!(days(2), 28);
    }

    #[test]
    fn september() {
        assert_eq!(days(9), 30);
    }
}
