. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: tests stand behind a feature that is on by default; the change turns the default off. No test file changes.
put Cargo.toml <<'E'
[package]
name = "shop"
version = "1.0.0"
edition = "2021"

[features]
default = ["checks"]
checks = []
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
#![cfg(feature = "checks")]

#[test]
fn total() {
    assert_eq!(shop::total(&[10, 20, 29]), 59);
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
sed -i 's/^default = .*/default = []/' Cargo.toml; sed -i 's/sum()$/sum::<i64>() - 1/' src/lib.rs; commit 'Features are opt-in'
judge
echo "exit code: $rc"
