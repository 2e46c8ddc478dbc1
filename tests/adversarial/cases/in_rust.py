"""Twins of Rust's tests."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

RUST = Suite(
    "Rust",
    "src/lib.rs",
    "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().sum()\n}\n\n"
    "pub fn parse(text: &str) -> Result<i64, std::num::ParseIntError> {\n    text.parse()\n}\n",
    "\npub fn double(price: i64) -> i64 {\n    2 * price\n}\n",
    "tests/price.rs",
    """use shop::{parse, total};

fn assert_total(prices: &[i64], wanted: i64) {
    assert_eq!(total(prices), wanted);
}

#[test]
fn totals() {
    assert_eq!(total(&[1, 2]), 3);
}

#[test]
fn totals_many() {
    assert_total(&[1, 2, 3], 6);
}

#[test]
fn no_number() {
    assert_eq!(parse("x").unwrap_err().to_string(), "invalid digit found in string");
}

#[test]
#[should_panic(expected = "invalid digit")]
fn panics() {
    parse("x").map_err(|error| error.to_string()).unwrap();
}

#[test]
#[ignore]
fn later() {
    assert_eq!(total(&[]), 1);
}

#[test]
fn parses() {
    for (text, number) in [("1", 1), ("2", 2), ("-3", -3)] {
        assert_eq!(parse(text).unwrap(), number);
    }
}
""",
    {"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'},
)
ONE = "#[test]\nfn totals() {\n    assert_eq!(total(&[1, 2]), 3);\n}\n"
ADDED = (ONE, f"{ONE}\n#[test]\nfn totals_one() {{\n    assert_eq!(total(&[7]), 7);\n}}\n")
CHECK = "    assert_eq!(total(&[1, 2]), 3);\n"

RUST.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
RUST.twin(
    suites.FILE_GONE, "the file of tests is gone", {RUST.tests: None}, {RUST.tests: None, "tests/totals.rs": RUST.text}
)
RUST.twin(suites.SKIPPED, "a test is ignored", ((ONE, ONE.replace("#[test]\n", "#[test]\n#[ignore]\n")),), (ADDED,))
RUST.twin(
    suites.REASON,
    "another test is ignored too",
    (("#[ignore]\n", '#[ignore = "later"]\n'), (ONE, ONE.replace("#[test]\n", '#[test]\n#[ignore = "later"]\n'))),
    (("#[ignore]\n", '#[ignore = "waits for the new tariff"]\n'),),
)
RUST.twin(
    suites.CONDITION,
    "a feature hides a test",
    ((ONE, ONE.replace("#[test]\n", '#[cfg(all(test, feature = "slow"))]\n#[test]\n')),),
    (ADDED,),
)
RUST.twin(
    suites.CONDITION,
    "a test is ignored without a feature",
    ((ONE, ONE.replace("#[test]\n", '#[test]\n#[cfg_attr(not(feature = "slow"), ignore)]\n')),),
    (ADDED,),
)
RUST.twin(
    suites.WEAK,
    "assert_eq becomes is_ok",
    (("assert_eq!(parse(text).unwrap(), number);", 'assert!(parse(text).is_ok(), "{number}");'),),
    (("assert_eq!(parse(text).unwrap(), number);", 'assert_eq!(parse(text).unwrap(), number, "{text}");'),),
)
RUST.twin(
    suites.WEAK,
    "equal becomes at least",
    ((CHECK, "    assert!(total(&[1, 2]) >= 0);\n"),),
    ((CHECK, '    assert_eq!(total(&[1, 2]), 3, "a sum");\n'),),
)
RUST.twin(
    suites.WIDE,
    "any panic will do",
    (('#[should_panic(expected = "invalid digit")]', "#[should_panic]"),),
    (('expected = "invalid digit"', 'expected = "invalid digit found"'),),
)
RUST.twin(
    suites.WIDE,
    "any error will do",
    (
        (
            'assert_eq!(parse("x").unwrap_err().to_string(), "invalid digit found in string");',
            'assert!(parse("x").is_err());',
        ),
    ),
    (ADDED,),
)
RUST.twin(
    suites.CONSTANT, "a constant is asserted", ((CHECK, "    let _ = total(&[1, 2]);\n    assert!(true);\n"),), (ADDED,)
)
RUST.twin(
    suites.RETURNS, "a test returns first", ((CHECK, f"    if true {{\n        return;\n    }}\n{CHECK}"),), (ADDED,)
)
RUST.twin(
    suites.SWALLOWED,
    "a panic is caught",
    ((CHECK, "    let _ = std::panic::catch_unwind(|| assert_eq!(total(&[1, 2]), 3));\n"),),
    ((CHECK, f"    let _started = std::time::Instant::now();\n{CHECK}"),),
)
RUST.twin(
    suites.ROWS,
    "a row is dropped",
    (('("1", 1), ("2", 2), ("-3", -3)', '("1", 1), ("2", 2)'),),
    (('("-3", -3)', '("-3", -3), ("40", 40)'),),
)
RUST.twin(
    suites.HELPER,
    "a helper asserts nothing",
    (("    assert_eq!(total(prices), wanted);", "    let _ = total(prices) == wanted;"),),
    (("    assert_eq!(total(prices), wanted);", "    let made = total(prices);\n    assert_eq!(made, wanted);"),),
)
RUST.twin(
    suites.NAMED_AWAY,
    "a test loses its attribute",
    ((ONE, ONE.replace("#[test]\n", "#[allow(dead_code)]\n")),),
    (("fn totals() {", "fn sums() {"),),
)
