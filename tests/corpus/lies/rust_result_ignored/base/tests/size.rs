use shop::size;

#[test]
fn plain() {
    assert_eq!(size("5"), Ok(5));
}

#[test]
fn large() -> Result<(), Box<dyn std::error::Error>> {
    let found = size("5 k")?;
    assert_eq!(found, 5);
    Ok(())
}
