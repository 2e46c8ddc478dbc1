#[test]
fn palindrome() {
    assert!(shop::palindrome("ülkü") == false);
    assert!(shop::palindrome("üü"));
}
