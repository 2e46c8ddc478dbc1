"""Select pytest's test files by a change: pytest itself says which there are."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from code_adapter.environment import TOOL_TIMEOUT_S
from code_adapter.python_programs import module_command
from code_adapter.testing.impact.change import Change, Selected, WholeSuiteError
from code_adapter.testing.impact.python_users import PythonUsers
from code_adapter.testing.python_tests import PythonTests
from verigate.sdk import run_tool

_COUNTED = re.compile(r"(.+\.py): \d+")
"""How pytest lists files where it is asked to be very quiet: ``tests/test_cart.py: 3``."""

_LONGEST = 1 << 20
"""Characters of arguments; Linux takes twice as many."""

_SETTINGS = frozenset(
    {"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml"}
)


def select_pytest(tests: PythonTests, change: Change, private: Path) -> Selected:
    """Select the files of ``tests`` that the change can affect. Raises WholeSuiteError if that may be any."""
    prefix = f"{tests.folder}/" if tests.folder else ""
    known = frozenset(prefix + name for name in list_test_files(tests, private))
    if outside := next(change.list_outside(tests.folder), None):
        raise WholeSuiteError(f"{outside} changed, outside of the project")
    # A conftest.py may list fewer files than it runs: what looks like a test and isn't listed is asked for as well.
    chosen = PythonUsers(change, tests.folder, known | frozenset(tests.project.tests)).choose()
    if unlisted := next(iter(sorted(chosen - known)), None):
        raise WholeSuiteError(f"{unlisted} names what changed, and pytest doesn't list it")
    if inner := _find_inner_settings(tests, chosen):
        raise WholeSuiteError(f"{inner} would count if single files ran")
    return Selected("pytest", tests.folder, "files", len(chosen), len(known), paths=chosen, suffixes=(".py",))


def make_file_arguments(selected: Selected) -> tuple[str, ...]:
    """Make pytest's arguments for the selected files. Raises WholeSuiteError for names that it would read otherwise."""
    prefix = f"{selected.folder}/" if selected.folder else ""
    names = tuple(sorted(path.removeprefix(prefix) for path in selected.paths or ()))
    if odd := next((name for name in names if name.startswith("-") or "::" in name or "[" in name), None):
        raise WholeSuiteError(f"pytest can't be given {odd} alone")
    if sum(map(len, names)) > _LONGEST:
        raise WholeSuiteError("too many files are concerned to name each")
    return names


def list_test_files(tests: PythonTests, private: Path) -> frozenset[str]:
    """List the files in which pytest finds tests, relative to the project."""
    argv = [
        *module_command(tests.python.executable, "pytest", then=tests.doctests.then),
        *("--collect-only", "--verbosity=-2", "--color=no", "-o", f"cache_dir={private / 'cache'}"),
        *(["--no-cov"] if "pytest_cov" in tests.python.modules else []),
        *(["-n0"] if "xdist" in tests.python.modules else []),
        *(*tests.doctests.options, *tests.doctests.where),
    ]
    env = tests.make_environ(COVERAGE_FILE=str(private / "coverage-data"))
    run = run_tool(argv, cwd=tests.cwd, timeout_s=TOOL_TIMEOUT_S, env=env)
    lines = run.stdout.decode("utf-8", "surrogateescape").splitlines()
    found = {match[1] for line in lines if (match := _COUNTED.fullmatch(line.strip()))}
    if run.exit_code != 0 or run.truncated or not found:
        raise WholeSuiteError("pytest didn't list its test files")
    prefix = f"{tests.folder}/" if tests.folder else ""
    if strange := next((name for name in sorted(found) if prefix + name not in tests.files.known), None):
        raise WholeSuiteError(f"pytest found tests in {strange}, which isn't a file of the project")
    return frozenset(found)


def _find_inner_settings(tests: PythonTests, chosen: frozenset[str]) -> str | None:
    """Find settings below the project that pytest would take for its own if it was given ``chosen`` alone."""
    above = {str(parent) for path in chosen for parent in PurePosixPath(path).parents}
    inner = (path for path in tests.files.below(tests.folder) if PurePosixPath(path).name in _SETTINGS)
    own = tests.folder or "."
    return next((path for path in inner if str(PurePosixPath(path).parent) in above - {own}), None)
