use shop::load::{last, vans};
use shop::parcel::{read, Parcel};
use std::fmt::Debug;

const TEXT: &str = "books 12\nvase 3 *\n\nmirror 9 *\ntools 20\nlamp\nrug 8\nglass 1 *";

fn parcel(name: &str, weight: u32, fragile: bool) -> Parcel {
    Parcel { name: name.to_string(), weight, fragile }
}

/// Compares two lists pair by pair: a failure shows the first pair that differs, and not both lists.
#[track_caller]
fn assert_pairs<A: PartialEq<B> + Debug, B: Debug>(found: &[A], wanted: &[B]) {
    for (index, (one, other)) in found.iter().zip(wanted).enumerate() {
        assert_eq!(one, other, "number {index}");
    }
}

#[test]
fn parcels_are_read() {
    let (parcels, bad) = read(TEXT);
    assert_pairs(
        &parcels,
        &[
            parcel("books", 12, false),
            parcel("vase", 3, true),
            parcel("mirror", 9, true),
            parcel("tools", 20, false),
            parcel("rug", 8, false),
            parcel("glass", 1, true),
        ],
    );
    assert_pairs(&bad, &[6]);
}

#[test]
fn vans_are_filled_in_order() {
    let wanted = [vec!["books", "vase"], vec!["mirror"], vec!["tools"], vec!["rug", "glass"]];
    assert_pairs(&vans(&read(TEXT).0, 20), &wanted);
}

#[test]
fn heavy_parcel_has_a_van_of_its_own() {
    let parcels = [parcel("a", 2, false), parcel("safe", 90, false), parcel("b", 2, false)];
    assert_pairs(&vans(&parcels, 20), &[vec!["a"], vec!["safe"], vec!["b"]]);
}

#[test]
fn one_van_may_be_enough() {
    assert_pairs(&vans(&read(TEXT).0, 53), &[vec!["books", "vase", "mirror", "tools", "rug", "glass"]]);
}

#[test]
fn fragile_parcels_come_last() {
    assert_pairs(&last(&read(TEXT).0), &["mirror", "vase", "glass"]);
}
