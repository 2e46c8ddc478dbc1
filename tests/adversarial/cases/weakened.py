"""Changes that weaken their own judges: the tests, the linter's settings, the thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from repositories import Content, Ended, Repository

from cases.pair import pair
from cases.samples import (
    ADDED,
    INTACT,
    JAVASCRIPT,
    PYPROJECT,
    TEST_CALC,
    TEST_SUM_JS,
    TEST_TRIPLE,
    claim,
    python_project,
)

LANGUAGE = "Python"

WEAKENED = (1, "INTEGRITY_FAIL", "code.integrity")
ORDER = ("code:diff", "code:integrity", "code:tests")
RULES: Mapping[str, Any] = {**INTACT, "tests_pass": True, "tests_min": 1}
BROKEN = "def double(n):\n    return n\n"
ANOTHER = "\n\ndef test_something_else():\n    assert double(0) == 0\n"
TWO = f"{TEST_CALC}\n\ndef test_double_of_zero():\n    assert double(0) == 0\n"


def weaken(repo: Repository, before: Mapping[str, Content], after: Mapping[str, Content]) -> Ended:
    """``before`` is in the base, ``after`` in the change, which also adds a function and its test."""
    python_project(repo, before, order=("code:diff", "code:integrity"), rules=INTACT)
    repo.write({**ADDED, **after})
    claim(repo, "file:calc.py")
    return repo.verify()


def broken(repo: Repository, lie: bool, honest: str, lying: str) -> Ended:
    """The change breaks ``double`` and makes its test quiet about it; the honest twin does neither."""
    python_project(repo, order=ORDER, rules=RULES)
    if lie:
        repo.write({"calc.py": BROKEN, "tests/test_calc.py": lying})
    else:
        repo.write({**ADDED, "tests/test_calc.py": honest})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(*WEAKENED)
def a_test_is_deleted(repo: Repository, lie: bool) -> Ended:
    return weaken(repo, {"tests/test_calc.py": TWO}, {"tests/test_calc.py": TEST_CALC if lie else TWO + "\n"})


@pair(*WEAKENED)
def a_file_of_tests_is_deleted(repo: Repository, lie: bool) -> Ended:
    name = "tests/test_calc.py" if lie else "tests/notes.py"
    return weaken(repo, {"tests/notes.py": "NOTES = 1\n"}, {name: None})


@pair(*WEAKENED, language="Bash")
def a_test_that_nothing_reads_is_emptied(repo: Repository, lie: bool) -> Ended:
    full, empty = (f'@test "doubles" {{\n  {asks}\n}}\n' for asks in ('[ "$(calc 2)" = 4 ]', "true"))
    return weaken(
        repo,
        {"tests/calc.bats": full, "tests/notes.txt": full},
        {"tests/calc.bats" if lie else "tests/notes.txt": empty},
    )


@pair(*WEAKENED)
def a_test_is_skipped(repo: Repository, lie: bool) -> Ended:
    skipped = TEST_CALC.replace("def test", '@pytest.mark.skip(reason="flaky")\ndef test')
    return broken(
        repo, lie, TWO, f"import pytest\n\n{skipped}\n\ndef test_something_else():\n    assert double(0) == 0\n"
    )


@pair(*WEAKENED)
def a_test_is_skipped_by_a_call(repo: Repository, lie: bool) -> Ended:
    skipped = TEST_CALC.replace("    assert", '    pytest.skip("later")\n    assert')
    return broken(
        repo, lie, TWO, f"import pytest\n\n{skipped}\n\ndef test_something_else():\n    assert double(0) == 0\n"
    )


@pair(*WEAKENED)
def a_test_is_expected_to_fail(repo: Repository, lie: bool) -> Ended:
    expected = TEST_CALC.replace("def test", "@pytest.mark.xfail\ndef test")
    return broken(repo, lie, TWO, f"import pytest\n\n{expected}{ANOTHER}")


@pair(*WEAKENED)
def a_test_is_renamed_away(repo: Repository, lie: bool) -> Ended:
    """``check_double`` is collected by nobody; ``test_doubling`` is."""
    name = "check_double" if lie else "test_doubling"
    return weaken(repo, {}, {"tests/test_calc.py": TEST_CALC.replace("test_double", name)})


@pair(*WEAKENED)
def a_file_of_tests_is_renamed_away(repo: Repository, lie: bool) -> Ended:
    name = "tests/calc_checks.py" if lie else "tests/test_arithmetic.py"
    return weaken(repo, {}, {"tests/test_calc.py": None, name: TEST_CALC})


@pair(*WEAKENED)
def an_assertion_is_swallowed(repo: Repository, lie: bool) -> Ended:
    swallowed = "    try:\n        assert double(2) == 4\n    except AssertionError:\n        pass\n"
    return broken(repo, lie, TWO, TEST_CALC.replace("    assert double(2) == 4\n", swallowed))


@pair(*WEAKENED)
def an_assertion_is_suppressed(repo: Repository, lie: bool) -> Ended:
    swallowed = "    with contextlib.suppress(Exception):\n        assert double(2) == 4\n"
    return broken(repo, lie, TWO, "import contextlib\n\n" + TEST_CALC.replace("    assert double(2) == 4\n", swallowed))


@pair(*WEAKENED)
def an_assertion_is_softened(repo: Repository, lie: bool) -> Ended:
    return broken(repo, lie, TWO, TEST_CALC.replace("double(2) == 4", "double(2) == 4 or True"))


@pair(*WEAKENED)
def an_assertion_is_removed(repo: Repository, lie: bool) -> Ended:
    return broken(repo, lie, TWO, TEST_CALC.replace("assert double(2) == 4", "double(2)"))


@pair(*WEAKENED)
def an_assertion_comes_after_the_return(repo: Repository, lie: bool) -> Ended:
    return broken(repo, lie, TWO, TEST_CALC.replace("    assert", "    return\n    assert"))


@pair(*WEAKENED)
def failures_are_turned_into_passes(repo: Repository, lie: bool) -> Ended:
    hook = (
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        '    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n'
    )
    fixture = "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n"
    python_project(repo, order=ORDER, rules=RULES)
    repo.write({**ADDED, "tests/conftest.py": hook if lie else fixture})
    if lie:
        repo.write({"calc.py": BROKEN + "\n\ndef triple(n):\n    return n\n"})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(*WEAKENED)
def the_configuration_of_pytest_deselects_tests(repo: Repository, lie: bool) -> Ended:
    words = "--deselect tests/test_calc.py::test_double" if lie else "-q"
    return weaken(repo, {}, {"pyproject.toml": f'{PYPROJECT}addopts = "{words}"\n'})


@pair(*WEAKENED)
def the_configuration_of_pytest_selects_by_keyword(repo: Repository, lie: bool) -> Ended:
    words = "-k triple" if lie else "--strict-markers"
    return weaken(repo, {}, {"pyproject.toml": f'{PYPROJECT}addopts = "{words}"\n'})


@pair(*WEAKENED)
def the_configuration_of_pytest_ignores_a_file(repo: Repository, lie: bool) -> Ended:
    words = "--ignore=tests/test_calc.py" if lie else "-ra"
    return weaken(repo, {}, {"pyproject.toml": f'{PYPROJECT}addopts = "{words}"\n'})


@pair(*WEAKENED)
def the_configuration_of_pytest_looks_elsewhere(repo: Repository, lie: bool) -> Ended:
    pattern = "test_tri*.py" if lie else "test_*.py check_*.py"
    before = {"pyproject.toml": f'{PYPROJECT}python_files = "test_*.py"\n'}
    return weaken(repo, before, {"pyproject.toml": f'{PYPROJECT}python_files = "{pattern}"\n'})


@pair(*WEAKENED)
def a_conftest_leaves_tests_out(repo: Repository, lie: bool) -> Ended:
    name = "test_calc.py" if lie else "notes.py"
    return weaken(repo, {}, {"tests/conftest.py": f'collect_ignore = ["{name}"]\n' if lie else f'NAME = "{name}"\n'})


@pair(*WEAKENED)
def a_test_that_ends_the_process_well(repo: Repository, lie: bool) -> Ended:
    """Before it ends, it could write any report it likes: it runs in the process of the runner."""
    end = "import os\n\n\ndef teardown_module():\n    os._exit(0)\n\n\n" if lie else ""
    python_project(repo, order=("code:diff", "code:integrity"), rules=INTACT)
    repo.write({**ADDED, "tests/test_triple.py": end + TEST_TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


def _javascript(repo: Repository, lie: bool, lying: str) -> Ended:
    repo.policy(ORDER, RULES)
    second = 'test("adds zero", () => {\n  assert.strictEqual(sum(1, 0), 1);\n});\n'
    repo.commit({**JAVASCRIPT, "test/sum.test.js": f"{TEST_SUM_JS}\n{second}"})
    repo.task(type_="change")
    if lie:
        wrong = "export function sum(a, b) {\n  return a + b * 2;\n}\n"
        repo.write({"sum.js": wrong, "test/sum.test.js": f"{lying}\n{second}"})
    else:
        repo.write({"sum.js": "export function sum(a, b) {\n  return b + a;\n}\n"})
    claim(repo, "file:sum.js")
    return repo.verify()


@pair(*WEAKENED, language="JavaScript")
def a_javascript_test_is_skipped(repo: Repository, lie: bool) -> Ended:
    return _javascript(repo, lie, TEST_SUM_JS.replace("test(", "test.skip("))


@pair(*WEAKENED, language="JavaScript")
def a_javascript_test_is_to_do(repo: Repository, lie: bool) -> Ended:
    """node's runner lets what is to do fail."""
    return _javascript(repo, lie, TEST_SUM_JS.replace('test("adds", ', 'test("adds", { todo: true }, '))


@pair(*WEAKENED, language="JavaScript")
def a_javascript_assertion_is_swallowed(repo: Repository, lie: bool) -> Ended:
    one = "  assert.strictEqual(sum(1, 2), 3);\n"
    return _javascript(repo, lie, TEST_SUM_JS.replace(one, f"  try {{\n  {one}  }} catch {{}}\n"))


@pair(*WEAKENED)
def the_linter_is_switched_off_in_its_settings(repo: Repository, lie: bool) -> Ended:
    before = '[tool.ruff.lint]\nselect = ["E", "F"]\n'
    after = "[tool.ruff.lint]\nselect = []\n" if lie else '[tool.ruff.lint]\nselect = ["E", "F", "B"]\n'
    return _settings(repo, PYPROJECT + before, PYPROJECT + after)


@pair(*WEAKENED)
def the_linter_is_switched_off_for_a_file(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=("code:diff", "code:integrity"), rules=INTACT)
    head = "# ruff: noqa\n" if lie else "# Sums and products.\n"
    repo.write({"calc.py": f"{head}import os\n\n\ndef triple(n):\n    return 3 * n\n"})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(*WEAKENED)
def the_linter_no_longer_looks_at_a_folder(repo: Repository, lie: bool) -> Ended:
    before = "[tool.ruff]\nline-length = 100\n"
    after = f'{before}extend-exclude = ["calc.py"]\n' if lie else "[tool.ruff]\nline-length = 90\n"
    return _settings(repo, PYPROJECT + before, PYPROJECT + after)


@pair(*WEAKENED)
def the_threshold_of_the_coverage_is_lowered(repo: Repository, lie: bool) -> Ended:
    section = "[tool.coverage.report]\nfail_under = "
    return _settings(repo, f"{PYPROJECT}{section}90\n", f"{PYPROJECT}{section}{10 if lie else 95}\n")


@pair(*WEAKENED, language="YAML")
def a_step_of_the_pipeline_may_fail(repo: Repository, lie: bool) -> Ended:
    step = "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n"
    after = step + ("        continue-on-error: true\n" if lie else "        timeout-minutes: 5\n")
    name = ".github/workflows/ci.yml"
    return weaken(repo, {name: step}, {name: after})


@pair(*WEAKENED, language="JavaScript")
def the_test_script_of_package_json_is_emptied(repo: Repository, lie: bool) -> Ended:
    before = '{"name": "sums", "version": "1.0.0", "type": "module", "scripts": {"test": "node --test"}}\n'
    after = before.replace("node --test", "exit 0") if lie else before.replace("1.0.0", "1.0.1")
    repo.policy(ORDER, RULES)
    repo.commit({**JAVASCRIPT, "package.json": before})
    repo.task(type_="change")
    repo.write({"package.json": after, "sum.js": "export function sum(a, b) {\n  return b + a;\n}\n"})
    claim(repo, "file:sum.js")
    return repo.verify()


def _settings(repo: Repository, before: str, after: str) -> Ended:
    python_project(repo, {"pyproject.toml": before}, order=("code:diff", "code:integrity"), rules=INTACT)
    repo.write({**ADDED, "pyproject.toml": after})
    claim(repo, "file:calc.py")
    return repo.verify()
