"""The time that the cells of changed tests take, against running the changed test files three times.

    .venv/bin/python tests/bench/cells.py [RUNNER...]

For each runner a project of FILES test files with TESTS tests each, every test of PAUSE seconds. The change edits the
code, and one test of each of CHANGED files. Two changes are timed:

    kept      the old form passes on the new code as well: nothing is decided by the cells
    followed  every edited test expects what the new code does: the class counts, so all cells run again

Printed: the seconds of three runs of the changed files by the runner itself (three times the best of three), those of
`code:counterfactual` as run.json records them (sandbox, checkouts and all cells), and their ratio; for compiled
languages the seconds of two builds, which come on top of the three runs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import npm_tools
from lean_environment import lean_environment, lean_python
from repositories import Repository

FILES, CHANGED, TESTS, PAUSE = 20, 3, 10, 0.03
GOAL = 1.3
PLAN = ("code:diff", "code:counterfactual")
PYTHON = "def total(a, b):\n    return a + b\n"
JAVASCRIPT = "exports.total = (a, b) => a + b;\n"
GO = "package shop\n\nfunc Total(a, b int) int {\n\treturn a + b\n}\n"
RUST = "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n"


@dataclass(frozen=True)
class Runner:
    """How a project of this runner looks, and how its runner is called for some files.

    ``write`` makes a test file of its number and the value that its first test expects.
    """

    code: tuple[str, str]
    more: Mapping[str, str]
    name: Callable[[int], str]
    write: Callable[[int, int], str]
    call: Callable[[Sequence[str]], list[str]]
    modules: Callable[[], Path] | None = None
    build: tuple[str, ...] = ()


def main() -> None:
    """Time the named runners, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runners", nargs="*", metavar="RUNNER")
    options = parser.parse_args()
    print(f"{'runner':10} {'change':9} {'3 runs':>8} {'2 builds':>9} {'cells':>8} {'ratio':>6}")
    for name, runner in RUNNERS.items():
        if options.runners and name not in options.runners:
            continue
        for kind in ("kept", "followed"):
            own, built, cells = measure(runner, kind)
            ratio = cells / (own + built)
            mark = "" if ratio <= GOAL else f"  above {GOAL}"
            print(f"{name:10} {kind:9} {own:8.2f} {built:9.2f} {cells:8.2f} {ratio:6.2f}{mark}", flush=True)


def measure(runner: Runner, kind: str) -> tuple[float, float, float]:
    """Return the seconds of three runs of the changed files, of two builds, and of the capability."""
    with tempfile.TemporaryDirectory(prefix="cells-") as scratch:
        repository = Repository.make(Path(scratch))
        repository.environ["VIRTUAL_ENV"] = str(lean_environment())
        repository.policy(PLAN, {"integrity": True}, type_="code")
        path, code = runner.code
        tests = {runner.name(number): runner.write(number, 3) for number in range(FILES)}
        repository.commit({path: code, ".gitignore": "node_modules\ntarget\n__pycache__\n", **runner.more, **tests})
        if runner.modules is not None:
            (repository.root / "node_modules").symlink_to(runner.modules())
        changed = {runner.name(number): runner.write(number, 3 if kind == "kept" else 4) for number in range(CHANGED)}
        if kind == "kept":
            changed = {name: text.replace("1, 2", "2, 1", 1) for name, text in changed.items()}
        new = code.replace("a + b", "b + a" if kind == "kept" else "a + b + 1")
        repository.commit({path: new, **changed})
        built = time_build(runner, repository) * 2 if runner.build else 0.0
        own = min(time_call(runner.call(sorted(changed)), repository) for _ in range(3)) * 3
        repository.gate("verify", "--ref", "HEAD", "--base", "HEAD^", "--json", "--quiet", timeout=600)
        record = json.loads(repository.artifact("run.json", "implicit").read_bytes())
        classes = json.loads(repository.artifact("counterfactual.json", "implicit").read_bytes())["counts"]
        if classes != {kind: CHANGED}:
            raise SystemExit(f"the classes are {classes}, not {kind}")
        (run,) = [item for item in record["invocations"] if item["capability"] == "code:counterfactual"]
        return own, built, float(run["outcome"]["duration_s"])


def time_build(runner: Runner, repository: Repository) -> float:
    """Return the seconds of a build from nothing."""
    return time_call(list(runner.build), repository)


def time_call(argv: Sequence[str], repository: Repository) -> float:
    """Return the seconds of a command in the repository, whose tests may fail."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    started = time.perf_counter()
    subprocess.run(argv, cwd=repository.root, env=environ, capture_output=True, check=False)
    return time.perf_counter() - started


PYTEST_TEST = Template("\n\ndef test_${file}_$number():\n    time.sleep($pause)\n    assert shop.total(1, 2) $check\n")
UNITTEST_TEST = Template(
    "\n    def test_${file}_$number(self):\n        time.sleep($pause)\n"
    "        self.assertTrue(shop.total(1, 2) $check)\n"
)
JAVASCRIPT_TEST = Template(
    "test('adds $file $number.', async () => {\n  await new Promise((done) => setTimeout(done, $ms));\n"
    "  if (!(shop.total(1, 2) $check)) throw new Error('no');\n});\n"
)
GO_TEST = Template(
    "\nfunc TestF${file}x$number(t *testing.T) {\n\ttime.Sleep($ms * time.Millisecond)\n"
    "\tif !(Total(1, 2) $check) {\n\t\tt.Fail()\n\t}\n}\n"
)
RUST_TEST = Template(
    "\n#[test]\nfn f${file}_$number() {\n    std::thread::sleep(std::time::Duration::from_millis($ms));\n"
    "    assert!(shop::total(1, 2) $check);\n}\n"
)


def write_with(head: str, test: Template) -> Callable[[int, int], str]:
    """Make a function that writes a test file of its number; its first test expects a value exactly."""

    def write(file: int, expected: int) -> str:
        values = {"file": file, "pause": PAUSE, "ms": f"{PAUSE * 1000:g}"}
        checks = [f"== {expected}", *[">= 3"] * (TESTS - 1)]
        return head + "".join(test.substitute(values, number=n, check=check) for n, check in enumerate(checks))

    return write


def package(script: str) -> dict[str, str]:
    """A package.json with this test script."""
    return {
        "package.json": json.dumps({"scripts": {"test": script}, "devDependencies": {script.split(maxsplit=1)[0]: "*"}})
    }


def in_modules(program: str, *options: str) -> Callable[[Sequence[str]], list[str]]:
    """Call a program of node_modules."""
    return lambda files: [f"node_modules/.bin/{program}", *options, *files]


SHOP = "const shop = require('./shop.js');\n"
RUNNERS: Mapping[str, Runner] = {
    "pytest": Runner(
        ("shop.py", PYTHON),
        {"pyproject.toml": "[tool.pytest.ini_options]\n"},
        lambda number: f"test_{number}.py",
        write_with("import time\n\nimport shop\n", PYTEST_TEST),
        lambda files: [lean_python(), "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
    ),
    "unittest": Runner(
        ("shop.py", PYTHON),
        {},
        lambda number: f"test_{number}.py",
        write_with("import time\nimport unittest\n\nimport shop\n\n\nclass T(unittest.TestCase):", UNITTEST_TEST),
        lambda files: [lean_python(), "-m", "unittest", *(file.removesuffix(".py") for file in files)],
    ),
    "node": Runner(
        ("shop.js", JAVASCRIPT),
        package("node --test"),
        lambda number: f"f{number}.test.js",
        write_with(f"const test = require('node:test');\n{SHOP}", JAVASCRIPT_TEST),
        lambda files: ["node", "--test", *files],
    ),
    "jest": Runner(
        ("shop.js", JAVASCRIPT),
        package("jest"),
        lambda number: f"f{number}.test.js",
        write_with(SHOP, JAVASCRIPT_TEST),
        in_modules("jest"),
        npm_tools.node_modules,
    ),
    "vitest": Runner(
        ("shop.js", JAVASCRIPT),
        package("vitest run"),
        lambda number: f"f{number}.test.js",
        write_with("import { test } from 'vitest';\nimport shop from './shop.js';\n", JAVASCRIPT_TEST),
        in_modules("vitest", "run"),
        npm_tools.node_modules,
    ),
    "mocha": Runner(
        ("shop.js", JAVASCRIPT),
        package("mocha '*.test.js'"),
        lambda number: f"f{number}.test.js",
        write_with(f"{SHOP}const test = it;\n", JAVASCRIPT_TEST),
        in_modules("mocha"),
        npm_tools.runners,
    ),
    "go": Runner(
        ("shop.go", GO),
        {"go.mod": "module example.com/shop\n\ngo 1.19\n"},
        lambda number: f"f{number}_test.go",
        write_with('package shop\n\nimport (\n\t"testing"\n\t"time"\n)\n', GO_TEST),
        lambda files: [
            *("go", "test", "-count=1", "-run"),
            "|".join(f"TestF{file.removesuffix('_test.go')[1:]}x" for file in files),
            ".",
        ],
        build=("go", "test", "-a", "-run", "^$", "."),
    ),
    "cargo": Runner(
        ("src/lib.rs", RUST),
        {"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'},
        lambda number: f"tests/f{number}.rs",
        write_with("", RUST_TEST),
        lambda files: ["cargo", "test", "--offline", *(word for file in files for word in ("--test", Path(file).stem))],
        build=("cargo", "test", "--offline", "--no-run"),
    ),
}

if __name__ == "__main__":
    main()
