"""The small projects that the twins start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lean_environment import lean_environment, make_environment, site_packages
from repositories import Content, Repository

CALC = "def double(n):\n    return 2 * n\n"
TEST_CALC = "from calc import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
COVERAGE_RUN = '[tool.coverage.run]\nsource = ["."]\n'
PYPROJECT = f"""[project]
name = "calc"
version = "1"

{COVERAGE_RUN}
[tool.pytest.ini_options]
pythonpath = ["."]
"""
PYTHON: Mapping[str, Content] = {
    "calc.py": CALC,
    "tests/test_calc.py": TEST_CALC,
    "pyproject.toml": PYPROJECT,
    ".gitignore": ".venv/\n__pycache__/\n",
}

TRIPLE = CALC + "\n\ndef triple(n):\n    return 3 * n\n"
TEST_TRIPLE = "from calc import triple\n\n\ndef test_triple():\n    assert triple(2) == 6\n"
TEST_TRIPLE_FAILS = TEST_TRIPLE.replace("== 6", "== 7")
ADDED: Mapping[str, Content] = {"calc.py": TRIPLE, "tests/test_triple.py": TEST_TRIPLE}
UNITS = ("func:triple", "file:calc.py", "file:tests/test_triple.py")

DIFF_AND_TESTS = ("code:diff", "code:tests")
JUDGED_BY_TESTS = {"tests_pass": True, "tests_min": 1}
INTACT = {"integrity": True}

SUM_JS = "export function sum(a, b) {\n  return a + b;\n}\n"
TEST_SUM_JS = (
    'import assert from "node:assert";\nimport { test } from "node:test";\nimport { sum } from "../sum.js";\n\n'
    'test("adds", () => {\n  assert.strictEqual(sum(1, 2), 3);\n});\n'
)
PACKAGE = '{"name": "sums", "version": "1.0.0", "type": "module", "scripts": {"test": "node --test"}}\n'
JAVASCRIPT: Mapping[str, Content] = {"sum.js": SUM_JS, "test/sum.test.js": TEST_SUM_JS, "package.json": PACKAGE}


def python_project(
    repo: Repository,
    files: Mapping[str, Content] | None = None,
    *,
    order: Sequence[str] = DIFF_AND_TESTS,
    rules: Mapping[str, Any] = JUDGED_BY_TESTS,
    own_tools: bool = True,
    mutants_s: float = 0,
) -> None:
    """Commit the sample with a task type ``change`` that runs ``order`` and holds it to ``rules``; begin task T1.

    Without ``own_tools`` the project has no environment, and its tests run with what the machine has. ``mutants_s`` are
    the seconds for mutants of its code.
    """
    if own_tools:
        environment(repo)
    repo.policy(order, rules, mutants_s=mutants_s)
    repo.commit({**PYTHON, **(files or {})})
    repo.task(type_="change")


def shipped_project(repo: Repository, files: Mapping[str, Content] | None = None, **task: Any) -> None:
    """Commit the sample as it is, so that what ships judges it; begin task T1 of type ``code``."""
    environment(repo)
    repo.commit({**PYTHON, **(files or {})})
    repo.task(**task)


def javascript_project(repo: Repository, files: Mapping[str, Content] | None = None) -> None:
    """Commit the JavaScript sample, to be judged by its tests; begin task T1."""
    repo.policy(DIFF_AND_TESTS, JUDGED_BY_TESTS)
    repo.commit({**JAVASCRIPT, **(files or {})})
    repo.task(type_="change")


def claim(repo: Repository, *units: str, **fields: Any) -> None:
    """Claim ``units`` of the task type ``change``."""
    repo.claim(*units, type_="change", **fields)


def environment(repo: Repository) -> None:
    """A virtual environment of the project with pytest, coverage and ruff, which git is told to leave alone."""
    repo.write({".git/info/exclude": ".venv/\n"})
    make_environment(repo.root / ".venv")
    site_packages(repo.root / ".venv").symlink_to(site_packages(lean_environment()))
