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
        let found = read(text);
        assert!(
            matches!(found, Ok(Quantity { amount, unit: kind }) if kind == unit && amount > 0),
            "{text}: {found:?} instead of {amount} {unit:?}"
        );
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
        let found = read(text);
        // Whoever made the mistake is told about it.
        assert!(
            matches!(&found, Err(problem) if !problem.to_string().is_empty()),
            "{text}: {found:?} instead of {problem:?}"
        );
    }
}

#[test]
fn quantities_are_scaled() {
    for (amount, unit, from, to, wanted) in [
        (250, Unit::Gram, 4, 6, 375),
        (250, Unit::Gram, 3, 2, 167),
        (2, Unit::Piece, 4, 1, 1),
        (2, Unit::Piece, 9, 1, 1),
    ] {
        let found = scale(Quantity { amount, unit }, from, to);
        assert!(
            matches!(found, Ok(Quantity { amount: wanted, unit: kind }) if kind == unit && wanted > 0),
            "{amount} for {to} instead of {from}: {found:?} instead of {wanted}"
        );
    }
}

#[test]
fn some_scales_are_refused() {
    for (from, to, problem) in [(0, 1, Problem::NoNumber("0".to_string())), (1, 81, Problem::TooMuch { most: 20_000 })]
    {
        let found = scale(Quantity { amount: 250, unit: Unit::Gram }, from, to);
        assert!(
            matches!(&found, Err(problem) if !problem.to_string().is_empty()),
            "for {to} instead of {from}: {found:?} instead of {problem:?}"
        );
    }
}
