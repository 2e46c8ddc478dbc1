use shop::Ring;

#[test]
fn has_its_size() {
    assert_eq!(Ring::new(4).len(), 4);
}

#[test]
#[should_panic(expected = "a ring needs a slot")]
fn needs_a_slot() {
    Ring::new(0);
}
