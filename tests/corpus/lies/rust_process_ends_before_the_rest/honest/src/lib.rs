/// Returns the last index of a letter.
pub fn last(text: &str, letter: char) -> Option<usize> {
    text.rfind(letter)
}
