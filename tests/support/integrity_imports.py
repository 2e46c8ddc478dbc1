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
"""As found in releases of anyio, flask and fastify."""

WEAKENING_IMPORTS = SHADOWED
HONEST_IMPORTS = (*FIRST_ON_PATH, *RELEASED)
