"""A file that is only moved is left out where its text alone is compared, unless it means something else there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from change_repository import change_repository

from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.moved_files import list_edited
from code_adapter.syntax.changes import read_changed_files
from verigate.sdk.subject import Repository

TEXT = "def test_add():\n    assert 1 + 1 == 2\n\n\ndef test_sub():\n    assert 3 - 1 == 2\n"


@pytest.mark.parametrize(
    ("old", "new", "text", "listed"),
    [
        ("tests/test_a.py", "checks/tests/test_a.py", TEXT, False),
        ("tests/test_a.py", "tests/test_b.py", TEXT, False),
        ("tests/test_a.py", "tests/a.py", TEXT, True),
        ("tests/test_a.py", "tests/test_a.txt", TEXT, True),
        ("tests/test_a.py", "unreached/test_a.py", TEXT, True),
        ("tests/test_a.py", "tests/test_b.py", TEXT.replace("3 - 1", "4 - 2"), True),
        ("src/a.py", "lib/a.py", TEXT, False),
        ("src/a.py", "tests/a.py", TEXT, True),
    ],
)
def test_a_moved_file_is_listed_where_its_new_name_means_more(
    old: str, new: str, text: str, tmp_path: Path, *, listed: bool
) -> None:
    root = change_repository(tmp_path / "r", {old: TEXT}, {old: None, new: text}).root
    repository = Repository(root, dict(os.environ))
    base = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, check=True, text=True).stdout
    changes = ChangeSet(read_changed_files(repository, base.strip()), repository, base.strip(), (new,))
    assert len(changes.files) == 1
    assert bool([*list_edited(changes, reached=lambda path: not path.startswith("unreached"))]) is listed
