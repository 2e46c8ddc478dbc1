"""Sources that grow: eight times as much of the same takes about eight times as long to read, in each language.

What is quadratic takes up to 64 times as long. Times are those of the processor, and of several readings the shortest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from operator import itemgetter

import pytest
from release_tests import some_always

from code_adapter.integrity.pairing.cases import list_tests
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse

FACTOR = 8
MOST = 16
"""Between the 8 of what is linear and the 64 of what is quadratic."""

NOTHING_S = 0.05
"""Less than this is noise."""

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


def read_seconds(path: str, source: str) -> float:
    content = source.encode()
    began = time.process_time()
    tree = parse(content, grammar_of(path) or "")
    cases = list_tests(tree, path, {}).cases
    extract(content, path)
    took = time.process_time() - began
    assert not tree.broken, tree.first_error()
    assert cases or "a comment" in source
    return took


@pytest.mark.every_case
@pytest.mark.parametrize("shape", [comments, functions, assertions])
@pytest.mark.parametrize("language", some_always(LANGUAGES, itemgetter(0), lambda each: "_a.py" in each[0], one_in=9))
def test_a_source_is_read_in_time_of_its_length(
    language: tuple[str, Parts], shape: Callable[[Parts, int], str]
) -> None:
    path, parts = language
    read_seconds(path, shape(parts, 10))  # what a language imports is imported
    number = 150
    for _ in range(3):  # what was measured while a neighbour took the processor's cache is measured again
        little = max(read_seconds(path, shape(parts, number)), NOTHING_S)
        much = read_seconds(path, shape(parts, FACTOR * number))
        if much < MOST * little:
            return
        number += 10
    pytest.fail(f"{shape.__name__} in {path}: {number} took {little:.2f} s, {FACTOR} times as many {much:.2f} s")
