//! Packs parcels into vans.

pub mod load;
pub mod parcel;
