"""Sandboxes that are built before their turn: what runs in them is as if they had been built at their turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_workspace import Bench, plan

from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Capability, SandboxPolicy
from verigate.domain.plan import Plan
from verigate.domain.ports import Mount
from verigate.execution.runner import run_plan
from verigate.processes.process_loop import Processes

LISTS = 'ls "$3" > "$3/${1#*:}.txt"'


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Each call of the process loop, as it is made."""
    calls: list[tuple[str, str]] = []

    def listened(name: str) -> None:
        original = getattr(Processes, name)

        def call(self: Processes, key: str, *rest: object) -> object:
            calls.append((name, key))
            return original(self, key, *rest)

        monkeypatch.setattr(Processes, name, call)

    for name in ("prepare", "release", "drop"):
        listened(name)
    return calls


def go(bench: Bench, planned: Plan, mode: str = "require", jobs: int = 2) -> dict[str, CapabilityRun]:
    runs = run_plan(planned, bench.workspace, bench.staging, bench.context(mode, jobs=jobs), bench.listener)
    return {each.capability: each for each in runs}


def reasons(runs: dict[str, CapabilityRun]) -> list[str | None]:
    return [each.failure.reason if each.failure else None for each in runs.values()]


def test_what_comes_next_is_prepared_while_others_run_and_sees_what_they_wrote(
    bench: Bench, log: list[tuple[str, str]]
) -> None:
    adapter = bench.manifest(LISTS, "x:a", "x:b", "x:c", "x:d")
    runs = go(bench, plan(*((adapter, f"x:{letter}") for letter in "abcd")))
    assert reasons(runs) == [None] * 4
    assert log == [
        *(("prepare", "x:a"), ("release", "x:a"), ("prepare", "x:b"), ("prepare", "x:c")),
        *(("release", "x:b"), ("prepare", "x:d"), ("release", "x:c"), ("release", "x:d")),
    ]
    inputs = ["claim.json", "commitment.json"]
    assert bench.artifact("a.txt").split() == ["a.txt", *inputs]
    assert bench.artifact("d.txt").split() == ["a.txt", "b.txt", "c.txt", *inputs, "d.txt"]


@pytest.mark.slow
def test_it_starts_only_at_its_turn(bench: Bench) -> None:
    slow = 'sleep 0.5; date +%s%N > "$3/${1#*:}.txt"'
    adapter = bench.manifest(slow, "x:a", "x:b")
    go(bench, plan((adapter, "x:a"), (adapter, "x:b")))
    assert int(bench.artifact("b.txt")) - int(bench.artifact("a.txt")) > 400_000_000


@pytest.mark.slow
def test_its_time_begins_when_it_starts(bench: Bench) -> None:
    slow = bench.manifest('sleep 1.5; echo > "$3/slow.txt"', "x:slow", name="slow")
    short = bench.manifest('echo > "$3/short.txt"', "x:short", name="short", policy=SandboxPolicy(timeout_s=1))
    runs = go(bench, plan((slow, "x:slow"), (short, "x:short")))
    assert reasons(runs) == [None, None]
    outcome = runs["x:short"].outcome
    assert outcome is not None
    assert outcome.duration_s < 1


def test_what_is_skipped_after_all_is_dropped(bench: Bench, log: list[tuple[str, str]]) -> None:
    bad = bench.manifest("exit 4", "x:bad", name="bad")
    good = bench.manifest(LISTS, Capability("x:explicit", needs=("x:bad",)), "x:after", name="good")
    runs = go(bench, plan((bad, "x:bad"), (good, "x:explicit"), (good, "x:after")))
    assert reasons(runs) == ["ADAPTER_CRASH", "ARTIFACT_MISSING", None]
    assert ("drop", "x:explicit") in log
    assert ("release", "x:explicit") not in log


def test_a_checkout_that_is_another_by_then_gets_a_sandbox_of_its_own(bench: Bench, log: list[tuple[str, str]]) -> None:
    bench.workspace.break_restore = True
    adapter = bench.manifest('pwd > "$3/${1#*:}.txt"', "x:a", "x:b")
    runs = go(bench, plan((adapter, "x:a"), (adapter, "x:b")), jobs=1)
    assert reasons(runs)[0] == "ADAPTER_CRASH"
    assert ("drop", "x:b") in log
    assert log.count(("prepare", "x:b")) == 2
    assert bench.artifact("b.txt").strip() == bench.workspace.repository


def test_nothing_is_prepared_where_something_is_mounted_in_the_checkout(
    bench: Bench, log: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = Path(bench.workspace.repository, "modules")
    inner.mkdir()
    kind = type(bench.workspace.checkout(0))

    def mounts(self: object) -> tuple[Mount, ...]:
        path = str(getattr(self, "path", ""))
        root = bench.workspace.repository
        return Mount(path, root, read_only=False), Mount(str(inner), f"{root}/modules", read_only=True)

    monkeypatch.setattr(kind, "mounts", property(mounts))
    adapter = bench.manifest(LISTS, "x:a", "x:b")
    assert reasons(go(bench, plan((adapter, "x:a"), (adapter, "x:b")))) == [None, None]
    assert [call for call in log if call[0] != "drop"] == [
        *(("prepare", "x:a"), ("release", "x:a"), ("prepare", "x:b"), ("release", "x:b"))
    ]


def test_without_a_sandbox_nothing_is_prepared(bench: Bench, log: list[tuple[str, str]]) -> None:
    adapter = bench.manifest(LISTS, "x:a", "x:b")
    go(bench, plan((adapter, "x:a"), (adapter, "x:b")), mode="off")
    assert log == [("prepare", "x:a"), ("release", "x:a"), ("prepare", "x:b"), ("release", "x:b")]


def test_an_entry_that_cannot_be_started_is_told_at_its_turn(bench: Bench) -> None:
    adapter = bench.manifest(LISTS, "x:a")
    gone = bench.manifest(LISTS, "x:gone", name="gone")
    Path(gone.folder, gone.entry).unlink()
    runs = go(bench, plan((adapter, "x:a"), (gone, "x:gone")))
    assert reasons(runs) == [None, "MISSING_ADAPTER"]
    assert bench.listener.events == ["> x:a", "< x:a", "> x:gone", "< x:gone"]
