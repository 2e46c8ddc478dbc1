use shop::barcode::{check_digit, read, Refusal};
use shop::label::{grouped, is_own};

#[test]
fn check_digits() {
    assert_eq!(check_digit(&[4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3]), 1);
    assert_eq!(check_digit(&[7, 3, 5, 1, 3, 5, 3]), 7);
    assert_eq!(check_digit(&[2, 0, 0, 0, 0, 0, 0]), 4);
    assert_eq!(check_digit(&[]), 0);
}

#[test]
fn refusals() {
    assert_eq!(read("4006381333932"), Err(Refusal::CheckDigit { found: 2, wanted: 1 }));
    assert_eq!(read("400638133393"), Err(Refusal::Length(12)));
    assert_eq!(read("40063813339x1"), Err(Refusal::Sign('x')));
    assert_eq!(read(""), Err(Refusal::Length(0)));
}

#[test]
fn labels() {
    assert_eq!(grouped("4006381333931"), Ok("4 006381 333931".to_string()));
    assert_eq!(grouped("400-6381-33393-1"), Ok("4 006381 333931".to_string()));
    assert_eq!(grouped("73513537"), Ok("7351 3537".to_string()));
    assert_eq!(grouped("7351353"), Err(Refusal::Length(7)));
}

#[test]
fn own_numbers() {
    assert_eq!(is_own("2000 0004"), true);
    assert_eq!(is_own("73513537"), false);
    assert_eq!(is_own("2000 0003"), false);
}
