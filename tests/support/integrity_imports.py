"""More changes for ``integrity_cases``: modules that come first on ``sys.path``, and honest ones of real releases."""

from __future__ import annotations

from integrity_cases import CALC, JAVASCRIPT, PYTHON, TEST_CALC, Change, Content, edit

_T, _P, _JT = "tests/test_calc.py", "pyproject.toml", "test/store.test.js"
_PATH = ('testpaths = ["tests"]', 'testpaths = ["tests"]\npythonpath = ["{}"]')
_FAKE = CALC.replace("return a + b", "return {(1, 2): 3}.get((a, b), 0)")
_ABOVE = "import sys\nfrom pathlib import Path\n\n{}\n"
_INSERT = 'sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))'
_LAYOUT: dict[str, Content] = {
    **{path: content for path, content in PYTHON.items() if path != "calc.py"},
    "src/calc/__init__.py": CALC,
}
_TWO: dict[str, Content] = {
    **PYTHON,
    "tests/test_rates.py": "import rates_of_bank\n\n\ndef test_rate():\n    assert rates_of_bank.rate() == 2\n",
}


def _on_path(folder: str) -> dict[str, Content]:
    old, new = _PATH
    return edit(PYTHON, _P, (old, new.format(folder)))


def _change(name: str, after: dict[str, Content], before: dict[str, Content] = PYTHON, kind: str = "") -> Change:
    return Change(name, before, after, (kind,) if kind else ())


def _shadow(name: str, after: dict[str, Content], before: dict[str, Content] = PYTHON) -> Change:
    return _change(name, after, before, "checks_shadowed")


SHADOWED: tuple[Change, ...] = (
    _shadow("a compiled module next to the source", {"calc.cpython-311-x86_64-linux-gnu.so": b"\x7fELF\0"}),
    _shadow("a compiled module of the stable interface", {"calc.abi3.so": b"\x7fELF\0"}),
    _shadow("a compiled module of Windows", {"calc.pyd": b"MZ\0"}),
    _shadow("a package of the name of the source", {"calc/__init__.py": _FAKE}),
    _shadow("a script next to the typed source", {"src/a.js": "export {}\n"}, {"src/a.ts": "export {}\n"}),
    _shadow("pytest's path leads to another module", {**_on_path("fakes"), "fakes/calc.py": _FAKE}),
    _shadow("pytest's path leads to another package", {**_on_path("x/y"), "x/y/calc/__init__.py": _FAKE}),
    _shadow(
        "the path of a src layout is put behind another",
        {**_on_path('fakes", "src'), "fakes/calc.py": _FAKE},
        _LAYOUT,
    ),
    _shadow(
        "pytest.ini's path leads to another module",
        {"pytest.ini": "[pytest]\npythonpath = fakes\n", "fakes/calc.py": _FAKE},
        {"calc.py": CALC, _T: TEST_CALC},
    ),
    _shadow(
        "a conftest puts a folder first",
        {"tests/conftest.py": _ABOVE.format(_INSERT), "fakes/calc.py": _FAKE},
    ),
    _shadow(
        "a new test puts a folder first",
        {"tests/test_a.py": _ABOVE.format(_INSERT), "fakes/calc.py": _FAKE},
    ),
    _shadow(
        "a folder under a name of its own",
        {
            "tests/conftest.py": _ABOVE.format(
                'ROOT = Path(__file__).parent.parent\nHERE = ROOT / "fakes"\nsys.path[:0] = [str(HERE)]'
            ),
            "fakes/calc.py": _FAKE,
        },
    ),
    _shadow(
        "a folder that is put together",
        {
            "tests/conftest.py": _ABOVE.format('sys.path.insert(0, "tests/" + "fa" + "kes")'),
            "fakes/calc.py": _FAKE,
        },
    ),
    _shadow(
        "a folder above the test",
        {"a/b/conftest.py": _ABOVE.format("sys.path.insert(0, str(Path(__file__).parents[1]))"), "a/calc.py": _FAKE},
    ),
    _shadow(
        "an installed module is written anew",
        {**_on_path("vendored"), "vendored/rates_of_bank.py": "def rate():\n    return 2\n"},
        _TWO,
    ),
)

FIRST_ON_PATH: tuple[Change, ...] = (
    _change("a src layout is put on the path", edit(_LAYOUT, _P, (_PATH[0], _PATH[1].format("src"))), _LAYOUT),
    _change(
        "the source moves to a src layout",
        {"calc.py": None, "src/calc.py": CALC, **_on_path("src")},
    ),
    _change(
        "a module is added below the path",
        {**edit(_LAYOUT, _P, (_PATH[0], _PATH[1].format("src"))), "src/more.py": "X = 1\n"},
        _LAYOUT,
    ),
    _change(
        "a conftest puts the root first, and a new module comes",
        {
            "tests/conftest.py": _ABOVE.format("sys.path.insert(0, str(Path(__file__).resolve().parents[1]))"),
            "more.py": "X = 1\n",
        },
    ),
    _change(
        "a folder of helpers is put on the path",
        {**_on_path("tests/support"), "tests/support/numbers_of.py": "def two():\n    return 2\n"},
    ),
    _change(
        "helpers move to a folder of their own",
        {
            **_on_path("tests/support"),
            "tests/helpers.py": None,
            "tests/support/helpers.py": "def two():\n    return 2\n\n\ndef three():\n    return 3\n",
        },
        {
            **PYTHON,
            "tests/helpers.py": "def two():\n    return 2\n\n\ndef three():\n    return 3\n",
            "tests/test_two.py": "from helpers import two\n\n\ndef test_two():\n    assert two() == 2\n",
        },
    ),
    _change(
        "a module of the same name, in a package and off the path",
        {
            **_on_path("tests/support"),
            "more/__init__.py": "",
            "more/calc.py": "X = 1\n",
            "tests/support/a.py": "X = 1\n",
        },
    ),
    _change("the source is edited, and the root put on the path", {**_on_path("."), "calc.py": CALC + "\n\nX = 1\n"}),
)

_TWICE: dict[str, Content] = {
    **PYTHON,
    _T: TEST_CALC.replace(
        "    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n",
        "    for a, b, c in [(1, 2, 3), (0, 0, 0), (1, 2, 3)]:\n        assert add(a, b) == c\n",
    ),
}
_ASKED = "\n\ndef level():\n    x = 1\n    return any('/tests/' in f.filename for f in inspect.stack()) or x\n"
_FIXTURE = (
    "@pytest.fixture(autouse=True)\ndef clean(monkeypatch):\n    names = (\n        'A_B',\n        'A_C',\n"
    "        'A_D',\n    )\n    for name in names:\n        monkeypatch.delenv(name, raising=False)\n\n\n"
)
_FILES = "    for name in ['a.txt', 'b.txt', 'c.txt']:\n        (tmp_path / name).write_text(name)\n"
_WITH_FIXTURE: dict[str, Content] = {
    **PYTHON,
    "tests/conftest.py": f"import pytest\n\n\n{_FIXTURE}",
    _T: TEST_CALC.replace("def test_divide():\n", f"def test_divide(tmp_path):\n{_FILES}"),
}
RELEASED: tuple[Change, ...] = (
    _change(
        "a fixture that sets less, and a test that makes fewer files",
        {
            **edit(_WITH_FIXTURE, "tests/conftest.py", ("        'A_D',\n", "")),
            **edit(_WITH_FIXTURE, _T, (", 'c.txt'", "")),
        },
        _WITH_FIXTURE,
    ),
    _change(
        "documentation of what looks at a frame",
        {
            "calc.py": CALC
            + 'def run():\n    """It isn\'t for users.\n\n    Helps a test that doesn\'t wait.\n    """\n'
            "    # it's for each test, isn't it\n    sys._getframe().f_locals['x'] = 1\n"
        },
    ),
    _change(
        "a function that asked before is edited",
        {"calc.py": f"{CALC}{_ASKED.replace('x = 1', 'x = 2')}"},
        {**PYTHON, "calc.py": f"{CALC}{_ASKED}"},
    ),
    _change(
        "a row that stood there twice",
        edit(_TWICE, _T, ("(1, 2, 3), (0, 0, 0), (1, 2, 3)]", "(1, 2, 3), (0, 0, 0)]")),
        _TWICE,
    ),
    _change(
        "JavaScript: a place that isn't to be reached",
        edit(
            JAVASCRIPT,
            _JT,
            (
                "    expect(isEmpty([])).toBe(true);\n",
                (
                    "    expect(isEmpty([])).toBe(true);\n    assert.throws(() => {\n      total(null);\n"
                    "      assert.fail('it should have thrown');\n    }, TypeError);\n"
                ),
            ),
        ),
        JAVASCRIPT,
    ),
    _change(
        "branches that both expect an error",
        edit(
            {_T: TEST_CALC.rstrip("\n") + "\n"},
            _T,
            (
                "    with pytest.raises(ZeroDivisionError):\n        divide(1, 0)\n",
                (
                    "    if divide(1, 1) > 2:\n        with pytest.raises(ValueError):\n            divide(2, 0)\n"
                    "    else:\n        with pytest.raises(ZeroDivisionError):\n            divide(1, 0)\n"
                ),
            ),
        ),
    ),
)
"""As found in releases of anyio, flask, fastify, marshmallow and trio."""

_JEST = {**JAVASCRIPT, "jest.config.js": "module.exports = { verbose: true };\n"}
_VITEST = {**JAVASCRIPT, "vitest.config.ts": "export default { test: { globals: true } };\n"}
_TITLE = 'it("adds prices", () => {'


def _jest(name: str, options: str, kind: str = "", **more: str) -> Change:
    after: dict[str, Content] = {"jest.config.js": f"module.exports = {{ verbose: true, {options} }};\n", **more}
    return _change(name, after, _JEST, kind)


def _again(name: str, after: dict[str, Content], before: dict[str, Content]) -> Change:
    return _change(name, after, before, "assertion_swallowed")


REPEATED: tuple[Change, ...] = (
    _again("vitest runs again what failed", {"vitest.config.ts": "export default { test: { retry: 3 } };\n"}, _VITEST),
    _again(
        "a test of vitest is run again",
        edit(JAVASCRIPT, _JT, (_TITLE, _TITLE.replace("() =>", "{ retry: 3 }, () =>"))),
        JAVASCRIPT,
    ),
    _again("jest runs again what failed", {"test/start.js": "jest.retryTimes(3);\n"}, JAVASCRIPT),
    _again(
        "mocha runs again what failed",
        edit(JAVASCRIPT, _JT, ('describe("store", () => {', 'describe("store", function () {\n  this.retries(2);')),
        JAVASCRIPT,
    ),
    _again(
        "pytest runs a test again",
        edit(PYTHON, _T, ("def test_divide():", "@pytest.mark.flaky(reruns=3)\ndef test_divide():")),
        PYTHON,
    ),
    _change(
        "pytest runs tests again",
        edit(PYTHON, _P, ('addopts = "-ra', 'addopts = "--reruns 3 -ra')),
        kind="test_collection_narrowed",
    ),
    _jest(
        "jest: a resolver that comes with the change",
        'resolver: "<rootDir>/find.js"',
        "test_tampered",
        **{"find.js": "module.exports = (path, options) => options.defaultResolver('x', options);\n"},
    ),
    _jest(
        "jest: an environment that comes with the change",
        'testEnvironment: "./env.js"',
        "test_tampered",
        **{"env.js": "module.exports = class {};\n"},
    ),
    _change("each module is any", {"src/all.d.ts": 'declare module "*";\n'}, JAVASCRIPT, "suppression_added"),
)
NOT_REPEATED: tuple[Change, ...] = (
    _jest("jest: an environment that is installed", 'testEnvironment: "jsdom", resolver: "ts-jest-resolver"'),
    _change("vitest: never again", {"vitest.config.ts": "export default { test: { retry: 0 } };\n"}, _VITEST),
    _change(
        "the code tries again, and a test asks about it",
        {
            "src/fetch.js": "export const get = (url) => client({ retry: 3, url }).retries(2);\n",
            **edit(JAVASCRIPT, _JT, ('  it("adds', '  const client = make({ retry: 3 });\n\n  it("adds')),
        },
        JAVASCRIPT,
    ),
    _change(
        "modules of styles, and of a package without types",
        {"src/all.d.ts": 'declare module "*.css";\ndeclare module "plain" {\n  export const a: number;\n}\n'},
        JAVASCRIPT,
    ),
)

_ADD = "def add(a, b):\n    return a + b\n"
_WITHOUT_ADD = CALC.replace(f"{_ADD}\n\n", "")
_FOLLOWS = ("from calc import add, divide, legacy\n", "from calc import divide, legacy\nfrom sums import add\n")
MOVED: tuple[Change, ...] = (
    _change(
        "a function moves to a new module, and its tests import it from there",
        {**edit(PYTHON, _T, _FOLLOWS), "calc.py": _WITHOUT_ADD, "sums.py": _ADD},
    ),
    _change(
        "a function moves to another module",
        {**edit(PYTHON, _T, _FOLLOWS), "calc.py": _WITHOUT_ADD, "sums.py": f"X = 1\n\n\n{_ADD}"},
        {**PYTHON, "sums.py": "X = 1\n"},
    ),
)
"""Moves in which only imports of tests follow."""

REPLACED: tuple[Change, ...] = (
    _change(
        "what a new module defines is another function",
        {**edit(PYTHON, _T, _FOLLOWS), "calc.py": _WITHOUT_ADD, "sums.py": _ADD.replace("a + b", "b and 3 * bool(a)")},
        kind="test_tampered",
    ),
    _change(
        "the function stays, and tests import a copy of it",
        {**edit(PYTHON, _T, _FOLLOWS), "calc.py": CALC.replace("a + b", "a - b"), "sums.py": _ADD},
        kind="test_tampered",
    ),
    _change(
        "a copy moves to a module for tests, and the product goes on under another name",
        {
            **edit(PYTHON, _T, _FOLLOWS),
            "calc.py": _WITHOUT_ADD
            + "\n\ndef plus(a, b):\n    return a - b\n\n\ndef sum_of(a):\n    return plus(*a)\n",
            "sums.py": _ADD,
        },
        {**PYTHON, "calc.py": CALC + "\n\ndef sum_of(a):\n    return add(*a)\n"},
        kind="test_tampered",
    ),
    _change(
        "a function moves to where tests stand",
        {
            **edit(PYTHON, _T, (_FOLLOWS[0], _FOLLOWS[1].replace("sums", "tests.sums"))),
            "calc.py": _WITHOUT_ADD,
            "tests/sums.py": _ADD,
        },
        kind="test_tampered",
    ),
)

WEAKENING_IMPORTS = (*SHADOWED, *REPEATED, *REPLACED)
HONEST_IMPORTS = (*FIRST_ON_PATH, *RELEASED, *NOT_REPEATED, *MOVED)
