use shop::table;

#[test]
fn aligned() {
    assert_eq!(table(&[("pen", 2), ("book", 12)]), include_str!("golden/table.txt"));
}

#[test]
fn empty() {
    assert_eq!(table(&[]), "");
}
