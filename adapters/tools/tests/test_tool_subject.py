from __future__ import annotations

import gzip
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tool_documents import capability

from tool_adapter.slot_values import choose_slot_values
from tool_adapter.tool_subject import ToolSubject, find_tool_subject
from verigate.sdk import AdapterUsageError, Request
from verigate.tools.model import Tool

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32
TARGET = {"category": "TARGET", "type": "filepath", "required": True, "flag": "-i"}
MANY = {**TARGET, "cardinality": "many", "expansion": "inline"}
FILES = ("a.sh", "docs/b.sh", "docs/c.md", "d.sh", "script")


@pytest.mark.parametrize(
    ("name", "content", "mime"),
    [
        ("picture.txt", PNG, "image/png"),
        ("anything", gzip.compress(b"x", mtime=0), "application/gzip"),
        ("page.md", b"# Title\n", "text/markdown"),
        ("data.json", b"{}\n", "application/json"),
        ("noname", b"plain words\n", "text/plain"),
        ("noname", bytes(range(9)) * 9, None),
    ],
)
def test_the_type_is_that_of_the_content(name: str, content: bytes, mime: str | None, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    found = ToolSubject(tmp_path, (name,), None).mime_type(name)
    assert found in ({mime, "application/x-gzip"} if mime == "application/gzip" else {mime})
    assert ToolSubject(tmp_path, (), None).mime_type("missing") is None


def _tool(slot: dict[str, Any], **domain: Any) -> tuple[Tool, Any]:
    made = capability({"base": "t"}, {"files": slot, "n": {"type": "integer", "flag": "-n"}})
    kind = type(made.domain)(**{"name": "d", "match_any": not domain, **domain})
    made = made._replace(domain=kind)
    return Tool("Tool", ("tool",), (kind,), (made,)), made


def _given(slot: dict[str, Any], config: Any = None, scope: Any = None, changed: Any = None, **domain: Any) -> Any:
    tool, made = _tool(slot, **domain)
    commitment = {"commitments": {"scope": scope}} if scope is not None else {}
    request = Request("tool:act", Path("/t"), commitment=commitment, config={"tool:act": config or {}})
    subject = ToolSubject(Path("/nowhere"), FILES, changed)
    return choose_slot_values(request, tool, made, subject)


SH: dict[str, Any] = {"extensions": (".sh",)}


def test_targets_are_the_files_of_the_domain() -> None:
    assert _given(MANY, **SH) == {"files": ["a.sh", "docs/b.sh", "d.sh"]}
    assert _given(MANY) == {"files": list(FILES)}


def test_a_scope_narrows_them_but_not_to_less_than_what_has_changed() -> None:
    scope = {"files": ["docs"]}
    assert _given(MANY, scope=scope, changed=frozenset({"d.sh", "docs/c.md"}), **SH) == {"files": ["docs/b.sh", "d.sh"]}
    # Where nobody knows what has changed, all of it may have.
    assert _given(MANY, scope=scope, **SH) == _given(MANY, **SH)
    assert _given(MANY, scope={"target_directory": "docs"}, changed=frozenset(), **SH) == {"files": ["docs/b.sh"]}
    for nothing in ({}, {"files": []}, {"target_directory": "."}, "text"):
        assert _given(MANY, scope=nothing, changed=frozenset(), **SH) == _given(MANY, **SH)


def test_configured_values_go_before_and_patterns_mean_files_of_the_subject() -> None:
    assert _given(MANY, {"files": ["**/*.sh", "d.sh"], "n": 3}) == {
        "files": ["a.sh", "d.sh", "docs/b.sh", "d.sh"],
        "n": 3,
    }
    assert _given(TARGET, {"files": "docs/*.md"}) == {"files": "docs/c.md"}
    assert _given({**MANY, "required": False, "default": ["."]}) == {}
    with pytest.raises(AdapterUsageError, match=r"no file of the subject matches '\*.py'"):
        _given(MANY, {"files": "*.py"})
    with pytest.raises(AdapterUsageError, match="no file is configured"):
        _given(TARGET)


@pytest.mark.parametrize(
    ("pattern", "files", "meant"),
    [
        ("*.py", ("*.py", "a.py", "b.py"), ["*.py", "a.py", "b.py"]),
        ("src/**/*.py", ("src/**/*.py", "src/a.py", "src/b/c.py"), ["src/**/*.py", "src/a.py", "src/b/c.py"]),
        ("[ab].py", ("[ab].py", "a.py"), ["[ab].py", "a.py"]),
        ("[ab].py", ("[ab].py",), ["[ab].py"]),
    ],
)
def test_a_file_called_like_a_pattern_hides_none_of_those_that_it_means(
    pattern: str, files: tuple[str, ...], meant: list[str]
) -> None:
    tool, made = _tool(MANY)
    request = Request("tool:act", Path("/t"), config={"tool:act": {"files": [pattern]}})
    assert choose_slot_values(request, tool, made, ToolSubject(Path("/nowhere"), files, None)) == {"files": meant}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["docs"], ["docs/b.sh", "docs/c.md"]),
        (["./docs/", "a.sh"], ["docs/b.sh", "docs/c.md", "a.sh"]),
        (None, list(FILES)),
        (["elsewhere"], ["elsewhere"]),
    ],
)
def test_under_the_gate_a_folder_stands_for_each_of_its_files(given: list[str] | None, expected: list[str]) -> None:
    """A tool leaves out of a folder what its own settings say, and has to be told of each file."""
    slot = {**MANY, "required": False, "default": ["."], "flag": None, "render": "positional"}
    made = capability({"base": "t", "positional_order": ["files"]}, {"files": slot}, report={"format": "lines"})
    tool = Tool("Tool", ("tool",), (made.domain,), (made,))
    config = {"tool:act": {"files": given}} if given else {}
    request = Request("tool:act", Path("/t"), config=config, gated=True)
    assert choose_slot_values(request, tool, made, ToolSubject(Path("/nowhere"), FILES, None)) == {"files": expected}


def test_the_subject_is_the_index_under_the_gate_and_the_tree_by_hand(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(("git", "-c", "user.name=n", "-c", "user.email=e", *words), cwd=tmp_path, check=True)

    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    for name in ("-a", "b\n.txt", "sub/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    (tmp_path / "link").symlink_to("b")
    request = Request("t:a", tmp_path, repo_root=tmp_path, environ=environ)
    assert find_tool_subject(request).paths == ("-a", "b\n.txt", "sub/c")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "x")
    (tmp_path / "new").write_text("2")
    (tmp_path / "-a").write_text("2")
    by_hand = find_tool_subject(Request("t:a", tmp_path, repo_root=tmp_path, environ=environ, base="HEAD"))
    assert (by_hand.paths, by_hand.changed) == (("-a", "b\n.txt", "new", "sub/c"), frozenset({"-a", "new"}))
    git("add", "new")
    gated = find_tool_subject(Request("t:a", tmp_path, repo_root=tmp_path, environ=environ, base="HEAD", gated=True))
    assert (gated.paths, gated.changed) == (("-a", "b\n.txt", "new", "sub/c"), frozenset({"new"}))
    assert gated.places == ("-a", "b\n.txt", "new", "sub", "sub/c")
    assert list(gated.below("sub")) == list(gated.below("sub/")) == ["sub/c"]
    assert list(gated.below(".")) == list(gated.paths)
    assert gated.text("missing") == ""
