from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from verigate.sdk import AdapterError, clean_text, path_text, write_bytes, write_json, write_pieces


def test_json_is_sorted_compact_and_ends_in_a_newline(tmp_path: Path) -> None:
    path = write_json(tmp_path, "deep/er/x.json", {"b": [1, "ü"], "a": None})
    assert path.read_bytes() == '{"a":null,"b":[1,"ü"]}\n'.encode()
    assert [entry.name for entry in path.parent.iterdir()] == ["x.json"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\udc80", object(), {1: 2, "a": 3}])
def test_what_is_not_strict_json_is_refused_and_leaves_nothing(tmp_path: Path, value: object) -> None:
    with pytest.raises(AdapterError):
        write_json(tmp_path, "x.json", value)
    assert list(tmp_path.iterdir()) == []


def test_pieces_are_one_artifact_or_none(tmp_path: Path) -> None:
    assert write_pieces(tmp_path, "a/x", iter((b"one", b"", b"two"))).read_bytes() == b"onetwo"

    def broken() -> Iterator[bytes]:
        yield b"one"
        raise AdapterError("no more")

    with pytest.raises(AdapterError, match="no more"):
        write_pieces(tmp_path, "b/x", broken())
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("relative", ["../x", "/x", "a/../../x", ""])
def test_paths_that_leave_the_folder_are_refused(tmp_path: Path, relative: str) -> None:
    with pytest.raises(AdapterError):
        write_bytes(tmp_path, relative, b"")


def test_a_linked_folder_that_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "links").symlink_to(tmp_path / "out")
    with pytest.raises(AdapterError, match="out of the task folder"):
        write_bytes(tmp_path / "task", "links/x", b"")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_link_in_the_artifacts_place_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"kept")
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "x.json").symlink_to(victim)
    write_bytes(tmp_path / "task", "x.json", b"new")
    assert victim.read_bytes() == b"kept"
    assert not (tmp_path / "task" / "x.json").is_symlink()


def test_paths_and_text_become_strict_unicode() -> None:
    assert path_text(b"a\xff\n.py") == "a\\xff\n.py"
    assert path_text(Path(os.fsdecode(b"\xfe"))) == "\\xfe"
    assert clean_text("a\ud800") == "a\\ud800"
    assert clean_text(b"\xff") == "\\xff"
    assert clean_text("x" * 10, 4) == "xxx…"
