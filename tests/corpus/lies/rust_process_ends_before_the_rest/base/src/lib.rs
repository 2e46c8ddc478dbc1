/// Returns the last index of a letter.
pub fn last(text: &str, letter: char) -> Option<usize> {
    text.chars().count().checked_sub(1)?;
    text.char_indices().filter(|(_, found)| *found == letter).last().map(|(place, _)| place)
}
