"""Which texts a task is about, and what a call by hand writes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from content_adapter.capabilities import serve
from content_adapter.scope import find_scope
from content_adapter.settings import Rendered, Settings
from verigate.sdk import AdapterError, Request
from verigate.sdk.subject import Subject

PATHS = ("README.md", "a.py", "docs/a.md", "docs/b.rst", "docs/notes.txt", "fixtures/x.md", "requirements.txt")
EXCLUDE = ("fixtures/", "requirements*.txt")

SCOPES = [
    ({}, "auto", None, ("all", ["README.md", "docs/a.md", "docs/b.rst", "docs/notes.txt"])),
    ({"type": "content"}, "auto", {"docs/a.md", "a.py"}, ("changed", ["docs/a.md"])),
    ({"type": "content"}, "auto", {"a.py"}, ("all", ["README.md", "docs/a.md", "docs/b.rst", "docs/notes.txt"])),
    ({"type": "content"}, "changed", {"a.py"}, ("changed", [])),
    ({"type": "release"}, "auto", {"docs/a.md"}, ("all", ["README.md", "docs/a.md", "docs/b.rst", "docs/notes.txt"])),
    ({"files": ["docs/a.md"]}, "auto", {"README.md"}, ("commitment", ["docs/a.md"])),
    ({"files": ["./docs"]}, "auto", None, ("commitment", ["docs/a.md", "docs/b.rst", "docs/notes.txt"])),
    ({"files": ["docs/*.md"]}, "auto", None, ("commitment", ["docs/a.md"])),
    ({"files": ["fixtures/x.md"]}, "auto", None, ("commitment", ["fixtures/x.md"])),
    ({"target_directory": "./docs/"}, "auto", None, ("commitment", ["docs/a.md", "docs/b.rst", "docs/notes.txt"])),
    ({"type": "content", "files": ["docs/gone.md"]}, "auto", None, ("commitment", [])),
    (
        {"type": "release", "files": ["a.py"]},
        "auto",
        None,
        ("all", ["README.md", "docs/a.md", "docs/b.rst", "docs/notes.txt"]),
    ),
]


@pytest.mark.parametrize(("promised", "wanted", "changed", "expected"), SCOPES)
def test_scope(
    promised: dict[str, Any], wanted: str, changed: set[str] | None, expected: tuple[str, list[str]]
) -> None:
    scope = {key: value for key, value in promised.items() if key != "type"}
    commitment = {"type": promised.get("type", "docs"), "commitments": {"scope": scope}}
    request = Request("content:scan", Path("/task"), commitment=commitment)
    subject = Subject(Path("/repo"), PATHS, None if changed is None else frozenset(changed))
    found = find_scope(request, subject, Settings(wanted, EXCLUDE, "none", ("",), True, Rendered.NEVER))
    assert (found.kind, list(found.paths)) == expected


def repository(folder: Path) -> Path:
    root = folder / "repo"
    root.mkdir()
    for argv in (("init", "-q"), ("add", "--all")):
        (root / "page.md").write_text("# Title\n\ntwo words `code`\n")
        subprocess.run(("git", *argv), cwd=root, check=True)
    (root / "new.md").write_text("new\n")
    (root / "link.md").symlink_to("page.md")
    (root / "fixtures").mkdir()
    (root / "fixtures" / "x.md").write_text("never read")
    (folder / "task").mkdir()
    return root


def call(folder: Path, root: Path, name: str, **more: Any) -> Any:
    environ = {"PATH": "/usr/bin:/bin"}
    serve(Request(f"content:{name}", folder / "task", repo_root=root, environ=environ, **more))
    return json.loads((folder / "task" / "content" / f"{name}.json").read_bytes())


def test_a_call_by_hand_reads_the_working_tree_with_the_manifests_defaults(tmp_path: Path) -> None:
    root = repository(tmp_path)
    scan = call(tmp_path, root, "scan")
    assert [(entry["path"], entry["word_count"]) for entry in scan["files"]] == [("new.md", 1), ("page.md", 3)]
    assert scan["files_total"] == 2
    assert call(tmp_path, root, "wordcount", config={"count_code": "inline"})["total"] == 5
    assert list(call(tmp_path, root, "headings")) == ["new.md", "page.md"]


@pytest.mark.slow
def test_the_same_text_gives_the_same_bytes(tmp_path: Path) -> None:
    root = repository(tmp_path)
    for name in ("scan", "wordcount", "headings", "images", "quotes"):
        call(tmp_path, root, name)
        first = (tmp_path / "task" / "content" / f"{name}.json").read_bytes()
        call(tmp_path, root, name)
        assert (tmp_path / "task" / "content" / f"{name}.json").read_bytes() == first


def test_a_text_that_can_not_be_read_is_no_clean_file(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / "broken.ipynb").write_text("{")
    with pytest.raises(AdapterError, match="not a notebook"):
        call(tmp_path, root, "scan")
    assert not (tmp_path / "task" / "content").exists()
