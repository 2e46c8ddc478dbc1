const ZERO: i32 = 273;

/// Converts degrees Celsius to Kelvin.
pub fn kelvin(celsius: f64) -> f64 {
    celsius + f64::from(ZERO)
}
