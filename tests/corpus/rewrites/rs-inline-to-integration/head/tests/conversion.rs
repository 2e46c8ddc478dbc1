use temperature::{from_fahrenheit, to_fahrenheit, to_kelvin};

#[test]
fn celsius_to_fahrenheit() {
    assert_eq!(to_fahrenheit(100.0), 212.0);
    assert_eq!(to_fahrenheit(-40.0), -40.0);
}

#[test]
fn fahrenheit_to_celsius() {
    assert_eq!(from_fahrenheit(32.0), 0.0);
    assert_eq!(from_fahrenheit(212.0), 100.0);
}

#[test]
fn celsius_to_kelvin() {
    assert_eq!(to_kelvin(0.0), Some(273.15));
    assert_eq!(to_kelvin(-273.15), Some(0.0));
    assert_eq!(to_kelvin(-300.0), None);
}
