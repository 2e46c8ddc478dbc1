//! Numbers of articles, as they are printed below bars and on labels.

pub mod barcode;
pub mod label;
