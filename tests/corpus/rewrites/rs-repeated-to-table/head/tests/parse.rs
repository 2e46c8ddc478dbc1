use numbers::parse;

const TABLE: &[(&str, Option<u32>)] = &[
    ("42", Some(42)),
    ("1_000_000", Some(1_000_000)),
    ("0x2a", Some(42)),
    ("0xFFFF_FFFF", Some(u32::MAX)),
    ("", None),
    ("0x", None),
    ("0x_1", None),
    ("_1", None),
    ("1_", None),
    ("1__0", None),
    ("4294967296", None),
];

#[test]
fn numbers() {
    for (text, expected) in TABLE {
        assert_eq!(parse(text), *expected, "of {text:?}");
    }
}
