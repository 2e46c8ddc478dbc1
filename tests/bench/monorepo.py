"""Print what ``gate verify --affected`` takes in a monorepo of 300 packages, where few files change.

    .venv/bin/python tests/bench/monorepo.py [--files N,N,N] [--changed N,N] [--rounds N] [--folder DIR] [--all]

For each number of files a repository is made in DIR (default: /dev/shm) and deleted after: an npm workspace of
300 packages whose tests node runs, in chains of ten, and as many files of code as are wanted. In each round one file
changes in the last package of as many chains as files are to change (default: 1, at most 30), which affects no other
package. Printed are the medians of the seconds of the whole call, of each stage and capability, as ``--profile-run``
records them, and of a bare ``git status``; with --all also those of a run of all tests, in one round.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGES, CHAIN = 300, 10
GATE = (sys.executable, "-I", "-m", "verigate")
CAPABILITIES = ("code:diff", "code:tests")
PLAN = {"code": {"order": [*CAPABILITIES], "required": [*CAPABILITIES], "optional": []}}
STAGES = ("start", "prepare", "run", *CAPABILITIES, "decide and publish", "report")


class Monorepo:
    """A repository of ``files`` files in ``folder``, with a HOME of its own."""

    def __init__(self, folder: Path, files: int) -> None:
        self.root, self.home = folder / "repository", folder / "home"
        self.home.mkdir()
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GATE_", "CI"))}
        self.environ = {**kept, "HOME": str(self.home), "TMPDIR": str(folder), "GIT_CONFIG_GLOBAL": "/dev/null"}
        made = self._write_packages()
        for number in range(files - made):
            self._write(f"{name(number % PACKAGES)}/src/part{number // PACKAGES}.js", f"exports.part = {number};\n")
        self._git("init", "--quiet")
        self._git("add", "--all")
        self._git("-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "base")

    def verify(self, changed: int, *options: str) -> dict[str, float]:
        """Change a file in ``changed`` packages, verify, and return the seconds of each stage, the call and git."""
        for chain in range(changed):
            self._write(f"{name(PACKAGES - 1 - chain * CHAIN)}/index.js", f"exports.value = {time.time_ns()};\n")
        asked = time.perf_counter()
        self._git("status", "--short")
        status = time.perf_counter() - asked
        trace = self.home / "trace.json"
        started, before = time.perf_counter(), measure_children()
        done = subprocess.run(
            (*GATE, "verify", "--quiet", "--profile-run", str(trace), *options),
            cwd=self.root,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds, processor = time.perf_counter() - started, measure_children() - before
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)
        events = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
        return {
            "git status": status,
            "all": seconds,
            "processor": processor,
            **{event["name"]: event["dur"] / 1e6 for event in events},
        }

    def count_tests(self) -> int:
        """The tests that the last verification ran."""
        return int(json.loads((self.root / ".artifacts/implicit/tests.json").read_text())["total"])

    def _write_packages(self) -> int:
        root = {"workspaces": ["packages/*"], "scripts": {"test": "npm test --workspaces"}}
        self._write("package.json", json.dumps(root))
        self._write("config/adapter-plan.json", json.dumps(PLAN))
        self._write("config/verification.profiles.json", json.dumps({"code_default": {"tests_pass": True}}))
        self._write(".gitignore", ".artifacts/\n")
        for number in range(PACKAGES):
            needs = {f"p{number - 1:03}": "*"} if number % CHAIN else {}
            manifest = {"name": f"p{number:03}", "scripts": {"test": "node --test"}, "dependencies": needs}
            self._write(f"{name(number)}/package.json", json.dumps(manifest))
            self._write(f"{name(number)}/index.js", "exports.value = 1;\n")
            test = f"const test = require('node:test');\ntest('p{number}', () => {{ require('../index.js'); }});\n"
            self._write(f"{name(number)}/test/it.test.js", test)
        return 4 + 3 * PACKAGES

    def _write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def _git(self, *arguments: str) -> None:
        subprocess.run(("git", *arguments), cwd=self.root, env=self.environ, check=True, capture_output=True)


def measure_children() -> float:
    """Return the processor time in seconds of all that this process has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def name(number: int) -> str:
    """The folder of a package."""
    return f"packages/p{number:03}"


def main() -> None:
    """Make each repository, and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", default="1000,10000,100000")
    parser.add_argument("--changed", default="1", help="how many files change, each in a package of its own")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm"))  # noqa: S108 - the memory
    parser.add_argument("--all", action="store_true", help="also run all tests")
    asked = parser.parse_args()
    print(
        f"{'files':>8} {'changed':>7} {'tests':>6} {'git status':>10} {'all':>7} {'processor':>9}  "
        + "  ".join(f"{stage:>{max(7, len(stage))}}" for stage in STAGES)
    )
    for files in map(int, asked.files.split(",")):
        with tempfile.TemporaryDirectory(dir=asked.folder, prefix="verigate-monorepo-") as folder:
            repository = Monorepo(Path(folder), files)
            for changed in map(int, asked.changed.split(",")):
                repository.verify(changed, "--affected")
                for options, rounds in ((("--affected",), asked.rounds), *(((), 1) for _ in range(asked.all))):
                    measured = [repository.verify(changed, *options) for _ in range(rounds)]
                    show(f"{files:>8,} {changed:>7} {repository.count_tests():>6}", measured)


def show(row: str, measured: list[dict[str, float]]) -> None:
    """Print the medians of ``measured`` after the numbers that name the row."""
    keys = ("git status", "all", "processor", *STAGES)
    medians = {key: statistics.median(each.get(key, 0.0) for each in measured) for key in keys}
    cells = "  ".join(f"{medians[stage]:>{max(7, len(stage))}.2f}" for stage in STAGES)
    whole = f"{medians['git status']:>10.2f} {medians['all']:>7.2f} {medians['processor']:>9.2f}"
    print(f"{row} {whole}  {cells}", flush=True)


if __name__ == "__main__":
    if shutil.which("node") is None:
        raise SystemExit("node runs the tests of the packages: install it")
    main()
