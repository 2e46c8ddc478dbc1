#[test]
fn first() {
    assert_eq!(shop::first("ab"), Some('a'));
}
