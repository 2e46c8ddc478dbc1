"""Lies to the linter, the coverage tool and the build, and the task types that ship as a whole."""

from __future__ import annotations

from lean_environment import lean_environment, site_packages
from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import (
    ADDED,
    CALC,
    COVERAGE_RUN,
    PYPROJECT,
    TEST_TRIPLE_FAILS,
    TRIPLE,
    UNITS,
    claim,
    python_project,
    shipped_project,
)

LANGUAGE = "Python"

LINT = ("code:diff", "code:lint")
NO_ERRORS = {"lint_errors_max": 0}
COVERAGE = ("code:diff", "code:tests", "code:coverage")
COVERED = {"coverage_min": 0.8}


@pair(1, "LINT_FAIL", "code.lint_errors_max")
def an_error_that_the_linter_finds(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=LINT, rules=NO_ERRORS)
    repo.write({"calc.py": TRIPLE.replace("3 * n", "3 * m" if lie else "n * 3")})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "LINT_FAIL", "code.lint_errors_max")
def a_ruff_of_the_subjects_own(repo: Repository, lie: bool) -> Ended:
    """Where the environment has ruff as a module only, ``python -m ruff`` looks in the working directory first."""
    python_project(repo, order=LINT, rules=NO_ERRORS)
    (repo.root / ".venv/bin/ruff").unlink()
    place = site_packages(repo.root / ".venv")
    place.unlink()
    place.mkdir()
    (place / "elsewhere.pth").write_text(f"{site_packages(lean_environment())}\n")
    answers = '{"--version": "ruff 99.0", "--show-files": "calc.py"}'
    impostor = f'import sys\n\nprint(next((text for word, text in {answers}.items() if word in sys.argv), "[]"))\n'
    repo.write({"calc.py": TRIPLE.replace("3 * n", "3 * m" if lie else "n * 3"), "ruff.py": impostor})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "LINT_EMPTY", "code.lint_errors_max")
def the_linter_looks_at_nothing(repo: Repository, lie: bool) -> Ended:
    settings = f'{PYPROJECT}\n[tool.ruff]\nextend-exclude = ["{"*.py" if lie else "docs"}"]\n'
    python_project(repo, {"pyproject.toml": settings}, order=LINT, rules=NO_ERRORS)
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", "capability:code:lint")
def a_linter_that_crashes(repo: Repository, lie: bool) -> Ended:
    """The project's own ruff, in its own environment, dies; that is no clean result."""
    python_project(repo, order=LINT, rules=NO_ERRORS)
    if lie:
        repo.write({".venv/bin/ruff": "#!/bin/sh\necho 'panicked at src/main.rs' >&2\nkill -ABRT $$\n"})
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", "capability:code:lint")
def a_linter_that_says_nothing_and_exits_0(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=LINT, rules=NO_ERRORS)
    if lie:
        repo.write({".venv/bin/ruff": "#!/bin/sh\nexit 0\n"})
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", "capability:code:lint")
def settings_that_the_linter_cannot_read(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=LINT, rules=NO_ERRORS)
    repo.write({"calc.py": TRIPLE, "ruff.toml": "line-length = [\n" if lie else "line-length = 99\n"})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "COVERAGE_FAIL", "code.coverage_min")
def coverage_measured_on_nothing(repo: Repository, lie: bool) -> Ended:
    omit = f'{COVERAGE_RUN}omit = ["{"*" if lie else "docs/*"}"]\n'
    settings = PYPROJECT.replace(COVERAGE_RUN, omit)
    python_project(repo, {"pyproject.toml": settings}, order=COVERAGE, rules=COVERED)
    repo.write(ADDED)
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "COVERAGE_FAIL", "code.coverage_min")
def code_that_no_test_reaches(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=COVERAGE, rules=COVERED)
    unreached = "".join(f"    n += {number}\n" for number in range(40))
    more = f"\n\ndef other(n):\n{unreached}    return n\n" if lie else ""
    repo.write({**ADDED, "calc.py": TRIPLE + more})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "BUILD_FAIL", "code.build_success")
def a_module_that_does_not_compile(repo: Repository, lie: bool) -> Ended:
    """No test imports it, so that the tests don't notice."""
    without = {"pyproject.toml": None, ".artifacts/T1/commitment.json": None}
    python_project(repo, order=("code:diff", "code:build"), rules={"build_success": True})
    repo.commit(without)
    repo.task(type_="change")
    repo.write({"calc.py": TRIPLE, "other.py": "def other(:\n" if lie else "def other():\n    return 1\n"})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def the_shipped_type_with_tests_that_fail(repo: Repository, lie: bool) -> Ended:
    shipped_project(repo)
    repo.write({**ADDED, **({"tests/test_triple.py": TEST_TRIPLE_FAILS} if lie else {})})
    repo.claim(*UNITS)
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "unit:func:triple")
def the_shipped_type_with_a_function_that_is_not_there(repo: Repository, lie: bool) -> Ended:
    shipped_project(repo)
    repo.write({**ADDED, **({"calc.py": f"{CALC}\n\ntriple = 3.0.__mul__\n"} if lie else {})})
    repo.claim(*UNITS)
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "code.reject_unclaimed_changes")
def the_shipped_strict_profile_with_more_than_claimed(repo: Repository, lie: bool) -> Ended:
    shipped_project(repo, profile="code_strict")
    repo.write({**ADDED, **({"notes.txt": "a file that nobody claimed\n"} if lie else {})})
    repo.claim(*UNITS)
    return repo.verify()
