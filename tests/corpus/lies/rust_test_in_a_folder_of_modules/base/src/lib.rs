/// Tells whether a text reads the same from both ends.
pub fn palindrome(text: &str) -> bool {
    text.chars().eq(text.chars().rev())
}

/// Returns the first letter.
pub fn first(text: &str) -> Option<char> {
    text.chars().next()
}
