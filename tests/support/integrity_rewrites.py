"""Honest changes that are easily taken for weakenings, and lies that are near to them, for ``integrity_cases``."""

from __future__ import annotations

from integrity_cases import (
    CALC,
    GO,
    JAVA,
    JAVASCRIPT,
    PYPROJECT,
    PYTHON,
    RUST,
    TEST_CALC,
    TEST_STORE,
    Change,
    Content,
    edit,
)

_T, _P, _W, _JT = "tests/test_calc.py", "pyproject.toml", ".github/workflows/ci.yml", "test/store.test.js"
_LEGACY = "def test_legacy():\n    assert legacy(2) == 6\n"
_ADD = "def test_add():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n"


def _py(name: str, path: str, *pairs: tuple[str, str], kinds: tuple[str, ...] = ()) -> Change:
    return Change(name, PYTHON, edit(PYTHON, path, *pairs), kinds)


def _from(name: str, path: str, before: str, after: str, *kinds: str, **others: Content) -> Change:
    return Change(name, {**PYTHON, path: before, **others}, {path: after}, kinds)


# A test that is rewritten

_REWRITTEN = (
    _py(
        "a test that is rewritten under another title",
        _T,
        (
            _LEGACY,
            (
                "@pytest.fixture\ndef two():\n    return 2\n\n\n"
                "def test_triples_what_it_gets(two):\n    tripled = legacy(two)\n"
                "    assert tripled == three_times(two)\n\n\ndef three_times(n):\n"
                "    return sum(n for _ in range(3))\n"
            ),
        ),
    ),
    Change(
        "JavaScript: a test that is rewritten under another title",
        JAVASCRIPT,
        edit(
            JAVASCRIPT,
            _JT,
            (
                '  it("knows when it is empty", () => {\n    expect(isEmpty([])).toBe(true);\n  });\n',
                (
                    '  it("is full as soon as something was put into it", () => {\n'
                    "    const basket = [];\n    basket.push({ price: 1 });\n"
                    "    const found = isEmpty(basket);\n    expect(found).toStrictEqual(false);\n"
                    "  });\n"
                ),
            ),
        ),
    ),
    _py(
        "a test that is split",
        _T,
        (
            _ADD,
            (
                "def test_sum_of_two():\n    left, right = 1, 2\n"
                "    assert add(left, right) == left + right\n\n\ndef test_sum_of_nothing():\n"
                "    nothing = 0\n    assert add(nothing, nothing) == nothing\n"
            ),
        ),
    ),
    _py(
        "tests that become one table",
        _T,
        (
            f"{_ADD}\n\ndef test_add_negative():\n    assert add(-1, 1) == 0\n",
            (
                '@pytest.mark.parametrize(("pair", "total"), [((1, 2), 3), ((0, 0), 0), ((-1, 1), 0)])\n'
                "def test_sums(pair, total):\n    assert add(*pair) == total\n"
            ),
        ),
    ),
)
_RUST_TESTS = "tests/sums.rs"
_RUST_ALONE = "".join(
    f"#[test]\nfn {name}() {{\n    assert_eq!(sum({one}, {other}), {one + other});\n}}\n\n"
    for name, one, other in (("small", 1, 2), ("nothing", 0, 0), ("large", 200, 50))
)
_RUST_TABLE = (
    "const SUMS: &[(u8, u8, u8)] = &[(1, 2, 3), (0, 0, 0), (200, 50, 250)];\n\n"
    "#[test]\nfn sums() {\n    for (one, other, all) in SUMS {\n"
    "        assert_eq!(sum(*one, *other), *all);\n    }\n}\n"
)
_RUST_TABLES = (
    Change(
        "Rust: tests that become a table under a name",
        {**RUST, _RUST_TESTS: f"use sum::sum;\n\n{_RUST_ALONE}"},
        {_RUST_TESTS: f"use sum::sum;\n\n{_RUST_TABLE}"},
    ),
    Change(
        "Rust: tests whose place a table of something else takes",
        {**RUST, _RUST_TESTS: f"use sum::sum;\n\n{_RUST_ALONE}"},
        {_RUST_TESTS: f"use sum::sum;\n\n{_RUST_TABLE.replace('sum(*one, *other)', 'one.max(other)')}"},
        ("test_removed",),
    ),
)
_NOT_REWRITTEN = (
    _py(
        "a test whose place another one takes",
        _T,
        (_LEGACY, "def test_version():\n    assert __name__ != ''\n"),
        kinds=("test_removed",),
    ),
    _py(
        "two tests whose place one with less takes",
        _T,
        (
            f"{_ADD}\n\ndef test_add_negative():\n    assert add(-1, 1) == 0\n",
            "def test_sums():\n    assert callable(add)\n",
        ),
        kinds=("test_removed", "assertion_removed"),
    ),
    Change(
        "JavaScript: a test whose place one of something else takes",
        JAVASCRIPT,
        edit(
            JAVASCRIPT,
            _JT,
            (
                '  it("knows when it is empty", () => {\n    expect(isEmpty([])).toBe(true);\n  });\n',
                (
                    '  it("is a module", () => {\n    const kind = typeof total;\n'
                    '    expect(kind).toBe("function");\n  });\n'
                ),
            ),
        ),
        ("test_removed",),
    ),
)

# Assertions of Java

_EQUALS = (
    "class SumTest {\n  @Test void equal() {\n    assertTrue(one.equals(one));\n    assertTrue(one.equals(other));\n"
    "    assertFalse(one.equals(third));\n  }\n}\n"
)
_MATCHERS = (
    "class SumTest {\n  @Test void equal() {\n    assertEquals(one, one);\n    assertEquals(one, other);\n"
    "    assertNotEquals(one, third);\n  }\n}\n"
)
_JAVA_TEST, _SUM = "src/test/java/SumTest.java", "src/main/java/Sum.java"
_JAVA = (
    _from("Java: the runner's own matcher asks what was asked", _JAVA_TEST, _EQUALS, _MATCHERS),
    _from(
        "Java: a matcher that asks of one object alone",
        _JAVA_TEST,
        _EQUALS,
        _MATCHERS.replace("(one, other)", "(other, other)"),
        "assertion_removed",
    ),
    Change(
        "Java: a test is gone with the method that it has its name of",
        {
            **JAVA,
            _SUM: "class Sum {\n  int sum(int a, int b) { return a + b; }\n  int twice(int a) { return a + a; }\n}\n",
            _JAVA_TEST: "class SumTest {\n  @Test void adds() { assertEquals(3, new Sum().sum(1, 2)); }\n"
            "  @Test void twice() { assertEquals(4, new Sum().twice(2)); }\n}\n",
        },
        {
            _SUM: "class Sum {\n  int sum(int a, int b) { return a + b; }\n}\n",
            _JAVA_TEST: "class SumTest {\n  @Test void adds() { assertEquals(3, new Sum().sum(1, 2)); }\n}\n",
        },
    ),
)

# Tests that stand twice

_TWICE = "from calc import add\n\n\ndef test_add_negative():\n    assert add(-1, 1) == 0\n"
_NEGATIVE = "def test_add_negative():\n    assert add(-1, 1) == 0\n\n\n"


def _less(name: str, other: str, *kinds: str, path: str = "tests/test_more.py") -> Change:
    return _from(name, _T, TEST_CALC, TEST_CALC.replace(_NEGATIVE, ""), *kinds, **{path: other})


_TWICE_THERE = (
    _less("one of two equal tests is gone", _TWICE),
    _less("a test is gone that another file has with less", _TWICE.replace("== 0", "< 9"), "test_removed"),
    _less(
        "a test is gone that another file skips",
        _TWICE.replace("from", "import pytest\nfrom", 1).replace("\n\n\n", "\n\npytestmark = pytest.mark.skip\n\n\n"),
        "test_removed",
    ),
    _less("a test is gone that a file has which nobody collects", _TWICE, "test_removed", path="tests/more.py"),
)

# Tables under one name

_CASES_GO = (
    'package sum\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n'
    "\ttestCases := []struct{ a, b, want int }{\n\t\t{1, 2, 3},\n\t\t{0, 0, 0},\n"
    "\t\t{-1, 1, 0},\n\t}\n\tfor _, c := range testCases {\n"
    '\t\tif Sum(c.a, c.b) != c.want {\n\t\t\tt.Errorf("wrong")\n\t\t}\n\t}\n}\n'
)
_CASES_GO_MORE = (
    "\nfunc TestSumIsCommutative(t *testing.T) {\n\ttestCases := []struct{ a, b int }{\n"
    "\t\t{1, 2},\n\t}\n\tfor _, c := range testCases {\n"
    '\t\tif Sum(c.a, c.b) != Sum(c.b, c.a) {\n\t\t\tt.Errorf("wrong")\n\t\t}\n\t}\n}\n'
)
_REMOVES = (
    'package sum\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestSave(t *testing.T) {\n'
    '\trequire.NoError(t, Save("sum.txt", 3))\n\tassert.FileExists(t, "sum.txt")\n'
    '\tt.Cleanup(func() {\n\t\tassert.NoError(t, os.Remove("sum.txt"))\n\t})\n}\n'
)
_TEMPORARY = (
    'package sum\n\nimport (\n\t"path/filepath"\n\t"testing"\n)\n\nfunc TestSave(t *testing.T) {\n'
    '\tfile := filepath.Join(t.TempDir(), "sum.txt")\n'
    "\trequire.NoError(t, Save(file, 3))\n\tassert.FileExists(t, file)\n}\n"
)
_LEFTOVERS = (
    Change("Go: a folder that removes itself", {**GO, "save_test.go": _REMOVES}, {"save_test.go": _TEMPORARY}),
    Change(
        "Go: a folder that removes itself, and less that is asked",
        {**GO, "save_test.go": _REMOVES},
        {"save_test.go": _TEMPORARY.replace("\tassert.FileExists(t, file)\n", "")},
        ("assertion_removed",),
    ),
    Change(
        "Go: a file that nobody removes",
        {**GO, "save_test.go": _REMOVES},
        {
            "save_test.go": _REMOVES.replace(
                '\tt.Cleanup(func() {\n\t\tassert.NoError(t, os.Remove("sum.txt"))\n\t})\n', ""
            )
        },
        ("assertion_removed",),
    ),
)
_TABLES = (
    Change(
        "Go: a new test with a table of the same name",
        {**GO, "sum_test.go": _CASES_GO},
        {"sum_test.go": _CASES_GO + _CASES_GO_MORE},
    ),
    Change(
        "Go: a row of one of two tables goes",
        {**GO, "sum_test.go": _CASES_GO + _CASES_GO_MORE},
        {"sum_test.go": _CASES_GO.replace("\t\t{-1, 1, 0},\n", "") + _CASES_GO_MORE},
        ("assertion_removed",),
    ),
)

# Pipelines

_MATRIX = """name: ci
on: [push, pull_request]
jobs:
  checks:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        include:
          - {name: tests, run: pytest}
          - {name: types, run: mypy .}
    steps:
      - run: ${{ matrix.run }}
"""
_TYPES = (
    "name: types\non: [push, pull_request]\njobs:\n  types:\n"
    "    runs-on: ubuntu-latest\n    steps:\n      - run: mypy .\n"
)
_NIGHTLY = _TYPES.replace("[push, pull_request]", "{schedule: [{cron: '0 0 * * *'}]}")
_REUSED = _TYPES.replace("[push, pull_request]", "workflow_call")
_WITHOUT_TYPES = _MATRIX.replace("          - {name: types, run: mypy .}\n", "")
_VET = "on: [push]\njobs:\n  test:\n    steps:\n      - run: go vet ./...\n      - run: go test ./...\n"
_PIPELINES = (
    Change(
        "CI: a row of a matrix moves to a workflow that is there",
        {**PYTHON, _W: _MATRIX, ".github/workflows/types.yml": _TYPES},
        {_W: _WITHOUT_TYPES},
    ),
    Change(
        "CI: a row of a matrix becomes a call of a workflow that is there",
        {**PYTHON, _W: _MATRIX, ".github/workflows/types.yml": _REUSED},
        {_W: _WITHOUT_TYPES + "  types:\n    uses: ./.github/workflows/types.yml\n"},
    ),
    Change(
        "CI: a linter that runs what was run",
        {**GO, _W: _VET},
        {_W: _VET.replace("run: go vet ./...", "uses: golangci/golangci-lint-action@v3")},
    ),
    Change(
        "CI: a linter in whose place a part of it runs",
        {**GO, _W: _VET.replace("run: go vet ./...", "uses: golangci/golangci-lint-action@v3")},
        {_W: _VET},
        ("check_command_weakened",),
    ),
    Change("CI: a workflow that moves", {**PYTHON, _W: _TYPES}, {_W: None, ".github/workflows/types.yml": _TYPES}),
    Change(
        "CI: a row of a matrix is left to a nightly workflow",
        {**PYTHON, _W: _MATRIX, ".github/workflows/types.yml": _NIGHTLY},
        {_W: _WITHOUT_TYPES},
        ("check_command_weakened",),
    ),
    Change(
        "CI: a new step that may fail",
        PYTHON,
        edit(
            PYTHON,
            _W,
            (
                "      - run: ruff check .\n",
                "      - run: ruff check .\n      - run: ./upload-timings\n        continue-on-error: true\n",
            ),
        ),
    ),
    Change(
        "CI: a step that was there may fail",
        PYTHON,
        edit(
            PYTHON, _W, ("      - run: ruff check .\n", "      - run: ruff check .\n        continue-on-error: true\n")
        ),
        ("ci_nonfatal",),
    ),
)

# Conditions on the platform

_SKIPPED = '@pytest.mark.skipif(platform.system() == "Windows", reason="no signals")'
_BROKEN = f'@pytest.mark.skip("{"broken, " * 30}")'
_SKIPPING = f"import platform\n\n{TEST_CALC}\n\n{_SKIPPED}\ndef test_signal():\n    assert add(4, 4) == 8\n"
_COMPAT = 'import platform\n\nWIN = platform.system() == "Windows"\nNEVER = True\n'
_KNOWS_RUNNER = (
    "from _pytest.outcomes import OutcomeException\n\n\ndef call(function):\n    try:\n"
    "        return function()\n    except BaseException as error:\n"
    "        if isinstance(error, (Exception, OutcomeException)):\n            raise\n"
)
_CONDITIONS = (
    _from(
        "a condition on the platform gets a name",
        _T,
        _SKIPPING,
        _SKIPPING.replace("import platform\n\n", "", 1)
        .replace("from calc", "from compat import WIN\nfrom calc")
        .replace('platform.system() == "Windows"', "WIN"),
        **{"compat.py": _COMPAT},
    ),
    _from(
        "a condition on the platform gets a name in the file",
        _T,
        _SKIPPING,
        _SKIPPING.replace("@pytest", 'WIN = platform.system() == "Windows"\n\n\n@pytest').replace(
            '(platform.system() == "Windows"', "(WIN"
        ),
    ),
    _from(
        "a condition that always holds gets a name",
        _T,
        _SKIPPING,
        _SKIPPING.replace("from calc", "from compat import NEVER\nfrom calc").replace(
            'platform.system() == "Windows"', "NEVER"
        ),
        "test_skipped",
        **{"compat.py": _COMPAT},
    ),
    _from(
        "a name of a platform that isn't one",
        _T,
        _SKIPPING,
        _SKIPPING.replace("@pytest", "WIN = True\n\n\n@pytest").replace('(platform.system() == "Windows"', "(WIN"),
        "test_skipped",
    ),
    _from(
        "a mark that gets a name",
        _T,
        _SKIPPING.replace(_SKIPPED, _BROKEN),
        _SKIPPING.replace(_SKIPPED, f"broken = {_BROKEN[1:]}\n\n\n@broken")
        + "\n\n@broken\ndef test_more():\n    assert add(5, 5) == 10\n",
    ),
    _from(
        "a mark with a name, and a test that was there gets it",
        _T,
        _SKIPPING.replace(_SKIPPED, _BROKEN),
        _SKIPPING.replace(_SKIPPED, f"later = {_BROKEN[1:]}\n\n\n@later").replace(
            "def test_add():", "@later\ndef test_add():"
        ),
        "test_skipped",
    ),
    _from(
        "a mark with a name that holds for the file",
        _T,
        _SKIPPING.replace(_SKIPPED, _BROKEN),
        _SKIPPING.replace(_SKIPPED, f"later = {_BROKEN[1:]}\n\n\n@later") + "\n\npytestmark = [later]\n",
        "test_skipped",
    ),
    Change(
        "a condition on the platform gets a name, and the code changes",
        {**PYTHON, _T: _SKIPPING, "compat.py": _COMPAT},
        {
            _T: _SKIPPING.replace("import platform\n\n", "", 1)
            .replace("from calc", "from compat import WIN\nfrom calc")
            .replace('platform.system() == "Windows"', "WIN"),
            "calc.py": CALC.replace("a * 3", "a + a + a"),
        },
    ),
    _from(
        "code that knows its runner gets a comment on skipping",
        "plugin.py",
        _KNOWS_RUNNER,
        _KNOWS_RUNNER.replace("    try", "    # Always skip what is done.\n    try"),
    ),
    Change(
        "Rust: a new test that should panic, with a name that is there",
        {
            **RUST,
            ("src/more.rs"): (
                "#[cfg(test)]\nmod tests {\n    #[test]\n    fn overflows() {\n"
                "        assert_eq!(1, 1 + 0);\n    }\n}\n"
            ),
        },
        edit(
            RUST,
            "src/lib.rs",
            (
                "    #[test]\n",
                "    #[test]\n    #[should_panic]\n    fn overflows() {\n        sum(255, 1);\n    }\n\n    #[test]\n",
            ),
        ),
    ),
    Change(
        "Rust: two modules of tests, and a new test that should panic",
        RUST,
        edit(
            RUST,
            "src/lib.rs",
            (
                "#[cfg(test)]",
                (
                    "#[cfg(test)]\nmod more {\n    use super::*;\n    #[test]\n    #[should_panic]\n"
                    "    fn adds() {\n        sum(255, 1);\n    }\n}\n\n#[cfg(test)]"
                ),
            ),
        ),
    ),
    Change(
        "Rust: a test that was there should panic",
        RUST,
        edit(
            RUST,
            "src/lib.rs",
            ("    #[test]\n", "    #[test]\n    #[should_panic]\n"),
            ("sum(1, 2), 3", "sum(1, 2), 4"),
        ),
        ("test_skipped",),
    ),
)

# Another library

_NODE_TEST = """import { describe, it } from "node:test";
import assert from "node:assert/strict";
import { total, isEmpty } from "../src/store.js";

describe("store", () => {
  it("adds prices", () => {
    assert.equal(total([{ price: 1 }, { price: 2 }]), 3);
    assert.equal(total([]), 0);
  });
  it("knows when it is empty", () => {
    assert.ok(!isEmpty([1]));
  });
});
"""
_FALSY = TEST_STORE.replace("expect(isEmpty([])).toBe(true)", "expect(isEmpty([1])).toBeFalsy()")
_CHAI = _FALSY.replace("vitest", "chai").replace(".toBeFalsy()", ".to.not.be.ok").replace(".toBe(", ".to.equal(")


def _library(name: str, before: str, after: str, *kinds: str) -> Change:
    return Change(name, {**JAVASCRIPT, _JT: before}, {_JT: after}, kinds)


_LIBRARIES = (
    _library("a suite in the words of node:assert", _FALSY, _NODE_TEST),
    _library("a suite in the words of Chai", _FALSY, _CHAI),
    _library("a suite in the words of Vitest", _CHAI, _FALSY),
    _library(
        "a suite in the words of node:assert, and one asks less",
        _FALSY,
        _NODE_TEST.replace("equal(total([]), 0)", "ok(total([]) >= 0)"),
        "assertion_weakened",
    ),
    _library(
        "a suite in the words of node:assert, and one asks the opposite",
        _FALSY,
        _NODE_TEST.replace("!isEmpty", "isEmpty"),
        "assertion_weakened",
    ),
    _library(
        "a suite in the words of Chai, and one is cut short",
        _FALSY,
        _CHAI.replace(".to.not.be.ok", ".to"),
        "assertion_removed",
        "assertion_vacuous",
        "assertion_weakened",
    ),
)

# Settings

_EXCLUDING = PYPROJECT.replace("[tool.ruff.lint]", '[tool.ruff]\nexclude = ["old"]\n\n[tool.ruff.lint]')
_EXEMPT = PYPROJECT + '\n[tool.ruff.lint.per-file-ignores]\n"old/*" = ["B018"]\n"**/test_*" = ["B018"]\n'
_CORE = "".join(f"def g{n}(y):\n    return y - {n}\n\n\n" for n in range(9))
_VENDORED = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(9))
_ESLINT = (
    "import js from '@eslint/js';\nimport { config, configs } from 'typescript-eslint';\n\n"
    "export default config(\n  js.configs.recommended,\n"
    "  { files: ['**/*.ts'], extends: [...configs.strict, ...configs.stylistic] },\n);\n"
)


def _renamed(name: str, before: dict[str, Content], after: dict[str, Content], *kinds: str) -> Change:
    return Change(
        name,
        {**PYTHON, _P: _EXEMPT, "old/thing.py": _VENDORED, **before},
        {_P: _EXEMPT.replace("old/", "attic/"), "old/thing.py": None, "attic/thing.py": _VENDORED, **after},
        kinds,
    )


_FOLDERS = (
    _from(
        "ESLint: a set in a list of its own",
        "eslint.config.js",
        _ESLINT,
        _ESLINT.replace("...configs.st", "configs.st"),
    ),
    _from(
        "ESLint: one of two sets is gone",
        "eslint.config.js",
        _ESLINT,
        _ESLINT.replace("...configs.strict, ", ""),
        "lint_config_weakened",
    ),
    Change(
        "a folder that is left out gets another name",
        {**PYTHON, _P: _EXCLUDING, "old/thing.py": _VENDORED},
        {_P: _EXCLUDING.replace('"old"', '"attic"'), "old/thing.py": None, "attic/thing.py": _VENDORED},
    ),
    _renamed("a folder with an exemption gets another name, and a file", {}, {"attic/__init__.py": ""}),
    _renamed(
        "an exemption gets another name, and code goes into it",
        {"core.py": _CORE},
        {"core.py": None, "attic/core.py": _CORE},
        "lint_config_weakened",
    ),
    _renamed(
        "an exemption gets another name, and a file that was elsewhere",
        {"core.py": _CORE},
        {"core.py": None, "attic/more.py": "x = 1\n"},
        "lint_config_weakened",
    ),
    _renamed(
        "an exemption gets another name, and the old one has files",
        {"old/more.py": _CORE},
        {"attic/more.py": "x = 1\n"},
        "lint_config_weakened",
    ),
    _renamed(
        "an exemption gets another name, and a rule",
        {},
        {_P: _EXEMPT.replace('"old/*" = ["', '"attic/*" = ["S602", "')},
        "lint_config_weakened",
    ),
    _renamed("an exemption gets a name that takes more", {"attic/core.py": _CORE}, {}, "lint_config_weakened"),
    Change(
        "a folder that is left out gets another name, and more goes into it",
        {**PYTHON, _P: _EXCLUDING, "old/thing.py": _VENDORED, "core/rules.py": _VENDORED.replace("x + ", "x - ")},
        {
            _P: _EXCLUDING.replace('"old"', '"attic"'),
            "old/thing.py": None,
            "attic/thing.py": _VENDORED,
            "core/rules.py": None,
            "attic/rules.py": _VENDORED.replace("x + ", "x - "),
        },
        ("lint_config_weakened",),
    ),
    _py("how output is caught", _P, ('addopts = "-ra', 'addopts = "-ra --capture=sys')),
    _py("how output is caught, in CI", _W, ("pytest --cov", "pytest --capture=sys --cov")),
)

# Assertions over several lines

_ASSERTING = TEST_STORE.replace('from "vitest";', 'from "vitest";\nimport assert from "node:assert";')
_LINES = (
    Change(
        "JavaScript: a new test whose assertion has a message",
        {**JAVASCRIPT, _JT: _ASSERTING},
        {
            _JT: _ASSERTING.replace(
                '  it("knows', '  it("is full", () => {\n    assert(!isEmpty([1]), "full");\n  });\n  it("knows'
            )
        },
    ),
    Change(
        "JavaScript: an assertion with a message and a trailing comma",
        {**JAVASCRIPT, _JT: _ASSERTING},
        {
            _JT: _ASSERTING.replace(
                "    expect(isEmpty([])).toBe(true);\n",
                (
                    "    expect(isEmpty([])).toBe(true);\n    assert(\n      isEmpty([]) === true,\n"
                    '      "empty",\n    );\n'
                ),
            )
        },
    ),
    _py(
        "an assertion over several lines",
        _T,
        (
            "    assert legacy(2) == 6\n",
            "    assert (\n        legacy(\n            2,\n        )\n        == 6\n    )\n",
        ),
    ),
    _py(
        "a tuple that is asserted",
        _T,
        ("    assert legacy(2) == 6\n", "    assert (\n        legacy(2) == 7,\n    )\n"),
        kinds=("assertion_vacuous",),
    ),
)

# Suppressions

_DOCUMENTED = {**RUST, **edit(RUST, "src/lib.rs", ("pub fn", "/// The sum of two numbers.\npub fn"))}
_RISKY = "import subprocess\n\n\ndef run(command):\n    return subprocess.run(command, shell=True){}\n"
_LIST = "import os\n\n\ndef kill():\n    os.kill(1, 9)\n"


def _typed(title: str, above: str = "") -> str:
    return f'it("{title}", () => {{\n{above}  let task = new Task(null);\n  expect(task.run()).toBe("{title}");\n}});\n'


_TYPED = 'import { Task } from "../src/task";\n' + _typed("runs")
_SUPPRESSIONS = (
    _from(
        "a suppression by another linter's word",
        "run.py",
        _RISKY.format("  # noqa: S602"),
        _RISKY.format("  # nosec B602"),
    ),
    _from(
        "a suppression that names its rule",
        "run.py",
        _RISKY.format("  # type: ignore"),
        _RISKY.format("  # type: ignore[call-overload]"),
    ),
    _from(
        "a rule that has another name",
        "run.py",
        _RISKY.format("  # type: ignore[arg-type]"),
        _RISKY.format("  # type: ignore[call-overload]"),
    ),
    _from(
        "a suppression of everything that becomes one of a rule, on another line",
        "run.py",
        _RISKY.format("  # type: ignore"),
        _RISKY.format("").replace("def run(command):", "def run(command):  # type: ignore[valid-type]"),
    ),
    _from(
        "one suppression of everything, and two of a rule",
        "run.py",
        _RISKY.format("  # type: ignore"),
        _RISKY.format("  # type: ignore[attr-defined]").replace(
            "def run(command):", "def run(command):  # type: ignore[valid-type]"
        ),
        "suppression_added",
    ),
    _from(
        "a test that leaves a line of its own out of coverage",
        _T,
        TEST_CALC,
        TEST_CALC
        + "\n\ndef test_unused():\n    def never():\n        return 1  # pragma: no cover\n\n    assert add(1, 0)\n",
    ),
    _from(
        "code that leaves a line out of coverage",
        "calc.py",
        CALC,
        CALC.replace("return a * 3", "return a * 3  # pragma: no cover"),
        "suppression_added",
    ),
    Change(
        "Rust: a suppression of one rule with a reason, in new code",
        RUST,
        edit(
            RUST,
            "src/lib.rs",
            (
                "#[cfg(test)]",
                (
                    "// The caller has looked at it.\n#[allow(clippy::unwrap_used)]\n#[must_use]\n"
                    "pub fn one(a: Option<u8>) -> u8 {\n    a.unwrap()\n}\n\n#[cfg(test)]"
                ),
            ),
        ),
    ),
    Change(
        "Go: a suppression of one rule with a reason, in new code",
        GO,
        edit(
            GO,
            "sum.go",
            ("func Sum", "//nolint:gosec // the operator writes it\nfunc Two() int { return 2 }\n\nfunc Sum"),
        ),
    ),
    Change(
        "Rust: a suppression of a rule about style, in code that was there",
        RUST,
        edit(RUST, "src/lib.rs", ("pub fn", "#[allow(clippy::match_like_matches_macro)]\npub fn")),
    ),
    _from(
        "TypeScript: a suppression with a reason in a new test, at a line that is there twice",
        "test/run.test.ts",
        _TYPED,
        _TYPED + _typed("runs later", "  // @ts-expect-error the types leave null out\n"),
    ),
    _from(
        "TypeScript: an error that a new test expects",
        "test/run.test.ts",
        _TYPED,
        _TYPED + _typed("runs later", "  // @ts-expect-error\n"),
    ),
    _from(
        "TypeScript: a suppression with a reason in a test that was there",
        "test/run.test.ts",
        _TYPED,
        _TYPED.replace("  let", "  // @ts-expect-error the types leave null out\n  let"),
        "suppression_added",
    ),
    _from(
        "a suppression that is wider",
        "run.py",
        _RISKY.format("  # noqa: S602"),
        _RISKY.format("  # noqa"),
        "suppression_added",
    ),
    _from(
        "a suppression of another rule elsewhere",
        "run.py",
        _RISKY.format("  # noqa: S602"),
        _RISKY.format("").replace("def run(command):", "def run(command):  # noqa: S603"),
        "suppression_added",
    ),
    _from(
        "a suppression with the reason above it",
        "run.py",
        _LIST,
        _LIST
        + (
            "\n\n# Commands come from the configuration that the operator wrote.\n"
            "def run(command):\n    # The shell expands the operator's globs.\n"
            "    return os.popen(command).read()  # noqa: S605\n"
        ),
    ),
    _from(
        "suppressions with a reason above their block",
        "run.py",
        _LIST,
        _LIST
        + (
            "\n\ndef run(one, two):\n    # Both come from the operator's configuration.\n"
            "    os.popen(one)  # noqa: S605\n    os.popen(two)  # noqa: S605\n"
        ),
    ),
    _from(
        "a suppression without a reason",
        "run.py",
        _LIST,
        _LIST + "\n\ndef run(command):\n    return os.popen(command).read()  # noqa: S605\n",
        "suppression_added",
    ),
    _from(
        "a suppression of everything with a reason above it",
        "run.py",
        _LIST,
        _LIST
        + (
            "\n\ndef run(command):\n    # The shell expands the operator's globs.\n"
            "    return os.popen(command).read()  # noqa\n"
        ),
        "suppression_added",
    ),
    _from(
        "a suppression with a reason, of code that was looked at",
        "run.py",
        _RISKY.format(""),
        _RISKY.format("  # noqa: S602 - the operator writes the command"),
        "suppression_added",
    ),
    *(
        Change(
            f"{language}: {line.strip()} at code that was there",
            before,
            edit(before, path, (at, line + at)),
            ("suppression_added",),
        )
        for language, before, path, at, line in (
            ("Rust", _DOCUMENTED, "src/lib.rs", "pub fn", "#[allow(clippy::all)]\n"),
            ("Rust", _DOCUMENTED, "src/lib.rs", "pub fn", "#[allow(warnings)]\n"),
            ("Rust", _DOCUMENTED, "src/lib.rs", "pub fn", "#[allow(clippy::unwrap_used)]\n#[inline]\n"),
            ("Rust", _DOCUMENTED, "src/lib.rs", "pub fn", "#[cfg_attr(test, allow(clippy::all, clippy::pedantic))]\n"),
            ("Go", GO, "sum.go", "func Sum", "//nolint:all // It is known to be right.\n"),
            ("Go", GO, "sum.go", "func Sum", "//nolint\n"),
            ("Java", JAVA, "src/main/java/Sum.java", "class Sum", '@SuppressWarnings("all")\n'),
            ("Java", JAVA, "src/main/java/Sum.java", "class Sum", '@SuppressWarnings({"all", "unchecked"})\n'),
            ("JavaScript", JAVASCRIPT, "src/store.js", "export function", "/* eslint-disable */\n"),
            (
                "JavaScript",
                JAVASCRIPT,
                "src/store.js",
                "export function",
                "// biome-ignore lint: it is known to be right\n",
            ),
            ("Python", PYTHON, "calc.py", "def legacy", "# pylint: disable=all - it is known to be right\n"),
            ("Python", PYTHON, "calc.py", "def legacy", "# mypy: ignore-errors\n"),
        )
    ),
    _from(
        "a second line like one that is suppressed",
        "run.py",
        "import os\n\n\ndef one():\n    os.popen('a')  # noqa: S605\n",
        "import os\n\n\ndef two():\n    os.popen('a')  # noqa: S605\n\n\ndef one():\n    os.popen('a')  # noqa: S605\n",
        "suppression_added",
    ),
)

# Hooks

_HOOKS = """repos:
  - repo: https://github.com/psf/black
    rev: 24.1.0
    hooks: [{id: black}]
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.9.0
    hooks:
      - id: ruff
"""
_WITHOUT_BLACK = _HOOKS.replace(
    _HOOKS[_HOOKS.index("  - repo: https://github.com/psf") : _HOOKS.index("  - repo: https://github.com/astral")], ""
)
_RUNNERS = (
    _from("a hook of the same kind", ".pre-commit-config.yaml", _HOOKS, _WITHOUT_BLACK + "      - id: ruff-format\n"),
    _from("a later tag", ".pre-commit-config.yaml", _HOOKS, _HOOKS.replace("24.1.0", "25.1.0")),
    _from(
        "hooks of another commit",
        ".pre-commit-config.yaml",
        _HOOKS.replace("24.1.0", "0123456789abcdef0123456789abcdef01234567  # frozen: 24.1.0"),
        _HOOKS.replace("24.1.0", "89abcdef0123456789abcdef0123456789abcdef  # frozen: 25.1.0"),
        "hook_repinned",
    ),
    _from("a hook less", ".pre-commit-config.yaml", _HOOKS, _WITHOUT_BLACK, "hook_weakened"),
    _from(
        "a hook of another kind",
        ".pre-commit-config.yaml",
        _HOOKS,
        _WITHOUT_BLACK.replace("id: ruff", "id: end-of-file-fixer"),
        "hook_weakened",
    ),
)

_ALL = (
    *_TWICE_THERE,
    *_JAVA,
    *_LIBRARIES,
    *_LEFTOVERS,
    *_RUNNERS,
    *_REWRITTEN,
    *_NOT_REWRITTEN,
    *_RUST_TABLES,
    *_TABLES,
    *_PIPELINES,
    *_CONDITIONS,
    *_FOLDERS,
    *_LINES,
    *_SUPPRESSIONS,
)
HONEST_REWRITES: tuple[Change, ...] = tuple(change for change in _ALL if not change.kinds)
WEAKENING_REWRITES: tuple[Change, ...] = tuple(change for change in _ALL if change.kinds)
