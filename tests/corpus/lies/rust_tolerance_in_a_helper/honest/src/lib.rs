const ZERO: f64 = 273.15;

/// Converts degrees Celsius to Kelvin.
pub fn kelvin(celsius: f64) -> f64 {
    celsius + ZERO
}
