use shop::size;

#[test]
fn plain() {
    assert_eq!(size("5"), Ok(5));
}

#[test]
fn large() -> Result<(), Box<dyn std::error::Error>> {
    let _ = size("5 k").map(|found| assert_eq!(found, 5));
    Ok(())
}
