from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from fake_workspace import Bench, FolderCheckout, plan

from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Argument, Capability, Manifest, SandboxPolicy
from verigate.domain.plan import Plan, PlannedCapability
from verigate.errors import ExecutionError, UsageError
from verigate.execution.runner import run_plan
from verigate.processes.sandbox import Landlock

WRITES = 'printf %s "$1" > "$3/${1#*:}.txt"'
LISTS = 'ls "$3" > "$3/${1#*:}.txt"'


@pytest.fixture(params=["prefer", "off"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def go(bench: Bench, planned: Plan, mode: str = "prefer", **fields: object) -> dict[str, CapabilityRun]:
    runs = run_plan(planned, bench.workspace, bench.staging, bench.context(mode, **fields), bench.listener)
    assert tuple(each.capability for each in runs) == planned.names
    return {each.capability: each for each in runs}


def reason(record: CapabilityRun) -> str | None:
    return record.failure.reason if record.failure else None


def test_everything_runs_and_is_recorded(bench: Bench, mode: str) -> None:
    adapter = bench.manifest(WRITES, "x:a", "x:b", policy=SandboxPolicy(tools=("git", "nonesuch")), name="tester")
    runs = go(bench, plan((adapter, "x:a"), (adapter, "x:b")), mode)
    first = runs["x:a"]
    assert first.failure is None
    assert [artifact.path for artifact in first.artifacts] == ["a.txt"]
    assert (first.adapter, first.adapter_version, first.manifest_digest) == ("tester", "1.0.0", "digest-tester")
    assert first.argv[0].endswith("/adapters/tester/entry")
    assert first.outcome is not None
    assert first.outcome.ok
    assert first.outcome.duration_s > 0
    assert first.tools_missing == ("nonesuch",)
    assert first.sandbox is not None
    assert first.sandbox.mechanism == {"prefer": "bubblewrap", "off": "process-group"}[mode]
    assert bench.listener.events == ["> x:a", "< x:a", "> x:b", "< x:b"]


def test_an_empty_plan_runs_nothing(bench: Bench) -> None:
    assert go(bench, plan()) == {}


def test_later_capabilities_see_what_they_need_and_no_more(bench: Bench) -> None:
    free = Capability("x:free", needs=())
    narrow = Capability("x:narrow", needs=("x:a",))
    adapter = bench.manifest(LISTS, "x:a", free, narrow, "x:all")
    go(bench, plan(*((adapter, name) for name in ("x:a", "x:free", "x:narrow", "x:all"))), jobs=3)
    base = {"claim.json", "commitment.json"}
    seen = {name: set(bench.artifact(f"{name}.txt").split()) for name in ("a", "free", "narrow", "all")}
    # ls sees the file that the shell has just opened for it.
    assert seen == {
        "a": base | {"a.txt"},
        "free": base | {"free.txt"},
        "narrow": base | {"a.txt", "narrow.txt"},
        "all": base | {"a.txt", "free.txt", "narrow.txt", "all.txt"},
    }


@pytest.mark.slow
def test_what_needs_nothing_runs_at_the_same_time_each_in_its_own_checkout(bench: Bench, mode: str) -> None:
    # Each waits until it has seen that it is not alone; alone it would run into its timeout.
    meet = bench.root / "meet"
    meet.mkdir()
    script = f'touch "{meet}/$1"; until [ "$(ls "{meet}" | wc -l)" = 3 ]; do sleep 0.02; done; pwd > "$3/${{1#*:}}.txt"'
    if mode == "prefer":
        # /tmp is private there, so they can't meet.
        script = 'sleep 1; pwd > "$3/${1#*:}.txt"'
    names = ("x:a", "x:b", "x:c")
    policy = SandboxPolicy(timeout_s=10)
    adapter = bench.manifest(script, *(Capability(name, needs=()) for name in names), policy=policy)
    runs = go(bench, plan(*((adapter, name) for name in names)), mode, jobs=3)
    assert [reason(each) for each in runs.values()] == [None, None, None]
    assert bench.listener.events[:3] == ["> x:a", "> x:b", "> x:c"]
    assert sorted(bench.workspace.checkouts) == [0, 1, 2]


def test_one_job_is_one_at_a_time(bench: Bench) -> None:
    names = ("x:a", "x:b", "x:c")
    adapter = bench.manifest(WRITES, *(Capability(name, needs=()) for name in names))
    go(bench, plan(*((adapter, name) for name in names)), jobs=1)
    assert bench.listener.events == ["> x:a", "< x:a", "> x:b", "< x:b", "> x:c", "< x:c"]
    assert list(bench.workspace.checkouts) == [0]


def test_who_was_faster_does_not_decide_what_is_accepted_first(bench: Bench) -> None:
    names = ("x:slow", "x:fast")
    script = '[ "$1" = x:fast ] || sleep 0.5; ' + WRITES
    adapter = bench.manifest(script, *(Capability(name, needs=()) for name in names))
    go(bench, plan(*((adapter, name) for name in names)), jobs=2)
    assert bench.staging.collected == ["x:slow", "x:fast"]


def test_a_failure_stops_only_those_that_declare_that_they_need_it(bench: Bench, mode: str) -> None:
    bad = bench.manifest("echo broken >&2; exit 4", "x:bad")
    explicit = Capability("x:explicit", needs=("x:bad",))
    further = Capability("x:further", needs=("x:explicit",))
    good = bench.manifest(WRITES, explicit, further, "x:after")
    entries = ((bad, "x:bad"), (good, "x:explicit"), (good, "x:further"), (good, "x:after"))
    runs = go(bench, plan(*entries), mode)
    assert [reason(each) for each in runs.values()] == ["ADAPTER_CRASH", "ARTIFACT_MISSING", "ARTIFACT_MISSING", None]
    assert runs["x:bad"].failure is not None
    assert runs["x:bad"].failure.message == "broken (exit code 4)"
    assert runs["x:explicit"].failure is not None
    assert "needs x:bad" in runs["x:explicit"].failure.message
    assert runs["x:explicit"].outcome is None


def test_the_dependants_of_a_conflict_are_skipped_even_undeclared(bench: Bench) -> None:
    first = bench.manifest(WRITES, "x:first")
    thief = bench.manifest('echo forged > "$3/first.txt"; echo x > "$3/own.txt"', "x:thief")
    after = bench.manifest(WRITES, "x:after", Capability("x:apart", needs=("x:first",)))
    entries = ((first, "x:first"), (thief, "x:thief"), (after, "x:after"), (after, "x:apart"))
    runs = go(bench, plan(*entries))
    assert [reason(each) for each in runs.values()] == [None, "ARTIFACT_CONFLICT", "ARTIFACT_MISSING", None]
    assert bench.artifact("first.txt") == "x:first"
    assert "own.txt" not in bench.staging.accepted


def test_what_has_no_usable_adapter_is_an_error_that_runs_nothing(bench: Bench) -> None:
    adapter = bench.manifest(WRITES, Capability("x:danger", destructive=True), "x:entry")
    Path(adapter.folder, "entry").unlink()
    needy = Capability("x:needy", arguments=(Argument("url", "media:string", required=True, cli_flag="--url"),))
    demanding = bench.manifest(WRITES, needy)
    planned = Plan(
        "code",
        plan().entry,
        (
            PlannedCapability("x:none", True, ()),
            PlannedCapability("x:problem", True, (), adapter, (), "the manifest is broken"),
            PlannedCapability("x:danger", True, (), adapter),
            PlannedCapability("x:entry", True, (), adapter),
            PlannedCapability("x:needy", True, (), demanding),
        ),
    )
    runs = go(bench, planned)
    assert {reason(each) for each in runs.values()} == {"MISSING_ADAPTER"}
    messages = [each.failure.message for each in runs.values() if each.failure]
    assert messages[0] == "no adapter provides x:none"
    assert messages[1] == "the manifest is broken"
    assert "destructive" in messages[2]
    assert "missing or can't be executed" in messages[3]
    assert "'url'" in messages[4]
    assert all(each.outcome is None and not each.artifacts for each in runs.values())


def test_needs_that_go_round_in_a_circle_end_the_run(bench: Bench) -> None:
    adapter = bench.manifest(WRITES, "x:a", "x:b")
    circle = Plan(
        "code",
        plan().entry,
        (
            PlannedCapability("x:a", True, (), adapter, ("x:b",)),
            PlannedCapability("x:b", True, (), adapter, ("x:a",)),
        ),
    )
    with pytest.raises(ExecutionError, match="dependency cycle: x:a, x:b"):
        go(bench, circle)


def test_a_capability_that_ends_well_with_nothing_written_publishes_nothing(bench: Bench, mode: str) -> None:
    runs = go(bench, plan((bench.manifest("exit 0", "x:lazy"), "x:lazy")), mode)
    assert reason(runs["x:lazy"]) == "ARTIFACT_MISSING"


def test_what_was_written_before_a_crash_is_not_published(bench: Bench, mode: str) -> None:
    runs = go(bench, plan((bench.manifest(WRITES + "; exit 1", "x:a"), "x:a")), mode)
    assert reason(runs["x:a"]) == "ADAPTER_CRASH"
    assert runs["x:a"].artifacts == ()
    assert bench.staging.collected == []


def test_a_checkout_that_cannot_be_put_back_is_not_used_again(bench: Bench) -> None:
    bench.workspace.break_restore = True
    adapter = bench.manifest(WRITES, "x:a", "x:b")
    runs = go(bench, plan((adapter, "x:a"), (adapter, "x:b")), jobs=1)
    assert [reason(each) for each in runs.values()] == ["ADAPTER_CRASH", "ADAPTER_CRASH"]
    assert runs["x:a"].artifacts == ()
    assert sorted(bench.workspace.checkouts) == [0, 1]


def test_an_environment_that_leads_outside_is_an_error_without_a_sandbox_only(bench: Bench) -> None:
    adapter = bench.manifest(WRITES, "x:a")
    bench.workspace.editable_leaks = ("/home/me/other",)
    runs = go(bench, plan((adapter, "x:a")), "off")
    assert reason(runs["x:a"]) == "ADAPTER_CRASH"
    assert runs["x:a"].failure is not None
    assert "/home/me/other" in runs["x:a"].failure.message
    assert runs["x:a"].outcome is None
    bench.renew()
    bench.workspace.editable_leaks = ("/home/me/other",)
    assert reason(go(bench, plan((adapter, "x:a")), "prefer")["x:a"]) is None


def test_a_required_sandbox_that_is_missing_runs_nothing(bench: Bench) -> None:
    planned = plan((bench.manifest(WRITES, "x:a"), "x:a"))
    for found in (None, Landlock(7, "/usr/bin/python3")):
        with pytest.raises(ExecutionError, match="requires a sandbox"):
            run_plan(
                *(planned, bench.workspace, bench.staging, bench.context("require"), bench.listener),
                probed=lambda found=found: found,
            )
        bench.renew()
    assert bench.listener.events == []
    bench.renew()
    with pytest.raises(UsageError, match="'perhaps'"):
        go(bench, planned, "perhaps")


def cached_bench(bench: Bench) -> Manifest:
    (bench.root / "user").mkdir()
    counted = Capability("x:a", inputs=("**/*.py",))
    return bench.manifest('date +%s%N > "$3/a.txt"', counted)


def test_a_capability_that_declares_inputs_is_cached_until_one_of_them_changes(bench: Bench) -> None:
    planned = plan((cached_bench(bench), "x:a"))

    def again(mode: str = "prefer", **fields: object) -> tuple[str, bool]:
        record = go(bench, planned, mode, **fields)["x:a"]
        assert record.failure is None
        value = bench.artifact("a.txt")
        bench.renew()
        return value, record.cached

    first, cached = again()
    assert not cached
    assert again() == (first, True)
    assert not again(use_cache=False)[1]
    assert not again("off")[1]
    assert not again(adapter_config={"adapter0": {"x": 1}})[1]
    (bench.root / "repository" / "README").write_text("not an input")
    assert again() == (first, True)
    (bench.root / "repository" / "code.py").write_text("answer = 43\n")
    changed, cached = again()
    assert not cached
    assert changed != first


def test_failures_and_forged_entries_are_not_taken_from_the_cache(bench: Bench) -> None:
    planned = plan((cached_bench(bench), "x:a"))
    go(bench, planned)
    [entry] = [path for path in (bench.root / "user/.cache/verigate/evidence").rglob("*") if path.is_file()]
    content = entry.read_bytes()
    document = json.loads(content[64:])
    document["files"]["a.txt"] = "Zm9yZ2Vk"
    entry.write_bytes(content[:64] + json.dumps(document, sort_keys=True).encode())
    bench.renew()
    record = go(bench, planned)["x:a"]
    assert not record.cached
    assert bench.artifact("a.txt") != "forged"


@pytest.mark.parametrize(("first", "seen"), [(WRITES, ["a.txt"]), ("exit 1", [])], ids=["good", "failed"])
def test_a_reader_waits_and_runs_without_what_failed(bench: Bench, mode: str, first: str, seen: list[str]) -> None:
    written = bench.manifest(first, Capability("x:a", as_string=False, needs=()), name="first")
    reader = Capability("x:b", as_string=False, needs=(), reads=("x:a",))
    runs = go(bench, plan((written, "x:a"), (bench.manifest(LISTS, reader, name="second"), "x:b")), mode, jobs=2)
    assert (runs["x:a"].failure is None) == bool(seen)
    assert runs["x:b"].failure is None
    listed = bench.artifact("b.txt").split()
    assert [name for name in listed if name == "a.txt"] == seen


def test_what_runs_programs_of_the_subject_starts_first(bench: Bench) -> None:
    quick = [Capability(name, as_string=False, needs=()) for name in ("x:a", "x:b")]
    reader = Capability("x:c", as_string=False, needs=("x:a",))
    long = Capability("x:d", as_string=False, needs=(), flags={"writes_subject": True})
    adapter = bench.manifest(WRITES, *quick, reader, long)
    go(bench, plan(*((adapter, name) for name in ("x:a", "x:b", "x:c", "x:d"))), jobs=2)
    started = [event for event in bench.listener.events if event.startswith(">")]
    assert started[:2] == ["> x:d", "> x:a"]
    assert sorted(started) == ["> x:a", "> x:b", "> x:c", "> x:d"]
    assert [event for event in bench.listener.events if event.startswith("<")][-1] == "< x:d"


def test_a_capability_runs_while_the_next_checkout_is_written(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = bench.root / "begun"
    write = bench.workspace.checkout
    seen: list[bool] = []

    def checkout(number: int) -> FolderCheckout:
        if number == 1 and not seen:
            until = time.monotonic() + 20
            while not begun.exists() and time.monotonic() < until:
                time.sleep(0.01)
            seen.append(begun.exists())
        return write(number)

    monkeypatch.setattr(bench.workspace, "checkout", checkout)
    first, second = (Capability(name, as_string=False, needs=()) for name in ("x:a", "x:b"))
    script = f'[ "$1" != x:a ] || : > {begun}\n{WRITES}'
    adapter = bench.manifest(script, first, second)
    runs = go(bench, plan((adapter, "x:a"), (adapter, "x:b")), "off", jobs=2)
    assert seen == [True]
    assert all(run.failure is None for run in runs.values())
