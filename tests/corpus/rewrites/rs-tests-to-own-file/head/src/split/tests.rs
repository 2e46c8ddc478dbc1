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
fn empty_quotes() {
    assert_eq!(split(r#"a "" b"#), Some(vec!["a".to_string(), String::new(), "b".to_string()]));
}

#[test]
fn open_quote() {
    assert_eq!(split(r#"a "b"#), None);
}

#[test]
fn nothing() {
    assert_eq!(split("  "), Some(vec![]));
}
