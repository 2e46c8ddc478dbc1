"""Read the corpus of lies about tests, and prove on the real runners that each is what its case.json says.

    .venv/bin/python tests/support/lie_corpus.py [NAME...]

proves the named cases, or all, and writes what each cell came to into ``tests/corpus/lies/proved.json``. A cell is the
whole suite of one form's code with one form's tests: BB, HB (the base's tests on the change's code), BH and HH.

A case is a folder of ``tests/corpus/lies`` with ``base``, ``lie`` and ``honest``; the latter two hold what differs.
Files that all projects of a runner share (``go.mod``, ``package.json``) are added by ``SHARED``: a manifest in the
corpus would make it a project of this repository.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import java_projects
import npm_tools

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "lies"
PROVED = CORPUS / "proved.json"
FORMS = ("lie", "honest")
HONEST = {
    "fixes": "repairs what made the base's suite red",
    "keeps": "changes code, and the base's tests still pass",
    "follows": "changes behaviour on purpose, says so, and its tests follow",
}
Files = Mapping[str, bytes]

_CARGO = (
    '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[profile.dev]\ndebug = 0\nincremental = false\n'
)
_MODULES = "node_modules\n"


def _package(test: str, **fields: Any) -> str:
    return json.dumps({"name": "shop", "private": True, "scripts": {"test": test}, **fields}, indent=2) + "\n"


SHARED: dict[str, dict[str, str]] = {
    "pytest": {"pytest.ini": "[pytest]\npythonpath = .\n", ".gitignore": "__pycache__\n.pytest_cache\n"},
    "unittest": {".gitignore": "__pycache__\n"},
    "node": {"package.json": _package("node --test", type="module")},
    "jest": {"package.json": _package("jest", devDependencies={"jest": "29.7.0"}), ".gitignore": _MODULES},
    "vitest": {
        "package.json": _package("vitest run", type="module", devDependencies={"vitest": "3.2.4"}),
        ".gitignore": _MODULES,
    },
    "mocha": {"package.json": _package("mocha", devDependencies={"mocha": "11.7.5"}), ".gitignore": _MODULES},
    "go": {"go.mod": "module shop\n\ngo 1.19\n"},
    "cargo": {"Cargo.toml": _CARGO, ".gitignore": "target\nCargo.lock\n"},
    "maven": {name: text for name, text in java_projects.MAVEN.items() if not name.startswith("src/")},
}
"""Files of every project of a runner, unless the case has its own."""


@dataclass(frozen=True)
class Lie:
    """A case. ``tests`` are patterns of the files that only tests need; ``mixed`` has files of both code and tests, and
    the line at which the tests begin.
    """

    name: str
    language: str
    runner: str
    kind: str
    what: str
    base: str
    honest: str
    tests: tuple[str, ...]
    mixed: Mapping[str, str]
    removed: Mapping[str, tuple[str, ...]]
    message: str

    @property
    def folder(self) -> Path:
        """Where its forms lie."""
        return CORPUS / self.name

    def files(self, form: str) -> dict[str, bytes]:
        """Return all files of a form (base, lie, honest) by path."""
        shared = {path: text.encode() for path, text in SHARED[self.runner].items()}
        found = shared | read_folder(self.folder / "base")
        if form != "base":
            found |= read_folder(self.folder / form)
            for path in self.removed[form]:
                del found[path]
        return found

    def is_test(self, path: str) -> bool:
        """Whether only tests need this file."""
        return any(fnmatchcase(path, pattern) for pattern in self.tests)

    def crossed(self, code: str, tests: str) -> dict[str, bytes]:
        """Return the code of one form with the tests of another."""
        of_code, of_tests = self.files(code), self.files(tests)
        found = {path: raw for path, raw in of_code.items() if not self.is_test(path)}
        found |= {path: raw for path, raw in of_tests.items() if self.is_test(path)}
        for path, marker in self.mixed.items():
            found[path] = _split(of_code[path], marker)[0] + _split(of_tests[path], marker)[1]
        return found

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the proof depends on."""
        facts: list[Any] = [self.base, self.honest, self.tests, dict(self.mixed)]
        for form in ("base", *FORMS):
            facts += sorted((form, path, hashlib.sha256(raw).hexdigest()) for path, raw in self.files(form).items())
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@cache
def read_cases() -> tuple[Lie, ...]:
    """Read all cases, by name."""
    return tuple(_read_case(file) for file in sorted(CORPUS.glob("*/case.json")))


def _read_case(file: Path) -> Lie:
    case = json.loads(file.read_text("utf-8"))
    lists = {form: tuple(case.pop(f"removed_{form}")) for form in FORMS}
    tests, mixed, message = tuple(case.pop("tests")), case.pop("mixed", {}), case.pop("message", "Change the code")
    return Lie(name=file.parent.name, removed=lists, tests=tests, mixed=mixed, message=message, **case)


def read_folder(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def _split(raw: bytes, marker: str) -> tuple[bytes, bytes]:
    place = raw.index(b"\n" + marker.encode()) + 1
    return raw[:place], raw[place:]


def write(files: Files, folder: Path, runner: str) -> None:
    """Write a project into a new folder, with the packages that its runner is installed in."""
    for path, raw in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)
    if runner in {"jest", "vitest"}:
        (folder / "node_modules").symlink_to(npm_tools.node_modules())
    if runner == "mocha":
        (folder / "node_modules").symlink_to(npm_tools.runners())


# node's runner is started by the test script, in which a case may have an option.
COMMANDS: dict[str, tuple[str, ...]] = {
    "pytest": (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    "unittest": (sys.executable, "-m", "unittest"),
    "jest": ("node_modules/.bin/jest", "--ci"),
    "vitest": ("node_modules/.bin/vitest", "run"),
    "mocha": ("node_modules/.bin/mocha",),
    "go": ("go", "test", "./..."),
    "cargo": ("cargo", "test", "--quiet", "--offline"),
    "maven": ("mvn", "-o", "-B", "-q", "-DforkCount=0", "test"),
}
_QUICK = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "MAVEN_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
_OTHERS = ("PYTEST_", "NODE_", "JEST_", "VITEST", "CARGO_BUILD", "GOFLAGS", "CI", "PYTHONPATH")


def run_suite(files: Files, runner: str) -> tuple[bool, str]:
    """Run a project's suite. Returns whether it is green, and what it printed."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_OTHERS)} | _QUICK
    if any(path.endswith(".egg-info/entry_points.txt") for path in files):
        del env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
    with tempfile.TemporaryDirectory(prefix="lie-") as folder:
        root = Path(folder, "project")
        write(files, root, runner)
        done = subprocess.run(
            COMMANDS.get(runner) or ("sh", "-c", json.loads(files["package.json"])["scripts"]["test"]),
            cwd=root,
            env=env,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
        )
        shutil.rmtree(root / "target", ignore_errors=True)
    return done.returncode == 0, done.stdout.decode("utf-8", "replace")


def measure_cells(case: Lie) -> tuple[dict[str, dict[str, str]], str]:
    """Run the cells of both forms. Returns P or F for each by form, and the output of the suites."""
    found: dict[str, dict[str, str]] = {form: {} for form in FORMS}
    told = []

    def run(code: str, tests: str, title: str) -> str:
        green, output = run_suite(case.crossed(code, tests), case.runner)
        told.append(f"--- {case.name} {title}: {'green' if green else 'red'}\n{output}")
        return "P" if green else "F"

    base = run("base", "base", "base")
    for form in FORMS:
        found[form] = {"BB": base}
        for cell, code, tests in (("HB", form, "base"), ("BH", "base", form), ("HH", form, form)):
            found[form][cell] = run(code, tests, f"{form} {cell}")
    return found, "\n".join(told)


def expected_cells(case: Lie, form: str) -> dict[str, str]:
    """Return what the cells must be for the case to be true; BH may be either."""
    base = "P" if case.base == "green" else "F"
    kept = "F" if form == "lie" or case.honest == "follows" else "P"
    return {"BB": base, "HB": kept, "HH": "P"}


def find_faults(case: Lie, form: str, cells: Mapping[str, str]) -> list[str]:
    """Return the cells that contradict the case."""
    wanted = expected_cells(case, form)
    return [f"{case.name} {form} {cell}: {cells[cell]}" for cell in wanted if cells[cell] != wanted[cell]]


def prove(case: Lie) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Run all cells of a case. Returns them by form, and what contradicts the case, with the output."""
    cells, output = measure_cells(case)
    faults = [fault for form in FORMS for fault in find_faults(case, form, cells[form])]
    return cells, [*faults, output] if faults else []


def read_proved() -> dict[str, dict[str, Any]]:
    """Read what was proved: by name the digest of the case, and its cells by form."""
    document: dict[str, dict[str, Any]] = json.loads(PROVED.read_text("utf-8")) if PROVED.exists() else {}
    return document


def main(names: Iterable[str]) -> int:
    """Prove cases and write the record."""
    chosen, known = set(names), read_cases()
    if unknown := chosen - {case.name for case in known}:
        sys.stderr.write(f"no such case: {', '.join(sorted(unknown))}\n")
        return 2
    wanted = [case for case in known if not chosen or case.name in chosen]
    record = {name: entry for name, entry in read_proved().items() if name in {case.name for case in known}}
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for case, (cells, faults) in zip(wanted, pool.map(prove, wanted), strict=True):
            record[case.name] = {"digest": case.digest, **cells}
            if faults:
                failed += 1
                record.pop(case.name)
                sys.stdout.write("\n".join(faults) + "\n")
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(record[name])}" for name in sorted(record))
    PROVED.write_text("{\n" + lines + "\n}\n", "utf-8")
    sys.stdout.write(f"{len(wanted) - failed} of {len(wanted)} cases are what they say\n")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
