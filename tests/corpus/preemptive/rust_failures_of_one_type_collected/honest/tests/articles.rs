mod common;

use common::each;
use shop::barcode::{check_digit, read, Refusal};
use shop::label::{grouped, is_own};

#[test]
fn check_digits() {
    let rows: [(&[u32], u32); 4] = [
        (&[4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3], 1),
        (&[7, 3, 5, 1, 3, 5, 3], 7),
        (&[2, 0, 0, 0, 0, 0, 0], 4),
        (&[], 0),
    ];
    each(&rows, |(digits, wanted)| assert_eq!(check_digit(digits), *wanted, "of {digits:?}"));
}

#[test]
fn refusals() {
    let rows = [
        ("4006381333932", Refusal::CheckDigit { found: 2, wanted: 1 }),
        ("400638133393", Refusal::Length(12)),
        ("40063813339x1", Refusal::Sign('x')),
        ("", Refusal::Length(0)),
    ];
    each(&rows, |(text, wanted)| assert_eq!(read(text), Err(*wanted), "for {text}"));
}

#[test]
fn labels() {
    let rows = [
        ("4006381333931", Ok("4 006381 333931")),
        ("400-6381-33393-1", Ok("4 006381 333931")),
        ("73513537", Ok("7351 3537")),
        ("7351353", Err(Refusal::Length(7))),
    ];
    each(&rows, |(text, wanted)| assert_eq!(grouped(text), wanted.map(str::to_string), "for {text}"));
}

#[test]
fn own_numbers() {
    let rows = [("2000 0004", true), ("73513537", false), ("2000 0003", false)];
    each(&rows, |(text, wanted)| assert_eq!(is_own(text), *wanted, "for {text}"));
}
