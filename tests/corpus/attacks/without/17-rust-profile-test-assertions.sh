. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rust: [profile.test] debug-assertions = false switches off the debug_assert! that the test relies on.
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
pub fn discount(price: u32, percent: u32) -> u32 {
    let cut = price * percent / 100;
    debug_assert!(cut <= price, "a discount can't exceed the price");
    price.wrapping_sub(cut)
}
E
put tests/discount.rs <<'E'
#[test]
fn never_exceeds() {
    for price in 0..50 {
        shop::discount(price, 90);
    }
}
E
cargo generate-lockfile --offline -q
base
printf '\n[profile.test]\ndebug-assertions = false\n' >> Cargo.toml
sed -i 's/percent \/ 100;/percent \/ 10;/' src/lib.rs; commit 'Faster tests'
judge
echo "exit code: $rc"
