"""The cells of QuixBugs: 40 small programs with one bug each, its correction, and tests.

    .venv/bin/python tests/bench/quixbugs.py REPO [NAME...]

REPO is a clone of https://github.com/jkoppel/QuixBugs, which may be bare. Nothing of it is part of this project.

Of each program two changes are made, and the class of every test is printed:

    fixed    base has the bug and no test; the change corrects it and adds the test: at least one test is proven
    greened  base has the bug and its test; the change makes each test return at once: every failing test is greened

QuixBugs tells its tests by an option which version to import; here they import the only one there is. Tests that
QuixBugs itself marks as slow stay skipped. What pytest reports of a whole table is one test.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from lean_environment import lean_environment
from repositories import Repository

CHOICE = re.compile(
    r"if pytest\.use_correct:\n    from correct_python_programs\.\w+ import [^\n]*\nelse:\n    (from [^\n]*)\n"
)
FUNCTION = re.compile(r"^def test\w*\(.*\):\n", re.MULTILINE)
SETTINGS = "[tool.pytest.ini_options]\npythonpath = ['.', 'python_testcases']\n"
CONFTEST = (
    "import pytest\n\n\ndef pytest_configure(config):\n    pytest.use_correct = False\n    pytest.run_slow = False\n"
)
PLAN = ("code:diff", "code:counterfactual")


def main() -> None:
    """Run the named programs, or all that have tests, and print what the cells say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    paths = git(options.repo, "ls-tree", "-r", "--name-only", "HEAD").split("\n")
    tests = {Path(path).stem.removeprefix("test_"): path for path in paths if path.startswith("python_testcases/test_")}
    right = Counter[str]()
    names = [name for name in tests if not options.names or name in options.names]
    for name in names:
        files = read_files(options.repo, name, paths)
        for kind in ("fixed", "greened"):
            started = time.perf_counter()
            classes = run(kind, name, files)
            fits = is_right(kind, classes)
            right[kind] += fits
            seconds = time.perf_counter() - started
            print(
                f"{name:28} {kind:8} {'right' if fits else 'WRONG'} {seconds:6.1f} s  {describe(classes)}", flush=True
            )
    for kind, number in sorted(right.items()):
        print(f"{kind}: {number} of {len(names)}")


def git(repo: Path, *arguments: str) -> str:
    """Run git in a clone, bare or not."""
    return subprocess.run(["git", "-C", str(repo), *arguments], check=True, capture_output=True, text=True).stdout


def read_files(repo: Path, name: str, paths: Sequence[str]) -> dict[str, str]:
    """Read what the tests of a program need: the program in both versions, its tests and data, by path."""
    wanted = [
        *(
            f"{folder}/{module}.py"
            for folder in ("python_programs", "correct_python_programs")
            for module in (name, "node")
        ),
        *(f"json_testcases/{name}.json", "python_testcases/load_testdata.py", "python_testcases/node.py"),
        f"python_testcases/test_{name}.py",
    ]
    return {path: git(repo, "show", f"HEAD:{path}") for path in wanted if path in paths}


def run(kind: str, name: str, files: Mapping[str, str]) -> Mapping[str, str]:
    """Make base and change, run the capability, and return the class of each test."""
    test = f"python_testcases/test_{name}.py"
    program, correct = f"python_programs/{name}.py", f"correct_python_programs/{name}.py"
    base = {path: text for path, text in files.items() if not path.startswith("correct_")}
    base |= {"pyproject.toml": SETTINGS, "conftest.py": CONFTEST, test: CHOICE.sub(r"\1\n", files[test])}
    change: dict[str, str | None]
    if kind == "fixed":
        change = {program: files[correct], test: base.pop(test)}
    else:
        change = {test: FUNCTION.sub(r"\g<0>    return\n", base[test])}
    with tempfile.TemporaryDirectory(prefix="quixbugs-") as scratch:
        repository = Repository.make(Path(scratch))
        repository.policy(PLAN, {"integrity": True}, type_="code")
        repository.commit(base)
        repository.commit(change)
        repository.environ["VIRTUAL_ENV"] = str(lean_environment())
        repository.gate("verify", "--ref", "HEAD", "--base", "HEAD^", "--json", "--quiet", timeout=900)
        found = json.loads(repository.artifact("counterfactual.json", "implicit").read_bytes())
    return {entry["test"]: f"{entry['class']} {'/'.join(entry['cells'].values())}" for entry in found["tests"]}


def is_right(kind: str, classes: Mapping[str, str]) -> bool:
    """Whether the classes are what is true of the change."""
    found = {text.partition(" ")[0] for text in classes.values()}
    if kind == "fixed":
        return "proven" in found and found <= {"proven", "unproven", "not_run"}
    return "greened" in found and found <= {"greened", "kept", "not_run"}


def describe(classes: Mapping[str, str]) -> str:
    """Format the classes of the tests, with their cells."""
    return ", ".join(f"{test}: {text}" for test, text in classes.items())


if __name__ == "__main__":
    main()
