"""Honest and weakening changes of small projects, as base and subject files."""

from __future__ import annotations

from dataclasses import dataclass

Content = str | bytes | None

CALC = '''"""Numbers."""


def add(a, b):
    return a + b


def divide(a, b):
    if b == 0:
        raise ZeroDivisionError("b is 0")
    return a / b


def legacy(a):
    return a * 3
'''
TEST_CALC = """import pytest

from calc import add, divide, legacy


def test_add():
    assert add(1, 2) == 3
    assert add(0, 0) == 0


def test_add_negative():
    assert add(-1, 1) == 0


def test_divide():
    assert divide(4, 2) == 2.0


def test_divide_by_zero():
    with pytest.raises(ZeroDivisionError):
        divide(1, 0)


def test_legacy():
    assert legacy(2) == 6
"""
PYPROJECT = """[project]
name = "calc"
version = "1.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = "-ra --strict-markers"
filterwarnings = ["error"]

[tool.coverage.run]
branch = true
source = ["calc"]

[tool.coverage.report]
fail_under = 90

[tool.ruff.lint]
select = ["E", "F", "B", "S"]
ignore = ["E501"]

[tool.mypy]
strict = true
"""
SETUP_CFG = """[tool:pytest]
addopts = -ra
[coverage:report]
fail_under = 90
"""
WORKFLOW = """name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: pip install -e .
      - run: ruff check .
      - run: mypy .
      - run: pytest --cov --cov-fail-under=90
"""
MAKEFILE = """test:
\tpytest

lint:
\truff check .
"""
PYTHON: dict[str, Content] = {
    "calc.py": CALC,
    "tests/test_calc.py": TEST_CALC,
    "pyproject.toml": PYPROJECT,
    ".github/workflows/ci.yml": WORKFLOW,
    "Makefile": MAKEFILE,
    "README.md": "# calc\n",
}

STORE = """export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}
export const isEmpty = (items) => items.length === 0;
"""
TEST_STORE = """import { describe, it, expect } from "vitest";
import { total, isEmpty } from "../src/store.js";

describe("store", () => {
  it("adds prices", () => {
    expect(total([{ price: 1 }, { price: 2 }])).toBe(3);
    expect(total([])).toBe(0);
  });
  it("knows when it is empty", () => {
    expect(isEmpty([])).toBe(true);
  });
});
"""
PACKAGE = """{
  "name": "store",
  "scripts": { "test": "vitest run", "lint": "eslint .", "build": "tsc -p ." },
  "jest": { "coverageThreshold": { "global": { "lines": 80, "branches": 70 } },
    "testPathIgnorePatterns": ["/node_modules/"] },
  "nyc": { "check-coverage": true, "lines": 90 }
}
"""
ESLINT = """export default [
  { rules: { "no-unused-vars": "error", "eqeqeq": ["error", "always"] } },
  { ignores: ["dist/**"] },
];
"""
JAVASCRIPT: dict[str, Content] = {
    "src/store.js": STORE,
    "test/store.test.js": TEST_STORE,
    "package.json": PACKAGE,
    "eslint.config.js": ESLINT,
    "tsconfig.json": '{ "compilerOptions": { "strict": true } } // kept strict\n',
}

GO: dict[str, Content] = {
    "sum.go": "package sum\n\nfunc Sum(a, b int) int { return a + b }\n",
    "sum_test.go": 'package sum\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n'
    '\t\tt.Errorf("wrong")\n'
    '\t}\n}\n\nfunc TestSumZero(t *testing.T) {\n\tif Sum(0, 0) != 0 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
}
RUST: dict[str, Content] = {
    "Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\n\n[lints.clippy]\nunwrap_used = "deny"\n',
    "src/lib.rs": "pub fn sum(a: u8, b: u8) -> u8 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    #[test]\n    fn adds() {\n        assert_eq!(sum(1, 2), 3);\n        assert_eq!(sum(0, 0), 0);\n    }\n}\n",
}
JAVA: dict[str, Content] = {
    "src/main/java/Sum.java": "class Sum { int sum(int a, int b) { return a + b; } }\n",
    "src/test/java/SumTest.java": "class SumTest {\n  @Test void adds() { assertEquals(3, new Sum().sum(1, 2)); }\n"
    "  @Test void zero() { assertEquals(0, new Sum().sum(0, 0)); }\n}\n",
}


@dataclass(frozen=True)
class Change:
    """One change. ``kinds`` are the kinds of which at least one must refute it; empty for an honest change."""

    name: str
    before: dict[str, Content]
    after: dict[str, Content]
    kinds: tuple[str, ...] = ()


def read(project: dict[str, Content], path: str) -> str:
    """The text of a file of ``project``."""
    content = project[path]
    assert isinstance(content, str)
    return content


def edit(project: dict[str, Content], path: str, *pairs: tuple[str, str]) -> dict[str, Content]:
    """One file of ``project`` with texts replaced; each must be there."""
    source = read(project, path)
    for old, new in pairs:
        assert old in source, (path, old)
        source = source.replace(old, new)
    return {path: source}


def _py(name: str, path: str, *pairs: tuple[str, str], kinds: tuple[str, ...] = ()) -> Change:
    return Change(name, PYTHON, edit(PYTHON, path, *pairs), kinds)


def _js(name: str, path: str, *pairs: tuple[str, str], kinds: tuple[str, ...] = ()) -> Change:
    return Change(name, JAVASCRIPT, edit(JAVASCRIPT, path, *pairs), kinds)


def _moved(name: str, path: str, others: dict[str, Content] | None = None) -> Change:
    return Change(name, PYTHON, {"tests/test_calc.py": None, path: TEST_CALC, **(others or {})}, ("test_removed",))


def _conftest(name: str, source: str, kind: str = "test_skipped") -> Change:
    return Change(name, PYTHON, {"tests/conftest.py": f"import pytest\n\n\n{source}"}, (kind,))


_T, _P, _W = "tests/test_calc.py", "pyproject.toml", ".github/workflows/ci.yml"
_JT = "test/store.test.js"
_ZONES = """import unittest


class Zones(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(1 + 1, 2)
"""
_SKIPS_ZONES = """
    def zone(self):
        try:
            import pytz
        except ModuleNotFoundError:
            self.skipTest("pytz unavailable")
        return pytz

    def test_zone(self):
        self.assertTrue(self.zone())
"""
_MORE_ZONES = "from test_zones import Zones\n\n\nclass More(Zones):\n    def test_more(self):\n        self.zone()\n"
_MARKS = (
    "def pytest_cmdline_main(config):\n    for line in config.getini('markers'):\n        print(line)\n    return 0\n"
)
_CHOSEN = "def pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if not is_slow(item)]\n"
_LATER = (
    "def pytest_runtest_makereport(item, call):\n    report = make(item)\n    report.outcome = known(item)\n"
    "    return report\n"
)
_SPLIT = '\n\ndef test_names():\n    names = "code proj src".split()\n    assert sorted(names) == names\n'
_ADD_TEST = "def test_add():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n\n\n"
_LEGACY_TEST = "def test_legacy():\n    assert legacy(2) == 6\n"
_UNIT = (
    "import unittest\n\nfrom calc import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n"
    "        self.assertEqual(add(1, 2), 3)\n"
)
_UNITTEST: dict[str, Content] = {"calc.py": CALC, "tests/test_one.py": _UNIT}
_TWICE = (
    "def twice(f):\n    def both():\n        f()\n        f()\n\n    return both\n\n\n"
    "def pytest_generate_tests(metafunc):\n    if 'n' in metafunc.fixturenames:\n"
    "        metafunc.parametrize('n', [1, 2])\n\n\n"
)
_LEGACY_CHECK = "    assert legacy(2) == 6\n"
_LEGACY = "def legacy(a):\n    return a * 3\n"

_DOCTEST = ">>> from calc import add\n>>> add(1, 2)\n3\n>>> add(0, 0)\n0\n"
_WITH_DOCTEST: dict[str, Content] = {**PYTHON, "docs/test_calc.txt": _DOCTEST, "notes.txt": _DOCTEST}
_WITH_GLOB: dict[str, Content] = {
    **PYTHON,
    "pyproject.toml": PYPROJECT.replace("-ra ", "-ra --doctest-glob=*.md "),
    "README.md": _DOCTEST,
}
_LESS_DOCTEST = _DOCTEST.replace(">>> add(0, 0)\n0\n", "")

HONEST: tuple[Change, ...] = (
    _py("a rule about layout ignored", _P, ('ignore = ["E501"]', 'ignore = ["E501", "E704"]')),
    Change(
        "a fixture that skips where nobody asked before, and platforms that can't",
        PYTHON,
        {
            "tests/conftest.py": "import sys\n\nimport pytest\n\n\n@pytest.fixture\ndef docker():\n"
            '    if not running():\n        pytest.skip("no docker")\n\n\n@pytest.fixture(autouse=True)\ndef posix():\n'
            '    if sys.platform == "win32":\n        pytest.skip("posix")\n',
            "tests/test_docker.py": "from calc import add\n\n\ndef test_in_docker(docker):\n    assert add(1, 2)\n",
        },
    ),
    Change(
        "tests in a folder below, with a helper that is called",
        PYTHON,
        {
            _T: None,
            "tests/unit/test_calc.py": TEST_CALC.replace(
                "def test_divide():\n    assert divide(4, 2) == 2.0\n",
                "def test_divide():\n    def check(n):\n        assert divide(n, 2) == n / 2\n\n    check(4)\n",
            ),
            "tests/calc/__init__.py": "",
        },
    ),
    _py(
        "a decorator that calls the test, and cases made by a hook",
        _T,
        (
            _LEGACY_TEST,
            f"{_TWICE}@twice\n{_LEGACY_TEST}",
        ),
    ),
    Change(
        "names that look like a runner's and are none",
        PYTHON,
        {"parse.py": "class Reader:\n    def skip(self, n):\n        pass\n\n\ndef read(r):\n    r.skip(2)\n"},
    ),
    Change(
        "doctests that moved, and one with another answer",
        _WITH_DOCTEST,
        {"docs/test_calc.txt": _LESS_DOCTEST, "tests/test_zero.txt": "A sum.\n\n>>> add(0, 0)\n0\n"},
    ),
    Change(
        "doctests in a text that is not collected",
        _WITH_DOCTEST,
        {"notes.txt": "nothing\n", "docs/test_calc.txt": _DOCTEST.replace("3", "3 ")},
    ),
    Change(
        "pytest's own types in annotations, and a setting of a test's own",
        PYTHON,
        {
            "tests/conftest.py": "from _pytest.config import Config\nimport pytest as pt\n\n\n@pt.fixture\n"
            "def settings(pytestconfig: Config) -> dict:\n    found = {}\n    found['a'] = Config\n    return found\n"
        },
    ),
    Change(
        "ruff settings moved to a file of their own, and extended for a folder",
        {**PYTHON, "lib/calc.py": CALC},
        {
            _P: PYPROJECT.replace('[tool.ruff.lint]\nselect = ["E", "F", "B", "S"]\nignore = ["E501"]\n', ""),
            "ruff.toml": 'line-length = 100\n[lint]\nselect = ["E", "F", "B", "S", "I"]\nignore = ["E501"]\n',
            "lib/ruff.toml": 'extend = "../ruff.toml"\nline-length = 90\n',
        },
    ),
    Change(
        "ruff set up where nothing was set",
        {**PYTHON, _P: '[project]\nname = "calc"\n'},
        {"ruff.toml": '[lint]\nselect = ["E", "F", "B"]\n'},
    ),
    Change(
        "line ends, escapes and encodings that hide nothing",
        PYTHON,
        {
            "calc.py": f"# -*- coding: latin-1 -*-\n{CALC}".replace("\n", "\r\n"),
            ".gitattributes": "*.ps1 text working-tree-encoding=UTF-16LE-BOM eol=crlf\n",
            "src/B.java": 'class B {\n  String s = "\\\\u000a \\u00e9";\n}\n',
        },
    ),
    Change(
        "a new function with its test",
        PYTHON,
        {
            "calc.py": CALC + "\n\ndef triple(a):\n    return a * 3\n",
            _T: TEST_CALC.replace("add, divide, legacy", "add, divide, legacy, triple")
            + "\n\ndef test_triple():\n    assert triple(2) == 6\n    assert triple(0) == 0\n",
        },
    ),
    _py(
        "more assertions",
        _T,
        ("    assert add(0, 0) == 0\n", "    assert add(0, 0) == 0\n    assert add(5, 5) == 10\n"),
    ),
    _py("a test with a better name", _T, ("def test_add_negative", "def test_add_of_a_negative_and_a_positive")),
    Change("a test file moved", PYTHON, {_T: None, "tests/unit/test_calc.py": TEST_CALC}),
    Change(
        "one test moved to a file of its own",
        PYTHON,
        {
            _T: TEST_CALC.replace(_LEGACY_TEST, "").replace(", legacy", ""),
            "tests/test_legacy.py": "from calc import legacy\n\n\n" + _LEGACY_TEST,
        },
    ),
    Change(
        "a function removed with its test",
        PYTHON,
        {
            "calc.py": CALC.replace("\n\n" + _LEGACY, ""),
            _T: TEST_CALC.replace("\n\n" + _LEGACY_TEST, "").replace(", legacy", ""),
        },
    ),
    Change(
        "a module removed with its test file",
        {
            **PYTHON,
            "old.py": "def old(a):\n    return a\n",
            "tests/test_old.py": "from old import old\n\n\ndef test_old():\n    assert old(1) == 1\n",
        },
        {"old.py": None, "tests/test_old.py": None},
    ),
    _py(
        "a table of cases instead of two tests",
        _T,
        (
            _ADD_TEST + "def test_add_negative():\n    assert add(-1, 1) == 0\n",
            (
                '@pytest.mark.parametrize(("a", "b", "total"), [(1, 2, 3), (0, 0, 0), (-1, 1, 0)])\n'
                "def test_add(a, b, total):\n    assert add(a, b) == total\n"
            ),
        ),
    ),
    Change(
        "two tests split off one",
        PYTHON,
        edit(
            PYTHON,
            _T,
            (
                _ADD_TEST,
                (
                    "def test_add_positive():\n    assert add(1, 2) == 3\n\n\n"
                    "def test_add_zero():\n    assert add(0, 0) == 0\n\n\n"
                ),
            ),
        ),
    ),
    Change(
        "assertions gathered in a helper",
        PYTHON,
        edit(
            PYTHON,
            _T,
            (
                _ADD_TEST,
                (
                    "def check_add(a, b, total):\n    assert add(a, b) == total\n\n\n"
                    "def test_add():\n    check_add(1, 2, 3)\n    check_add(0, 0, 0)\n\n\n"
                ),
            ),
        ),
    ),
    _py(
        "reformatted tests",
        _T,
        ("    assert add(1, 2) == 3\n", "    # one and two\n    assert (\n        add(1, 2) == 3\n    )\n"),
    ),
    Change(
        "tests gathered in a class",
        PYTHON,
        edit(
            PYTHON, _T, (_LEGACY_TEST, "class TestLegacy:\n    def test_legacy(self):\n        assert legacy(2) == 6\n")
        ),
    ),
    _py("a bug fixed with its expectation", "calc.py", ("return a / b", "return a / b  # true division")),
    Change(
        "a fix with a regression test",
        PYTHON,
        {
            "calc.py": CALC.replace("return a + b", "return (a or 0) + (b or 0)"),
            _T: TEST_CALC + "\n\ndef test_add_none():\n    assert add(None, 2) == 2\n",
        },
    ),
    _py("a higher threshold", _P, ("fail_under = 90", "fail_under = 95")),
    _py("more rules", _P, ('select = ["E", "F", "B", "S"]', 'select = ["E", "F", "B", "S", "UP", "I"]')),
    _py("a broader family instead of its parts", _P, ('select = ["E", "F", "B", "S"]', 'select = ["ALL"]')),
    _py("a new dependency", _P, ('version = "1.0"', 'version = "1.0"\ndependencies = ["attrs>=23"]')),
    Change(
        "settings moved from setup.cfg to pyproject.toml",
        {"setup.cfg": SETUP_CFG, "pyproject.toml": "[project]\nname = 'x'\n", "calc.py": CALC, _T: TEST_CALC},
        {
            "setup.cfg": None,
            "pyproject.toml": "[project]\nname = 'x'\n[tool.pytest.ini_options]\naddopts = '-ra'\n"
            "[tool.coverage.report]\nfail_under = 90\n",
        },
    ),
    _py("one more step in CI", _W, ("      - run: mypy .\n", "      - run: mypy .\n      - run: bandit -r calc.py\n")),
    _py("a newer action", _W, ("actions/checkout@v4", "actions/checkout@v5")),
    _py("a longer make test", "Makefile", ("\tpytest\n", "\tpytest -q --durations=5\n")),
    Change(
        "a fixture in conftest",
        PYTHON,
        {
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef numbers():\n    return [1, 2, 3]\n",
            _T: TEST_CALC + "\n\ndef test_numbers(numbers):\n    assert sum(numbers) == add(3, 3)\n",
        },
    ),
    Change(
        "a new test for one platform",
        PYTHON,
        edit(
            PYTHON,
            _T,
            ("import pytest\n", "import sys\n\nimport pytest\n"),
            (
                _LEGACY_TEST,
                _LEGACY_TEST + '\n\n@pytest.mark.skipif(sys.platform == "win32", reason="posix paths")\n'
                'def test_posix():\n    assert add("/", "a") == "/a"\n',
            ),
        ),
    ),
    _py(
        "a suppression with rule and reason",
        "calc.py",
        ("    return a * 3\n", "    return a * 3.0  # noqa: B008 - the constant is part of the old contract\n"),
    ),
    Change(
        "a list of expected values that was split from a string",
        {**PYTHON, _T: TEST_CALC + _SPLIT},
        {_T: TEST_CALC + _SPLIT.replace('"code proj src".split()', '["code", "proj", "src"]')},
    ),
    _py(
        "comments between statements that speak of suppressions",
        "calc.py",
        (
            _LEGACY,
            (
                "# Lines with ``# noqa``, ``# type: ignore`` or ``# pragma: no cover``,\n# nosec\n"
                "def legacy(a):\n    # noqa\n    return a * 3\n"
            ),
        ),
    ),
    Change(
        "types that nobody checked before, with what the checker can't know",
        {path: content for path, content in PYTHON.items() if path not in {_P, _W}} | {"LICENSE": "Copyright\n"},
        {
            "calc.py": CALC.replace("return a * 3", "return a * 3  # type: ignore"),
            "mypy.ini": "[mypy]\nstrict = true\n",
        },
    ),
    Change(
        "a helper of new tests that skips them without a package",
        {**PYTHON, "tests/test_zones.py": _ZONES},
        {"tests/test_zones.py": _ZONES + _SKIPS_ZONES},
    ),
    Change(
        "a hook of the product that does what it did in other words",
        {**PYTHON, "src/marks.py": _MARKS},
        {"src/marks.py": _MARKS.replace("config.getini('markers')", "list_markers(config)")},
    ),
    Change(
        "suppressions in what tests read",
        PYTHON,
        {"tests/data/cases/long_line.py": "print(undefined)  # noqa\nvalue = 1 + '2'  # type: ignore\n"},
    ),
    _py(
        "ruff's own rules on top of those that were selected, some of them ignored for now",
        _P,
        (
            'select = ["E", "F", "B", "S"]\nignore = ["E501"]\n',
            'extend-select = ["E", "F", "B", "S"]\nignore = ["E501", "BLE001", "EXE001", "FURB105", "SIM"]\n',
        ),
    ),
    _py("a string that looks like a suppression", "calc.py", ('"b is 0"', '"b is 0, # noqa and # type: ignore"')),
    _py(
        "code that never runs is not measured",
        "calc.py",
        (
            '"""Numbers."""\n',
            (
                '"""Numbers."""\n\nfrom typing import TYPE_CHECKING\n\n'
                "if TYPE_CHECKING:  # pragma: no cover\n    from collections.abc import Iterable\n"
            ),
        ),
    ),
    Change(
        "documentation and data",
        PYTHON,
        {"README.md": "# calc\n\nAdds numbers. `|| true`\n", "data/x.bin": bytes(range(256))},
    ),
    _js(
        "an assertion in a function that is called",
        _JT,
        (
            "    expect(isEmpty([])).toBe(true);",
            "    const check = () => expect(isEmpty([])).toBe(true);\n    check();",
        ),
    ),
    Change(
        "new Go tests with a build tag, and an old one for Linux",
        GO,
        {
            "sum_test.go": f"//go:build linux || !windows\n\n{read(GO, 'sum_test.go')}",
            "integration_test.go": '//go:build integration\n\npackage sum\n\nimport "testing"\n\n'
            "func TestAll(t *testing.T) {\n\tt.Log(Sum(1, 2))\n}\n",
        },
    ),
    Change(
        "load_tests adds doctests, and run calls what it overrides",
        _UNITTEST,
        {
            "tests/test_one.py": f"{_UNIT}\n    def run(self, result=None):\n        return super().run(result)\n\n\n"
            "def load_tests(loader, tests, ignore):\n    tests.addTests(doctest.DocTestSuite(calc))\n    return tests\n"
        },
    ),
    _js("a test with a better title", _JT, ("adds prices", "adds the prices of all items")),
    Change(
        "a JavaScript test moved",
        JAVASCRIPT,
        {_JT: None, "test/unit/store.test.js": TEST_STORE.replace("../src", "../../src")},
    ),
    _js(
        "more JavaScript assertions",
        _JT,
        ("expect(total([])).toBe(0);", "expect(total([])).toBe(0);\n    expect(total([{ price: 5 }])).toBe(5);"),
    ),
    _js(
        "a JavaScript table of cases",
        _JT,
        (
            "    expect(total([{ price: 1 }, { price: 2 }])).toBe(3);\n    expect(total([])).toBe(0);\n  });",
            (
                "    expect(total([{ price: 1 }, { price: 2 }])).toBe(3);\n    expect(total([])).toBe(0);\n  });\n"
                '  it.each([[1, 2, 3], [4, 5, 9]])("adds %i and %i", (a, b, sum) => {\n'
                "    expect(total([{ price: a }, { price: b }])).toBe(sum);\n  });"
            ),
        ),
    ),
    _js(
        "a stricter eslint",
        "eslint.config.js",
        ('"no-unused-vars": "error"', '"no-unused-vars": "error", "no-undef": "error"'),
    ),
    _js(
        "a plugin of eslint without one of its rules",
        "eslint.config.js",
        ('"no-unused-vars": "error"', '"no-unused-vars": "error", "es-x/no-at": "off", "compat/compat": "error"'),
    ),
    _js("a faster test script", "package.json", ('"vitest run"', '"vitest run --reporter=dot"')),
    _js("the native compiler of TypeScript", "package.json", ('"tsc -p ."', '"tsgo -p ."')),
    _js(
        "an expected type error with its reason",
        "src/store.js",
        (
            "  return items.reduce",
            "  // @ts-expect-error the library's types lack the second overload\n  return [...items].reduce",
        ),
    ),
    Change("Go: a renamed test", GO, edit(GO, "sum_test.go", ("TestSumZero", "TestSumOfZeroes"))),
    Change(
        "Rust: a new test",
        RUST,
        edit(
            RUST,
            "src/lib.rs",
            (
                "    #[test]\n",
                "    #[test]\n    fn adds_more() {\n        assert_eq!(sum(2, 2), 4);\n    }\n\n    #[test]\n",
            ),
        ),
    ),
    Change(
        "Java: a renamed test", JAVA, edit(JAVA, "src/test/java/SumTest.java", ("void zero()", "void addsZeroes()"))
    ),
    Change(
        "a project set up from nothing",
        {"README.md": "# x\n"},
        {**PYTHON, "ruff.toml": 'lint.ignore = ["F401", "PLR2004"]\n', "src/x.js": STORE},
    ),
    Change(
        "a helper of another file that asserts",
        PYTHON,
        {
            "tests/helpers.py": "from calc import add\n\n\n"
            "def check_add(a, b, total):\n    assert add(a, b) == total\n",
            **edit(
                PYTHON,
                _T,
                ("import pytest\n", "import pytest\nfrom helpers import check_add\n"),
                (
                    "    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n",
                    "    check_add(1, 2, 3)\n    check_add(0, 0, 0)\n",
                ),
            ),
        },
    ),
    Change(
        "a new workflow with a job on trial",
        PYTHON,
        {
            ".github/workflows/trial.yml": "on: [push]\njobs:\n  next:\n    runs-on: ubuntu-latest\n"
            "    continue-on-error: true\n    steps:\n      - run: pytest\n"
        },
    ),
)

WEAKENING: tuple[Change, ...] = (
    _moved("a test moves to a folder that pytest passes over", "tests/build/test_calc.py"),
    _moved("a test moves to a hidden folder", "tests/.old/test_calc.py"),
    _moved("a test moves out of the test paths", "docs/test_calc.py"),
    _moved("a test moves beside settings that are new", "docs/test_calc.py", {"docs/setup.cfg": SETUP_CFG}),
    Change(
        "a Go test moves to testdata",
        GO,
        {"sum_test.go": None, "testdata/sum_test.go": GO["sum_test.go"]},
        ("test_removed",),
    ),
    _py(
        "the code under test skips its tests",
        "calc.py",
        ("    return a + b\n", "    from unittest import SkipTest as Later\n\n    raise Later\n"),
        kinds=("test_skipped",),
    ),
    Change(
        "the code under test skips its tests by a name of its own",
        PYTHON,
        {
            "calc.py": "import unittest\n\nlater = unittest.SkipTest\n\n"
            + CALC.replace("    return a + b\n", "    raise later\n")
        },
        ("test_skipped",),
    ),
    _conftest("a fixture skips every test", "@pytest.fixture(autouse=True)\ndef a(request):\n    pytest.skip()\n"),
    _conftest(
        "a fixture expects every test to fail",
        "@pytest.fixture(autouse=True)\ndef a(request):\n    request.applymarker(pytest.mark.xfail)\n",
    ),
    Change(
        "an old test asks for a new fixture that skips, through another",
        PYTHON,
        {
            "tests/conftest.py": "from pytest import fixture, skip as later\n\n\n@fixture\ndef one():\n"
            "    later('x')\n\n\n@fixture\ndef two(one):\n    return one\n",
            _T: TEST_CALC.replace("def test_add():", "def test_add(two):"),
        },
        ("test_skipped",),
    ),
    _py(
        "a skip by another name of pytest's",
        _T,
        ("import pytest\n", "import pytest\nimport pytest as p\n"),
        ("    assert add(1, 2)", "    p.skip()\n    assert add(1, 2)"),
        kinds=("test_skipped",),
    ),
    _conftest(
        "a hook under another name",
        '@pytest.hookimpl(specname="pytest_collection_modifyitems")\ndef order(items):\n    items[:] = items[:1]\n',
        "test_outcome_hook",
    ),
    _conftest(
        "a hook by assignment",
        "def order(items):\n    items[:] = items[:1]\n\n\npytest_collection_modifyitems = order\n",
        "test_outcome_hook",
    ),
    _conftest(
        "a hook by a name that is put together",
        'globals()["pytest_" + "collection_modifyitems"] = lambda items: items.clear()\n',
        "test_tampered",
    ),
    _conftest(
        "the code under test, replaced by its name",
        'import sys\n\n\ndef pytest_configure(config):\n    sys.modules["calc"].add = lambda a, b: a + b\n',
        "test_tampered",
    ),
    _conftest(
        "the code under test, replaced as it is imported",
        'import importlib\n\nimportlib.import_module("calc").add = lambda a, b: a + b\n',
        "test_tampered",
    ),
    _conftest(
        "the code under test, replaced by a name that it is given",
        'import sys\n\n\ndef pytest_configure(config):\n    m = sys.modules["calc"]\n    m.add = lambda a, b: a + b\n',
        "test_tampered",
    ),
    _conftest(
        "the code under test, replaced in its dictionary",
        'import sys\n\n\ndef pytest_configure(config):\n    vars(sys.modules["calc"])["add"] = lambda a, b: a + b\n',
        "test_tampered",
    ),
    _conftest(
        "tests for no cases, by a hook",
        "def pytest_generate_tests(metafunc):\n    metafunc.fixturenames.append('n')\n    metafunc.parametrize('n', N)",
        "test_outcome_hook",
    ),
    _conftest(
        "a collector that collects nothing",
        "def pytest_collectstart(collector):\n    collector.collect = list\n",
        "test_outcome_hook",
    ),
    _py(
        "a decorator that drops the test",
        _T,
        (_LEGACY_TEST, f"def later(f):\n    return lambda: None\n\n\n@later\n{_LEGACY_TEST}"),
        kinds=("test_removed",),
    ),
    Change(
        "a package among the tests in the place of the source",
        PYTHON,
        {"tests/calc/__init__.py": "def add(a, b):\n    return {(1, 2): 3}.get((a, b), 0)\n"},
        ("checks_shadowed",),
    ),
    *(
        _py(f"a test that is no longer one: {why}", _T, (_LEGACY_TEST, source), kinds=("test_removed",))
        for why, source in {
            "never true": f"if False:\n\n    {_LEGACY_TEST.replace(chr(10), chr(10) + '    ')}\n",
            "deleted": f"{_LEGACY_TEST}\n\ndel test_legacy\n",
            "bound anew": f"{_LEGACY_TEST}\n\ntest_legacy = None\n",
            "not marked": f"{_LEGACY_TEST}\n\ntest_legacy.__test__ = False\n",
            "in a class that is made with arguments": "class TestOld:\n    def __init__(self):\n        pass\n\n    "
            "def test_legacy(self):\n        assert legacy(2) == 6\n",
        }.items()
    ),
    *(
        _py(
            f"assertions that never run: {why}",
            _T,
            (_LEGACY_CHECK, source),
            kinds=("assertion_removed",),
        )
        for why, source in {
            "a function that nobody calls": "    def inner():\n        assert legacy(2) == 6\n",
            "a loop over nothing": "    for _ in []:\n        assert legacy(2) == 6\n",
            "a loop that never begins": "    while False:\n        assert legacy(2) == 6\n",
        }.items()
    ),
    _py(
        "a test for no cases at all",
        _T,
        ("def test_legacy():", '@pytest.mark.parametrize("n", [])\ndef test_legacy(n):'),
        kinds=("test_skipped",),
    ),
    Change("a doctest in a text is gone", _WITH_DOCTEST, {"docs/test_calc.txt": _LESS_DOCTEST}, ("assertion_removed",)),
    Change("a text of doctests is gone", _WITH_DOCTEST, {"docs/test_calc.txt": None}, ("assertion_removed",)),
    Change(
        "a doctest is skipped",
        _WITH_DOCTEST,
        {"docs/test_calc.txt": _DOCTEST.replace("add(0, 0)", "add(0, 0)  # doctest: +SKIP")},
        ("assertion_removed",),
    ),
    Change(
        "a doctest takes any answer",
        _WITH_DOCTEST,
        {"docs/test_calc.txt": _DOCTEST.replace("add(0, 0)\n0", "add(0, 0)  # doctest: +ELLIPSIS\n...")},
        ("assertion_removed",),
    ),
    Change("a doctest in a page is gone", _WITH_GLOB, {"README.md": _LESS_DOCTEST}, ("assertion_removed",)),
    Change("a test file deleted", PYTHON, {_T: None}, ("test_removed",)),
    _py(
        "a test deleted",
        _T,
        ("def test_add_negative():\n    assert add(-1, 1) == 0\n\n\n", ""),
        kinds=("test_removed",),
    ),
    Change("a test file renamed to text", PYTHON, {_T: None, "tests/calc_tests.txt": TEST_CALC}, ("test_removed",)),
    Change(
        "a test file renamed out of collection",
        PYTHON,
        {_T: None, "tests/calc_checks.py": TEST_CALC},
        ("test_removed",),
    ),
    _py("a test renamed out of collection", _T, ("def test_legacy", "def check_legacy"), kinds=("test_removed",)),
    _py(
        "a test commented out",
        _T,
        (_LEGACY_TEST, "# def test_legacy():\n#     assert legacy(2) == 6\n"),
        kinds=("test_removed",),
    ),
    _py(
        "a skip", _T, ("def test_legacy", '@pytest.mark.skip(reason="later")\ndef test_legacy'), kinds=("test_skipped",)
    ),
    _py(
        "a skip that always holds",
        _T,
        ("def test_legacy", '@pytest.mark.skipif(True, reason="x")\ndef test_legacy'),
        kinds=("test_skipped",),
    ),
    _py("an expected failure", _T, ("def test_legacy", "@pytest.mark.xfail\ndef test_legacy"), kinds=("test_skipped",)),
    _py(
        "a skip in the body",
        _T,
        ("    assert legacy(2) == 6", '    pytest.skip("later")\n    assert legacy(2) == 6'),
        kinds=("test_skipped",),
    ),
    _py("a skipped module", _T, ("from calc", "pytestmark = pytest.mark.skip\n\nfrom calc"), kinds=("test_skipped",)),
    _py(
        "an early return",
        _T,
        ("    assert legacy(2) == 6", "    return\n    assert legacy(2) == 6"),
        kinds=("assertion_removed",),
    ),
    _py("an assertion removed", _T, ("    assert add(0, 0) == 0\n", ""), kinds=("assertion_removed",)),
    _py(
        "an assertion that is always true",
        _T,
        ("assert add(1, 2) == 3", "assert True"),
        kinds=("assertion_removed", "assertion_vacuous"),
    ),
    _py(
        "an assertion with or True",
        _T,
        ("assert legacy(2) == 6", "assert legacy(2) == 6 or True"),
        kinds=("assertion_vacuous",),
    ),
    _py(
        "a tuple asserted",
        _T,
        ("assert legacy(2) == 6", 'assert (legacy(2) == 7, "message")'),
        kinds=("assertion_vacuous",),
    ),
    _py(
        "an assertion softened",
        _T,
        ("assert add(1, 2) == 3", "assert add(1, 2) is not None"),
        kinds=("assertion_weakened",),
    ),
    _py(
        "a failure caught",
        _T,
        (
            "    assert legacy(2) == 6",
            "    try:\n        assert legacy(2) == 6\n    except AssertionError:\n        pass",
        ),
        kinds=("assertion_swallowed",),
    ),
    _py(
        "a failure suppressed",
        _T,
        ("import pytest\n", "import contextlib\n\nimport pytest\n"),
        ("    assert legacy(2) == 6", "    with contextlib.suppress(Exception):\n        assert legacy(2) == 6"),
        kinds=("assertion_swallowed",),
    ),
    Change(
        "a hook that turns failures into passes",
        PYTHON,
        {
            "tests/conftest.py": "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\n"
            "def pytest_runtest_makereport(item, call):\n"
            '    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n'
        },
        ("test_outcome_hook",),
    ),
    Change(
        "a hook that drops tests",
        PYTHON,
        {
            "conftest.py": "def pytest_collection_modifyitems(config, items):\n"
            "    items[:] = [i for i in items if 'legacy' not in i.name]\n"
        },
        ("test_outcome_hook",),
    ),
    Change(
        "a hook that fixes the exit status",
        PYTHON,
        {"conftest.py": "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"},
        ("test_outcome_hook",),
    ),
    Change(
        "collect_ignore",
        PYTHON,
        {"conftest.py": 'collect_ignore = ["tests/test_calc.py"]\n'},
        ("test_collection_narrowed",),
    ),
    Change("a module that shadows pytest", PYTHON, {"pytest.py": "def main():\n    return 0\n"}, ("checks_shadowed",)),
    Change("sitecustomize", PYTHON, {"sitecustomize.py": "import sys\n"}, ("checks_shadowed",)),
    _py(
        "addopts that ignore a file",
        _P,
        ("-ra --strict-markers", "-ra --strict-markers --ignore=tests/test_calc.py"),
        kinds=("test_collection_narrowed",),
    ),
    _py(
        "addopts that deselect",
        _P,
        ("-ra --strict-markers", "-ra --strict-markers -k 'not legacy'"),
        kinds=("test_collection_narrowed",),
    ),
    Change(
        "narrower testpaths",
        {**PYTHON, "tests/unit/test_x.py": "def test_x():\n    assert 1 + 1 == 2\n"},
        edit(PYTHON, _P, ('["tests"]', '["tests/unit"]')),
        ("test_collection_narrowed",),
    ),
    _py("a lower coverage threshold", _P, ("fail_under = 90", "fail_under = 40"), kinds=("threshold_lowered",)),
    _py("no coverage threshold", _P, ("fail_under = 90\n", ""), kinds=("threshold_lowered",)),
    _py(
        "code left out of coverage",
        _P,
        ("branch = true", 'branch = true\nomit = ["calc.py"]'),
        kinds=("coverage_narrowed",),
    ),
    _py("branches not measured", _P, ("branch = true", "branch = false"), kinds=("coverage_narrowed",)),
    _py("fewer rules", _P, ('select = ["E", "F", "B", "S"]', 'select = ["E"]'), kinds=("lint_config_weakened",)),
    _py("a rule ignored", _P, ('ignore = ["E501"]', 'ignore = ["E501", "F821"]'), kinds=("lint_config_weakened",)),
    _py(
        "a file excluded from lint",
        _P,
        ("[tool.ruff.lint]", '[tool.ruff]\nextend-exclude = ["calc.py"]\n\n[tool.ruff.lint]'),
        kinds=("lint_config_weakened",),
    ),
    _py("types not strict", _P, ("strict = true", "strict = false"), kinds=("lint_config_weakened",)),
    _py(
        "a blanket noqa", "calc.py", ("    return a * 3\n", "    return a * 3  # noqa\n"), kinds=("suppression_added",)
    ),
    Change(
        "a helper of a new test that skips one which was there as well",
        {**PYTHON, "tests/test_zones.py": _ZONES},
        {
            "tests/test_zones.py": _ZONES.replace("        self.assert", "        self.zone()\n        self.assert")
            + _SKIPS_ZONES
        },
        ("test_skipped",),
    ),
    Change(
        "a fixture for all tests that skips them, which a new test names as well",
        {**PYTHON, "tests/test_zones.py": _ZONES},
        {
            "tests/test_zones.py": _ZONES
            + _SKIPS_ZONES.replace("    def zone(self):\n", "    @pytest.fixture(autouse=True)\n    def zone(self):\n")
        },
        ("test_skipped",),
    ),
    Change(
        "a set-up that skips, which a new test calls as well",
        {**PYTHON, "tests/test_zones.py": _ZONES},
        {
            "tests/test_zones.py": _ZONES
            + _SKIPS_ZONES.replace("zone(self)", "setUp(self)").replace("self.zone", "self.setUp")
        },
        ("test_skipped",),
    ),
    Change(
        "a helper that skips, by a name that tests of another file use",
        {
            **PYTHON,
            "tests/test_zones.py": _ZONES,
            "tests/test_more.py": _MORE_ZONES,
        },
        {"tests/test_zones.py": _ZONES + _SKIPS_ZONES},
        ("test_skipped",),
    ),
    Change(
        "a suppression of everything where a nested project checks its types",
        {"lib/calc.py": CALC, "lib/pyproject.toml": PYPROJECT, "README.md": "# calc\n"},
        {"lib/calc.py": CALC.replace("return a * 3", "return a * 3  # type: ignore")},
        ("suppression_added",),
    ),
    Change(
        "a rule ignored by the former name of its linter",
        {**PYTHON, _P: PYPROJECT.replace('"S"]', '"S", "TC"]')},
        {_P: PYPROJECT.replace('"S"]', '"S", "TC"]').replace('["E501"]', '["E501", "TCH001"]')},
        ("lint_config_weakened",),
    ),
    Change(
        "a hook of the product that chooses tests in another way",
        {**PYTHON, "src/marks.py": _MARKS},
        {"src/marks.py": _MARKS.replace("        print(line)", "        config.items[:] = []")},
        ("test_outcome_hook",),
    ),
    Change(
        "a hook of the product that leaves out tests, under another condition",
        {**PYTHON, "src/marks.py": _CHOSEN},
        {"src/marks.py": _CHOSEN.replace("is_slow(item)", "'total' in item.name")},
        ("test_outcome_hook",),
    ),
    Change(
        "a hook of the product that sets outcomes, under another condition",
        {**PYTHON, "src/marks.py": _LATER},
        {"src/marks.py": _LATER.replace("known(item)", "'passed'")},
        ("test_outcome_hook",),
    ),
    _py(
        "a noqa in a line of its own, within a statement",
        "calc.py",
        ("    return a * 3\n", "    return undefined(\n        # noqa\n        a * 3\n    )\n"),
        kinds=("suppression_added",),
    ),
    _py(
        "a type: ignore at the head of a file",
        "calc.py",
        ('"""Numbers."""\n', '# type: ignore\n"""Numbers."""\n'),
        kinds=("suppression_added",),
    ),
    _py(
        "a rule ignored that was selected by the prefix of its linter",
        _P,
        ('ignore = ["E501"]', 'ignore = ["E501", "B006"]'),
        kinds=("lint_config_weakened",),
    ),
    _py(
        "a linter selected instead of another one whose name begins alike",
        _P,
        ('select = ["E", "F", "B", "S"]', 'select = ["E", "F", "BLE", "SIM", "S"]'),
        kinds=("lint_config_weakened",),
    ),
    _py(
        "a noqa without a reason",
        "calc.py",
        ("    return a * 3\n", "    return a * 3  # noqa: F821\n"),
        kinds=("suppression_added",),
    ),
    _py(
        "a type: ignore",
        "calc.py",
        ("    return a * 3\n", "    return a * 3  # type: ignore\n"),
        kinds=("suppression_added",),
    ),
    _py(
        "a whole file silenced",
        "calc.py",
        ('"""Numbers."""\n', '# ruff: noqa\n"""Numbers."""\n'),
        kinds=("suppression_added",),
    ),
    _py(
        "a function not measured",
        "calc.py",
        ("def legacy(a):\n", "def legacy(a):  # pragma: no cover\n"),
        kinds=("suppression_added",),
    ),
    _py(
        "a CI step that may fail",
        _W,
        ("      - run: mypy .\n", "      - run: mypy .\n        continue-on-error: true\n"),
        kinds=("ci_nonfatal",),
    ),
    _py(
        "a CI step that never runs",
        _W,
        ("      - run: mypy .\n", "      - run: mypy .\n        if: false\n"),
        kinds=("ci_nonfatal",),
    ),
    _py(
        "|| true in CI",
        _W,
        ("      - run: mypy .\n", "      - run: mypy . || true\n"),
        kinds=("check_command_weakened",),
    ),
    _py(
        "set +e in CI",
        _W,
        ("      - run: mypy .\n", "      - run: |\n          set +e\n          mypy .\n"),
        kinds=("check_command_weakened",),
    ),
    _py("a CI step removed", _W, ("      - run: mypy .\n", ""), kinds=("check_command_weakened",)),
    _py("a lower floor in CI", _W, ("--cov-fail-under=90", "--cov-fail-under=10"), kinds=("check_command_weakened",)),
    _py("CI not on pull requests", _W, ("on: [push, pull_request]", "on: [push]"), kinds=("ci_nonfatal",)),
    Change("the workflow deleted", PYTHON, {_W: None}, ("check_command_weakened",)),
    _py("a make target that does nothing", "Makefile", ("\tpytest\n", "\ttrue\n"), kinds=("check_command_weakened",)),
    _py(
        "a make target that ignores failure",
        "Makefile",
        ("\tpytest\n", "\t-pytest\n"),
        kinds=("check_command_weakened",),
    ),
    _js("a skip under another name", _JT, ("{ describe, it,", "{ describe, skip as it,"), kinds=("test_skipped",)),
    _js(
        "tests that are never begun",
        _JT,
        ('describe("store", () => {', 'if (false) describe("store", () => {'),
        kinds=("test_removed",),
    ),
    _js(
        "tests in a function that nobody calls",
        _JT,
        ('describe("store", () => {', 'const later = () => describe("store", () => {'),
        kinds=("test_removed",),
    ),
    _js(
        "an assertion in a function that nobody calls",
        _JT,
        ("    expect(isEmpty([])).toBe(true);", "    const inner = () => expect(isEmpty([])).toBe(true);"),
        kinds=("assertion_removed",),
    ),
    _js(
        "options that skip, by a name",
        _JT,
        ('describe("store", () => {', 'const o = { skip: true };\ndescribe("store", o, () => {'),
        kinds=("test_skipped",),
    ),
    Change(
        "a Go test for a platform",
        GO,
        {"sum_test.go": None, "sum_windows_test.go": GO["sum_test.go"]},
        ("test_removed",),
    ),
    Change(
        "a Go test that is built by nobody",
        GO,
        {"sum_test.go": f"//go:build never\n\n{read(GO, 'sum_test.go')}"},
        ("test_skipped",),
    ),
    *(
        Change(f"unittest: {why}", _UNITTEST, {"tests/test_one.py": f"{_UNIT}{source}"}, (kind,))
        for why, kind, source in (
            (
                "load_tests loads none",
                "test_outcome_hook",
                "\n\ndef load_tests(a, b, c):\n    return unittest.TestSuite()\n",
            ),
            ("run runs nothing", "test_removed", "\n    def run(self, result=None):\n        return result\n"),
            ("an attribute skips", "test_skipped", "\n    __unittest_skip__ = True\n"),
        )
    ),
    Change(
        "a script that runs one file of tests",
        {**JAVASCRIPT, "package.json": PACKAGE.replace("vitest run", "node --test")},
        {"package.json": PACKAGE.replace("vitest run", "node --test test/other.test.js")},
        ("check_command_weakened",),
    ),
    Change(
        "a script that runs tests of one name",
        {**JAVASCRIPT, "package.json": PACKAGE.replace("vitest run", "node --test")},
        {"package.json": PACKAGE.replace("vitest run", "node --test --test-name-pattern=adds")},
        ("check_command_weakened",),
    ),
    _js("it.skip", _JT, ('it("adds', 'it.skip("adds'), kinds=("test_skipped",)),
    _js("describe.skip", _JT, ('describe("store"', 'describe.skip("store"'), kinds=("test_skipped",)),
    _js("it.only", _JT, ('it("adds', 'it.only("adds'), kinds=("test_focused",)),
    _js("xit", _JT, ('it("adds', 'xit("adds'), kinds=("test_skipped",)),
    _js(
        "a todo instead of a test",
        _JT,
        (
            'it("knows when it is empty", () => {\n    expect(isEmpty([])).toBe(true);\n  });',
            'it.todo("knows when it is empty");',
        ),
        kinds=("test_skipped", "assertion_removed"),
    ),
    _js(
        "a JavaScript test deleted",
        _JT,
        ('  it("knows when it is empty", () => {\n    expect(isEmpty([])).toBe(true);\n  });\n', ""),
        kinds=("test_removed",),
    ),
    _js(
        "expect(true)",
        _JT,
        ("expect(isEmpty([])).toBe(true)", "expect(true).toBe(true)"),
        kinds=("assertion_removed", "assertion_vacuous"),
    ),
    _js(
        "a JavaScript failure caught",
        _JT,
        ("    expect(isEmpty([])).toBe(true);", "    try { expect(isEmpty([])).toBe(true); } catch (e) {}"),
        kinds=("assertion_swallowed",),
    ),
    _js("types that nothing checks", "package.json", ('"tsc -p ."', '"tsup"'), kinds=("check_command_weakened",)),
    _js("exit 0 as test script", "package.json", ('"vitest run"', '"exit 0"'), kinds=("check_command_weakened",)),
    _js("an echo as test script", "package.json", ('"vitest run"', '"echo ok"'), kinds=("check_command_weakened",)),
    _js(
        "|| true in the lint script",
        "package.json",
        ('"eslint ."', '"eslint . || true"'),
        kinds=("check_command_weakened",),
    ),
    _js(
        "passWithNoTests",
        "package.json",
        ('"vitest run"', '"vitest run --passWithNoTests"'),
        kinds=("check_command_weakened",),
    ),
    _js("a lower jest threshold", "package.json", ('"lines": 80', '"lines": 8'), kinds=("threshold_lowered",)),
    _js(
        "tests ignored by jest",
        "package.json",
        ('["/node_modules/"]', '["/node_modules/", "store.test"]'),
        kinds=("test_collection_narrowed",),
    ),
    _js(
        "nyc that doesn't check",
        "package.json",
        ('"check-coverage": true', '"check-coverage": false'),
        kinds=("threshold_lowered",),
    ),
    _js(
        "an eslint rule off",
        "eslint.config.js",
        ('"no-unused-vars": "error"', '"no-unused-vars": "off"'),
        kinds=("lint_config_weakened",),
    ),
    _js(
        "an eslint rule downgraded",
        "eslint.config.js",
        ('["error", "always"]', '["warn", "always"]'),
        kinds=("lint_config_weakened",),
    ),
    _js(
        "source ignored by eslint",
        "eslint.config.js",
        ('"dist/**"', '"dist/**", "src/**"'),
        kinds=("lint_config_weakened",),
    ),
    Change("an .eslintignore", JAVASCRIPT, {".eslintignore": "src/store.js\n"}, ("lint_config_weakened",)),
    _js(
        "eslint-disable",
        "src/store.js",
        ("export function", "/* eslint-disable */\nexport function"),
        kinds=("suppression_added",),
    ),
    _js(
        "ts-ignore", "src/store.js", ("  return items", "  // @ts-ignore\n  return items"), kinds=("suppression_added",)
    ),
    _js(
        "TypeScript not strict", "tsconfig.json", ('"strict": true', '"strict": false'), kinds=("lint_config_weakened",)
    ),
    Change(
        "Go: a skip",
        GO,
        edit(GO, "sum_test.go", ("TestSumZero(t *testing.T) {\n", 'TestSumZero(t *testing.T) {\n\tt.Skip("later")\n')),
        ("test_skipped",),
    ),
    Change(
        "Go: a test deleted",
        GO,
        {"sum_test.go": str(GO["sum_test.go"]).partition("func TestSumZero")[0]},
        ("test_removed",),
    ),
    Change("Go: nolint", GO, edit(GO, "sum.go", ("a + b }", "a + b } //nolint")), ("suppression_added",)),
    Change(
        "Rust: ignore",
        RUST,
        edit(RUST, "src/lib.rs", ("    #[test]\n", "    #[test]\n    #[ignore]\n")),
        ("test_skipped",),
    ),
    Change(
        "Rust: assert!(true)",
        RUST,
        edit(RUST, "src/lib.rs", ("assert_eq!(sum(0, 0), 0)", "assert!(true)")),
        ("assertion_removed", "assertion_vacuous"),
    ),
    Change(
        "Rust: allow",
        RUST,
        edit(RUST, "src/lib.rs", ("pub fn", "#[allow(clippy::unwrap_used)]\npub fn")),
        ("suppression_added",),
    ),
    Change("Rust: a lint level", RUST, edit(RUST, "Cargo.toml", ('"deny"', '"allow"')), ("lint_config_weakened",)),
    Change(
        "Java: Disabled",
        JAVA,
        edit(JAVA, "src/test/java/SumTest.java", ("  @Test void zero", "  @Disabled @Test void zero")),
        ("test_skipped",),
    ),
    Change(
        "Java: a test deleted",
        JAVA,
        edit(
            JAVA, "src/test/java/SumTest.java", ("  @Test void zero() { assertEquals(0, new Sum().sum(0, 0)); }\n", "")
        ),
        ("test_removed",),
    ),
    Change(
        "assertions moved to a helper that makes none",
        PYTHON,
        edit(
            PYTHON,
            _T,
            (
                "def test_legacy():\n    assert legacy(2) == 6",
                "def check(a):\n    return a\n\n\ndef test_legacy():\n    check(legacy(2))",
            ),
        ),
        ("assertion_removed",),
    ),
    _py(
        "an assertion that is never reached",
        _T,
        ("    assert legacy(2) == 6", "    if False:\n        assert legacy(2) == 6"),
        kinds=("assertion_removed",),
    ),
    Change(
        "the coverage configuration deleted",
        {
            **PYTHON,
            ".coveragerc": "[report]\nfail_under = 80\n",
            _P: PYPROJECT.replace("[tool.coverage.report]\nfail_under = 90\n", "").replace(
                "[tool.coverage.run]", "[x]"
            ),
        },
        {".coveragerc": None},
        ("threshold_lowered",),
    ),
    Change("the eslint configuration deleted", JAVASCRIPT, {"eslint.config.js": None}, ("lint_config_weakened",)),
    _py(
        "two suppressions in one comment",
        "calc.py",
        ("    return a * 3\n", "    return a * 3  # noqa: E501  # type: ignore\n"),
        kinds=("suppression_added",),
    ),
    Change(
        "the test runner replaced in a test",
        PYTHON,
        edit(PYTHON, _T, ("from calc", "pytest.raises = None\n\nfrom calc")),
        ("test_tampered",),
    ),
    _py(
        "a return in a comment, behind a line break that not everybody sees",
        _T,
        ("    assert legacy(2) == 6", "    # Six\r    return\n    assert legacy(2) == 6"),
        kinds=("hidden_text",),
    ),
    _py(
        "a return in a comment, behind a line break that the encoding makes",
        _T,
        ("import pytest", "# coding: unicode_escape\nimport pytest"),
        ("    assert legacy(2) == 6", "    # Six\\n    return\n    assert legacy(2) == 6"),
        kinds=("hidden_text",),
    ),
    Change(
        "tests that are checked out in an encoding with another backslash",
        PYTHON,
        {".gitattributes": "tests/*.py working-tree-encoding=SHIFT_JIS\n"},
        ("hidden_text",),
    ),
    Change(
        "a line break as an escape in Java",
        {**PYTHON, "src/A.java": "class A {\n  // \\\\u000a\n}\n"},
        {"src/A.java": "class A {\n  // \\u000a { System.exit(0); }\n}\n"},
        ("hidden_text",),
    ),
    Change(
        "compiled Python and an entry point in the subject",
        PYTHON,
        {
            "__pycache__/calc.cpython-311.pyc": b"\xa7\r\r\n\1\0\0\0",
            "a.egg-info/entry_points.txt": "[pytest11]\na = a\n",
        },
        ("checks_shadowed",),
    ),
    Change(
        "ruff settings in a nearer file, which drop those of the project",
        PYTHON,
        {"tests/.ruff.toml": "line-length = 100\n"},
        ("lint_config_weakened",),
    ),
    Change(
        "ruff settings that extend a file which leaves something out",
        PYTHON,
        {
            _P: PYPROJECT.replace("[tool.ruff.lint]", '[tool.ruff]\nextend = "base.toml"\n\n[tool.ruff.lint]'),
            "base.toml": 'exclude = ["calc.py"]\n',
        },
        ("lint_config_weakened",),
    ),
    Change(
        "fewer ruff rules than its defaults, where nothing was set",
        {**PYTHON, _P: '[project]\nname = "calc"\n'},
        {"ruff.toml": '[lint]\nselect = ["E9"]\n'},
        ("lint_config_weakened",),
    ),
    Change(
        "the test runner replaced under another name",
        PYTHON,
        {"conftest.py": "import _pytest.reports as r\n\nr.TestReport.failed = property(lambda self: False)\n"},
        ("test_tampered",),
    ),
)
