"""Capabilities of cap definitions: a command with arguments, stdin from the subject, stdout as the artifact."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from fake_workspace import Bench, plan

from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Argument, Capability, Manifest, Output, SandboxPolicy
from verigate.execution import stdout_capability
from verigate.execution.runner import run_plan

PRINTS = 'printf "%s|" "$@"; cat'
ARGUMENTS = (
    Argument("path", "media:string", required=True, position=0),
    Argument("depth", "media:integer", cli_flag="--depth", default=2),
)


@pytest.fixture(params=["prefer", "off"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def declared(stdin: str | None = "media:string", name: str = "x:count", **fields: Any) -> Capability:
    return Capability(
        name,
        as_string=False,
        needs=(),
        outputs=(Output("count.txt", "media:string"),),
        command="count",
        stdin=stdin,
        file="count.toml",
        media_specs={},
        **fields,
    )


def go(bench: Bench, manifest: Manifest, mode: str, config: dict[str, Any], name: str = "x:count") -> CapabilityRun:
    context = bench.context(mode, adapter_config={manifest.name: config})
    (record,) = run_plan(plan((manifest, name)), bench.workspace, bench.staging, context, bench.listener)
    return record


def test_command_and_arguments_are_all_that_is_passed_and_stdout_is_the_artifact(tmp_path: Path, mode: str) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest(f"{PRINTS}; echo said >&2", declared(arguments=ARGUMENTS), name="a")
    record = go(bench, manifest, mode, {"path": "-a b;$(c)", "depth": 3})
    assert record.failure is None
    assert bench.artifact("count.txt") == "count|--depth|3|-a b;$(c)|"
    assert bench.log("x:count") == b"said\n"
    assert bench.log("x:count", "out") == b""


def test_a_file_of_the_subject_stands_on_stdin(tmp_path: Path, mode: str) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest(PRINTS, declared(), name="a")
    assert go(bench, manifest, mode, {"stdin": "code.py"}).failure is None
    assert bench.artifact("count.txt") == "count|answer = 42\n"


def test_what_stands_under_the_capability_s_own_name_goes_first(tmp_path: Path, mode: str) -> None:
    bench = Bench(tmp_path)
    manifest = bench.manifest(PRINTS, declared(arguments=ARGUMENTS), name="a")
    own = {"x:count": {"depth": 9, "stdin": "code.py"}, "path": "all", "depth": 1, "stdin": "nothing"}
    assert go(bench, manifest, mode, own).failure is None
    assert bench.artifact("count.txt") == "count|--depth|9|all|answer = 42\n"


@pytest.mark.parametrize("config", [{}, {"stdin": None}])
def test_without_a_file_stdin_is_empty(tmp_path: Path, mode: str, config: dict[str, Any]) -> None:
    bench = Bench(tmp_path)
    assert go(bench, bench.manifest(PRINTS, declared(), name="a"), mode, config).failure is None
    assert bench.artifact("count.txt") == "count|"


def test_where_no_stdin_is_declared_the_configuration_s_key_means_nothing(tmp_path: Path, mode: str) -> None:
    bench = Bench(tmp_path)
    assert go(bench, bench.manifest(PRINTS, declared(None), name="a"), mode, {"stdin": "code.py"}).failure is None
    assert bench.artifact("count.txt") == "count|"


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("gone.txt", "there is no file 'gone.txt'"),
        ("folder", "there is no file 'folder'"),
        ("pipe", "there is no file 'pipe'"),
        ("../outside", "leads out of the repository"),
        ("/etc/passwd", "leads out of the repository"),
        ("link", "leads out of the repository"),
        ("a\0b", "leads out of the repository"),
        ("", "leads out of the repository"),
        (3, "is not a string"),
        ("refused.txt", "refused.txt is refused for x:count as media:string"),
    ],
)
def test_what_can_not_stand_on_stdin_is_refused_and_nothing_runs(tmp_path: Path, stdin: Any, said: str) -> None:
    bench = Bench(tmp_path)
    repository = tmp_path / "repository"
    (tmp_path / "outside").write_text("secret")
    (repository / "link").symlink_to("../../outside")
    (repository / "folder").mkdir()
    (repository / "refused.txt").write_text("refused")
    checkout = Path(bench.workspace.checkout(0).path)
    os.mkfifo(checkout / "pipe")
    record = go(bench, bench.manifest(PRINTS, declared(), name="a"), "off", {"stdin": stdin})
    assert record.failure is not None
    assert record.failure.reason == "MISSING_ADAPTER"
    assert said in record.failure.message
    assert bench.staging.collected == []


@pytest.mark.parametrize("script", ["echo 1; exit 3", "echo 1; kill -9 $$"])
def test_what_a_crashed_command_has_printed_is_not_used(tmp_path: Path, mode: str, script: str) -> None:
    bench = Bench(tmp_path)
    record = go(bench, bench.manifest(script, declared(), name="a"), mode, {})
    assert record.failure is not None
    assert record.failure.reason == "ADAPTER_CRASH"
    assert bench.staging.accepted == {}


def test_a_folder_of_the_artifact_is_made(tmp_path: Path, mode: str) -> None:
    bench = Bench(tmp_path)
    deep = Capability("x:count", outputs=(Output("caps/x/count.txt"),), command="count", needs=())
    manifest = bench.manifest("echo 1", deep, name="a")
    record = go(bench, manifest, mode, {})
    assert record.outcome is not None
    assert record.outcome.ok
    staged = next(Path(bench.workspace.path).rglob("count.txt"))
    assert (staged.read_text(), str(staged).endswith("T_test/caps/x/count.txt")) == ("1\n", True)


def test_stdin_is_read_when_its_turn_has_come_and_the_checkout_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path)
    before = bench.manifest('echo spoilt > code.py; sleep 0.2; echo 1 > "$3/first.txt"', "x:first", name="before")
    reads = Capability("x:count", outputs=(Output("count.txt"),), command="count", stdin="media:string")
    after = bench.manifest(PRINTS, reads, name="after", policy=SandboxPolicy(read_only=True))
    copy = stdout_capability.copy_stdin

    def told(*arguments: Any) -> str | None:
        bench.listener.events.append("stdin")
        return copy(*arguments)

    monkeypatch.setattr(stdout_capability, "copy_stdin", told)
    context = bench.context(adapter_config={"after": {"stdin": "code.py"}}, jobs=1)
    planned = plan((before, "x:first"), (after, "x:count"))
    runs = run_plan(planned, bench.workspace, bench.staging, context, bench.listener)
    assert [each.failure for each in runs] == [None, None]
    assert bench.listener.events.index("stdin") > bench.listener.events.index("< x:first")
    assert bench.artifact("count.txt") == "count|answer = 42\n"
