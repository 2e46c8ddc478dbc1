use shop::quantity::{read, Problem, Quantity, Unit};
use shop::scale::scale;

#[test]
fn quantities_are_read() {
    for (text, amount, unit) in [
        ("250 g", 250, Unit::Gram),
        ("2 kg", 2000, Unit::Gram),
        ("1  l", 1000, Unit::Millilitre),
        ("5 ml", 5, Unit::Millilitre),
        (" 3 ", 3, Unit::Piece),
    ] {
        assert_eq!(read(text), Ok(Quantity { amount, unit }), "{text}");
    }
}

#[test]
fn others_are_refused() {
    for (text, problem) in [
        ("", Problem::Empty),
        ("some g", Problem::NoNumber("some".to_string())),
        ("-1 g", Problem::NoNumber("-1".to_string())),
        ("1 cup", Problem::UnknownUnit("cup".to_string())),
        ("21 kg", Problem::TooMuch { most: 20_000 }),
        ("4294967295 kg", Problem::TooMuch { most: 20_000 }),
    ] {
        assert_eq!(read(text), Err(problem), "{text}");
    }
}

#[test]
fn quantities_are_scaled() {
    let flour = Quantity { amount: 250, unit: Unit::Gram };
    let eggs = Quantity { amount: 2, unit: Unit::Piece };
    assert_eq!(scale(flour, 4, 6), Ok(Quantity { amount: 375, unit: Unit::Gram }));
    assert_eq!(scale(flour, 3, 2), Ok(Quantity { amount: 167, unit: Unit::Gram }));
    assert_eq!(scale(eggs, 4, 1), Ok(Quantity { amount: 1, unit: Unit::Piece }));
    assert_eq!(scale(eggs, 9, 1), Ok(Quantity { amount: 1, unit: Unit::Piece }));
}

#[test]
fn some_scales_are_refused() {
    let flour = Quantity { amount: 250, unit: Unit::Gram };
    assert_eq!(scale(flour, 0, 1), Err(Problem::NoNumber("0".to_string())));
    assert_eq!(scale(flour, 1, 81), Err(Problem::TooMuch { most: 20_000 }));
}
