"""Plan, task list, adapters, errors and progress, as text and as documents."""

from __future__ import annotations

import json
from typing import Any

import literal_facts as literal
import pytest
import report_samples as samples
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun, Failure, Outcome
from verigate.domain.manifest import Capability, Manifest, Origin, Registry
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability
from verigate.domain.verdict import Status
from verigate.errors import ConfigError, Fault, UsageError
from verigate.reporting.console_lines import render_error, render_progress
from verigate.reporting.listings import TaskRow, adapters_document, render_adapters, render_tasks, tasks_document
from verigate.reporting.plan import plan_document, render_plan


def manifest(name: str, origin: Origin) -> Manifest:
    return Manifest(name, "1.0", "bin/x", f"/a/{name}", origin, "d", capabilities=(Capability("code:lint"),))


OURS = manifest("code", Origin.BUILTIN)
THEIRS = manifest("their\x1blint", Origin.REPOSITORY)
ENTRY = PlanEntry(("code:lint",), frozenset({"code:lint"}), frozenset())
PLAN = Plan(
    "code",
    ENTRY,
    (
        PlannedCapability("code:lint", True, ("in the plan of type code",), OURS),
        PlannedCapability("links:check", False, ("rule failures_max",), None, ("code:lint",), "no adapter provides it"),
    ),
)


def test_the_plan_says_what_runs_why_and_what_cannot() -> None:
    shown = render_plan(PLAN, task_id="T_x", profile="code")
    assert shown.startswith("PLAN  T_x · type code · profile code\n")
    assert "code 1.0 (builtin)" in shown
    assert "code:lint: in the plan of type code" in shown
    assert "can't run" in shown
    assert "links:check: no adapter provides it" in shown


def test_the_plan_names_what_comes_with_changed_tests() -> None:
    shown = render_plan(replace(PLAN, added_with_tests=("a:b", "c:d")), task_id="T_x", profile="code")
    assert "  + a:b and c:d: once the change touches tests\n" in shown
    assert "touches tests" not in render_plan(PLAN, task_id="T_x", profile="code")


def test_an_empty_plan_is_not_called_fine() -> None:
    assert "never passes" in render_plan(Plan("code", ENTRY), task_id="T_x", profile="code")


def test_the_plan_document_is_json_with_a_schema() -> None:
    document = json.loads(json.dumps(plan_document(PLAN, task_id="T_x", profile="code")))
    assert document["schema"] == "verigate:plan-report.v1"
    assert document["capabilities"][0]["entry"] == "/a/code/bin/x"
    assert document["capabilities"][1]["adapter"] is None
    assert document["capabilities"][1]["needs"] == ["code:lint"]


def test_shadowed_providers_are_shown() -> None:
    registry = Registry((THEIRS, OURS), {"code:lint": (THEIRS, OURS)}, ("odd\nmanifest",))
    shown = render_adapters(registry)
    assert r"their\x1blint 1.0 (repository)" in shown
    row = next(line for line in shown.splitlines() if line.startswith("code:lint"))
    assert row.index("repository") < row.index("code 1.0 (builtin)")
    assert r"warning: odd\nmanifest" in shown
    document = adapters_document(registry)
    assert document["capabilities"]["code:lint"]["shadowed"] == [{"name": "code", "origin": "builtin"}]


def test_no_adapters_is_said() -> None:
    assert "no adapter provides anything" in render_adapters(Registry())


def test_tasks_without_an_intact_verdict_are_not_verified() -> None:
    rows = [
        TaskRow("T_a", "code", Status.PASS, "2026-01-01T00:00:00Z", current=True),
        TaskRow("T_b", "docs", note="verdict.json does not match its index\x1b[0m"),
    ]
    shown = render_tasks(rows)
    assert any(line.startswith("*") and "T_a" in line and "pass" in line for line in shown.splitlines())
    assert any("T_b" in line and "not verified" in line and r"\x1b[0m" in line for line in shown.splitlines())
    assert tasks_document(rows)["tasks"][1]["status"] is None
    assert "gate start" in render_tasks([])


def test_an_error_shows_every_fault_with_place_and_hint() -> None:
    error = ConfigError(
        [
            Fault("unknown key 'tests_pas'", "config/verification.profiles.json", "/code/tests_pas", 3, "tests_pass?"),
            Fault("no such\nfile", "a\x1b.json"),
        ]
    )
    shown = render_error(error, width=80)
    assert shown.startswith("gate: config: 2 problems\n")
    assert "config/verification.profiles.json:3 /code/tests_pas" in shown
    assert "try: tests_pass?" in shown
    assert r"a\x1b.json" in shown
    assert r"no such\nfile" in shown
    assert "gate: usage: 1 problem\n" in render_error(UsageError("what?"))


def test_progress_is_one_line() -> None:
    report = Artifact("lint.json", "code:lint", 2, "0", "0")
    good = CapabilityRun("code:lint", True, outcome=Outcome(exit_code=0, duration_s=1.25), artifacts=(report,))
    assert render_progress(good) == "✓ code:lint              1.2 s  1 artifact"
    asked = CapabilityRun("verifier:gemini-api", False, outcome=Outcome(exit_code=0, duration_s=1.25))
    assert render_progress(asked) == "✓ verifier:gemini-api    1.2 s  answered"
    bad = CapabilityRun("code:lint", True, failure=Failure("ADAPTER_CRASH", "exit 3\nPASS"))
    assert render_progress(bad).startswith("! code:lint")
    assert render_progress(bad).endswith(r"-  exit 3\nPASS")


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        ("tests.json", literal.GOOD["tests.json"], "✓ code:tests             1.2 s  5 tests passed, 1 skipped"),
        ("tests.json", literal.BAD["tests.json"], "✗ code:tests             1.2 s  "),
        (
            "lint.json",
            samples.lint(samples.issue("a.py")),
            "✗ code:lint              1.2 s  1 file linted by ruff: 1 error",
        ),
        (
            "lint.json",
            samples.lint(warnings=2, files_checked=7),
            "✓ code:lint              1.2 s  7 files linted by ruff: 2 warnings",
        ),
        ("build.json", literal.BAD["build.json"], "✗ code:build             1.2 s  the build failed with 1 error"),
        (
            "links/statuses.json",
            literal.BAD["links/statuses.json"],
            "✗ links:check            1.2 s  2 of 2 links failed",
        ),
    ],
)
def test_progress_says_what_was_found(path: str, value: Any, line: str) -> None:
    artifact = literal.artifact(path, value)
    run = CapabilityRun(artifact.producer, True, outcome=Outcome(exit_code=0, duration_s=1.25), artifacts=(artifact,))
    assert render_progress(run).startswith(line)


def test_colours_of_progress_tell_failed_tests_from_findings_that_a_rule_may_allow() -> None:
    def colour(path: str, value: Any) -> str:
        artifact = literal.artifact(path, value)
        run = CapabilityRun(artifact.producer, True, outcome=Outcome(exit_code=0), artifacts=(artifact,))
        return render_progress(run, colour=True)[:6]

    assert colour("tests.json", literal.GOOD["tests.json"]) == "\x1b[32m✓"
    assert colour("tests.json", literal.BAD["tests.json"]) == "\x1b[31m✗"
    assert colour("lint.json", samples.lint(samples.issue("a.py"))) == "\x1b[33m✗"
    assert colour("lint.json", samples.lint(warnings=2)) == "\x1b[33m✓"


@pytest.mark.parametrize("bad", samples.HOSTILE)
def test_a_hostile_tool_name_or_value_leaves_one_line(bad: str) -> None:
    for path, value in (
        ("tests.json", {**literal.GOOD["tests.json"], "tool": bad, "duration": bad, "passed": bad}),
        ("lint.json", samples.lint(tool=bad)),
        ("links/statuses.json", {bad: bad}),
    ):
        artifact = literal.artifact(path, value)
        run = CapabilityRun(artifact.producer, True, outcome=Outcome(exit_code=0), artifacts=(artifact,))
        assert render_progress(run).isprintable()
