//! When a shop is open.

pub mod opening;
pub mod time;
