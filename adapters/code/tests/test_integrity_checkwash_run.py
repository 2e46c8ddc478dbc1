"""What checkwash gives up on is left out, and said to be."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from change_repository import change_repository

from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.tools import checkwash_run
from code_adapter.syntax.changes import read_changed_files
from verigate.sdk import ToolFailed
from verigate.sdk.subject import Repository
from verigate.sdk.tools import start_tool

FILES = {"test_a.py": "def test_a():\n    assert 1 == 1\n", "test_b.py": "def test_b():\n    assert 2 == 2\n"}
GAVE_UP = (
    "checkwash engine error: EngineError: stand-in execution proof exceeds the source step limit: path='test_a.py'"
)


def left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str) -> tuple[str, ...]:
    """Compare a change of two files with a checkwash that prints ``output`` as long as it gets test_a.py."""
    changed = {path: text.replace("==", "<=") for path, text in FILES.items()}
    start = checkwash_run.Trees.start

    def start_any(trees: checkwash_run.Trees, sides: tuple[Mapping[bytes, Any], Mapping[bytes, Any]]) -> Any:
        if any(b"test_a.py" in side for side in sides):
            return start_tool(["sh", "-c", 'echo "$1" >&2; exit 2', "sh", output], cwd=tmp_path, timeout_s=60)
        return start(trees, sides)

    monkeypatch.setattr(checkwash_run.Trees, "start", start_any)
    repository = Repository(change_repository(tmp_path / "r", FILES, changed).root, dict(os.environ))
    changes = ChangeSet(read_changed_files(repository, "HEAD"), repository, "HEAD", tuple(FILES))
    with checkwash_run.start_checkwash(changes, dict(os.environ)) as wait:
        return wait().left_out


def test_a_file_that_takes_too_many_steps_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert left_out(tmp_path, monkeypatch, GAVE_UP) == ("test_a.py",)


@pytest.mark.parametrize("output", ["Killed", GAVE_UP.replace("test_a", "test_c"), GAVE_UP.replace("exceeds", "is")])
def test_every_other_failure_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    with pytest.raises(ToolFailed):
        left_out(tmp_path, monkeypatch, output)
