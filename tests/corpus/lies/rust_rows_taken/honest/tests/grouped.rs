use shop::grouped;

const ROWS: &[(u64, &str)] = &[(5, "5"), (1000, "1,000"), (20_005, "20,005"), (1_234_567, "1,234,567")];

#[test]
fn rows() {
    for (number, text) in ROWS.iter().take_while(|row| row.1.len() < 80) {
        assert_eq!(&grouped(*number), text);
    }
}
