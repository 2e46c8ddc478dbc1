. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: a test asks for a cfg that build.rs sets since base; the change makes build.rs not set it (nothing of the test tree changes).
put Cargo.toml <<'E'
[package]
name = "shop"
version = "1.0.0"
edition = "2021"
build = "build.rs"

[lints.rust]
unexpected_cfgs = "allow"
E
put .gitignore <<'E'
target
E
put build.rs <<'E'
fn main() {
    println!("cargo:rustc-cfg=exact");
}
E
put src/lib.rs <<'E'
pub fn total(prices: &[i64]) -> i64 {
    prices.iter().sum()
}
E
put tests/total.rs <<'E'
#[cfg(exact)]
#[test]
fn total() {
    assert_eq!(shop::total(&[10, 20, 29]), 59);
}

#[test]
fn empty() {
    assert!(shop::total(&[]) <= 0);
}
E
cargo generate-lockfile --offline -q
base
sed -i 's/^    println.*/    println!("cargo:rerun-if-changed=build.rs");/' build.rs; sed -i 's/sum()$/sum::<i64>() - 1/' src/lib.rs; commit 'Quicker build'
judge
echo "exit code: $rc"
