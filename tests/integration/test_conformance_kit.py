"""The conformance kit on a conforming adapter and on broken ones, run for real."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from adapter_reports import check_adapter
from broken_adapters import BROKEN, CONFORMING
from broken_tools import BROKEN_TOOLS
from release_tests import some_always
from repositories import search_path

from verigate.conformance.finding_codes import CODES
from verigate.conformance.kit import CHECKS, DEFINITION, DESTRUCTIVE_CHECKS, ENTRY, FIXTURES, MANIFEST, TOOL_CHECKS
from verigate.domain.conformance import ConformanceAnswer
from verigate.errors import UsageError

BUILT_IN = Path(__file__).resolve().parents[2] / "adapters"


@pytest.fixture
def system_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own python3 for adapters that need no more: one from a version manager takes twice as long to start.

    Some three hundred calls of them are made here.
    """
    monkeypatch.setenv("PATH", search_path())


@pytest.mark.slow
@pytest.mark.usefixtures("system_path")
@pytest.mark.parametrize("name", some_always(BROKEN, str, one_in=4))
def test_a_broken_adapter_is_caught_with_one_code(name: str, tmp_path: Path) -> None:
    broken = BROKEN[name]
    report = check_adapter(broken.make(tmp_path / "adapter"))
    assert {finding.code for finding in report.findings} == {broken.code}, report.findings
    assert any(broken.tells in finding.message for finding in report.findings), report.findings
    assert report.exit_code == 1
    assert all(finding.fix for finding in report.findings)


LONGEST = {"code:counterfactual", "code:sensitivity"}
"""Each call runs suites several times."""
OFTEN = {"code:diff", "code:lint", "code:tests"}
"""Of the adapter with most capabilities these are always tried."""


def declared(name: str) -> set[str]:
    return {each["name"] for each in json.loads((BUILT_IN / name / "manifest.json").read_bytes())["capabilities"]}


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "capabilities"),
    [
        *(pytest.param(name, declared(name), id=name) for name in ("api", "content", "links")),
        pytest.param("code", OFTEN, id="code"),
        pytest.param("code", declared("code") - OFTEN - LONGEST, id="more of code", marks=pytest.mark.release),
        pytest.param("code", LONGEST, id="suites run several times", marks=pytest.mark.release),
    ],
)
def test_a_built_in_adapter_conforms(name: str, capabilities: set[str]) -> None:
    report = check_adapter(BUILT_IN / name, sorted(capabilities))
    assert report.findings == ()
    assert report.of(ConformanceAnswer.NOT_RUN) == ()
    assert report.exit_code == 0
    assert set(report.capabilities) == capabilities
    assert all(report.run_for(capability) >= 13 for capability in report.capabilities)


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.usefixtures("system_path")
def test_the_conforming_adapter_conforms_and_says_under_which_conditions() -> None:
    report = check_adapter(CONFORMING)
    assert report.findings == ()
    assert {checked.check: checked.answer for checked in report.checked if checked.capability} == dict.fromkeys(
        [check.name for check in CHECKS], ConformanceAnswer.HOLDS
    )
    assert report.exit_code == 0
    assert report.conditions["sandbox"] == "bubblewrap"
    assert report.conditions["watched by"].startswith("strace ")
    assert report.conditions["order of folders"] == "reversed, on tmpfs"


COUNT = """
title = "Count files"
command = "count"
[urn.tags]
op = "count"
target = "files"
[output]
media_spec = "media:integer"
output_description = "How many files"
"""
COUNTING = """#!/bin/sh
case $1 in
count) git ls-files -z | tr -cd '\\0' | wc -c | tr -d ' \\n' ;;
*) exit %d ;;
esac
"""


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize(("code", "found"), [(2, []), (0, ["UNKNOWN_CAPABILITY_ACCEPTED"])])
def test_a_command_of_a_cap_definition_is_checked_too(tmp_path: Path, code: int, found: list[str]) -> None:
    manifest = {"name": "counts", "version": "1.0.0", "entry": "run", "capabilities": [], "sandbox": {"tools": ["git"]}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "count.toml").write_text(COUNT)
    (tmp_path / "run").write_text(COUNTING % code)
    (tmp_path / "run").chmod(0o755)
    report = check_adapter(tmp_path)
    assert [finding.code for finding in report.findings] == found
    assert report.of(ConformanceAnswer.NOT_RUN) == ()
    assert [checked.check for checked in report.of(ConformanceAnswer.NOT_ASKED)] == ["expectations", "sorted", "stdout"]


def test_every_code_and_every_check_is_met_by_a_broken_adapter() -> None:
    codes = {code for _, _, codes in (MANIFEST, DEFINITION, ENTRY, FIXTURES) for code in codes}
    codes |= {code for check in (*CHECKS, *TOOL_CHECKS, *DESTRUCTIVE_CHECKS) for code in check.codes}
    caught = {broken.code for broken in (*BROKEN.values(), *BROKEN_TOOLS.values())}
    # By a tool's file alone nobody can bring that about; its own test brings another launcher. stdout is a note.
    assert codes == set(CODES) == caught | {"DESTRUCTIVE_RUN", "STDOUT_USED"}
    assert len(BROKEN) >= 25


@pytest.mark.parametrize("name", ["entry-missing", "manifest-without-entry", "fixture-with-unknown-key"])
def test_an_adapter_that_is_broken_before_it_runs_is_caught(name: str, tmp_path: Path) -> None:
    report = check_adapter(BROKEN[name].make(tmp_path / "adapter"), checks=["end"])
    assert [finding.code for finding in report.findings] == [BROKEN[name].code]
    assert report.exit_code == 1


def test_without_anything_to_watch_it_a_check_is_not_run_and_nothing_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verigate.conformance.kit_machine.find_tracer", lambda _: None)
    report = check_adapter(CONFORMING, checks=["network", "stdout"])
    assert {checked.check: checked.answer for checked in report.checked if checked.capability} == {
        "stdout": ConformanceAnswer.HOLDS,
        "network": ConformanceAnswer.NOT_RUN,
    }
    assert report.exit_code == 3
    [not_run] = report.of(ConformanceAnswer.NOT_RUN)
    assert "strace" in not_run.hint


def test_what_is_chosen_has_to_be_there() -> None:
    with pytest.raises(UsageError) as capability:
        check_adapter(CONFORMING, ["headers:license"])
    assert "headers:licence" in str(capability.value.hint)
    with pytest.raises(UsageError) as fixture:
        check_adapter(CONFORMING, fixtures=["two-flies"])
    assert "two-files" in str(fixture.value.hint)


def test_the_command_reports_as_json_and_junit_and_ends_with_what_it_found(tmp_path: Path) -> None:
    folder = BROKEN["entry-not-executable"].make(tmp_path / "adapter")
    told = _gate("adapter", "check", str(folder), "--json")
    assert told.returncode == 1
    document = json.loads(told.stdout)
    assert (document["schema"], document["adapter"]) == ("verigate:conformance-report.v1", "headers")
    assert [finding["code"] for finding in document["findings"]] == ["ENTRY_NOT_EXECUTABLE"]
    assert document["capabilities"] == {"headers:licence": {"checks_run": 0}}
    report = tmp_path / "report.xml"
    assert _gate("adapter", "check", str(folder), "--format", "junit", "--output", str(report)).returncode == 1
    root = ET.fromstring(report.read_bytes())  # noqa: S314 (our own)
    assert {suite.get("name"): suite.get("tests") for suite in root} == {
        "headers": "3",
        "headers:licence": str(len(CHECKS)),
    }
    assert [(failure.get("type")) for failure in root.iter("failure")] == ["ENTRY_NOT_EXECUTABLE"]
    assert root.get("errors") == str(len(CHECKS))
    plain = _gate("adapter", "check", str(folder))
    assert plain.stdout.startswith(b"NOT CONFORMING  headers 1.0.0")
    assert b"try: chmod +x it" in plain.stdout
    assert _gate("adapter", "check", str(tmp_path / "nowhere")).returncode == 2
    assert _gate("adapter", "check", str(folder), "--capability", "x:y").returncode == 2


def _gate(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "verigate", *arguments], capture_output=True, check=False, timeout=300)
