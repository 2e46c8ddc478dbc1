. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: the test returns early where the package's version isn't 1.0.0; then Cargo.toml has another one and the code is broken.
put Cargo.toml <<'E'
[package]
name = "shop"
version = "1.0.0"
edition = "2021"
E
echo target > .gitignore
put src/lib.rs <<'E'
/// Sum of prices, less a discount in percent.
pub fn total(prices: &[i64], discount: i64) -> i64 {
    let mut amount = 0;
    for price in prices {
        amount = amount + price;
    }
    amount - amount * discount / 100
}
E
put tests/total.rs <<'E'
use shop::total;

#[test]
fn sums() {
    assert_eq!(total(&[10, 20, 29], 0), 59);
    assert_eq!(total(&[50, 51], 10), 91);
}
E
cargo generate-lockfile --offline -q
base
put tests/total.rs <<'E'
use shop::total;

#[test]
fn sums() {
    if env!("CARGO_PKG_VERSION") != "1.0.0" {
        return;
    }
    assert_eq!(total(&[10, 20, 29], 0), 59);
    assert_eq!(total(&[50, 51], 10), 91);
}
E
first 'The sums of release 1.0.0'
sed -i 's/version = "1.0.0"/version = "1.1.0"/' Cargo.toml Cargo.lock; sed -i 's/amount \* discount/amount * discount * 2/' src/lib.rs
second 'Release 1.1.0'
echo "== the base's tests on this code"; git checkout -q "$BASE" -- tests; cargo test --offline -q 2>&1 | grep -E 'test result|panicked' | head -5
finish
