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


MANY = """import pytest

@pytest.mark.parametrize("case", range({cases}))
def test_many(case):
    pass
"""


def run(folder: Path, files: dict[str, str], arguments: tuple[str, ...]) -> int:
    """How many tests pass."""
    files = {"tests/conftest.py": CONFTEST, **files}
    files["pytest.ini"] = "[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\nmarkers = release\n"
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


@pytest.mark.parametrize(("cases", "least", "most"), [(3, 3, 3), (40, 10, 30)])
def test_half_of_many_cases_of_the_slow_folder(tmp_path: Path, cases: int, least: int, most: int) -> None:
    files = {"tests/integration/test_them.py": MANY.format(cases=cases)}
    assert least <= run(tmp_path, files, ()) <= most
    assert run(tmp_path, files, ("--release",)) == cases
    assert run(tmp_path, {"tests/unit/test_them.py": MANY.format(cases=cases)}, ("tests/unit",)) == cases


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
@pytest.mark.parametrize(
    ("arguments", "passed"), [((), 3), (("--release",), 6), (("tests/test_them.py",), 6), (("-k", "cases"), 2)]
)
def test_what_a_run_leaves_out(
    tmp_path: Path, arguments: tuple[str, ...], workers: tuple[str, ...], passed: int
) -> None:
    assert run(tmp_path, {"tests/test_them.py": TESTS}, (*workers, *arguments)) == passed
