//! Conversion of temperatures.

struct Units {
    factor: f64,
    offset: f64,
}

const FAHRENHEIT: Units = Units { factor: 9.0 / 5.0, offset: 32.0 };
const KELVIN: Units = Units { factor: 1.0, offset: 273.15 };

impl Units {
    fn from_celsius(&self, degrees: f64) -> f64 {
        degrees * self.factor + self.offset
    }

    fn to_celsius(&self, degrees: f64) -> f64 {
        (degrees - self.offset) / self.factor
    }
}

/// Celsius to Fahrenheit.
pub fn to_fahrenheit(celsius: f64) -> f64 {
    FAHRENHEIT.from_celsius(celsius)
}

/// Fahrenheit to Celsius.
pub fn from_fahrenheit(fahrenheit: f64) -> f64 {
    FAHRENHEIT.to_celsius(fahrenheit)
}

/// Celsius to Kelvin; nothing is colder than 0 K.
pub fn to_kelvin(celsius: f64) -> Option<f64> {
    let kelvin = KELVIN.from_celsius(celsius);
    (kelvin >= 0.0).then_some(kelvin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fahrenheit_from_celsius() {
        assert_eq!(FAHRENHEIT.from_celsius(100.0), 212.0);
        assert_eq!(FAHRENHEIT.from_celsius(-40.0), -40.0);
    }

    #[test]
    fn fahrenheit_to_celsius() {
        assert_eq!(FAHRENHEIT.to_celsius(32.0), 0.0);
        assert_eq!(FAHRENHEIT.to_celsius(212.0), 100.0);
    }

    #[test]
    fn kelvin() {
        assert_eq!(KELVIN.from_celsius(0.0), 273.15);
        assert_eq!(to_kelvin(-273.15), Some(0.0));
        assert_eq!(to_kelvin(-300.0), None);
    }
}
