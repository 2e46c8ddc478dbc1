mod common;

use bag::Bag;
use common::letters;

#[test]
fn counts() {
    let bag = letters("abracadabra");
    assert_eq!(bag.count("a"), 5);
    assert_eq!(bag.count("z"), 0);
    assert_eq!(bag.len(), 11);
}

#[test]
fn empty() {
    assert!(Bag::default().is_empty());
    assert!(!letters("a").is_empty());
}

#[test]
fn most_common() {
    assert_eq!(letters("abracadabra").most_common(), Some("a"));
    assert_eq!(letters("bbaa").most_common(), Some("a"));
    assert_eq!(letters("").most_common(), None);
}
