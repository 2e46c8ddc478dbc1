//! Quantities of recipes.

pub mod quantity;
pub mod scale;
