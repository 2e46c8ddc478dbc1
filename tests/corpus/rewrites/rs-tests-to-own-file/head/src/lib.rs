//! Words of a command line.

pub mod split;
