"""Sources that grow, in each language: definitions, tests and assertions are read in time of their length."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter

import pytest
from growing import require_linear
from release_tests import some_always

from code_adapter.integrity.pairing.cases import list_tests
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse

C_LIKE = "// a comment {i}\n"
SHARP = "# a comment {i}\n"
PY = (
    '"""A docstring."""\n',
    SHARP,
    "def f{i}(a):\n    return a + {i}\n\n\ndef test_{i}():\n    assert f{i}(1) == {i}\n\n\n",
    "def test_all():\n",
    "    assert f(1) == {i}\n",
    "",
)
JS = (
    "'use strict';\n",
    C_LIKE,
    "function f{i}(a) { return a + {i}; }\ntest('t{i}', () => { expect(f{i}(1)).toBe({i}); });\n",
    "test('all', () => {\n",
    "  expect(f(1)).toBe({i});\n",
    "});\n",
)
GO = (
    "package a\n",
    C_LIKE,
    "func F{i}(a int) int { return a + {i} }\nfunc TestF{i}(t *testing.T) { if F{i}(1) != {i} { t.Error(1) } }\n",
    "func TestAll(t *testing.T) {\n",
    "\tif F(1) != {i} {\n\t\tt.Error(1)\n\t}\n",
    "}\n",
)
RUST = (
    "//! Documentation.\n",
    C_LIKE,
    "fn f{i}(a: i32) -> i32 { a + {i} }\n#[test]\nfn t{i}() { assert_eq!(f{i}(1), {i}); }\n",
    "#[test]\nfn all() {\n",
    "    assert_eq!(f(1), {i});\n",
    "}\n",
)
JAVA = (
    "package a;\n",
    C_LIKE,
    "class B{i} {\n  int f{i}(int a) { return a + {i}; }\n  @Test void t{i}() { assertEquals({i}, f{i}(1)); }\n}\n",
    "class All {\n  @Test void all() {\n",
    "    assertEquals({i}, f(1));\n",
    "  }\n}\n",
)
RUBY = (
    "require 'minitest/autorun'\n",
    SHARP,
    "class Test{i} < Minitest::Test\n  def test_{i}\n    assert_equal {i}, f{i}(1)\n  end\nend\n",
    "class All < Minitest::Test\n  def test_all\n",
    "    assert_equal {i}, f(1)\n",
    "  end\nend\n",
)
PHP = (
    "<?php\nuse PHPUnit\\Framework\\TestCase;\n",
    C_LIKE,
    "class A{i}Test extends TestCase {\n  function test{i}() { $this->assertSame({i}, f{i}(1)); }\n}\n",
    "class AllTest extends TestCase {\n  function testAll() {\n",
    "    $this->assertSame({i}, f(1));\n",
    "  }\n}\n",
)
CSHARP = (
    "using Xunit;\n",
    C_LIKE,
    "class B{i} {\n  int F{i}(int a) { return {i}; }\n  [Fact] public void T{i}() { Assert.Equal({i}, F{i}(1)); }\n}\n",
    "class All {\n  [Fact] public void T() {\n",
    "    Assert.Equal({i}, F(1));\n",
    "  }\n}\n",
)
KOTLIN = (
    "package a\n",
    C_LIKE,
    "class B{i} {\n  @Test fun t{i}() {\n    assertEquals({i}, f{i}(1))\n  }\n}\n",
    "class All {\n  @Test fun all() {\n",
    "    assertEquals({i}, f(1))\n",
    "  }\n}\n",
)
LANGUAGES = (
    ("tests/test_a.py", PY),
    ("a.test.js", JS),
    ("a.test.ts", JS),
    ("a_test.go", GO),
    ("tests/a.rs", RUST),
    ("src/test/java/AllTest.java", JAVA),
    ("test/a_test.rb", RUBY),
    ("tests/AllTest.php", PHP),
    ("tests/AllTests.cs", CSHARP),
    ("src/test/kotlin/AllTest.kt", KOTLIN),
)
Parts = tuple[str, str, str, str, str, str]


def comments(parts: Parts, number: int) -> str:
    return parts[0] + "".join(parts[1].replace("{i}", str(i)) for i in range(10 * number))


def functions(parts: Parts, number: int) -> str:
    return parts[0] + "".join(parts[2].replace("{i}", str(i)) for i in range(number))


def assertions(parts: Parts, number: int) -> str:
    return parts[0] + parts[3] + "".join(parts[4].replace("{i}", str(i)) for i in range(2 * number)) + parts[5]


def read(path: str, source: str) -> None:
    content = source.encode()
    tree = parse(content, grammar_of(path) or "")
    cases = list_tests(tree, path, {}).cases
    extract(content, path)
    assert not tree.broken, tree.first_error()
    assert cases or "a comment" in source


@pytest.mark.every_case
@pytest.mark.parametrize("shape", [comments, functions, assertions])
@pytest.mark.parametrize("language", some_always(LANGUAGES, itemgetter(0), lambda each: "_a.py" in each[0], one_in=9))
def test_a_source_is_read_in_time_of_its_length(
    language: tuple[str, Parts], shape: Callable[[Parts, int], str]
) -> None:
    path, parts = language
    require_linear(lambda number: read(path, shape(parts, number)), 150, f"{shape.__name__} in {path}")
