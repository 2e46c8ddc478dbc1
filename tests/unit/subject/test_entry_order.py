"""The order in which a checkout's folders list their entries."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import Repository

from verigate.subject.entry_order import arrange_entries, list_entries
from verigate.subject.workspace import open_workspace

FILES = ["a.txt", "b.txt", "c.txt", "lib/one.py", "lib/two.py", "lib/deep/x", "lib/deep/y"]


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder on tmpfs, which lists what came last first."""
    folder = Path(tempfile.mkdtemp(prefix="verigate-test-", dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)


def _turned(found: dict[bytes, tuple[bytes, ...]]) -> dict[bytes, tuple[bytes, ...]]:
    return {folder: names[::-1] for folder, names in found.items()}


def test_every_folder_lists_as_it_is_asked_to(memory: Path) -> None:
    for name in FILES:
        (memory / name).parent.mkdir(parents=True, exist_ok=True)
        (memory / name).write_text(name)
    before = list_entries(str(memory))
    assert {folder: sorted(names) for folder, names in before.items()} == {
        b"": [b"a.txt", b"b.txt", b"c.txt", b"lib"],
        b"lib": [b"deep", b"one.py", b"two.py"],
        b"lib/deep": [b"x", b"y"],
    }
    arrange_entries(str(memory), _turned(before))
    assert list_entries(str(memory)) == _turned(before)
    assert {name: (memory / name).read_text() for name in FILES} == {name: name for name in FILES}


def test_a_checkout_that_was_arranged_is_clean_for_git(memory: Path, tmp_path: Path) -> None:
    repository = Repository.make(tmp_path, {name: name for name in FILES}).root
    environ = {**os.environ, "TMPDIR": str(memory)}
    with open_workspace(repository, environ=environ) as workspace:
        usual = list_entries(workspace.checkout(0).path)
    with open_workspace(repository, environ=environ, wanted=_turned(usual)) as workspace:
        checkout = workspace.checkout(0)
        assert list_entries(checkout.path) == _turned(usual)
        done = subprocess.run(
            ["git", "diff-files", "--name-only"], cwd=checkout.path, capture_output=True, check=True, text=True
        )
        assert done.stdout == ""
        assert checkout.restore() == ()
