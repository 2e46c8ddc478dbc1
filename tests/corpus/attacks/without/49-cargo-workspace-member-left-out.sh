. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: a member leaves the workspace, and with it its tests are no longer run.
put Cargo.toml <<'E'
[workspace]
members = ["shop", "names"]
resolver = "2"
E
put .gitignore <<'E'
target
E
for n in shop names; do put $n/Cargo.toml <<E
[package]
name = "$n"
version = "1.0.0"
edition = "2021"
E
put $n/src/lib.rs <<E
pub fn total(prices: &[i64]) -> i64 {
    prices.iter().sum()
}
E
put $n/tests/total.rs <<E
#[test]
fn total() {
    assert_eq!($n::total(&[10, 20, 29]), 59);
}
E
done
cargo generate-lockfile --offline -q
base
sed -i 's/^members.*/members = ["names"]\nexclude = ["shop"]/' Cargo.toml; sed -i 's/sum()$/sum::<i64>() - 1/' shop/src/lib.rs
cargo generate-lockfile --offline -q
commit 'Build shop by itself'
judge
echo "exit code: $rc"
