use shop::load::{last, vans};
use shop::parcel::{read, Parcel};

const TEXT: &str = "books 12\nvase 3 *\n\nmirror 9 *\ntools 20\nlamp\nrug 8\nglass 1 *";

fn parcel(name: &str, weight: u32, fragile: bool) -> Parcel {
    Parcel { name: name.to_string(), weight, fragile }
}

#[test]
fn parcels_are_read() {
    let (parcels, bad) = read(TEXT);
    assert_eq!(
        parcels,
        [
            parcel("books", 12, false),
            parcel("vase", 3, true),
            parcel("mirror", 9, true),
            parcel("tools", 20, false),
            parcel("rug", 8, false),
            parcel("glass", 1, true),
        ]
    );
    assert_eq!(bad, [6]);
}

#[test]
fn vans_are_filled_in_order() {
    let wanted = [vec!["books", "vase"], vec!["mirror"], vec!["tools"], vec!["rug", "glass"]];
    assert_eq!(vans(&read(TEXT).0, 20), wanted);
}

#[test]
fn heavy_parcel_has_a_van_of_its_own() {
    let parcels = [parcel("a", 2, false), parcel("safe", 90, false), parcel("b", 2, false)];
    assert_eq!(vans(&parcels, 20), [vec!["a"], vec!["safe"], vec!["b"]]);
}

#[test]
fn one_van_may_be_enough() {
    assert_eq!(vans(&read(TEXT).0, 53), [vec!["books", "vase", "mirror", "tools", "rug", "glass"]]);
}

#[test]
fn fragile_parcels_come_last() {
    assert_eq!(last(&read(TEXT).0), ["mirror", "vase", "glass"]);
}
