"""What a capability doesn't declare to see it isn't shown, and its facts hold for every task and base."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from disk_folders import DiskFolder, open_disk_folder
from sample_repository import SampleRepository

SHOWN = """#!/bin/sh
set -e
while [ "$#" -gt 0 ]; do
    case $1 in --task-dir) folder=$2;; --claim) claim=$2;; --commitment) commitment=$2;; --profile) profile=$2;; esac
    shift
done
what=$(%s)
printf '{"claim": %%s, "commitment": %%s, "profile": %%s, "task": "%%s", "base": "%%s", "what": "%%s"}' \
    "$(cat "$claim")" "$(cat "$commitment")" "$(cat "$profile")" "$GATE_TASK_ID" "$GATE_BASE" "$what" \
    > "$folder/shown.json"
"""
LISTED = """
import os, sys
from pathlib import Path
from verigate.sdk import Request
from verigate.sdk.subject import find_repository, list_paths
request = Request('my:check', Path('.'), gated=True, environ=dict(os.environ))
print(*list_paths(request, find_repository(request)))
"""
LISTING = f'"$GATE_PYTHON" -I -c "{LISTED}"'


def make(folder: Path, what: str, sees: list[str] | None) -> gr.GatedRepository:
    found = gr.GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
    found.tmp.mkdir(parents=True)
    declared: dict[str, Any] = {"name": "my:check", "outputs": [{"path": "shown.json", "volatile": []}]}
    declared |= {"needs": []} | ({} if sees is None else {"sees": sees})
    manifest = {"name": "my", "version": "1.0.0", "entry": "run", "capabilities": [declared]}
    found.put("adapters/my/manifest.json", {**manifest, "sandbox": {"tools": ["git", "cat"], "timeout": 30}})
    found.sample.write("adapters/my/run", SHOWN % what, executable=True)
    entry = {"order": ["my:check"], "required": ["my:check"], "optional": []}
    found.put("config/adapter-plan.json", {"facts": entry, "code": entry})
    found.put("config/verification.profiles.json", {"facts": {}, "code_default": {}})
    found.put("work.py", "work = 1\n")
    found.sample.commit("the base")
    found.put("work.py", "work = 2\n")
    return found


def verify(repository: gr.GatedRepository, place: DiskFolder) -> tuple[dict[str, Any], bool]:
    """Verify without a task; return what the capability was shown, and whether it ran."""
    done = repository.gate("verify", "--quiet", TMPDIR=str(place.path))
    assert done.code == 4, done.output  # no rule decides anything
    (call,) = repository.published("run.json", "implicit")["invocations"]
    return repository.published("shown.json", "implicit"), not call["cached"]


@pytest.fixture
def place() -> Iterator[DiskFolder]:
    with open_disk_folder() as folder:
        yield folder


@pytest.mark.parametrize("sees", [None, ["base"], ["claim"], ["commitment"], ["rules"], []])
def test_one_sees_what_it_declares_and_nothing_else(tmp_path: Path, place: DiskFolder, sees: list[str] | None) -> None:
    found, _ = verify(make(tmp_path, "true", sees), place)
    shown = {
        "base": found["base"] != "",
        "claim": "claim" in found["claim"],
        "commitment": found["commitment"]["type"] != "any",
        "rules": found["profile"]["active"] != "any",
    }
    assert [part for part, is_shown in shown.items() if is_shown] == (list(shown) if sees is None else sees)
    assert (found["task"] == "task") is (not shown["claim"] and not shown["commitment"])
    assert found["claim"]["task_id"] == found["commitment"]["task_id"] == found["task"]


@pytest.mark.parametrize(
    ("what", "sees", "again"),
    [
        ("true", None, True),
        ("true", ["base"], True),
        ("true", [], False),
        ("cat work.py", ["claim", "commitment", "rules"], False),
        (LISTING, [], False),
        ("git rev-parse HEAD", [], True),
        ("git log -1 --format=%%s", [], True),
        ("cat .git/HEAD", [], True),
        ("git --git-dir $GATE_GIT_DIR ls-files work.py", [], False),
    ],
)  # fmt: skip
def test_another_base_runs_again_what_sees_it_or_read_it(
    tmp_path: Path, place: DiskFolder, what: str, sees: list[str] | None, *, again: bool
) -> None:
    repository = make(tmp_path, what, sees)
    first, ran = verify(repository, place)
    assert ran
    assert verify(repository, place) == (first, False)
    repository.sample.git("commit", "-q", "--allow-empty", "-m", "another")
    second, ran = verify(repository, place)
    assert ran is (again or not place.shows_reads)
    if not again:
        assert second == first


def test_who_reads_tags_runs_again_with_another_one(tmp_path: Path, place: DiskFolder) -> None:
    repository = make(tmp_path, "git describe --tags --always", [])
    repository.sample.git("tag", "v1")
    assert verify(repository, place)[0]["what"] == "v1"
    assert not verify(repository, place)[1]
    repository.sample.git("tag", "-d", "v1")
    repository.sample.git("tag", "v2")
    assert verify(repository, place)[0]["what"] == "v2"


def test_one_that_changes_what_names_the_base_is_put_back_and_counted_as_reading(
    tmp_path: Path, place: DiskFolder
) -> None:
    repository = make(tmp_path, "rm .git/HEAD; echo 'ref: refs/heads/mine' > .git/HEAD", [])
    verify(repository, place)
    repository.sample.git("commit", "-q", "--allow-empty", "-m", "another")
    assert verify(repository, place)[1]


def test_a_manifest_that_declares_to_see_anything_else_is_refused(tmp_path: Path) -> None:
    repository = make(tmp_path, "true", ["history"])
    done = repository.gate("verify", "--json")
    assert done.code == 2
    assert "/capabilities/0" in done.output
    json.loads(done.out)
