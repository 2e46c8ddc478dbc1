"""Changes with the weight that the heaviest of their findings has, for ``code:integrity``."""

from __future__ import annotations

from integrity_cases import CALC, JAVASCRIPT, PYTHON, TEST_CALC, Change, Content, edit

_T = "tests/test_calc.py"
_BROKEN = CALC.replace("return a + b", "return a + b - 1")
_REPAIRED = CALC.replace("return a * 3", "return a + a + a")
_IMPORTS = "import pytest\n\n\n"


def _test(name: str, old: str, new: str, *, code: str = CALC) -> Change:
    after: dict[str, Content] = {_T: TEST_CALC.replace(old, new)}
    return Change(name, PYTHON, after if code == CALC else {**after, "calc.py": code})


def _conftest(name: str, source: str) -> Change:
    return Change(name, PYTHON, {"tests/conftest.py": _IMPORTS + source})


_WEAKER = ("assert add(1, 2) == 3", "assert add(1, 2) >= 2")
_SKIP = "pytest.mark.skipif(sys.platform == 'win32', reason='no such signal')"

WEIGHED: tuple[tuple[Change, str], ...] = (
    (_test("an assertion that is weaker", *_WEAKER), "weakening"),
    (_test("an assertion that is weaker, next to code that broke", *_WEAKER, code=_BROKEN), "weakening"),
    (_test("an assertion that is weaker, next to other code that changed", *_WEAKER, code=_REPAIRED), "weakening"),
    (
        _test(
            "an expected value that follows the defect", "assert add(1, 2) == 3", "assert add(1, 2) == 2", code=_BROKEN
        ),
        "weakening",
    ),
    (
        _test("another input, next to code that broke", "assert add(1, 2) == 3", "assert add(2, 2) == 3", code=_BROKEN),
        "weakening",
    ),
    (
        _test(
            "a new test for one platform",
            "def test_legacy",
            f"@{_SKIP}\ndef test_signals():\n    assert add(2, 3) == 5\n\n\ndef test_legacy",
        ),
        "note",
    ),
    (
        _conftest(
            "a hook that sets outcomes",
            "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
            "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
        ),
        "tampering",
    ),
    (
        _conftest(
            "a hook that ends the run well",
            "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n",
        ),
        "tampering",
    ),
    (
        _conftest(
            "a hook that skips slow tests",
            "def pytest_collection_modifyitems(config, items):\n    for item in items:\n"
            "        if 'slow' in item.keywords:\n            item.add_marker(pytest.mark.skip(reason='slow'))\n",
        ),
        "weakening",
    ),
    (
        _conftest(
            "a hook that keeps reports for fixtures",
            "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
            "    outcome = yield\n    rep = outcome.get_result()\n    if rep.outcome == 'failed':\n        print(rep)\n"
            "    setattr(item, 'rep_' + rep.when, rep)\n",
        ),
        "note",
    ),
    (_conftest("a part of the runner that is replaced", "pytest.raises = None\n"), "tampering"),
    (_conftest("a run that ends itself", "pytest.exit('enough')\n"), "weakening"),
    (
        Change(
            "JavaScript: a new test for some targets",
            JAVASCRIPT,
            edit(
                JAVASCRIPT,
                "test/store.test.js",
                ('\n\ndescribe("store"', '\n\nit.skipIf(target !== "node")("keeps", () => {});\n\ndescribe("store"'),
            ),
        ),
        "note",
    ),
    (
        _test(
            "a new class of tests under a condition",
            "def test_legacy",
            "@pytest.mark.skipif(not redis, reason='needs redis')\nclass TestShared:\n"
            "    def test_sum(self):\n        assert add(2, 3) == 5\n\n\ndef test_legacy",
        ),
        "note",
    ),
    (
        _test(
            "a class of known tests under a condition",
            "def test_legacy",
            "@pytest.mark.skipif(not redis, reason='needs redis')\nclass TestLegacy:\n    def test_sum(self):\n"
            "        assert add(2, 3) == 5\n\n    def test_legacy",
        ),
        "weakening",
    ),
    (
        Change(
            "a new file of tests under a condition",
            PYTHON,
            {
                "tests/test_shared.py": "import pytest\nfrom calc import add\n\n"
                "pytestmark = pytest.mark.skipif(not redis)\n\n\ndef test_shared():\n    assert add(1, 1) == 2\n"
            },
        ),
        "note",
    ),
    (Change("a start-up file", PYTHON, {"sitecustomize.py": "import sys\n"}), "tampering"),
    (Change("another shell for scripts", JAVASCRIPT, {".npmrc": "script-shell=bash\n"}), "weakening"),
    (
        Change(
            "JavaScript: an expectation of its own that is replaced",
            JAVASCRIPT,
            edit(
                JAVASCRIPT,
                "test/store.test.js",
                (
                    '\n\ndescribe("store"',
                    '\n\nexpect.extend({ toBe() { return { pass: true }; } });\n\ndescribe("store"',
                ),
            ),
        ),
        "tampering",
    ),
)
"""A change, and its weight."""
