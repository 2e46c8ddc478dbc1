"""Which tests of a changed file have to run."""

from __future__ import annotations

import pytest

from code_adapter.counterfactual.forms import Forms, make_title_pattern
from code_adapter.counterfactual.selection import select_tests

PYTHON = """\
import shop
from shop import half


@fixture
def two():
    return 2


class TestShop:
    def test_half(self, two):
        assert half(4) == two


def test_total():
    assert shop.total([1, 2]) == 3
"""
JAVASCRIPT = """\
import { it } from 'vitest'
import { total } from './shop.js'

describe('shop', () => {
  beforeEach(() => reset())
  it('adds', () => expect(total(1, 2)).toBe(3))
  it.each([1, 2])('adds %i', (n) => expect(total(n, 0)).toBe(n))
})
"""
GO = """\
package shop

import "testing"

func TestA(t *testing.T) {}

func TestB(t *testing.T) {}

func two() int { return 2 }
"""


def select(path: str, base: str, head: str, *, mixed: bool = False) -> tuple[set[str], set[str]] | None:
    found = select_tests([path], [path] if mixed else [], Forms({path: base.encode()}), Forms({path: head.encode()}))
    return (set(found[path].base), set(found[path].head)) if path in found else None


@pytest.mark.parametrize(
    ("path", "source", "edit", "chosen"),
    [
        ("test_a.py", PYTHON, ("== 3", ">= 3"), ({"test_total"}, {"test_total"})),
        ("test_a.py", PYTHON, ("== two", ">= two"), ({"TestShop.test_half"}, {"TestShop.test_half"})),
        ("test_a.py", PYTHON, ("def test_total", "@slow\ndef test_total"), ({"test_total"}, {"test_total"})),
        ("test_a.py", PYTHON, ("def test_total", "def test_sum"), ({"test_total"}, {"test_sum"})),
        ("test_a.py", PYTHON, ("import half", "import half, twice"), (set(), set())),
        # What stands around the tests counts for each of them.
        ("test_a.py", PYTHON, ("return 2", "return 3"), None),
        ("test_a.py", PYTHON, ("class TestShop:", "class TestShop:\n    size = 1\n"), None),
        ("test_a.py", PYTHON, ("import shop\n", "import shop\npytestmark = skip\n"), None),
        # An import that replaces a name, or runs other code.
        ("test_a.py", PYTHON, ("from shop import half", "from shop import third as half"), None),
        ("test_a.py", PYTHON, ("import shop\n", "import shop, patches\n"), None),
        ("test_a.py", PYTHON, ("import shop\n", "import shop\nfrom patches import *\n"), None),
        (
            "test_a.py",
            PYTHON,
            ("from shop import half\n", "from shop import half\nfrom shop import other as shop\n"),
            None,
        ),
        # Two tests of one name.
        ("test_a.py", PYTHON, ("def test_total", "def test_total(): pass\n\n\ndef test_total"), None),
        ("a.test.js", JAVASCRIPT, ("toBe(3)", "toBeTruthy()"), ({"shop adds"}, {"shop adds"})),
        ("a.test.js", JAVASCRIPT, ("[1, 2]", "[1]"), ({"shop adds %i"}, {"shop adds %i"})),
        ("a.test.js", JAVASCRIPT, ("reset()", "0"), None),
        ("a.test.js", JAVASCRIPT, ("{ total }", "{ total, half }"), (set(), set())),
        ("a.test.js", JAVASCRIPT, ("  it('adds'", "  it('a', a);\n  it('adds'"), (set(), {"shop a"})),
        ("a.test.ts", JAVASCRIPT, ("{ total }", "{ type Shop, total }"), (set(), set())),
        ("a.test.js", JAVASCRIPT, ("{ total }", "{ sum as total }"), None),
        ("a.test.js", JAVASCRIPT, ("{ total }", "total"), None),
        ("a.test.js", JAVASCRIPT, ("import { total }", "import './patches.js'\nimport { total }"), None),
        ("a.test.js", JAVASCRIPT, ("{ total }", "{ total, sum as reset }"), None),
        ("a_test.go", GO, ("TestA(t *testing.T) {}", "TestA(t *testing.T) { t.Skip() }"), ({"TestA"}, {"TestA"})),
        ("a_test.go", GO, ("return 2", "return 3"), None),
        ("a_test.go", GO, ("func two", "// Two says two.\nfunc two"), (set(), set())),
        ("a_test.go", GO, ("{ return 2 }", "{\n\treturn 2 // always\n}"), (set(), set())),
        ("a_test.go", GO, ("package shop", "//go:build unix\n\npackage shop"), None),
        ("a_test.go", GO, ('import "testing"', '// int f();\nimport "C"\nimport "testing"'), None),
        ("test_a.py", PYTHON, ("import shop\n", "# The shop.\nimport shop\n"), (set(), set())),
        ("a.test.js", JAVASCRIPT, ("import { it }", "/** @jest-environment jsdom */\nimport { it }"), None),
        ("a_test.go", GO, ('import "testing"', 'import (\n\t"testing"\n\t_ "patches"\n)'), None),
        ("ATest.java", "class ATest { @Test void a() {} }", ("{}", "{ x(); }"), None),
    ],
)
def test_only_tests_with_another_form_run_where_nothing_else_differs(
    path: str, source: str, edit: tuple[str, str], chosen: tuple[set[str], set[str]] | None
) -> None:
    assert edit[0] in source
    assert select(path, source, source.replace(*edit)) == chosen


def test_code_around_the_tests_of_a_mixed_source_does_not_count() -> None:
    source = "pub fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n\n    #[test]\n    fn c() {}\n}\n"
    head = source.replace("a() {}", "a() { b() }").replace("c() {}", "c() { d() }")
    assert select("src/lib.rs", source, head, mixed=True) == ({"tests::c"}, {"tests::c"})
    assert select("src/lib.rs", source, head) is None


def test_a_file_without_an_equal_test_runs_as_a_whole() -> None:
    assert select_tests(["test_a.py"], [], Forms({}), Forms({"test_a.py": PYTHON.encode()})) == {}


def test_titles_are_found_as_they_are_written() -> None:
    assert make_title_pattern("adds %i (twice)") == r"adds .* \(twice\)"
    assert make_title_pattern("a.b ${x} ü") == r"a\.b .* ü"
