/// Counts the words of a text.
pub fn words(text: &str) -> usize {
    text.split(' ').count()
}
