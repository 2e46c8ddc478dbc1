mod common;

use shop::kelvin;

#[test]
fn freezing() {
    assert!(common::close(kelvin(0.0), 273.15));
}

#[test]
fn order() {
    assert!(kelvin(1.0) > kelvin(0.0));
}
