"""Runs the suites of the rewrite corpus with their real runners, many in one process where a runner can do that."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import npm_tools
from defusedxml import ElementTree
from rewrite_corpus import SIDES, RewriteCase, Side

LIMIT_S = 300
AT_ONCE = 2


@dataclass(frozen=True)
class Suite:
    """The tests of one side of a case, in a private copy of its tree."""

    case: RewriteCase
    side: Side
    folder: Path


@dataclass(frozen=True)
class SuiteOutcome:
    """``passed`` counts tests; ``skipped`` are those that didn't run for whatever reason."""

    passed: int
    skipped: int
    exit_code: int
    output: str

    @property
    def green(self) -> bool:
        """Whether tests ran, all of them, and none failed."""
        return self.exit_code == 0 and self.passed > 0 and self.skipped == 0


Outcomes = dict[tuple[str, Side], SuiteOutcome]


def run_suites(runner: str, cases: Iterable[RewriteCase], scratch: Path) -> Outcomes:
    """Copy each tree whose tests have this runner below ``scratch`` and run them."""
    suites = []
    for case in cases:
        for side in SIDES:
            if case.runner_of(side) == runner:
                # Side above name: cargo and maven build all that is below one folder at once.
                folder = scratch / side / case.name
                shutil.copytree(case.tree(side), folder)
                suites.append(Suite(case, side, folder))
    return {(suite.case.name, suite.side): outcome for suite, outcome in _RUN[runner](suites, scratch)}


Run = Callable[[list[Suite], Path], Iterator[tuple[Suite, SuiteOutcome]]]


def _environment(**more: str) -> dict[str, str]:
    """The caller's, without what would change how tests are run."""
    told = ("PYTEST_", "GIT_", "GATE_", "COV", "NODE_", "npm_", "CARGO_TARGET", "RUST", "MAVEN_", "GO111", "GOFLAGS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(told)}
    return kept | {"CI": "true", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"} | more


def _call(argv: list[str], folder: Path, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv,
        cwd=folder,
        env=_environment(**environ),
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        timeout=LIMIT_S,
    )


def _one_by_one(run: Callable[[Suite], SuiteOutcome], suites: list[Suite]) -> Iterator[tuple[Suite, SuiteOutcome]]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from zip(suites, pool.map(run, suites), strict=True)


def _count(pattern: str, text: str) -> int:
    return sum(int(number) for number in re.findall(pattern, text))


# --- Python

_FORKED_PYTEST = """\
import json, os, sys
import pytest, _pytest.assertion, _pytest.doctest, _pytest.junitxml, _pytest.tmpdir
for folder in json.load(sys.stdin):
    child = os.fork()
    if not child:
        os.chdir(folder)
        sys.path[0] = folder
        out = os.open(folder + ".out", os.O_WRONLY | os.O_CREAT)
        os.dup2(out, 1), os.dup2(out, 2)
        os._exit(pytest.main(["-q", "-p", "no:cacheprovider", "--junitxml", folder + ".xml"]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
"""``python -m pytest`` in each folder, forked from a process that has pytest loaded."""


def _pytest(suites: list[Suite], scratch: Path) -> Iterator[tuple[Suite, SuiteOutcome]]:
    folders = json.dumps([str(suite.folder) for suite in suites])
    argv = [sys.executable, "-c", _FORKED_PYTEST]
    # A root of temporary folders of their own: nobody else's are theirs to clean up.
    (root := scratch / "temporary").mkdir()
    done = _call(argv, scratch, folders, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_DEBUG_TEMPROOT=str(root))
    for suite, code in zip(suites, done.stdout.split(), strict=True):
        output = suite.folder.with_name(f"{suite.folder.name}.out").read_text("utf-8")
        yield suite, _read_junit([suite.folder.with_name(f"{suite.folder.name}.xml")], int(code), output)


def _read_junit(reports: Iterable[Path], exit_code: int, output: str) -> SuiteOutcome:
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for report in reports:
        root = ElementTree.parse(report).getroot()
        for each in root.iter("testsuite") if root is not None else ():
            totals = {name: count + int(each.get(name, "0")) for name, count in totals.items()}
    passed = totals["tests"] - totals["failures"] - totals["errors"] - totals["skipped"]
    return SuiteOutcome(passed, totals["skipped"], exit_code or totals["failures"] + totals["errors"], output)


def _unittest(suites: list[Suite], scratch: Path) -> Iterator[tuple[Suite, SuiteOutcome]]:
    def run(suite: Suite) -> SuiteOutcome:
        done = _call([sys.executable, "-m", "unittest"], suite.folder)
        skipped = _count(r"(?:skipped|expected failures)=(\d+)", done.stdout)
        return SuiteOutcome(_count(r"Ran (\d+) test", done.stdout) - skipped, skipped, done.returncode, done.stdout)

    yield from _one_by_one(run, suites)


# --- JavaScript: each with its own test script


def _node(modules: Callable[[], Path], passed: str, skipped: str) -> Run:
    def run_all(suites: list[Suite], scratch: Path) -> Iterator[tuple[Suite, SuiteOutcome]]:
        found = modules()
        path = f"{found / '.bin'}{os.pathsep}{os.environ['PATH']}"

        def run(suite: Suite) -> SuiteOutcome:
            (suite.folder / "node_modules").symlink_to(found)
            script = json.loads((suite.folder / "package.json").read_bytes())["scripts"]["test"]
            done = _call(["sh", "-c", script], suite.folder, PATH=path)
            counts = (_count(passed, done.stdout), _count(skipped, done.stdout))
            return SuiteOutcome(*counts, done.returncode, done.stdout)

        yield from _one_by_one(run, suites)

    return run_all


# --- compiled languages: all trees of a side in one build


def _go(suites: list[Suite], scratch: Path) -> Iterator[tuple[Suite, SuiteOutcome]]:
    for side, some in _by_side(suites):
        uses = "".join(f"use {suite.folder}\n" for suite in some)
        workspace = scratch / side / "go.work"
        workspace.write_text(f"go 1.19\n\n{uses}")
        packages = [f"{suite.folder}/..." for suite in some]
        done = _call(["go", "test", "-json", *packages], scratch, GOWORK=str(workspace), GOFLAGS="", GO111MODULE="")
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        for suite in some:
            module = _module_of(suite.folder)
            own = [event for event in events if f"{event['Package']}/".startswith(f"{module}/")]
            tests = [event["Action"] for event in own if "Test" in event]
            packages_failed = sum(event["Action"] == "fail" for event in own)
            code = packages_failed or (0 if own else done.returncode or 1)
            output = "".join(event.get("Output", "") for event in own) or done.stdout
            yield suite, SuiteOutcome(tests.count("pass"), tests.count("skip"), code, output)


def _module_of(folder: Path) -> str:
    return (folder / "go.mod").read_text("utf-8").split()[1]


def _cargo(suites: list[Suite], scratch: Path) -> Iterator[tuple[Suite, SuiteOutcome]]:
    for side, some in _by_side(suites):
        root = scratch / side
        members = json.dumps([suite.folder.name for suite in some])
        (root / "Cargo.toml").write_text(
            f'[workspace]\nmembers = {members}\nresolver = "2"\n[profile.test]\ndebug = false\n'
        )
        _call(["cargo", "test", "--offline", "--workspace", "--no-run", "--keep-going"], root, CARGO_INCREMENTAL="0")
        for suite in some:
            done = _call(["cargo", "test", "--offline"], suite.folder, CARGO_INCREMENTAL="0")
            counts = (_count(r"(\d+) passed", done.stdout), _count(r"(\d+) ignored", done.stdout))
            yield suite, SuiteOutcome(*counts, done.returncode, done.stdout)


_AGGREGATOR = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
  <modules>{modules}</modules>
</project>
"""


def _maven(suites: list[Suite], scratch: Path) -> Iterator[tuple[Suite, SuiteOutcome]]:
    for side, some in _by_side(suites):
        root = scratch / side
        modules = "".join(f"<module>{suite.folder.name}</module>" for suite in some)
        (root / "pom.xml").write_text(_AGGREGATOR.format(modules=modules))
        shutil.copytree(some[0].folder / ".mvn", root / ".mvn")
        done = _call(["mvn", "-o", "-B", "-q", "-fae", "-T", "2", "test"], root, MAVEN_OPTS="-XX:TieredStopAtLevel=1")
        for suite in some:
            reports = (suite.folder / "target" / "surefire-reports").glob("*.xml")
            yield suite, _read_junit(reports, done.returncode, done.stdout)


def _by_side(suites: list[Suite]) -> Iterator[tuple[Side, list[Suite]]]:
    for side in SIDES:
        if some := [suite for suite in suites if suite.side == side]:
            yield side, some


_RUN: Mapping[str, Run] = {
    "pytest": _pytest,
    "unittest": _unittest,
    "node:test": _node(npm_tools.node_modules, r"(?m)^(?:#|ℹ) pass (\d+)", r"(?m)^(?:#|ℹ) (?:skipped|todo) (\d+)"),
    "mocha": _node(npm_tools.runners, r"(\d+) passing", r"(\d+) pending"),
    "jest": _node(npm_tools.node_modules, r"Tests: .*?(\d+) passed", r"Tests: .*?(\d+) (?:skipped|todo)"),
    "vitest": _node(npm_tools.node_modules, r"Tests  .*?(\d+) passed", r"Tests  .*?(\d+) (?:skipped|todo)"),
    "go test": _go,
    "cargo test": _cargo,
    "maven": _maven,
}
