"""What of a Java test file is left out where it doesn't compile: a method, or the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from code_adapter.counterfactual.left_out import CompileError, open_left_out
from code_adapter.subject_files import SubjectFiles

if TYPE_CHECKING:
    from pathlib import Path

PATH, MAIN = "src/test/java/SumTest.java", "src/main/java/Sum.java"
SOURCE = """import demo.Gone;
import demo.Sum;

class SumTest {
    @Test void adds() { assertEquals(3, Sum.of(1, 2)); }

    @Test void halves() { assertEquals(2, Sum.half(4)); }

    private int read() { return Gone.read(); }

    static Stream<Integer> rows() { return Gone.rows(); }

    @ParameterizedTest @MethodSource("rows") void odd(int n) { assertEquals(1, n % 2); }

    @BeforeEach void begin() { Gone.begin(); }

    private final Sum sum = new Gone();

    @Nested class Inner { @Test void adds() { Gone.add(); } }
}

class Double extends Sum { int of() { return Gone.of(); } }
"""


def leave_out(
    root: Path, words: str, message: str = "cannot find symbol symbol: class Gone"
) -> tuple[set[str], bool, str]:
    """Leave out what holds the line with ``words``. Returns the tests, whether it is the whole file, and the text."""
    (root / PATH).parent.mkdir(parents=True)
    (root / PATH).write_text(SOURCE)
    line = next(number for number, text in enumerate(SOURCE.split("\n"), 1) if words in text)
    with open_left_out() as left:
        assert left.leave_out(root, [CompileError(PATH, line, 0, message)], frozenset({PATH}))
        found = {name.name for name in left.tests}, PATH in left.files, (root / PATH).read_text()
    assert (root / PATH).read_text() == SOURCE
    return found


@pytest.mark.parametrize(
    ("words", "tests"),
    [("halves()", {"halves"}), ("class Inner", {"Inner.adds"}), ("int read()", set()), ("import demo.Gone", set())],
)
def test_a_test_a_helper_or_an_import_is_left_out_alone(tmp_path: Path, words: str, tests: set[str]) -> None:
    found, whole, text = leave_out(tmp_path, words)
    assert (found, whole) == (tests, False)
    assert text.count("\n") == SOURCE.count("\n")
    assert "Sum.of(1, 2)" in text
    assert words not in text or words == "class Inner"


@pytest.mark.parametrize("words", ["rows()", "begin()", "Sum sum", "class SumTest", "int of()"])
def test_what_a_framework_or_a_superclass_calls_takes_the_file_with_it(tmp_path: Path, words: str) -> None:
    _, whole, text = leave_out(tmp_path, words)
    assert whole
    assert not text.strip()


def test_names_that_no_code_has_are_gone(tmp_path: Path) -> None:
    (tmp_path / MAIN).parent.mkdir(parents=True)
    (tmp_path / MAIN).write_text("class Sum { static int of(int a, int b) { return a; } }\n")
    (tmp_path / PATH).parent.mkdir(parents=True)
    (tmp_path / PATH).write_text(SOURCE)
    errors = [
        CompileError(PATH, 1, 0, "package demo does not exist"),
        CompileError(PATH, 2, 0, "package demo does not exist"),
        CompileError(PATH, 7, 0, "cannot find symbol symbol: method half(int)"),
    ]
    with open_left_out() as left:
        assert left.leave_out(tmp_path, errors, frozenset({PATH}))
        gone = left.list_gone(SubjectFiles(tmp_path, (MAIN, PATH)), frozenset({PATH}))
    assert gone == {PATH: {"Gone": "Gone", "half": "half"}}


def test_what_is_no_test_is_never_left_out(tmp_path: Path) -> None:
    (tmp_path / MAIN).parent.mkdir(parents=True)
    (tmp_path / MAIN).write_text(SOURCE)
    with open_left_out() as left:
        assert not left.leave_out(tmp_path, [CompileError(MAIN, 7, 0, "no")], frozenset({PATH}))


KOTLIN_PATH = "src/test/kotlin/SumTest.kt"
KOTLIN = """package demo

import demo.Gone

class SumTest {
    @Test
    fun `halves a number`() {
        assertEquals(2, Sum.half(4))
    }

    private fun read() = Sum.read()
}
"""


@pytest.mark.parametrize(
    ("line", "name", "whole"),
    [(8, "half", False), (11, "read", True), (3, "Gone", True)],
    ids=["test", "helper", "import"],
)
def test_of_kotlin_a_test_is_left_out_alone_and_all_else_takes_its_file(
    tmp_path: Path, line: int, name: str, whole: bool
) -> None:
    (tmp_path / KOTLIN_PATH).parent.mkdir(parents=True)
    (tmp_path / KOTLIN_PATH).write_text(KOTLIN)
    with open_left_out() as left:
        error = CompileError(KOTLIN_PATH, line, 29, f"Unresolved reference: {name}")
        assert left.leave_out(tmp_path, [error], frozenset({KOTLIN_PATH}))
        assert [each.name for each in left.tests] == ([] if whole else ["halves a number"])
        assert (KOTLIN_PATH in left.files) is whole
        assert left.missed == {KOTLIN_PATH: {name}}
        assert (tmp_path / KOTLIN_PATH).read_text().count("\n") == KOTLIN.count("\n")
    assert (tmp_path / KOTLIN_PATH).read_text() == KOTLIN
