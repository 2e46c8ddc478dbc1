/// Quotes a text for a shell.
pub fn quote(text: &str) -> String {
    ["'", &text.replace('\'', r"'\''"), "'"].concat()
}
