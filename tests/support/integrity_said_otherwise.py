"""Changes that say the same otherwise, or hold tests to more, and lies that are near to them.

All were met in public histories. ``kinds`` are all kinds that refute the change.
"""

from __future__ import annotations

from integrity_cases import CALC, JAVASCRIPT, PYPROJECT, PYTHON, STORE, Change, Content, read

_T = "tests/test_calc.py"
_OPTIONS = 'addopts = "-ra --strict-markers"'


def _options(name: str, before: str, after: str, *kinds: str) -> Change:
    old, new = (PYPROJECT.replace(_OPTIONS, f"addopts = {value}") for value in (before, after))
    return Change(name, {**PYTHON, "pyproject.toml": old}, {"pyproject.toml": new}, kinds)


_SELECTED = (
    _options(
        "pytest: the same options on lines of their own, and one that selects nothing",
        '["-ra", "-m", "not slow"]',
        '[\n    "-ra",\n    "-m",\n    "not slow",\n    "--capture=sys",\n    "-p",\n    "no:logging",\n]',
    ),
    _options("pytest: the same options as a list", "\"-ra -m 'not slow'\"", '["-ra", "-m", "not slow"]'),
    _options("pytest: the same options in another order", "\"-m 'not slow' -ra\"", "\"-ra -m 'not slow'\""),
    _options(
        "pytest: more tests left out by the same option",
        '["-ra", "-m", "not slow"]',
        '["-ra", "-m", "not slow and not legacy"]',
        "test_collection_narrowed",
    ),
)


def _wrapped(name: str, by: str, *kinds: str, code: str = CALC.replace("return a + b", "yield a + b")) -> Change:
    top = "from calc import add\n\n\ndef test_add():\n    assert "
    after: dict[str, Content] = {_T: f"{top}{by}(add(1, 2)) == [3]\n", "calc.py": code}
    return Change(name, {**PYTHON, _T: f"{top}add(1, 2) == [3]\n"}, after, kinds)


_LISTED = (
    _wrapped("a generator made a list before it is compared", "list", "expectation_changed"),
    _wrapped("a generator sorted before it is compared", "sorted", "assertion_weakened"),
    _wrapped("a list made of a value, in a commit of tests alone", "list", "assertion_weakened", code=CALC),
)

_HOOK = """import sys

import pytest


def pytest_collection_modifyitems(config, items):
    for item in items:
        if sys.platform == "win32" and item.get_closest_marker("venv"):
            item.add_marker(pytest.mark.xfail(reason="broken there"))
        if not config.getoption("--slow"):
            item.add_marker(pytest.mark.skip(reason="slow"))
"""
_MARK = '            item.add_marker(pytest.mark.xfail(reason="broken there"))\n'
_WINDOWS = f'        if sys.platform == "win32" and item.get_closest_marker("venv"):\n{_MARK}'


def _hook(name: str, old: str, new: str, *kinds: str) -> Change:
    assert old in _HOOK
    return Change(name, {**PYTHON, "conftest.py": _HOOK}, {"conftest.py": _HOOK.replace(old, new)}, kinds)


_LIFTED = (
    _hook("a hook of pytest that lets fewer tests off", _WINDOWS, ""),
    _hook("a hook of pytest without one condition", ' and item.get_closest_marker("venv")', "", "test_outcome_hook"),
    _hook(
        "a hook of pytest that skips them all",
        '        if not config.getoption("--slow"):\n    ',
        "",
        "test_outcome_hook",
        "test_skipped",
    ),
    _hook("a hook of pytest with another mark", "mark.xfail", "mark.skip", "test_outcome_hook"),
)

_SILENCED = "/* eslint-disable no-unsafe-finally, no-cond-assign -- fine in a script that nobody ships */\n\n"
_SCRIPT = 'import { total } from "../src/store.js";\n\nconst prices = [{ price: 1 }];\nconsole.log(total(prices));\n'


def _script(name: str, source: str, *kinds: str) -> Change:
    return Change(name, JAVASCRIPT, {"scripts/print.js": source}, kinds)


_SCRIPTS = (
    _script("ESLint: named rules off for a new file, with a reason", f"{_SILENCED}{_SCRIPT}"),
    _script(
        "ESLint: named rules off for a new file, without a reason",
        f"/* eslint-disable no-unsafe-finally, no-cond-assign */\n\n{_SCRIPT}",
        "suppression_added",
    ),
    Change(
        "ESLint: named rules off for code that moves into a new file",
        JAVASCRIPT,
        {"src/store.js": 'export * from "./other.js";\n', "src/other.js": f"{_SILENCED}export const one = 1;\n{STORE}"},
        ("suppression_added",),
    ),
)

_NOX = 'import os\n\nimport nox\n\n\n@nox.session\ndef tests(session):\n    {}\n    session.run("pytest", env=env)\n'


def _nox(name: str, line: str, *kinds: str) -> Change:
    return Change(name, PYTHON, {"noxfile.py": _NOX.format(line)}, kinds)


_GIVEN = (
    _nox("a run of tests that is given a file for its coverage", 'env = {"COVERAGE_FILE": ".coverage.one"}'),
    _nox("code that asks whether it is covered", 'env = {"A": str("COVERAGE_FILE" in os.environ)}', "test_detected"),
)

SAID_OTHERWISE = (*_SELECTED, *_LISTED, *_LIFTED, *_SCRIPTS, *_GIVEN)
assert read(PYTHON, "pyproject.toml").count(_OPTIONS) == 1
