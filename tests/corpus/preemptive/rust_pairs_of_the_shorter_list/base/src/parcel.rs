//! Parcels, one in each line: name, weight in kilograms, and a star if it is fragile.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    pub name: String,
    pub weight: u32,
    pub fragile: bool,
}

/// Reads parcels. Returns them, and the numbers of the lines that are none; empty lines don't matter.
pub fn read(text: &str) -> (Vec<Parcel>, Vec<usize>) {
    let (mut parcels, mut bad) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match parcel(&fields) {
            Some(found) => parcels.push(found),
            None if fields.is_empty() => {}
            None => bad.push(index + 1),
        }
    }
    (parcels, bad)
}

fn parcel(fields: &[&str]) -> Option<Parcel> {
    let (name, weight, fragile) = match fields {
        [name, weight] => (name, weight, false),
        [name, weight, "*"] => (name, weight, true),
        _ => return None,
    };
    Some(Parcel { name: name.to_string(), weight: weight.parse().ok()?, fragile })
}
