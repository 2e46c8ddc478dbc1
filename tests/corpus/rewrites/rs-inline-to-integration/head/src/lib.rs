//! Conversion of temperatures.

const FREEZING_F: f64 = 32.0;
const FREEZING_K: f64 = 273.15;
const F_PER_C: f64 = 9.0 / 5.0;

/// Celsius to Fahrenheit.
pub fn to_fahrenheit(celsius: f64) -> f64 {
    celsius * F_PER_C + FREEZING_F
}

/// Fahrenheit to Celsius.
pub fn from_fahrenheit(fahrenheit: f64) -> f64 {
    (fahrenheit - FREEZING_F) / F_PER_C
}

/// Celsius to Kelvin; nothing is colder than 0 K.
pub fn to_kelvin(celsius: f64) -> Option<f64> {
    let kelvin = celsius + FREEZING_K;
    (kelvin >= 0.0).then_some(kelvin)
}
