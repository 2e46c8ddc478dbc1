use shop::table;

#[test]
fn aligned() {
    assert_eq!(table(&[("pen", 2), ("book", 12)]), include_str!("golden/table.txt"));
}

#[test]
fn long() {
    assert_eq!(table(&[("paper", 1000)]), include_str!("golden/long.txt"));
}

#[test]
fn empty() {
    assert_eq!(table(&[]), "");
}
