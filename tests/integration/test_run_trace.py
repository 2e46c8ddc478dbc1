"""``gate verify --profile-run``: the record of a run, as trace viewers read it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest

from verigate.cli.run_trace import find_longest_chain

PLAN = "config/adapter-plan.json"
NAMES = ("code:tests", "code:lint")


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    facts = {name: lf.GOOD[name] for name in ("tests.json", "lint.json")}
    return gr.make(tmp_path, facts, {"tests_pass": True, "lint_clean": True})


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    document = json.loads(path.read_bytes())
    return document["otherData"], [event for event in document["traceEvents"] if event["ph"] == "X"]


def test_stages_follow_each_other_and_capabilities_lie_in_the_run(
    repository: gr.GatedRepository, tmp_path: Path
) -> None:
    repository.put("work.py", "work = 1\n")
    trace = tmp_path / "trace.json"
    done = repository.gate("verify", "--profile-run", str(trace), "--no-cache", "--quiet")
    assert done.code == 0, done.output
    summary, events = read(trace)
    stages = [event for event in events if event["cat"] == "stage"]
    assert [event["name"] for event in stages] == ["start", "prepare", "run", "decide and publish", "report"]
    assert stages[0]["ts"] == 0
    for before, after in itertools.pairwise(stages):
        assert abs(before["ts"] + before["dur"] - after["ts"]) <= 1
    ran = [event for event in events if event["cat"] == "capability"]
    assert {event["name"] for event in ran} >= set(NAMES)
    run = stages[2]
    for event in ran:
        assert run["ts"] <= event["ts"] <= event["ts"] + event["dur"] <= run["ts"] + run["dur"]
        assert event["args"]["reused"] is False
        assert 0 <= event["args"]["process_s"] * 1e6 <= event["dur"] + 1000
    for row in {event["tid"] for event in ran}:
        own = sorted((event["ts"], event["ts"] + event["dur"]) for event in ran if event["tid"] == row)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(own))
    assert 0 < summary["longest_chain_s"] <= summary["capabilities_s"] + 0.01
    assert set(summary["longest_chain"]) <= {event["name"] for event in ran}


@pytest.mark.release
def test_what_is_reused_is_named(repository: gr.GatedRepository, tmp_path: Path) -> None:
    repository.put("work.py", "work = 1\n")
    repository.sample.git("add", "--all")
    trace = tmp_path / "trace.json"
    for _ in range(2):
        done = repository.gate("verify", "--staged", "--touched", "--profile-run", str(trace), "--quiet", CI="")
        assert done.code == 0, done.output
    reused = {event["args"]["reused"] for event in read(trace)[1] if event["cat"] == "capability"}
    assert reused == {True}


@pytest.mark.release
def test_a_file_that_cannot_be_written_changes_no_verdict(repository: gr.GatedRepository, tmp_path: Path) -> None:
    repository.put("work.py", "work = 1\n")
    done = repository.gate("verify", "--profile-run", str(tmp_path / "none" / "trace.json"), "--quiet")
    assert (done.code, "there is no folder" in done.output) == (2, True), done.output
    taken = tmp_path / "taken"
    taken.mkdir()
    done = repository.gate("verify", "--profile-run", str(taken), "--quiet")
    assert (done.code, "can't be written" in done.output) == (0, True), done.output


def test_a_range_has_no_trace(repository: gr.GatedRepository, tmp_path: Path) -> None:
    done = repository.gate("verify", "--range", "HEAD..HEAD", "--profile-run", str(tmp_path / "trace.json"))
    assert (done.code, "only --profile" in done.output) == (2, True), done.output


@pytest.mark.parametrize(
    ("seconds", "needs", "chain"),
    [
        ({}, {}, ()),
        ({"a": 1.0, "b": 2.0}, {"a": (), "b": ()}, ("b",)),
        ({"a": 1.0, "b": 2.0, "c": 1.5}, {"a": (), "b": (), "c": ("a",)}, ("a", "c")),
        ({"a": 1.0, "b": 2.0, "c": 1.5}, {"a": (), "b": (), "c": ("a", "b")}, ("b", "c")),
        ({"a": 1.0}, {"a": (), "not-run": ("a",)}, ("a",)),
    ],
)
def test_the_longest_chain_is_that_of_needs(
    seconds: dict[str, float], needs: dict[str, tuple[str, ...]], chain: tuple[str, ...]
) -> None:
    assert find_longest_chain(seconds, needs) == chain
