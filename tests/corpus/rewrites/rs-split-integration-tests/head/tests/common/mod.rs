use bag::Bag;

pub fn letters(text: &str) -> Bag {
    text.split("").filter(|letter| !letter.is_empty()).collect()
}
