from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fake_workspace import Bench

from verigate.domain.execution import Outcome
from verigate.domain.manifest import Argument, Capability, Manifest, Origin, SandboxPolicy
from verigate.domain.plan import PlannedCapability
from verigate.execution import call_failures, lifecycle
from verigate.execution.adapter_paths import find_entry
from verigate.execution.gate_installation import GateInstallation
from verigate.execution.phase_values import CallInputs, RunSetting
from verigate.processes import tool_path
from verigate.processes.job import EndedProcess

HOST = GateInstallation(sys.executable, (sys.prefix,), "0", None, None)


def setting(bench: Bench, config: dict[str, dict[str, object]] | None = None) -> RunSetting:
    context = bench.context("off", adapter_config=config or {})
    folder = Path(bench.workspace.path, "adapters")
    folder.mkdir()
    search = tool_path.Search((), ("/usr/bin", "/bin"), (), bench.workspace.repository, context.environ)
    core = tool_path.locate_coreutils(search)
    profile = lifecycle.render_profile(context.profile_document)
    return RunSetting(bench.workspace, bench.staging, context, HOST, None, str(folder), (), search, core, profile)


def planned(manifest: Manifest, name: str = "x:y") -> PlannedCapability:
    return PlannedCapability(name, True, ("test",), manifest)


def inputs_of(bench: Bench, manifest: Manifest, config: dict[str, object] | None = None) -> CallInputs:
    chosen = setting(bench, {manifest.name: config or {}})
    plan = planned(manifest)
    configured = lifecycle.configure(chosen, plan)
    prepared = lifecycle.set_up_environment(chosen, plan, configured, bench.workspace.checkout(0), ())
    return lifecycle.build_inputs(chosen, plan, configured, prepared)


def test_configure_lays_the_runs_configuration_over_the_manifests_defaults(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest("", "x:y", config_defaults={"a": {"b": 1, "c": 2}, "list": [1, 2]})
    chosen = setting(bench, {manifest.name: {"a": {"c": 3}, "list": [4]}, "other": {"a": 0}})
    configured = lifecycle.configure(chosen, planned(manifest))
    assert configured.config == {"a": {"b": 1, "c": 3}, "list": [4]}
    assert json.loads(Path(configured.profile).read_text()) == chosen.context.profile_document


def test_a_configuration_too_long_for_a_variable_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest("", "x:y", config_defaults={"a": "x" * 130_000})
    with pytest.raises(lifecycle.NotReadyError, match="longer than"):
        lifecycle.configure(setting(bench), planned(manifest))


def test_a_capability_declared_as_a_string_gets_exactly_the_four_flags(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    inputs = inputs_of(bench, bench.manifest("", "x:y"))
    task = str(inputs.prepared.staging)
    assert Path(task).is_absolute()
    assert Path(task).name == "T_test"
    assert inputs.argv[1:] == (
        *("x:y", "--task-dir", task, "--commitment", f"{task}/commitment.json", "--claim", f"{task}/claim.json"),
        *("--profile", inputs.configured.profile),
    )


def test_declared_arguments_are_appended(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    declared = Capability(
        "x:y",
        as_string=False,
        arguments=(
            Argument("second", "media:string", position=1, default="two"),
            Argument("first", "media:string", position=0, default="-one"),
            Argument("depth", "media:integer", cli_flag="--depth", default=2),
            Argument("verbose", "media:boolean", cli_flag="--verbose", default=False),
            Argument("all", "media:boolean", cli_flag="--all", default=True),
            Argument("each", "media:string-array", cli_flag="--each", default=["a", "b c"]),
            Argument("absent", "media:string", cli_flag="--absent"),
        ),
    )
    inputs = inputs_of(bench, bench.manifest("", declared), {"depth": 5})
    assert inputs.argv[10:] == ("--depth", "5", "--all", "--each", "a", "--each", "b c", "-one", "two")


def test_a_required_argument_without_a_value_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    declared = Capability("x:y", arguments=(Argument("url", "media:string", required=True, cli_flag="--url"),))
    with pytest.raises(lifecycle.NotReadyError, match="'url'"):
        inputs_of(bench, bench.manifest("", declared))


@pytest.mark.parametrize("fault", ["missing", "not executable", "a folder"])
def test_an_entry_that_cannot_be_run_is_refused(tmp_path: Path, fault: str) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest("", "x:y")
    entry = Path(manifest.folder, "entry")
    entry.unlink()
    if fault == "not executable":
        entry.write_text("x")
    if fault == "a folder":
        entry.mkdir()
    with pytest.raises(lifecycle.NotReadyError, match="missing or can't be executed"):
        inputs_of(bench, manifest)


def test_an_input_that_is_missing_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest("", "x:y")
    chosen = setting(bench)
    configured = lifecycle.configure(chosen, planned(manifest))
    prepared = lifecycle.set_up_environment(chosen, planned(manifest), configured, bench.workspace.checkout(0), ())
    (prepared.staging / "claim.json").unlink()
    with pytest.raises(lifecycle.NotReadyError, match=r"claim\.json is missing"):
        lifecycle.build_inputs(chosen, planned(manifest), configured, prepared)


def test_an_adapter_of_the_repository_runs_from_the_pristine_copy(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    manifest = Manifest("a", "1", "bin/a", f"{bench.workspace.repository}/adapters/a", Origin.REPOSITORY, "d")
    assert find_entry(manifest, bench.workspace) == f"{bench.workspace.policy_root}/adapters/a/bin/a"
    foreign = Manifest("a", "1", "bin/a", "/opt/a", Origin.PATH, "d")
    assert find_entry(foreign, bench.workspace) == "/opt/a/bin/a"


def test_tools_that_are_missing_and_what_is_not_enforced_are_noted(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest("", "x:y", policy=SandboxPolicy(tools=("git", "no-such-tool"), read_only=True))
    inputs = inputs_of(bench, manifest)
    assert inputs.prepared.toolbox.missing == ("no-such-tool",)
    assert inputs.prepared.report.missing == ("filesystem", "network", "pid-namespace", "read-only")


def test_an_end_for_want_of_memory_names_the_limit() -> None:
    killed = EndedProcess("x:y", Outcome(signal=6), True, "oops")
    said = EndedProcess("x:y", Outcome(exit_code=1), True, "MemoryError")
    other = EndedProcess("x:y", Outcome(exit_code=1), True, "ValueError")
    found = [call_failures.classify_failure(each, 60.0, 64) for each in (killed, said, other)]
    assert ["64 MiB (memory_mb)" in each.message for each in found if each is not None] == [True, True, False]


@pytest.mark.parametrize(
    ("outcome", "contained", "reason", "words"),
    [
        (Outcome(exit_code=0), True, None, ""),
        (Outcome(exit_code=2), True, "ADAPTER_CRASH", "oops (exit code 2)"),
        (Outcome(signal=9), True, "ADAPTER_CRASH", "SIGKILL (9); stderr: oops"),
        (Outcome(signal=40), True, "ADAPTER_CRASH", "signal 40"),
        (Outcome(exit_code=0, timed_out=True), True, "ADAPTER_TIMEOUT", "after 60 s"),
        (Outcome(signal=15, timed_out=True), True, "ADAPTER_TIMEOUT", "after 60 s"),
        (Outcome(exit_code=1), False, "ADAPTER_CRASH", "build its sandbox; stderr: oops"),
        (Outcome(exit_code=0), False, "ADAPTER_CRASH", "build its sandbox"),
    ],
)
def test_ends_become_reasons(outcome: Outcome, contained: bool, reason: str | None, words: str) -> None:
    failure = call_failures.classify_failure(EndedProcess("x:y", outcome, contained, "oops"), 60.0)
    assert (failure.reason if failure else None) == reason
    assert words in (failure.message if failure else "")
