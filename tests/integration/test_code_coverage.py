"""code:coverage with real coverage.py, jest, vitest, c8, nyc and node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from lean_environment import lean_python
from npm_tools import PINNED, node_modules

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import CodeRepo

APP = "def used(n):\n    if n:\n        return 1\n    return 2\n\n\ndef unused():\n    return 3\n"
TEST = "import app\n\n\ndef test_used():\n    assert app.used(1) == 1\n"
PYPROJECT = "[tool.pytest.ini_options]\n[tool.coverage.run]\nsource=['.']\nomit=['test_*']\n"


def python_repo(folder: Path, config: str = PYPROJECT, test: str = TEST) -> CodeRepo:
    repo = make_repo(folder)
    repo.write({"pyproject.toml": config, "app.py": APP, "test_app.py": test})
    return repo


def test_the_numbers_are_what_coverage_prints(tmp_path: Path) -> None:
    repo = python_repo(tmp_path, PYPROJECT + "branch=true\n")
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["lines"] == {"covered": 4, "total": 6}
    assert coverage["pct"] == 4 / 6
    assert coverage["functions"] == {"covered": 1, "total": 2}
    assert coverage["branches"] == {"covered": 1, "total": 2}
    assert coverage["files"] == [{"path": "app.py", "covered": 4, "total": 6}]
    assert (coverage["tool"], coverage["base"]) == ("coverage", None)
    env = {**os.environ, "COVERAGE_FILE": str(tmp_path / "data")}
    for command in (
        ["run", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        ["json", "-q", "-o", str(tmp_path / "x.json")],
    ):
        subprocess.run([lean_python(), "-m", "coverage", *command], cwd=repo.root, env=env, check=True)
    printed = json.loads((tmp_path / "x.json").read_bytes())["totals"]
    assert (printed["covered_lines"], printed["num_statements"]) == (4, 6)
    assert (printed["covered_branches"], printed["num_branches"]) == (1, 2)


@pytest.mark.parametrize(
    "config",
    [
        PYPROJECT + "parallel=true\n",
        PYPROJECT + "[tool.coverage.report]\nfail_under=100\n",
        "[tool.pytest.ini_options]\naddopts='--cov=app --cov-fail-under=100 --cov-report=html'\n",
    ],
    ids=["parallel", "threshold", "pytest-cov"],
)
def test_the_projects_own_configuration(tmp_path: Path, config: str) -> None:
    repo = python_repo(tmp_path, config)
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["lines"] == {"covered": 4, "total": 6}
    assert not (repo.root / ".coverage").exists()


def test_failing_tests_are_measured_too(tmp_path: Path) -> None:
    repo = python_repo(tmp_path, test=TEST + "    assert False\n")
    assert repo.run("code:coverage").json("coverage.json")["lines"] == {"covered": 4, "total": 6}


def test_unittest_is_measured_too(tmp_path: Path) -> None:
    body = "import unittest, app\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(app.used(1), 1)\n"
    repo = make_repo(tmp_path)
    repo.write({".coveragerc": "[run]\nparallel=true\nomit=test_*\n", "app.py": APP})
    repo.write({"test_a.py": body, "more/test_b.py": body.replace("used(1), 1", "used(0), 2")})
    coverage = repo.run("code:coverage").json("coverage.json")
    assert coverage["files"][0] == {"path": "app.py", "covered": 5, "total": 6}
    assert [file["path"] for file in coverage["files"]] == ["app.py"]


@pytest.mark.parametrize("config", ["source=['nothing_here']\n", "include=['nothing_here/*']\n", "omit=['*']\n"])
def test_coverage_measured_on_nothing_is_a_total_of_zero(tmp_path: Path, config: str) -> None:
    repo = python_repo(tmp_path, "[tool.pytest.ini_options]\n[tool.coverage.run]\n" + config)
    coverage = repo.run("code:coverage").json("coverage.json")
    assert coverage["lines"] == {"covered": 0, "total": 0}
    assert coverage["pct"] == 0
    assert coverage["files"] == []


def test_without_tests_or_tool_it_says_so(tmp_path: Path) -> None:
    coverage = make_repo(tmp_path, {"a.py": "x = 1\n"}).run("code:coverage").json("coverage.json")
    assert (coverage["tool"], coverage["lines"]) == (None, {"covered": 0, "total": 0})


@pytest.mark.parametrize("name", ["coverage.py", "pytest.py", "json.py"])
def test_modules_of_the_subjects_own_are_not_the_judges(tmp_path: Path, name: str) -> None:
    repo = python_repo(tmp_path)
    repo.write({name: f"open({str(tmp_path / 'ran')!r}, 'w').close()\nraise SystemExit(0)\n"})
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["files"][0] == {"path": "app.py", "covered": 4, "total": 6}
    assert not (tmp_path / "ran").exists()


def test_tests_that_leave_early_are_an_error(tmp_path: Path) -> None:
    repo = python_repo(tmp_path, test="import os\ndef test_a(): os._exit(0)\n")
    answer = repo.run("code:coverage", gated=True)
    assert answer.exit_code == 1
    assert answer.written == []


def test_the_base_is_measured_where_a_rule_asks_and_the_subject_is_put_back(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.commit({"pyproject.toml": PYPROJECT, "app.py": "def f():\n    return 1\n", "old.py": "x = 1\n"})
    repo.commit({"test_app.py": "import app, old\ndef test_a(): assert app.f() == 1\n"})
    repo.write({"app.py": APP, "test_app.py": TEST, "new.py": "y = 1\n"})
    (repo.root / "old.py").unlink()
    status = repo.git("add", "--all") or repo.git("status", "--porcelain")
    coverage = repo.run("code:coverage", gated=True, rules={"coverage_drop_max": 0.0}).json("coverage.json")
    assert coverage["base"] == {"pct": 1.0, "lines": {"covered": 3, "total": 3}}
    assert coverage["lines"] == {"covered": 4, "total": 7}
    assert repo.git("status", "--porcelain") == status
    assert (repo.root / "app.py").read_text() == APP


@pytest.mark.release
def test_what_the_subjects_tests_leave_behind_does_not_spoil_the_base(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.commit({"pyproject.toml": PYPROJECT, "app.py": APP, "test_app.py": TEST})
    repo.write({"test_app.py": TEST + "    open('.coveragerc', 'w').write('[run]\\nsource=nothing\\n')\n"})
    coverage = repo.run("code:coverage", gated=True, rules={"coverage_drop_max": 0.0}).json("coverage.json")
    assert coverage["base"] == {"pct": 4 / 6, "lines": {"covered": 4, "total": 6}}


def test_by_hand_the_base_is_not_measured(tmp_path: Path) -> None:
    answer = python_repo(tmp_path).run("code:coverage", rules={"coverage_drop_max": 0.0})
    assert answer.json("coverage.json")["base"] is None
    assert "gate's checkout" in answer.json("coverage.meta.json")["skipped"][0]["why"]


def test_a_base_that_cannot_be_measured_is_null(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.commit({"pyproject.toml": PYPROJECT, "app.py": APP, "test_app.py": "import os\nos._exit(1)\n"})
    repo.write({"test_app.py": TEST})
    answer = repo.run("code:coverage", gated=True, rules={"coverage_drop_max": 0.0})
    assert answer.json("coverage.json")["base"] is None
    assert answer.json("coverage.meta.json")["skipped"][0]["path"] == "base"


JS = (
    "exports.used = (n) => {\n  if (n) {\n    return 1;\n  }\n  return 2;\n};\n"
    "exports.unused = () => {\n  return 3;\n};\n"
)
ESM = JS.replace("exports.", "export const ")
CALLS = {
    "jest": "const { used } = require('./app.js');\ntest('a', () => { expect(used(1)).toBe(1); });\n",
    "vitest": "import { test, expect } from 'vitest';\nimport { used } from './app.js';\n"
    "test('a', () => { expect(used(1)).toBe(1); });\n",
    "node --test": "const { used } = require('./app.js');\nrequire('node:test')('a', () => { used(1); });\n",
}


def js_repo(folder: Path, runner: str, hidden: tuple[str, ...] = (), **package: Any) -> CodeRepo:
    kind = {"type": "module"} if runner == "vitest" else {}
    repo = make_repo(folder, {".gitignore": "node_modules\n"})
    repo.write({"package.json": json.dumps({"scripts": {"test": runner}, **kind, **package})})
    repo.write({"app.js": ESM if runner == "vitest" else JS, "app.test.js": CALLS[runner]})
    bins = repo.root / "node_modules" / ".bin"
    bins.mkdir(parents=True)
    for entry in node_modules().iterdir():
        if entry.name not in {*hidden, ".bin"}:
            (repo.root / "node_modules" / entry.name).symlink_to(entry)
    for entry in (node_modules() / ".bin").iterdir():
        if entry.name not in hidden:
            (bins / entry.name).symlink_to(entry)
    return repo


def app_file(coverage: dict[str, Any]) -> dict[str, Any]:
    (found,) = [file for file in coverage["files"] if file["path"] == "app.js"]
    return found


def printed(repo: CodeRepo, *command: str) -> dict[str, Any]:
    """What the tool says of app.js and in total in its own summary (istanbul's json-summary)."""
    program = str(repo.root / "node_modules" / ".bin" / command[0])
    subprocess.run([program, *command[1:]], cwd=repo.root, capture_output=True, check=False)
    report = repo.root / "coverage" / "coverage-summary.json"
    summary = json.loads(report.read_bytes())
    shutil.rmtree(report.parent)
    (app,) = [entry for path, entry in summary.items() if path.endswith("/app.js")]
    return {
        "app": {"path": "app.js", "covered": app["lines"]["covered"], "total": app["lines"]["total"]},
        **{k: {n: summary["total"][k][n] for n in ("covered", "total")} for k in ("lines", "functions", "branches")},
    }


def found(coverage: dict[str, Any]) -> dict[str, Any]:
    return {"app": app_file(coverage), **{name: coverage[name] for name in ("lines", "functions", "branches")}}


def test_jest(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, "jest", jest={"coverageThreshold": {"global": {"lines": 100}}})
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert not (repo.root / "coverage").exists()
    assert (coverage["tool"], coverage["tools"][0]["version"]) == ("jest", PINNED["jest"])
    assert app_file(coverage) == {"path": "app.js", "covered": 4, "total": 6}
    assert found(coverage) == printed(repo, "jest", "--coverage", "--coverageReporters=json-summary")


@pytest.mark.release
def test_vitest(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, "vitest")
    repo.write({"vitest.config.mjs": "export default { test: { coverage: { thresholds: { lines: 100 } } } };\n"})
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["tool"] == "vitest"
    assert 0 < app_file(coverage)["covered"] < app_file(coverage)["total"]
    by_hand = printed(repo, "vitest", "run", "--coverage.enabled", "--coverage.reporter=json-summary")
    assert found(coverage) == by_hand


def test_vitest_without_a_coverage_provider_is_a_missing_tool(tmp_path: Path) -> None:
    answer = js_repo(tmp_path, "vitest", hidden=("@vitest",)).run("code:coverage")
    assert answer.json("coverage.json")["tool"] is None
    assert "coverage tool" in answer.json("coverage.meta.json")["skipped"][0]["why"]


@pytest.mark.parametrize(("hidden", "tool"), [((), "c8"), (("c8",), "nyc")])
def test_nodes_test_runner_under_a_coverage_tool(tmp_path: Path, hidden: tuple[str, ...], tool: str) -> None:
    repo = js_repo(tmp_path, "node --test", hidden)
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["tool"] == tool
    assert 0 < app_file(coverage)["covered"] < app_file(coverage)["total"]
    assert found(coverage) == printed(repo, tool, "--reporter=json-summary", "node", "--test")


def test_nodes_own_coverage(tmp_path: Path) -> None:
    coverage = js_repo(tmp_path, "node --test", ("c8", "nyc")).run("code:coverage", gated=True).json("coverage.json")
    assert coverage["tool"] == "node:test"
    assert app_file(coverage) == {"path": "app.js", "covered": 7, "total": 9}


@pytest.mark.release
def test_two_languages_are_added_up(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, "jest")
    repo.write({"pyproject.toml": PYPROJECT, "app.py": APP, "test_app.py": TEST})
    coverage = repo.run("code:coverage").json("coverage.json")
    assert coverage["tool"] == "coverage+jest"
    assert coverage["lines"] == {"covered": 8, "total": 12}


@pytest.mark.release
def test_declared_lcov_cobertura_and_coverage_json(tmp_path: Path) -> None:
    repo = python_repo(tmp_path)
    run = [lean_python(), "-m", "coverage"]
    expected = {"covered": 4, "total": 6}
    for form, word, name in (
        ("lcov", "lcov", "c.info"),
        ("cobertura", "xml", "c.xml"),
        ("coverage-json", "json", "c.json"),
    ):
        script = 'r=$1; shift; "$@" run -m pytest -q; "$@" ' + f'{word} -o "$r"'
        command = ["sh", "-c", script, "sh", name, *run]
        config = {"coverage": [{"command": command, "format": form, "report": name}]}
        coverage = repo.run("code:coverage", config=config).json("coverage.json")
        assert coverage["lines"] == expected, form
        assert coverage["files"] == [{"path": "app.py", **expected}]


LCOV = "SF:a.js\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n"


@pytest.mark.parametrize(
    ("form", "report", "word"),
    [
        ("lcov", LCOV.replace("LH:1", "LH:2"), "states 2 of 2"),
        ("lcov", LCOV[:-14], "may be truncated"),
        ("lcov", LCOV.replace("DA:1,1", "DA:one,1"), "can't be read"),
        ("cobertura", "<coverage lines-covered='9' lines-valid='9'/>", "states 9 of 9"),
        (
            "cobertura",
            "<!DOCTYPE c [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><coverage>&e;</coverage>",
            "not Cobertura",
        ),
        ("coverage-json", '{"files": {}, "totals": {"num_statements": 9, "covered_lines": 9}}', "states 9"),
        ("coverage-json", "{}", "no files and totals"),
    ],
)
def test_a_declared_report_that_does_not_add_up_is_an_error(tmp_path: Path, form: str, report: str, word: str) -> None:
    config = {"coverage": [{"command": ["printf", "%s", report], "format": form, "report": "-"}]}
    answer = make_repo(tmp_path).run("code:coverage", config=config)
    assert answer.exit_code == 1
    assert word in answer.stderr
    assert answer.written == []


def test_two_runs_are_identical(tmp_path: Path) -> None:
    seen = []
    for place, zone in (("one", "UTC"), ("two/deeper", "America/Lima")):
        answer = python_repo(tmp_path / place).run("code:coverage", gated=True, TZ=zone)
        meta = {key: value for key, value in answer.json("coverage.meta.json").items() if key != "metadata"}
        seen.append(((answer.folder / "coverage.json").read_bytes(), json.dumps(meta)))
    assert seen[0] == seen[1]


def test_the_lines_of_the_change_are_counted_by_themselves(tmp_path: Path) -> None:
    repo = python_repo(tmp_path)
    base = repo.commit()
    more = "\n\ndef added(n):\n    if n:\n        return 4\n    return 5\n"
    repo.write({"app.py": APP + more, "test_app.py": TEST + "    assert app.added(1) == 4\n"})
    repo.write({"lonely.py": '"""Nothing imports it."""\n\nX = 1\n\n\ndef alone():\n    # a comment\n    return X\n'})
    repo.write({"lonely.pyi": "X: int\n", "docs/a.md": "# A\n"})
    repo.git("add", "--all")
    patch = repo.run("code:coverage", gated=True, base=base).json("coverage.json")["patch"]
    assert patch["lines"] == {"covered": 3, "total": 7}
    assert patch["files"] == [
        {"path": "app.py", "covered": 3, "total": 4, "missed": [14], "measured": True},
        {"path": "lonely.py", "covered": 0, "total": 3, "missed": [3, 6, 8], "measured": True},
    ]
    assert patch["unmeasured"] == []


def test_files_of_tests_are_in_no_count(tmp_path: Path) -> None:
    lines = "".join(f"x{n} = {n}\n" for n in range(40))
    repo = python_repo(tmp_path, "[tool.pytest.ini_options]\n[tool.coverage.run]\nsource=['.']\n", lines + TEST)
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["lines"] == {"covered": 4, "total": 6}
    assert coverage["tools"][0]["files"] == 1
    assert [entry["path"] for entry in coverage["left_out"]] == ["test_app.py"]


def test_a_new_module_that_no_test_imports_is_not_covered(tmp_path: Path) -> None:
    repo = python_repo(tmp_path, "[tool.pytest.ini_options]\n")
    base = repo.commit()
    repo.write(
        {"lonely.py": '"""Nothing imports it."""\n\nX = 1\n\n\ndef alone():\n    return X\n', "a.go": "package a\n"}
    )
    repo.git("add", "--all")
    patch = repo.run("code:coverage", gated=True, base=base).json("coverage.json")["patch"]
    assert patch["lines"] == {"covered": 0, "total": 3}
    assert patch["files"] == [{"path": "lonely.py", "covered": 0, "total": 3, "missed": [3, 6, 7], "measured": False}]
    assert patch["unmeasured"] == ["a.go"]


LIBRARY = """pub fn total(prices: &[i64]) -> i64 {
    prices.iter().sum()
}

pub fn unused() -> i64 {
    3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        let x1 = 1;
        let x2 = 2;
        assert_eq!(total(&[x1, x2]), 3);
    }
}
"""


def test_tests_in_a_file_of_rust_are_in_no_count(tmp_path: Path) -> None:
    """The report of cargo llvm-cov for such a file, from a declared command: of 8 reached lines 5 are the test's."""
    reached = "".join(f"DA:{line},1\\n" for line in (1, 2, 3, 14, 15, 16, 17, 18))
    report = f"SF:src/lib.rs\\n{reached}DA:5,0\\nDA:6,0\\nLF:10\\nLH:8\\nend_of_record\\n"
    repo = make_repo(tmp_path, {"README": ""})
    base = repo.commit()
    repo.write(
        {"Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\n', "src/lib.rs": LIBRARY, "src/new.rs": LIBRARY}
    )
    repo.git("add", "--all")
    config = {"coverage": [{"command": ["printf", report], "format": "lcov", "report": "-"}]}
    coverage = repo.run("code:coverage", gated=True, base=base, config=config).json("coverage.json")
    assert coverage["lines"] == {"covered": 3, "total": 5}
    assert coverage["files"] == [{"path": "src/lib.rs", "covered": 3, "total": 5}]
    assert coverage["left_out"] == [{"path": "src/lib.rs", "covered": 5, "total": 5}]
    (lib, new) = coverage["patch"]["files"]
    assert (lib["covered"], lib["missed"]) == (3, [5, 6])
    assert (new["path"], new["measured"], new["missed"]) == ("src/new.rs", False, [1, 2, 5, 6])


def test_tests_in_a_source_of_vitest_are_in_no_count(tmp_path: Path) -> None:
    settings = "export default { test: { includeSource: ['*.js'], include: [], coverage: { include: ['*.js'] } } };\n"
    source = (
        "export const half = (n) => {\n  if (n === 1) {\n    return 0;\n  }\n  return n / 2;\n};\n\n"
        "if (import.meta.vitest) {\n  const { expect, test } = import.meta.vitest;\n"
        "  test('half', () => {\n    const x1 = 4;\n    expect(half(x1)).toBe(2);\n  });\n}\n"
    )
    repo = make_repo(tmp_path, {".gitignore": "node_modules\n", "half.js": source, "vitest.config.mjs": settings})
    repo.write({"package.json": json.dumps({"type": "module", "scripts": {"test": "vitest run"}})})
    (repo.root / "node_modules").symlink_to(node_modules())
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    (own,) = [entry for entry in coverage["files"] if entry["path"] == "half.js"]
    (left,) = [entry for entry in coverage["left_out"] if entry["path"] == "half.js"]
    assert (own["total"] <= 7, left["total"] >= 5, left["covered"] == left["total"]) == (True, True, True), coverage


def test_languages_that_nothing_measures_are_no_missed_lines(tmp_path: Path) -> None:
    """Rust without cargo llvm-cov, next to Python: its lines counted as missed, though nobody looked."""
    repo = python_repo(tmp_path)
    base = repo.commit()
    repo.write({"app.py": APP + "\n\nX = 1\n", "lib.rs": "pub fn one() -> i64 {\n    1\n}\n", "b.js": "let b = 1;\n"})
    repo.git("add", "--all")
    coverage = repo.run("code:coverage", gated=True, base=base).json("coverage.json")
    assert coverage["patch"]["unmeasured"] == ["b.js", "lib.rs"]
    assert [entry["path"] for entry in coverage["patch"]["files"]] == ["app.py"]
