//! Recipes for more or fewer people.

use crate::quantity::{Problem, Quantity, Unit, MOST};

/// The quantity for other people than the recipe is for. Pieces are whole, and at least one is left.
pub fn scale(quantity: Quantity, from: u32, to: u32) -> Result<Quantity, Problem> {
    if from == 0 || to == 0 {
        return Err(Problem::NoNumber("0".to_string()));
    }
    let half = from / 2;
    let amount = match quantity.unit {
        Unit::Piece => ((quantity.amount * to + half) / from).max(1),
        _ => (quantity.amount * to + half) / from,
    };
    if amount > MOST {
        return Err(Problem::TooMuch { most: MOST });
    }
    Ok(Quantity { amount, ..quantity })
}
