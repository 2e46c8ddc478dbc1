/// Tells whether a text reads the same from both ends.
pub fn palindrome(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.iter().eq(letters.iter().rev())
}

/// Returns the first letter.
pub fn first(text: &str) -> Option<char> {
    text.chars().next()
}
