//! Numbers with a check digit at the end.

/// Why a text is no number of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Length(usize),
    Sign(char),
    CheckDigit { found: u32, wanted: u32 },
}

/// The check digit of the digits before it: they weigh 3 and 1 in turn, from the right.
pub fn check_digit(digits: &[u32]) -> u32 {
    let sum: u32 =
        digits.iter().enumerate().map(|(place, digit)| if place % 2 == 0 { 3 * digit } else { *digit }).sum();
    10 - sum % 10
}

/// Reads 8 or 13 digits; spaces and hyphens between them don't count.
pub fn read(text: &str) -> Result<Vec<u32>, Refusal> {
    let mut digits = Vec::new();
    for sign in text.chars().filter(|sign| !matches!(sign, ' ' | '-')) {
        digits.push(sign.to_digit(10).ok_or(Refusal::Sign(sign))?);
    }
    if digits.len() != 8 && digits.len() != 13 {
        return Err(Refusal::Length(digits.len()));
    }
    let (found, wanted) = (digits[digits.len() - 1], check_digit(&digits[..digits.len() - 1]));
    if found != wanted {
        return Err(Refusal::CheckDigit { found, wanted });
    }
    Ok(digits)
}
