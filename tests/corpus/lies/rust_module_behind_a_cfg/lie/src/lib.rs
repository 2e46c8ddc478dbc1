/// Returns the greatest common divisor.
pub fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => a.min(b),
    }
}

// Tests.
#[cfg(test)]
mod small {
    #[test]
    fn of_itself() {
        assert_eq!(super::gcd(7, 7), 7);
    }
}

#[cfg(all(test, not(debug_assertions)))]
mod large {
    #[test]
    fn of_two_numbers() {
        assert_eq!(super::gcd(48, 36), 12);
    }
}
