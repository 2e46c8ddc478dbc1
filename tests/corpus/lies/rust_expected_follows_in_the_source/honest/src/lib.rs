/// Returns the days of a month in a common year.
pub fn days(month: u8) -> u8 {
    if month == 2 {
        28
    } else {
        30 + (month + month / 8) % 2
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
        assert_eq!(days(8), 31);
    }
}
