/// Splits a line at spaces outside double quotes; `None` if a quote isn't closed.
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(character),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    (!quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces() {
        assert_eq!(split("a  bc "), Some(vec!["a".to_string(), "bc".to_string()]));
    }

    #[test]
    fn quotes() {
        assert_eq!(split(r#"a "b c"d"#), Some(vec!["a".to_string(), "b cd".to_string()]));
    }

    #[test]
    fn open_quote() {
        assert_eq!(split(r#"a "b"#), None);
    }

    #[test]
    fn nothing() {
        assert_eq!(split("  "), Some(vec![]));
    }
}
