"""JSON in pieces is what is written at once; paths in order, whatever bytes they are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content_adapter.json_stream import stream_array, stream_members, stream_object
from verigate.sdk import AdapterError, Request, json_bytes, path_text
from verigate.sdk.subject import Paths, find_subject

_TEXTS = st.text('aZ"\\\n\x00\u00e9\u6f22\U0001f600', max_size=6)
_VALUES = st.none() | st.integers() | _TEXTS | st.lists(_TEXTS, max_size=3)
_PATHS = st.lists(st.binary(min_size=1, max_size=4).filter(lambda raw: b"\0" not in raw).map(os.fsdecode))


@given(st.lists(_VALUES), _VALUES)
def test_an_object_with_an_array_in_pieces(values: list[object], other: object) -> None:
    count = 0

    def counted() -> Iterator[object]:
        nonlocal count
        for value in values:
            count += 1
            yield value

    made = b"".join(stream_object(total=lambda: count, files=stream_array(counted()), code=other))
    assert made == json_bytes({"files": values, "code": other, "total": len(values)}, "x") + b"\n"


@given(st.dictionaries(_TEXTS, _VALUES))
def test_an_object_in_pieces(found: dict[str, object]) -> None:
    assert b"".join(stream_members(sorted(found.items()))) == json_bytes(found, "x") + b"\n"


def test_two_files_by_one_name_are_no_artifact() -> None:
    with pytest.raises(AdapterError, match="two files"):
        list(stream_members([("a", 1), ("\\xff", 2), ("\\xff", 3)]))


@given(_PATHS)
def test_packed_paths_are_the_paths(paths: list[str]) -> None:
    packed = Paths(paths)
    assert list(packed) == paths
    assert len(packed) == len(paths)
    assert all(path in packed for path in paths)
    assert "not there" not in packed


def test_what_is_outside_git_is_listed_in_the_artifacts_order(tmp_path: Path) -> None:
    names = [
        b"a/z.md",
        b"a.md",
        b"a-b/c.md",
        b"a0.md",
        b"\xff.md",
        b"~.md",
        b"\xc3\xa9.md",
        b"a/.git/x.md",
        b"venv/x.md",
    ]
    for name in names:
        path = tmp_path / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (tmp_path / "link").symlink_to("a")
    found = find_subject(Request("content:scan", tmp_path, repo_root=tmp_path, environ={"PATH": os.environ["PATH"]}))
    expected = ["\\xff.md", "a-b/c.md", "a.md", "a/z.md", "a0.md", "~.md", "é.md"]
    assert [path_text(path) for path in found.paths] == expected == sorted(expected)
    assert found.changed is None
    assert json.loads(b"".join(stream_members((path_text(path), 1) for path in found.paths))).keys() == set(expected)
