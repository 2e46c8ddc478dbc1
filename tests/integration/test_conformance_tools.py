"""The conformance kit on tools in TOML: all that ship, and ones that are broken."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import broken_tools
import pytest
import shipped_tools
from adapter_reports import check_adapter
from broken_tools import BROKEN_TOOLS, FIXTURE, LEAVES_A_PROCESS, TOOL, BrokenTool

from verigate.composition.conformance import check_adapters
from verigate.conformance.kit import CHECKS, TOOL_CHECKS
from verigate.discovery.cap_definitions import DocumentReader
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain.conformance import ConformanceAnswer
from verigate.errors import UsageError

SHIPPED = sorted(path.name for path in shipped_tools.TOOLS.glob("*.toml"))
ORDINARY = {"program", "effects", "end", "artifacts", "expectations", "writes", "network", "tools"}
"""What one ordinary call tells."""

FEWER_CHECKS = {
    "ffmpeg.toml": {
        f"ffmpeg:{name}" for name in ("resize", "fit-width", "fit-height", "trim", "extract-audio", "frame")
    },
    "git.toml": {"git:log", "git:diff"},
    "pip-audit.toml": {"pip-audit:audit-installed"},
}
"""The commands of others with other flags, of programs that take their time: called twice, and no more."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return shipped_tools.programs(tmp_path_factory.mktemp("programs") / "bin")


ALWAYS = {"eslint.toml", "git.toml", "pandoc.toml", "ripgrep.toml", "tar.toml", "unix.toml"}
"""Of each way to report, to write and to destroy one; the others before a release."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*sorted(ALWAYS), *(pytest.param(name, marks=pytest.mark.release) for name in sorted({*SHIPPED} - ALWAYS))]
)
def test_a_shipped_tool_conforms(name: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", path)
    tool = shipped_tools.shipped()[_alias(name)]
    fewer = FEWER_CHECKS.get(name, set())
    capabilities = {tool.qualify(each): each.destructive for each in tool.capabilities}
    [report] = check_adapters(shipped_tools.TOOLS / name, sorted(capabilities.keys() - fewer))
    assert report.findings == ()
    assert report.of(ConformanceAnswer.NOT_RUN) == ()
    assert report.exit_code == 0
    for capability in report.capabilities:
        assert report.run_for(capability) >= (1 if capabilities[capability] else 17), capability
    if fewer:
        [report] = check_adapters(shipped_tools.TOOLS / name, sorted(fewer), checks=sorted(ORDINARY | {"determinism"}))
        assert (report.findings, report.of(ConformanceAnswer.NOT_RUN)) == ((), ())
        assert {report.run_for(each) for each in report.capabilities} <= {8, 9}


def _alias(file: str) -> str:
    return next(
        alias
        for alias, tool in shipped_tools.shipped().items()
        if f'aliases = ["{alias}"' in (shipped_tools.TOOLS / file).read_text()
    )


@pytest.mark.release
@pytest.mark.slow
def test_the_tool_that_others_are_made_of_conforms(tmp_path: Path) -> None:
    report = check_adapter(broken_tools.write(tmp_path, TOOL, FIXTURE))
    assert report.findings == ()
    answers = {checked.check: checked.answer for checked in report.checked if checked.capability}
    every = dict.fromkeys((check.name for check in (*TOOL_CHECKS, *CHECKS)), ConformanceAnswer.HOLDS)
    assert answers == every | {"sorted": ConformanceAnswer.NOT_ASKED}
    assert (report.adapter, report.fixtures, report.exit_code) == ("forbidden", ("two-files",), 0)


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN_TOOLS)
def test_a_broken_tool_is_caught_with_one_code(name: str, tmp_path: Path) -> None:
    broken = BROKEN_TOOLS[name]
    own = {check.name for check in (*TOOL_CHECKS, *CHECKS) if broken.code in check.codes}
    report = check_adapter(broken.make(tmp_path / "adapters"), checks=sorted(own | ORDINARY))
    assert {finding.code for finding in report.findings} == {broken.code}, report.findings
    assert any(broken.tells in finding.message for finding in report.findings), report.findings
    assert report.exit_code == 1
    assert all(finding.fix for finding in report.findings)


@pytest.mark.slow
def test_what_a_tool_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    report = check_adapter(LEAVES_A_PROCESS.make(tmp_path / "adapters"), checks=["processes", *ORDINARY])
    assert report.findings == ()
    assert ConformanceAnswer.HOLDS in {each.answer for each in report.checked if each.check == "processes"}


@pytest.mark.slow
def test_what_destroys_is_refused_and_a_launcher_that_runs_it_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits = (("destructive = false", "destructive = true"), *broken_tools.shell('rm -- "$@"'))
    file = BrokenTool("", edits, fixture={"expect": {}}).make(tmp_path / "adapters")
    report = check_adapter(file)
    assert [(each.check, each.answer.value) for each in report.checked if each.capability] == [("destructive", "holds")]
    assert (report.findings, report.exit_code) == ((), 0)
    launcher = tmp_path / "adapters" / "bin" / "run"
    launcher.parent.mkdir()
    launcher.write_text("#!/bin/sh\nrm -- *.txt\n")
    launcher.chmod(0o755)

    class Obedient(ToolAdapters):
        def __init__(self, root: str, read: DocumentReader) -> None:
            super().__init__(root, read)
            self.launcher = str(launcher)

    monkeypatch.setattr("verigate.composition.conformance.ToolAdapters", Obedient)
    [finding] = check_adapter(file).findings
    assert (finding.code, finding.capability) == ("DESTRUCTIVE_RUN", "forbidden:words")


def test_a_program_that_is_not_there_is_told_and_nothing_else_is_claimed(tmp_path: Path) -> None:
    file = BROKEN_TOOLS["program-missing"].make(tmp_path / "adapters")
    report = check_adapter(file, checks=["program", "end", "network"])
    [finding] = report.findings
    assert (finding.code, finding.capability) == ("TOOL_MISSING", "forbidden:words")
    assert {checked.check: checked.answer.value for checked in report.checked if checked.capability} == {
        "program": "refuted",
        "end": "not_run",
        "network": "not_run",
    }
    [report] = check_adapters(file, without=["verigate-no-such"])
    assert (report.capabilities, report.left_out, report.calls, report.exit_code) == ((), ("forbidden:words",), 0, 0)


def test_a_folder_is_checked_file_by_file_and_its_manifest_too(tmp_path: Path) -> None:
    folder = tmp_path / "adapters"
    BROKEN_TOOLS["not-toml"].make(folder)
    (folder / "other.toml").write_text(TOOL.replace('"forbidden"', '"other"'))
    (folder / "notes.toml").write_text("[notes]\nadapter-like = 1\n")
    reports = check_adapters(folder, checks=["none"])
    assert [(report.adapter, len(report.findings)) for report in reports] == [("other", 0), ("words", 1)]
    (folder / "manifest.json").write_text("{}")
    assert [report.adapter for report in check_adapters(folder, checks=["none"])] == ["adapters", "other", "words"]
    assert [report.adapter for report in check_adapters(folder / "manifest.json", checks=["none"])] == ["adapters"]
    assert [report.adapter for report in check_adapters(folder, ["other:words"], checks=["none"])] == ["other"]
    with pytest.raises(UsageError, match="no adapter here declares 'other:word'") as unknown:
        check_adapters(folder, ["other:word"])
    assert "other:words" in str(unknown.value.hint)
    with pytest.raises(UsageError, match="which adapter"):
        check_adapters(folder, fixtures=["two-files"])
    (folder / "run.sh").write_text("")
    with pytest.raises(UsageError, match="doesn't declare an adapter"):
        check_adapters(folder / "run.sh")


def test_a_manifests_fixtures_and_those_of_a_tool_beside_it_are_kept_apart(tmp_path: Path) -> None:
    broken_tools.write(tmp_path, TOOL, FIXTURE)
    manifest = {"name": "x", "version": "1", "entry": "run", "capabilities": [{"name": "x:y", "outputs": []}]}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    reports = check_adapters(tmp_path, checks=["none"])
    assert [(report.adapter, report.fixtures) for report in reports] == [
        ("x", ("generic",)),
        ("forbidden", ("two-files",)),
    ]


def test_the_command_tells_of_several_adapters(tmp_path: Path) -> None:
    folder = tmp_path / "adapters"
    BROKEN_TOOLS["order-of-no-slot"].make(folder)
    (folder / "more.toml").write_text(TOOL.replace("clean = [1]", "clean = [0]"))
    done = _gate("adapter", "check", str(folder))
    assert done.returncode == 1
    assert b"2 adapters: 2 not conforming" in done.stdout
    assert b"words.toml:16" in done.stdout
    assert b"did you mean" in done.stdout
    told = json.loads(_gate("adapter", "check", str(folder), "--json").stdout)
    assert (told["schema"], told["exit_code"]) == ("verigate:conformance-reports.v1", 1)
    assert [each["adapter"] for each in told["adapters"]] == ["more", "words"]
    root = ET.fromstring(_gate("adapter", "check", str(folder), "--format", "junit").stdout)  # noqa: S314 (our own)
    assert [suite.get("name") for suite in root] == ["more", "words"]
    assert root.get("failures") == "2"


def _gate(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "verigate", *arguments], capture_output=True, check=False, timeout=120)
