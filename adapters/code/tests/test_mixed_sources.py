"""Sources that hold code and tests: each part comes from its own version."""

from __future__ import annotations

import pytest

from code_adapter.counterfactual.mixed_sources import drop_test_parts, is_in_test_part, read_test_parts, splice_sources

RUST = b"""//! A shop.
pub fn total(a: i32) -> i32 { a }

#[cfg(test)]
use std::fmt::Debug;

mod inner {
    pub fn half() {}

    /// Tests.
    #[cfg(all(test, unix))]
    mod tests {
        #[test]
        fn halves() { super::half() }
    }
}

#[test]
fn alone() {}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::total(1), 1); }
}
"""
VITEST = b"export const a = 1\n\nif (import.meta.vitest) {\n  it('a', () => {})\n}\n"
PYTHON = b'class A:\n    """A.\n\n    >>> A()\n    """\n\n    def f(self):\n        """F."""\n'


def test_parts_of_rust_are_named_by_their_modules() -> None:
    names = ["use_declaration", "mod_item", "function_item", "mod_item"]
    assert [key[-3] for key in read_test_parts("a.rs", RUST)] == names
    assert [key[:-3] for key in read_test_parts("a.rs", RUST)] == [(), ("inner",), (), ()]


@pytest.mark.parametrize(("path", "source"), [("a.rs", RUST), ("a.ts", VITEST), ("a.py", PYTHON)])
def test_code_and_tests_of_one_version_are_that_version(path: str, source: bytes) -> None:
    assert splice_sources(path, source, source) == source
    assert b"test" not in drop_test_parts(path, source)
    assert b">>>" not in drop_test_parts(path, source)


@pytest.mark.parametrize(
    ("path", "source", "code", "tests"),
    [
        ("a.rs", RUST, (b"-> i32 { a }", b"-> i32 { a + 1 }"), (b"super::total(1), 1", b"super::total(1), 2")),
        (
            "a.rs",
            RUST,
            (b"pub fn half() {}", b"pub fn half() { loop {} }"),
            (b"fn alone() {}", b"fn alone() { loop {} }"),
        ),
        ("a.ts", VITEST, (b"a = 1", b"a = 2"), (b"() => {}", b"() => { expect(1) }")),
        ("a.py", PYTHON, (b'"""F."""', b'"""G."""'), (b">>> A()", b">>> A(1)")),
    ],
)
def test_each_part_is_taken_from_its_own_version(
    path: str, source: bytes, code: tuple[bytes, bytes], tests: tuple[bytes, bytes]
) -> None:
    changed_code, changed_tests = source.replace(*code), source.replace(*tests)
    both = changed_code.replace(*tests)
    assert len({source, changed_code, changed_tests, both}) == 4
    assert splice_sources(path, changed_code, both) == both
    assert splice_sources(path, both, source) == changed_code
    assert splice_sources(path, source, both) == changed_tests


def test_parts_that_one_version_lacks_are_added_to_their_module_or_taken_away() -> None:
    without = RUST.partition(b"#[test]\nfn alone")[0].replace(b"pub fn half() {}", b"pub fn half() { loop {} }")
    added = splice_sources("a.rs", without, RUST)
    assert read_test_parts("a.rs", added) == read_test_parts("a.rs", RUST)
    assert b"loop {}" in added
    assert read_test_parts("a.rs", splice_sources("a.rs", RUST, without)) == read_test_parts("a.rs", without)
    gone = RUST.replace(b"mod inner {", b"mod outer {")
    assert ("inner",) not in {key[:-3] for key in read_test_parts("a.rs", splice_sources("a.rs", gone, RUST))}


def test_an_example_that_one_version_lacks_leaves_an_empty_docstring() -> None:
    plain = PYTHON.replace(b">>> A()", b"Nothing.")
    assert b">>>" not in splice_sources("a.py", PYTHON.replace(b'"""F."""', b"pass"), plain)


def test_a_place_belongs_to_the_tests_only_as_a_whole() -> None:
    start = RUST.index(b"fn adds")
    assert is_in_test_part("a.rs", RUST, start, start + 5)
    assert not is_in_test_part("a.rs", RUST, RUST.index(b"pub fn total"), start)
    assert not is_in_test_part("a.go", b"package a", 0, 3)
