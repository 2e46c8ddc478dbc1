"""A suite whose coverage is measured runs once: code:tests takes over what passed, and runs again what failed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from lean_environment import HERE, make_environment, site_packages
from npm_tools import node_modules, runners
from suite_repository import judge, make_suite

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import Answer, CodeRepo
    from gated_repository import GatedRepository

APP = "def used(n):\n    if n:\n        return 1\n    return 2\n"
PLAIN = "[tool.pytest.ini_options]\n"
OWN_CALL = "[tool.poe.tasks]\ntest = 'pytest -n 2'\n"
PYTEST = """import app
open({log!r}, "a").write("x")
def test_used(): assert app.used(1) == 1
def test_left():
    import pytest
    pytest.skip("not here")
"""
UNITTEST = """import unittest, app
open({log!r}, "a").write("x")
class A(unittest.TestCase):
    def test_used(self): self.assertEqual(app.used(1), 1)
    @unittest.skip("not here")
    def test_left(self): pass
"""
SCRIPTS = {
    "jest": "const {used} = require('./app'); test('a', () => expect(used(1)).toBe(1)); test.skip('b', () => {});",
    "vitest": "import {test, expect} from 'vitest'; import {used} from './app';"
    "test('a', () => expect(used(1)).toBe(1)); test.skip('b', () => {});",
    "node --test": "const test = require('node:test'); const {used} = require('./app');"
    "test('a', () => used(1)); test('b', {skip: true}, () => {});",
    "mocha": "const {used} = require('./app'); it('a', () => used(1)); it.skip('b', () => {});",
}


def add_environment(folder: Path) -> None:
    """A virtual environment with all the packages of this one, xdist among them."""
    make_environment(folder)
    site_packages(folder).mkdir()
    (site_packages(folder) / "all.pth").write_text(f"{site_packages(HERE)}\n")


def measure_then_test(repo: CodeRepo) -> tuple[Answer, Answer]:
    """Run code:coverage, then code:tests with its artifacts, as the gate does."""
    measured = repo.run("code:coverage", gated=True)
    assert measured.exit_code == 0, measured.stderr
    return measured, repo.run("code:tests", gated=True, given=measured)


def facts(answer: Answer) -> dict[str, Any]:
    return {key: value for key, value in answer.json("tests.json").items() if key != "duration"}


def ran_by(answer: Answer) -> list[str | None]:
    return [command.get("by") for command in answer.json("tests.meta.json")["commands"]]


@pytest.mark.parametrize(
    ("config", "test"),
    [
        (PLAIN, PYTEST),
        (PLAIN + "addopts='--cov=app --cov-fail-under=100'\n", PYTEST),
        (PLAIN + "[tool.coverage.report]\nfail_under=100\n", PYTEST),
        pytest.param(PLAIN + "addopts='-n 2'\n", PYTEST, marks=pytest.mark.release),
        pytest.param(PLAIN + OWN_CALL, PYTEST, marks=pytest.mark.release),
        ("", UNITTEST),
    ],
    ids=["pytest", "pytest-cov", "threshold", "xdist", "xdist in a task", "unittest"],
)
def test_a_python_suite_that_passes_runs_once_and_reports_the_same(tmp_path: Path, config: str, test: str) -> None:
    log = tmp_path / "ran"
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": config, "app.py": APP, "test_app.py": test.format(log=str(log))})
    if "-n 2" in config:
        repo.write({".gitignore": ".venv\n"})
        add_environment(repo.root / ".venv")
    alone = repo.run("code:tests", gated=True)
    assert ran_by(alone) == [None]
    per_run = len(log.read_text())
    measured, tests = measure_then_test(repo)
    assert len(log.read_text()) == 2 * per_run
    assert facts(tests) == facts(alone)
    assert (facts(tests)["passed"], facts(tests)["skipped"]) == (1, 1)
    assert ran_by(tests) == ["code:coverage"]
    app = next(file for file in measured.json("coverage.json")["files"] if file["path"] == "app.py")
    assert app == {"path": "app.py", "covered": 3, "total": 4}


def test_by_hand_an_artifact_in_the_folder_is_not_taken_over(tmp_path: Path) -> None:
    log = tmp_path / "ran"
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": PLAIN, "app.py": APP, "test_app.py": PYTEST.format(log=str(log))})
    measured = repo.run("code:coverage")
    assert ran_by(repo.run("code:tests", given=measured)) == [None]
    assert log.read_text() == "xx"


def test_what_fails_only_while_coverage_is_measured_is_run_again_and_said(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    body = "import sys\ndef test_a(): assert 'coverage' not in sys.modules\n"
    repo.write({"pyproject.toml": PLAIN, "test_a.py": body})
    _, tests = measure_then_test(repo)
    assert ran_by(tests) == [None]
    assert (facts(tests)["passed"], facts(tests)["failed"]) == (1, 0)
    said = [{"what": "pytest", "path": ".", "why": "1 test failed: test_a.test_a"}]
    assert facts(tests)["repeated"] == said


def test_what_fails_either_way_is_reported_as_without_measurement(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": PLAIN, "test_a.py": "def test_a(): assert 1 == 2\ndef test_b(): pass\n"})
    alone = repo.run("code:tests", gated=True)
    _, tests = measure_then_test(repo)
    assert facts(tests) == facts(alone)
    assert facts(tests)["failures"][0]["line"] == 1


@pytest.mark.release
@pytest.mark.parametrize(
    "forged",
    [b"[]", b"{", b'{"metadata": {"tests": 1}}', b'{"metadata": {"tests": [{"suite": "pytest in . by ..."}]}}'],
)
def test_a_record_that_cannot_be_read_is_none(tmp_path: Path, forged: bytes) -> None:
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": PLAIN, "test_a.py": "def test_a(): assert 1 == 2\n"})
    measured = repo.run("code:coverage", gated=True)
    (measured.folder / "coverage.meta.json").write_bytes(forged)
    assert facts(repo.run("code:tests", gated=True, given=measured))["failed"] == 1


def test_a_suite_that_the_measurement_does_not_name_runs(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": PLAIN, "test_a.py": "def test_a(): assert 1 == 1\n"})
    measured = repo.run("code:coverage", gated=True)
    path = measured.folder / "coverage.meta.json"
    record = json.loads(path.read_bytes())
    record["metadata"]["tests"][0]["suite"] += " of another environment"
    path.write_text(json.dumps(record))
    assert ran_by(repo.run("code:tests", gated=True, given=measured)) == [None]


def test_deselected_tests_are_described_from_a_measured_run(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": PLAIN, "test_a.py": "def test_a(): pass\n"})
    config = {"deselect": [{"test": "test_a.test_a", "reason": "slow"}, {"test": "test_b.test_b", "reason": "gone"}]}
    measured = repo.run("code:coverage", gated=True, config=config)
    tests = repo.run("code:tests", gated=True, config=config, given=measured)
    assert ran_by(tests) == ["code:coverage"]
    assert [entry["outcome"] for entry in facts(tests)["deselected"]] == ["passed", "absent"]


def node_repo(folder: Path, runner: str, script: str = "") -> CodeRepo:
    repo = make_repo(folder, {".gitignore": "node_modules\n"})
    module = runner == "vitest"
    package = {"scripts": {"test": script or runner}, **({"type": "module"} if module else {})}
    body = "function used(n) { return n ? 1 : 2; }\n"
    code = f"export {body}" if module else f"{body}module.exports = {{ used }};\n"
    name = "test/app.js" if runner == "mocha" else "app.test.js"
    test = SCRIPTS[runner].replace("./app", "../app") if runner == "mocha" else SCRIPTS[runner]
    repo.write({"package.json": json.dumps(package), "app.js": code, name: test})
    bins = repo.root / "node_modules" / ".bin"
    bins.mkdir(parents=True)
    for installed in (node_modules(), runners()) if runner == "mocha" else (node_modules(),):
        for entry in (*installed.iterdir(), *(installed / ".bin").iterdir()):
            link = bins / entry.name if entry.parent.name == ".bin" else bins.parent / entry.name
            if not link.exists():
                link.symlink_to(entry)
    return repo


@pytest.mark.release
@pytest.mark.parametrize("runner", SCRIPTS)
def test_a_javascript_suite_that_passes_runs_once_and_reports_the_same(tmp_path: Path, runner: str) -> None:
    repo = node_repo(tmp_path, runner)
    alone = repo.run("code:tests", gated=True)
    measured, tests = measure_then_test(repo)
    assert facts(tests) == facts(alone)
    assert (facts(tests)["passed"], facts(tests)["skipped"]) == (1, 1)
    assert ran_by(tests) == ["code:coverage"]
    assert any(file["path"] == "app.js" for file in measured.json("coverage.json")["files"])


@pytest.mark.release
def test_commands_after_the_runner_run_with_the_tests(tmp_path: Path) -> None:
    repo = node_repo(tmp_path, "node --test", "node --test && node after.js")
    repo.write({"after.js": "process.exit(3);\n"})
    alone = repo.run("code:tests", gated=True)
    _, tests = measure_then_test(repo)
    assert facts(tests) == facts(alone)
    assert [failure["id"] for failure in facts(tests)["failures"]] == ["node after.js"]
    assert ran_by(tests) == ["code:coverage"]


def covered(folder: Path, files: dict[str, Any], *, least: float = 0.1, **rules: Any) -> GatedRepository:
    repository = make_suite(folder, files)
    order = ["code:tests", "code:coverage"]
    repository.put("config/adapter-plan.json", {"suite": {"order": order, "required": order, "optional": []}})
    profile = {"tests_pass": True, "tests_min": 1, "coverage_min": least, **rules}
    repository.put("config/verification.profiles.json", {"suite_default": profile})
    add_environment(repository.root / ".venv")
    repository.put(".gitignore", ".venv\n")
    repository.sample.commit("coverage asked for")
    return repository


FILES = {"pyproject.toml": PLAIN, "app.py": APP, "test_app.py": "import app\ndef test_a(): assert app.used(1) == 1\n"}


def test_the_gate_runs_a_covered_suite_once(tmp_path: Path) -> None:
    repository = covered(tmp_path, FILES, coverage_drop_max=0.0)
    done = judge(repository)
    assert done.code == 0, done.output
    (command,) = repository.published("tests.meta.json")["commands"]
    assert command["by"] == "code:coverage"
    assert repository.published("coverage.json")["base"] is not None
    planned = {each["name"]: each for each in repository.published("run.json")["plan"]["capabilities"]}
    assert planned["code:tests"]["needs"] == ["code:coverage"]
    alone = repository.gate("verify", "T1", "--only", "code:tests")
    assert "✓ code:tests" in alone.output
    assert "✓ code:coverage" not in alone.output


@pytest.mark.release
def test_the_gate_says_that_tests_failed_while_coverage_was_measured(tmp_path: Path) -> None:
    body = "import app, sys\ndef test_a(): assert app.used(1) and 'coverage' not in sys.modules\n"
    repository = covered(tmp_path, {**FILES, "test_app.py": body})
    done = judge(repository)
    assert done.code == 0, done.output
    assert "1 test passed, but not while coverage was measured" in " ".join(done.output.split())
    checks = {check["id"]: check for check in repository.verdict()["checks"]}
    said = "run again without measuring coverage, where they had failed: pytest (.): 1 test failed: test_app.test_a"
    assert checks["code.tests_pass"]["message"] == said


@pytest.mark.release
def test_the_tests_run_where_coverage_crashes(tmp_path: Path) -> None:
    """A suite that ends the process under coverage alone leaves no report there; its tests are judged all the same."""
    body = "import os, sys\ndef test_a():\n    if 'coverage' in sys.modules: os._exit(0)\n"
    repository = covered(tmp_path, {**FILES, "test_app.py": body})
    done = judge(repository)
    assert done.code == 3, done.output
    runs = {run["capability"]: run for run in repository.published("run.json")["invocations"]}
    assert runs["code:coverage"]["failure"]["reason"] == "ADAPTER_CRASH"
    assert runs["code:tests"]["failure"] is None
    assert repository.published("tests.json")["passed"] == 1
