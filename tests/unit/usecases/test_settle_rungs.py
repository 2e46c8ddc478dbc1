"""What stands in the way and what is proposed for it, on the files of a repository and without a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import literal_facts as literal
import pytest
from msgspec.structs import replace

from verigate.config.validation import validate
from verigate.domain.execution import CapabilityRun, Failure, Outcome
from verigate.domain.known_failures import FailureKey
from verigate.domain.suite_comparison import SuiteExamination, SuiteResult
from verigate.gate.decision import decide_verdict
from verigate.integrations.setup.stack import detect_stack
from verigate.integrations.setup.tightening import find_answerable
from verigate.usecases.settle.left_out import plan_documents, plan_left_out
from verigate.usecases.settle.obstacles import Obstacle, checks_nothing, find_obstacle, find_obstacles
from verigate.usecases.settle.rungs import Compared, Ladder
from verigate.usecases.verify import Verified

PLAN, PROFILES, ADAPTERS = "config/adapter-plan.json", "config/verification.profiles.json", "config/adapters.json"
LINT = Obstacle("code:lint", "eslint\n crashed", rules=("lint_errors_max",), crashed=True)


def configure(root: Path, *order: str, **files: str) -> None:
    entry = {"order": order, "required": order, "optional": []}
    (root / "config").mkdir()
    (root / PLAN).write_text(json.dumps({"code": entry}))
    (root / PROFILES).write_text(json.dumps({"code_default": {"extends": "code"}}))
    for path, content in files.items():
        (root / path).write_text(content)


def ladder(root: Path, *, installed: bool = True) -> Ladder:
    return Ladder(root, (), "2026-01-01", lambda: None, installed=installed)


def offers(root: Path, obstacle: Obstacle, *, installed: bool = True) -> list[str]:
    made = ladder(root, installed=installed)
    return [proposal.what for rung in made.find_rungs(obstacle.capability) for proposal in rung(obstacle)]


def obstacle_of_tests(report: dict[str, Any] | None) -> Obstacle:
    """The obstacle where code:tests counts nothing but what ``report`` says; None is a crash."""
    if report is None:
        crashed = Failure("ADAPTER_CRASH", "cargo has crashed")
        facts = replace(literal.facts({"tests_min": 1}, {}), runs=(CapabilityRun("code:tests", True, failure=crashed),))
    else:
        counts = {key: report.get(key, 0) for key in ("passed", "failed", "skipped")}
        value = literal.GOOD["tests.json"] | report | counts | {"total": sum(counts.values())}
        facts = literal.facts({"tests_min": 1, "tests_pass": True}, {"tests.json": value})
    found = find_obstacle(Verified(decide_verdict(facts), facts.runs), "code:tests")
    assert found is not None
    return found


def planned(fixes: Any) -> dict[str, Any]:
    return {fix.path: json.loads(fix.content) for fix in fixes}


def test_what_is_left_out_keeps_its_reason_and_loses_its_rules(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff", "code:lint")
    files = planned(plan_left_out(tmp_path, LINT))
    assert files[PLAN]["code"]["order"] == files[PLAN]["code"]["required"] == ["code:diff"]
    assert list(files[PLAN]["code"]["unchecked"]) == ["code:lint"]
    assert files[PROFILES]["code_default"] == {"extends": "code", "lint_errors_max": None}


ABSENT = "no linter was found; missing: clippy (.): cargo has no clippy: apt-get install rust-clippy"


def test_what_lacks_a_program_says_how_to_come_back(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff", "code:lint", **{"Cargo.toml": '[package]\nname = "a"\n'})
    lacking = Obstacle("code:lint", ABSENT, frozenset({"LINT_EMPTY"}), rules=("lint_errors_max",))
    made = Ladder(tmp_path, (), "2026-01-01", lambda: None, programs={"code:lint": "apt-get install rust-clippy"})
    (proposal,) = (each for rung in made.find_rungs("code:lint") for each in rung(lacking))
    first, second = proposal.fixes[0].lines
    assert "missing: clippy" in first
    assert "apt-get install rust-clippy" in second
    for fix in proposal.fixes:
        (tmp_path / fix.path).write_text(fix.content)
    stack = detect_stack(tmp_path)
    assert list(find_answerable(tmp_path, stack, {"code:lint"})) == []
    (note,) = find_answerable(tmp_path, stack)
    assert "delete code:lint from unchecked in config/adapter-plan.json and call gate init again" in note
    # What was left out for another reason is nobody's to take back.
    for fix in plan_left_out(tmp_path, LINT):
        (tmp_path / fix.path).write_text(fix.content)
    assert list(find_answerable(tmp_path, stack)) == []


@pytest.mark.parametrize("name", ["code:diff", "code:functions", "code:integrity"])
def test_what_every_change_needs_is_never_left_out(tmp_path: Path, name: str) -> None:
    configure(tmp_path, name, "code:lint")
    assert plan_left_out(tmp_path, Obstacle(name, "it crashed")) == ()


@pytest.mark.parametrize("path", [PLAN, PROFILES])
def test_files_of_another_shape_are_left_alone(tmp_path: Path, path: str) -> None:
    configure(tmp_path, "code:diff", "code:lint")
    (tmp_path / path).write_text("[]")
    assert plan_left_out(tmp_path, LINT) == ()
    assert list(plan_documents(tmp_path)) == []


def test_the_last_capability_of_a_plan_stays(tmp_path: Path) -> None:
    configure(tmp_path, "code:lint")
    assert plan_left_out(tmp_path, LINT) == ()


def test_documents_are_read_where_nothing_else_is_left(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff")
    files = planned(plan_documents(tmp_path))
    assert files[PLAN]["code"]["required"] == ["code:diff", "content:scan", "content:images"]
    assert files[PROFILES]["code_default"]["files_min"] == 1
    for path, value in files.items():
        (tmp_path / path).write_text(json.dumps(value))
    assert list(plan_documents(tmp_path)) == []


def test_tests_are_never_left_out_where_there_are_test_files(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff", "code:tests")
    tests = Obstacle("code:tests", "no test ran", rules=("tests_pass",), no_tests=True)
    assert offers(tmp_path, tests) == ["no code:tests"]
    (tmp_path / "test_shop.py").write_text("")
    assert offers(tmp_path, tests) == []


@pytest.mark.parametrize(
    "report",
    [
        None,
        {"failed": 1},
        {"skipped": 3},
        {"unexamined": [{"what": "cargo test", "path": ".", "why": "cargo is not installed"}]},
        {"excluded": [{"what": "ant", "path": ".", "why": "slow"}]},
    ],
    ids=["crash", "failure", "skips", "not installed", "excluded"],
)
def test_tests_are_never_left_out_where_there_may_be_some(tmp_path: Path, report: dict[str, Any] | None) -> None:
    source = {"Cargo.toml": '[package]\nname = "shop"\n', "lib.rs": "#[test]\nfn adds() {}\n"}
    configure(tmp_path, "code:diff", "code:tests", **source)
    assert offers(tmp_path, obstacle_of_tests(report)) == []
    assert offers(tmp_path, obstacle_of_tests({})) == ["no code:tests"]


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        (".: crates are not on this machine: log (run cargo fetch in that folder, with a network)", ""),
        ("Ruby lacks gems that are not on this machine: rake", ""),
        ("missing go.sum entry", "run go mod download in that folder, with a network"),
    ],
)
def test_nothing_is_left_out_while_a_tool_lacks_dependencies(tmp_path: Path, message: str, hint: str) -> None:
    configure(tmp_path, "code:diff", "code:lint")
    assert offers(tmp_path, Obstacle("code:lint", message, crashed=True, hint=hint)) == []
    assert offers(tmp_path, LINT) == ["no code:lint"]


def test_tests_are_never_left_out_where_the_repository_has_a_command_for_them(tmp_path: Path) -> None:
    tests = Obstacle("code:tests", "no test ran", rules=("tests_pass",), suite=SuiteResult(), no_tests=True)
    configure(tmp_path, "code:diff", "code:tests", **{"tox.ini": "[testenv]\ncommands = trial shop\n"})
    assert offers(tmp_path, tests) == ["`trial shop` (tox.ini, testenv)"]


def test_a_command_is_tried_with_the_variables_of_its_file(tmp_path: Path) -> None:
    tox = "[testenv]\nsetenv =\n  MODE = test\ncommands = trial shop\n"
    configure(tmp_path, "code:diff", "code:tests", **{"tox.ini": tox, ".env.example": "OTHER=1\n"})
    tests = Obstacle("code:tests", "no test ran", suite=SuiteResult())
    line, place = "`trial shop`", "(tox.ini, testenv)"
    assert offers(tmp_path, tests) == [f"{line} {place}", f"{line} with MODE=test {place}"]
    *_, both = ladder(tmp_path).find_rungs("code:tests")[1](tests)
    (fix,) = both.fixes
    assert json.loads(fix.content)["code"] == {
        "tests": [{"command": ["trial", "shop"], "format": "exit-code"}],
        "environment": {"MODE": "test"},
    }


def test_a_command_for_tests_that_nothing_plans_is_found_and_planned(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff", **{"shop.py": "A = 1\n"})
    nulls = {"extends": "code", "tests_pass": None, "tests_min": None}
    (tmp_path / PROFILES).write_text(json.dumps({"code_default": nulls}))
    assert ladder(tmp_path).find_unplanned_tests() is None
    (tmp_path / "manage.py").write_text("")
    obstacle = ladder(tmp_path).find_unplanned_tests()
    assert obstacle is not None
    assert "`python manage.py test`" in obstacle.message
    (proposal,) = [each for rung in ladder(tmp_path).find_rungs("code:tests") for each in rung(obstacle)]
    files = planned(proposal.fixes)
    assert files[PLAN]["code"]["required"] == ["code:diff", "code:tests"]
    assert files[PROFILES]["code_default"] == {"extends": "code"}
    for path, value in files.items():
        (tmp_path / path).write_text(json.dumps(value))
    assert ladder(tmp_path).find_unplanned_tests() is None


def test_tests_are_only_named_one_by_one_where_others_pass(tmp_path: Path) -> None:
    key = FailureKey("t.test_a", "t.py")
    compared = Compared(SuiteExamination(SuiteResult(8, 1), None, both=(key,)), "code")
    made = Ladder(tmp_path, (), "2026-01-01", lambda: compared)
    named = [
        [each.what for rung in made.find_rungs("code:tests") for each in rung(Obstacle("code:tests", "", suite=suite))]
        for suite in (SuiteResult(8, 1, failing={key: "boom"}), SuiteResult(0, 1, failing={key: "boom"}))
    ]
    assert named == [["failing tests named one by one"], []]


def test_nothing_is_left_out_before_what_is_missing_is_installed(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff", "code:lint")
    assert offers(tmp_path, LINT) == ["no code:lint"]
    assert offers(tmp_path, LINT, installed=False) == []


def test_a_cause_comes_before_a_command_and_a_command_before_a_variable(tmp_path: Path) -> None:
    scripts = {"scripts": {"lint": "sh lint.sh", "test": "sh test.sh", "test:unit": "sh u.sh"}}
    files = {"package.json": json.dumps(scripts), ".env.example": "MODE=test\n", "test_a.sh": ""}
    configure(tmp_path, "code:diff", "code:lint", "code:tests", **files)
    command, variable = "`npm run lint` (package.json, script lint)", "MODE=test (.env.example)"
    assert offers(tmp_path, LINT) == [command, variable, "no code:lint"]
    test, unit = "`npm test` (package.json, script test)", "`npm run test:unit` (package.json, script test:unit)"
    crashed = Obstacle("code:tests", "node left no report", crashed=True)
    assert offers(tmp_path, crashed) == [test, variable, unit]
    # A report says more than an exit code, and a part of the suite is nothing where the suite runs.
    failing = replace(crashed, crashed=False, suite=SuiteResult(8, 1, failing={FailureKey("t.test_a", "t.py"): "boom"}))
    assert offers(tmp_path, failing) == [variable, test]
    # Where nothing passed, the runner may not be the project's; a variable keeps its report.
    none = replace(failing, suite=SuiteResult(0, 1, failing={FailureKey("t.test_a", "t.py"): "boom"}))
    assert offers(tmp_path, none) == [variable, test, unit]


def test_what_ran_out_of_time_gets_more_and_nothing_else_is_tried(tmp_path: Path) -> None:
    configure(tmp_path, "code:diff", "code:build", **{"package.json": '{"scripts": {"test": "x", "build": "y"}}'})
    slow = Obstacle("code:tests", "it timed out", crashed=True, out_of_time=600)
    (tmp_path / "test_a.py").write_text("")
    assert offers(tmp_path, slow) == ["1800 s of time"]
    assert offers(tmp_path, replace(slow, capability="code:build")) == ["1800 s of time", "no code:build"]
    (fix,) = next(iter(ladder(tmp_path).find_rungs("code:tests")[0](slow))).fixes
    given = json.loads(fix.content)["code"]["time"]
    assert (fix.path, given["seconds"], fix.lines[0][:12]) == ("config/sandbox.json", 1800, "gives 1800 s")
    assert validate("sandbox", json.loads(fix.content)) == ()


@pytest.mark.parametrize(
    ("outcome", "message", "seconds"),
    [
        (Outcome(timed_out=True, duration_s=600), "it timed out", 600),
        (Outcome(1, duration_s=590), "pytest ended with timeout: x", 590),
        (Outcome(1, duration_s=590), "go left no test result (timeout)", 590),
        (Outcome(1, duration_s=9), "a test waits for a timeout of 2000 ms", 0),
    ],
)
def test_a_stopped_program_is_known_by_how_it_ended(outcome: Outcome, message: str, seconds: float) -> None:
    facts = literal.facts({"tests_pass": True}, {})
    ran = replace(facts, runs=(CapabilityRun("code:tests", True, outcome=outcome, failure=Failure("X", message)),))
    (obstacle,) = find_obstacles(Verified(decide_verdict(ran), ran.runs))
    assert obstacle.out_of_time == seconds


def test_what_stands_in_the_way_is_found_with_its_rules_and_the_tests_last() -> None:
    facts = literal.facts(
        {"lint_errors_max": 0, "tests_pass": True}, {name: literal.BAD[name] for name in ("lint.json", "tests.json")}
    )
    found = find_obstacles(Verified(decide_verdict(facts), facts.runs))
    assert [(each.capability, each.rules) for each in found] == [
        ("code:lint", ("lint_errors_max",)),
        ("code:tests", ("tests_pass",)),
    ]
    good = literal.facts({"lint_errors_max": 0}, {"lint.json": literal.GOOD["lint.json"]})
    assert find_obstacles(Verified(decide_verdict(good), good.runs)) == ()
    assert find_obstacles(Verified(None)) == ()


def test_the_first_failure_is_quoted() -> None:
    for rule, name, message in (
        ("lint_errors_max", "lint.json", "1 lint error, at most 0 allowed: bad"),
        ("tests_pass", "tests.json", "2 of 3 tests failed: no"),
        ("build_success", "build.json", "the build failed with 1 error: syntax error"),
    ):
        facts = literal.facts({rule: literal.THRESHOLDS[rule]}, {name: literal.BAD[name]})
        (obstacle,) = find_obstacles(Verified(decide_verdict(facts), facts.runs))
        assert obstacle.message == message


def test_a_crash_is_named_by_its_failure() -> None:
    facts = literal.facts({"lint_errors_max": 0}, {})
    crashed = CapabilityRun("code:lint", True, failure=Failure("ADAPTER_CRASH", "eslint\n crashed", "npm ci"))
    ran = replace(facts, runs=(crashed,))
    obstacle = find_obstacle(Verified(decide_verdict(ran), ran.runs), "code:lint")
    assert obstacle is not None
    assert (obstacle.crashed, obstacle.message, obstacle.hint) == (True, "eslint crashed", "npm ci")
    assert find_obstacle(Verified(decide_verdict(ran), ran.runs), "code:tests") is None


def test_a_verdict_without_any_decided_rule_checks_nothing() -> None:
    empty = literal.facts({}, {})
    assert checks_nothing(Verified(decide_verdict(empty), empty.runs))
    good = literal.facts({"lint_errors_max": 0}, {"lint.json": literal.GOOD["lint.json"]})
    assert not checks_nothing(Verified(decide_verdict(good), good.runs))


def test_a_linter_with_findings_is_called_as_the_project_calls_it(tmp_path: Path) -> None:
    tox = "[testenv:lint]\ncommands =\n  flake8 shop\n  flake8 --select=F tests\n  ruff check shop\n"
    configure(tmp_path, "code:diff", "code:lint", **{"tox.ini": tox})
    for folder in ("shop", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("")
    issue = {"path": "a.py", "line": 1, "rule": "E1", "tool": "flake8", "line_sha256": "0" * 64, "severity": "error"}
    facts = literal.artifact("lint.json", {"errors": 1, "issues": [issue]})
    runs = (CapabilityRun("code:lint", True, artifacts=(facts,)),)
    failing = Obstacle("code:lint", "1 error", frozenset({"LINT_FAIL"}), runs=runs)
    proposed = [each for rung in ladder(tmp_path).find_rungs("code:lint") for each in rung(failing)]
    first, second = proposed[:2]
    assert (first.what, first.lessens) == ("flake8 as tox.ini, testenv:lint calls it", True)
    assert [fix.path for fix in second.fixes] == ["config/verigate-baseline.json"]
    (fix,) = first.fixes
    assert fix.lines == ("calls flake8 as tox.ini, testenv:lint does: flake8 shop; flake8 --select=F tests",)
    document = json.loads(fix.content)
    assert document["code"] == {"linter_calls": {"flake8": [["shop"], ["--select=F", "tests"]]}}
    assert validate("adapters", document) == ()
    # Not what is configured already, and not where the project's own commands are declared instead.
    for table in (document, {"code": {"lint": [{"command": ["x"], "format": "exit-code"}]}}):
        (tmp_path / ADAPTERS).write_text(json.dumps(table))
        assert not [each for rung in ladder(tmp_path).find_rungs("code:lint") for each in rung(failing) if each.lessens]
    (tmp_path / ADAPTERS).unlink()
    assert not [each for rung in ladder(tmp_path).find_rungs("code:lint") for each in rung(LINT) if each.lessens]
