"""Measure whether tests by impact leave out a test that a change breaks, on a repository of others.

    .venv/bin/python tests/bench/impact.py --python PYTHON [--files N] CLONE

CLONE is a working tree whose tests run with PYTHON (``-m pytest``), which has pytest and what they need. In each of N
product files, chosen by the digest of their paths, all functions are made to raise, one file at a time. The
whole suite runs, and the test files that then have more failures than before are compared with those that the gate
would choose. Printed are, for each file, how many were chosen, of how many, how many broke, and which of these were
missed. The clone is left as it was.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "adapters" / "code" / "src"))
from code_adapter.subject_files import SubjectFiles  # noqa: E402 - the line above makes it known
from code_adapter.testing.impact.change import Change, WholeSuiteError  # noqa: E402 - the same
from code_adapter.testing.impact.python_users import PythonUsers  # noqa: E402 - the same
from code_adapter.testing.python_projects import TEST_FILE  # noqa: E402 - the same

COUNTED = re.compile(r"(.+\.py): \d+")


def main() -> None:
    """Break file after file and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, metavar="CLONE")
    parser.add_argument("--python", required=True)
    parser.add_argument("--files", type=int, default=20)
    asked = parser.parse_args()
    clone = asked.clone.resolve()
    paths = run("git", "-C", str(clone), "ls-files").split("\n")[:-1]
    tests = list_test_files(asked.python, clone)
    before = count_failures(asked.python, clone, tests)
    if len(before) > len(tests) // 10:
        raise SystemExit(f"{len(before)} of {len(tests)} test files fail as it is: nothing can be said")
    missed = broke = chosen_all = whole = 0
    for path in choose_files(paths, asked.files):
        change = Change(SubjectFiles(clone, tuple(paths)), frozenset({path}))
        try:
            chosen = PythonUsers(change, "", tests).choose()
        except WholeSuiteError as error:
            whole += 1
            print(f"{path}: all, {error}")
            continue
        content = (clone / path).read_text()
        (clone / path).write_text(break_functions(content))
        try:
            after = count_failures(asked.python, clone, tests)
        finally:
            (clone / path).write_text(content)
        broken = {name for name, number in after.items() if number > before[name]}
        left = sorted(broken - chosen)
        missed, broke, chosen_all = missed + len(left), broke + len(broken), chosen_all + len(chosen)
        names = f", MISSED {' '.join(left)}" if left else ""
        print(f"{path}: {len(chosen)} of {len(tests)} chosen, {len(broken)} broke{names}", flush=True)
    looked = asked.files - whole
    print(f"{clone.name}: {looked} changes, {broke} broken test files, {missed} missed; ", end="")
    print(f"{chosen_all / max(1, looked * len(tests)):.0%} of the test files chosen; {whole} changes run all")


def choose_files(paths: list[str], number: int) -> list[str]:
    """Choose product files with functions, by the digest of their paths."""
    kept = [
        path
        for path in paths
        if path.endswith(".py") and not TEST_FILE.search(path) and not re.match(r"(?:tests?|docs?|examples?)/", path)
    ]
    return sorted(kept, key=lambda path: hashlib.sha256(path.encode()).hexdigest())[:number]


def break_functions(source: str) -> str:
    """Make each function of the module raise, and the module as well if it has none."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in functions:
        node.body = [ast.parse("raise RuntimeError('broken')").body[0]]
    if not functions:
        tree.body.append(ast.parse("raise RuntimeError('broken')").body[0])
    return ast.unparse(tree)


def list_test_files(python: str, clone: Path) -> frozenset[str]:
    """List the files in which pytest finds tests."""
    printed = run(python, "-m", "pytest", "--collect-only", "--verbosity=-2", "--color=no", cwd=clone)
    return frozenset(match[1] for line in printed.splitlines() if (match := COUNTED.fullmatch(line.strip())))


def count_failures(python: str, clone: Path, tests: frozenset[str]) -> Counter[str]:
    """Run all tests, and count the failures of each file; one that can't be imported has one."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        options = ("--continue-on-collection-errors", "-o", "junit_family=xunit1", f"--junitxml={report}")
        run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, cwd=clone)
        if not report.exists():
            # Nothing could start, as where a conftest.py can't be imported.
            return Counter(dict.fromkeys(tests, 10**6))
        cases = ET.parse(report).iter("testcase")  # noqa: S314 - written by the run above, of a repository that is run
        return Counter(
            case.get("file") or f"{(case.get('name') or '').replace('.', '/')}.py"
            for case in cases
            if case.find("failure") is not None or case.find("error") is not None
        )


def run(*argv: str, cwd: Path | None = None) -> str:
    """Run a program, however it ends, and return what it printed."""
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False, timeout=900)
    return done.stdout


if __name__ == "__main__":
    main()
