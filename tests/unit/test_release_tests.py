"""Tests that are left for a release: a whole run leaves them out in all its processes, and says how many."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import release_tests

pytestmark = pytest.mark.slow

CONFTEST = f"""\
import sys
sys.path.insert(0, {str(Path(release_tests.__file__).parent)!r})
import release_tests
pytest_addoption = release_tests.add_option
pytest_configure = release_tests.register
pytest_collection_modifyitems = release_tests.leave_out
"""
TESTS = """\
import pytest
from release_tests import left_for_a_release, some_always

@pytest.mark.parametrize("case", some_always(["a", "b", "c", "d"], str, lambda case: case in "ab", one_in=1000))
def test_cases(case):
    pass

@pytest.mark.parametrize("case", ["e", *left_for_a_release("f")])
def test_others(case):
    pass
"""


MARKERS = "".join(f"\n    {name}" for name in ("release", "slow", "every_case", "usual"))
MANY = """import pytest

pytestmark = [pytest.mark.{mark}]

@pytest.mark.parametrize("case", range({cases}))
def test_many(case):
    pass
"""


def run(folder: Path, files: dict[str, str], arguments: tuple[str, ...]) -> int:
    """How many tests pass."""
    files = {"tests/conftest.py": CONFTEST, **files}
    files["pytest.ini"] = f"[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\nmarkers ={MARKERS}\n"
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    argv = (sys.executable, "-m", "pytest", "-q", "-p", "xdist", *arguments)
    done = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"(\d+) passed", done.stdout)
    assert found is not None, done.stdout
    return int(found[1])


@pytest.mark.parametrize(
    ("folder", "mark", "least", "most"),
    [
        ("integration", "usual", 4, 20),
        ("unit", "slow", 4, 20),
        ("unit", "usual", 40, 40),
        ("integration", "every_case", 40, 40),
    ],
)
def test_a_quarter_of_the_cases_of_a_slow_test(tmp_path: Path, folder: str, mark: str, least: int, most: int) -> None:
    files = {f"tests/{folder}/test_them.py": MANY.format(cases=40, mark=mark)}
    assert least <= run(tmp_path, files, ()) <= most
    assert run(tmp_path, files, ("--release",)) == 40
    assert run(tmp_path, files, (f"tests/{folder}",)) == 40


def test_two_cases_always_run(tmp_path: Path) -> None:
    assert run(tmp_path, {"tests/integration/test_them.py": MANY.format(cases=2, mark="slow")}, ()) == 2


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
@pytest.mark.parametrize(
    ("arguments", "passed"), [((), 3), (("--release",), 6), (("tests/test_them.py",), 6), (("-k", "cases"), 2)]
)
def test_what_a_run_leaves_out(
    tmp_path: Path, arguments: tuple[str, ...], workers: tuple[str, ...], passed: int
) -> None:
    assert run(tmp_path, {"tests/test_them.py": TESTS}, (*workers, *arguments)) == passed
