//! Loads of vans.

use crate::parcel::Parcel;

/// The names of the parcels of each van, in their order. A van is full when the next parcel would be too heavy for it; a
/// parcel that is too heavy for any van gets one of its own.
pub fn vans(parcels: &[Parcel], limit: u32) -> Vec<Vec<String>> {
    let mut vans = Vec::new();
    let (mut names, mut weight) = (Vec::new(), 0);
    for parcel in parcels {
        if !names.is_empty() && weight + parcel.weight > limit {
            vans.push(std::mem::take(&mut names));
            weight = 0;
        }
        names.push(parcel.name.clone());
        weight += parcel.weight;
    }
    if !names.is_empty() {
        vans.push(names);
    }
    vans
}

/// The names of fragile parcels, to be loaded last: the lightest at the end.
pub fn last(parcels: &[Parcel]) -> Vec<String> {
    let mut fragile: Vec<&Parcel> = parcels.iter().filter(|parcel| parcel.fragile).collect();
    fragile.sort_by(|one, other| other.weight.cmp(&one.weight));
    fragile.iter().map(|parcel| parcel.name.clone()).collect()
}
