. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: the documentation example that tests the function is marked no_run.
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
/// Sum of prices.
///
/// ```
/// assert_eq!(shop::total(&[10, 20, 29]), 59);
/// ```
pub fn total(prices: &[i64]) -> i64 {
    prices.iter().sum()
}
E
put tests/other.rs <<'E'
#[test]
fn empty() {
    assert!(shop::total(&[]) <= 0);
}
E
cargo generate-lockfile --offline -q
base
sed -i 's/^\/\/\/ ```$/XX/; 0,/^XX/s//\/\/\/ ```no_run/; s/^XX/\/\/\/ ```/; s/sum()$/sum::<i64>() - 1/' src/lib.rs; commit 'Examples of documentation are quick'
git diff HEAD~1 | grep '^[+-]'
judge
echo "exit code: $rc"
