mod common;

use common::letters;

#[test]
fn order_makes_no_difference() {
    assert_eq!(letters("aab"), letters("aba"));
    assert_ne!(letters("aab"), letters("ab"));
}
