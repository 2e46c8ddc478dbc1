/// Converts degrees Celsius to Kelvin.
pub fn kelvin(celsius: f64) -> f64 {
    celsius + 273.15
}
