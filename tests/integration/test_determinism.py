"""Two runs on one subject give the same bytes, also from another folder and under another environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lean_environment import make_lean
from release_tests import left_for_a_release

from verigate.formats.pointer import copy_without
from verigate.integrations.sample import build_repository, make_stories, run_git, write_files

pytestmark = pytest.mark.slow

OTHER_ENVIRONMENT = {
    "TZ": "Pacific/Kiritimati",
    "LC_ALL": "tr_TR.UTF-8",
    "LANG": "tr_TR.UTF-8",
    "PYTHONHASHSEED": "4242",
    "COLUMNS": "40",
    "PYTEST_ADDOPTS": "-k nothing",
    "HOME": "/nonexistent",
}
"""What must not reach a fact: time zone, locale, hash seed, terminal, options for tools, home."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first") / "shop"
    folder.mkdir()
    build_repository(folder, with_node=True)
    make_lean(folder / ".venv")
    return folder


def gate(folder: Path, *arguments: str, **environ: str) -> int:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "GIT_"))}
    done = subprocess.run(
        (sys.executable, "-I", "-m", "verigate", *arguments),
        cwd=folder,
        env={**kept, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return done.returncode


def begin(folder: Path, index: int) -> str:
    story = make_stories(with_node=True)[index]
    gate(folder, "start", story.task_id, *story.start)
    write_files(folder, story.files)
    gate(folder, "claim", story.task_id, *story.claim)
    return story.task_id


def published(folder: Path, task_id: str) -> dict[str, Any]:
    """Every artifact and the verdict, without declared volatile values and metadata, as bytes or JSON."""
    task = folder / ".artifacts" / task_id
    index = json.loads((task / "artifacts.json").read_text())
    found: dict[str, Any] = {}
    for entry in index["files"]:
        if entry["producer"] is None:
            continue
        content = (task / entry["path"]).read_bytes()
        found[entry["path"]] = copy_without(json.loads(content), entry["volatile"]) if entry["is_json"] else content
        # What isn't declared volatile must be the same to the byte, key order and white space included.
        if entry["is_json"] and found[entry["path"]] == json.loads(content):
            found[entry["path"]] = content
    verdict = json.loads((task / "verdict.json").read_text())
    del verdict["metadata"]
    found["verdict.json"] = json.dumps(verdict)
    return found


@pytest.mark.parametrize("index", [1, *left_for_a_release(0)], ids=["lying", "honest"])
def test_two_runs_give_the_same_bytes(shop: Path, tmp_path: Path, index: int) -> None:
    run_git(shop, "stash", "--include-untracked", "--quiet")
    task_id = begin(shop, index)
    gate(shop, "verify", task_id)
    first = published(shop, task_id)
    assert {"diff.json", "lint.json", "tests.json", "coverage.json", "build.json", "verdict.json"} <= first.keys()

    gate(shop, "verify", task_id, "--no-cache")
    assert published(shop, task_id) == first

    elsewhere = tmp_path / "some where else" / "täsk"
    shutil.copytree(shop, elsewhere, symlinks=True)
    gate(elsewhere, "verify", task_id, "--no-cache", **OTHER_ENVIRONMENT)
    second = published(elsewhere, task_id)
    assert second.keys() == first.keys()
    for path, content in first.items():
        assert second[path] == content, path
