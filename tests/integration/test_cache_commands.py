"""``gate cache``: what lies in the user's caches, whether it is whole, and removing it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """One with a run that passed by the index."""
    made = gr.make(tmp_path, {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True})
    made.put("work.py", "work = 1\n")
    made.sample.git("add", "--all")
    done = made.gate("verify", "--staged", "--touched", "--quiet")
    assert done.code == 0, done.output
    return made


def list_entries(repository: gr.GatedRepository, name: str) -> list[Path]:
    return [path for path in (repository.home / ".cache/verigate" / name).glob("*/*") if path.is_file()]


def count(repository: gr.GatedRepository) -> dict[str, int]:
    done = repository.gate("cache", "stats", "--json")
    assert done.code == 0, done.output
    return {each["name"]: each["entries"] for each in done.json["caches"]}


def test_the_entries_of_a_run_are_counted_and_shown(repository: gr.GatedRepository) -> None:
    found = count(repository)
    assert set(found) == {"evidence", "runs", "outcomes", "indexes", "commits", "fleet", "objects"}
    called = len(repository.published("run.json", "implicit")["invocations"])
    assert (found["runs"], found["outcomes"]) == (called, called)
    assert found["evidence"] == 2, "of code:functions, which declares what it reads, and its facts of single files"
    shown = repository.gate("cache", "stats").out.splitlines()
    assert shown[0].split() == ["cache", "entries", "size", "newest", "oldest", "holds"]
    (runs,) = (line for line in shown if line.startswith("runs"))
    assert "what capabilities found" in runs
    assert " s " in runs


@pytest.mark.release
def test_a_changed_cut_or_renamed_entry_is_broken(repository: gr.GatedRepository) -> None:
    assert repository.gate("cache", "verify").code == 0
    entry, *_ = list_entries(repository, "runs")
    whole = entry.read_bytes()
    for broken in (whole[:-1], whole.replace(b"tests_pass", b"tests_past", 1) + b" ", b""):
        entry.write_bytes(broken)
        done = repository.gate("cache", "verify", "--json")
        assert (done.code, [each["cache"] for each in done.json["broken"]]) == (3, ["runs"])
        assert done.json["broken"][0]["key"] == entry.name
        assert repository.gate("cache", "verify", "outcomes").code == 0
    other = entry.with_name(entry.name[:-1] + ("0" if entry.name[-1] != "0" else "1"))
    other.write_bytes(whole)
    entry.unlink()
    assert repository.gate("cache", "verify").out.splitlines()[0] == f"broken  runs {other.name}"


@pytest.mark.release
def test_pruning_removes_what_is_old_or_all(repository: gr.GatedRepository) -> None:
    entry, *others = list_entries(repository, "runs")
    before = time.time() - 3 * 86_400
    os.utime(entry, (before, before))
    stranger = entry.parent / "note.txt"
    stranger.write_text("mine")
    done = repository.gate("cache", "prune", "--older-than", "4", "--json")
    assert {each["entries"] for each in done.json["removed"].values()} == {0}
    done = repository.gate("cache", "prune", "--older-than", "2")
    assert "removed 1 of runs" in done.out
    assert (count(repository)["runs"], count(repository)["outcomes"]) == (len(others), len(others) + 1)
    repository.gate("cache", "prune", "outcomes", "--all")
    assert (count(repository)["runs"], count(repository)["outcomes"]) == (len(others), 0)
    # What is no entry isn't touched.
    assert stranger.read_text() == "mine"
    repository.gate("cache", "prune", "evidence", "--all")
    # And the next run is only slower.
    assert repository.gate("verify", "--staged", "--touched", "--quiet").code == 0
    assert not any(call["cached"] for call in repository.published("run.json", "implicit")["invocations"])


@pytest.mark.release
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("prune",), "say which entries"),
        (("prune", "--all", "--older-than", "1"), "say which entries"),
        (("prune", "--all", "run"), "there is no cache 'run'"),
        (("verify", "run"), "did you mean 'runs'?"),
    ],
)
def test_what_is_not_clear_removes_nothing(
    repository: gr.GatedRepository, arguments: tuple[str, ...], says: str
) -> None:
    before = count(repository)
    done = repository.gate("cache", *arguments)
    assert (done.code, says in done.output) == (2, True), done.output
    assert count(repository) == before
    assert before["runs"] > 0


def test_without_a_folder_of_the_user_there_is_nothing_to_show(repository: gr.GatedRepository) -> None:
    done = repository.gate("cache", "stats", HOME="", XDG_CACHE_HOME="", XDG_STATE_HOME="")
    assert (done.code, "there is no folder for caches" in done.output) == (2, True), done.output
    assert json.loads(repository.gate("cache", "verify", "--json").out)["broken"] == []
