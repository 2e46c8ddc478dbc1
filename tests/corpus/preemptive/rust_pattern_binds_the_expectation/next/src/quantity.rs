//! Amounts with units.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Gram,
    Millilitre,
    Piece,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    pub amount: u32,
    pub unit: Unit,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    Empty,
    NoNumber(String),
    UnknownUnit(String),
    TooMuch { most: u32 },
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::Empty => write!(out, "there is no quantity"),
            Problem::NoNumber(text) => write!(out, "{text} is no number"),
            Problem::UnknownUnit(text) => write!(out, "nobody knows {text}"),
            Problem::TooMuch { most } => write!(out, "more than {most}"),
        }
    }
}

pub const MOST: u32 = 20_000;

/// Reads a quantity such as "250 g", "2 kg", "1 l" or "3".
pub fn read(text: &str) -> Result<Quantity, Problem> {
    let mut words = text.split_whitespace();
    let number = words.next().ok_or(Problem::Empty)?;
    let amount: u32 = number.parse().map_err(|_| Problem::NoNumber(text.to_string()))?;
    let (unit, times) = match words.next() {
        None => (Unit::Piece, 1),
        Some("g") => (Unit::Gram, 1),
        Some("kg") => (Unit::Gram, 1000),
        Some("ml") => (Unit::Millilitre, 1),
        Some("l") => (Unit::Millilitre, 1000),
        Some(other) => return Err(Problem::UnknownUnit(other.to_string())),
    };
    match amount.checked_mul(times) {
        Some(amount) if amount <= MOST => Ok(Quantity { amount, unit }),
        _ => Err(Problem::TooMuch { most: MOST }),
    }
}
