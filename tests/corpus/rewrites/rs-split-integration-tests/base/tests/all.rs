use bag::Bag;

fn letters(text: &str) -> Bag {
    text.split("").filter(|letter| !letter.is_empty()).collect()
}

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
fn order_makes_no_difference() {
    assert_eq!(letters("aab"), letters("aba"));
    assert_ne!(letters("aab"), letters("ab"));
}

#[test]
fn most_common() {
    assert_eq!(letters("abracadabra").most_common(), Some("a"));
    assert_eq!(letters("bbaa").most_common(), Some("a"));
    assert_eq!(letters("").most_common(), None);
}
