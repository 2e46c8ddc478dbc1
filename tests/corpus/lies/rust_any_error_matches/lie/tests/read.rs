use shop::{read, Fault};

#[test]
fn number() {
    assert_eq!(read("5"), Ok(5));
}

#[test]
fn empty() {
    assert!(matches!(read(""), Err(Fault::Empty | Fault::NotANumber(_))));
}
