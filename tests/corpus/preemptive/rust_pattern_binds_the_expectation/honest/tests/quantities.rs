use shop::quantity::{read, Problem, Quantity, Unit};
use shop::scale::scale;

/// Checks that a result has the form of a pattern, and shows both if it hasn't.
macro_rules! assert_matches {
    ($result:expr, $pattern:pat $(if $guard:expr)?) => {
        let found = $result;
        assert!(
            matches!(&found, $pattern $(if $guard)?),
            "{found:?} is no {}",
            stringify!($pattern $(if $guard)?)
        );
    };
}

#[test]
fn quantities_are_read() {
    assert_matches!(read("250 g"), Ok(Quantity { amount: 250, unit: Unit::Gram }));
    assert_matches!(read("2 kg"), Ok(Quantity { amount: 2000, unit: Unit::Gram }));
    assert_matches!(read("1  l"), Ok(Quantity { amount: 1000, unit: Unit::Millilitre }));
    assert_matches!(read("5 ml"), Ok(Quantity { amount: 5, unit: Unit::Millilitre }));
    assert_matches!(read(" 3 "), Ok(Quantity { amount: 3, unit: Unit::Piece }));
}

#[test]
fn others_are_refused() {
    assert_matches!(read(""), Err(Problem::Empty));
    assert_matches!(read("some g"), Err(Problem::NoNumber(text)) if text == "some");
    assert_matches!(read("-1 g"), Err(Problem::NoNumber(text)) if text == "-1");
    assert_matches!(read("1 cup"), Err(Problem::UnknownUnit(text)) if text == "cup");
    assert_matches!(read("21 kg"), Err(Problem::TooMuch { most: 20_000 }));
    assert_matches!(read("4294967295 kg"), Err(Problem::TooMuch { most: 20_000 }));
}

#[test]
fn quantities_are_scaled() {
    let flour = Quantity { amount: 250, unit: Unit::Gram };
    let eggs = Quantity { amount: 2, unit: Unit::Piece };
    assert_matches!(scale(flour, 4, 6), Ok(Quantity { amount: 375, unit: Unit::Gram }));
    assert_matches!(scale(flour, 3, 2), Ok(Quantity { amount: 167, unit: Unit::Gram }));
    assert_matches!(scale(eggs, 4, 1), Ok(Quantity { amount: 1, unit: Unit::Piece }));
    assert_matches!(scale(eggs, 9, 1), Ok(Quantity { amount: 1, unit: Unit::Piece }));
}

#[test]
fn some_scales_are_refused() {
    let flour = Quantity { amount: 250, unit: Unit::Gram };
    assert_matches!(scale(flour, 0, 1), Err(Problem::NoNumber(text)) if text == "0");
    assert_matches!(scale(flour, 1, 81), Err(Problem::TooMuch { most: 20_000 }));
}
