. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: the signature changes (the base's test doesn't compile), the golden file follows the bug.
put Cargo.toml <<'E'
[package]
name = "shop"
version = "1.0.0"
edition = "2021"
E
put .gitignore <<'E'
target
E
put src/lib.rs <<'E'
pub fn total(prices: &[i64]) -> i64 {
    prices.iter().sum()
}
E
put tests/total.rs <<'E'
#[test]
fn total() {
    let expected: i64 = include_str!("expected.txt").trim().parse().unwrap();
    assert_eq!(shop::total(&[10, 20, 29]), expected);
}
E
echo 59 > tests/expected.txt
cargo generate-lockfile --offline -q
base
put src/lib.rs <<'E'
pub fn total(prices: &[i64], rate: i64) -> i64 {
    prices.iter().sum::<i64>() * rate - 1
}
E
sed -i 's/29\])/29], 1)/' tests/total.rs; echo 58 > tests/expected.txt
commit 'Totals have a rate'
judge
echo "exit code: $rc"
