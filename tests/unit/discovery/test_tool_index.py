"""The index of tools: what is kept is what the files say, and only the user's own is believed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_index import MAX_CACHED, ToolFile, load_tool_index
from verigate.domain.manifest import Origin
from verigate.requests.tokenizer import stem_text

TOML = """
[adapter]
name = "{name}"
aliases = ["{name}"]

[[domains]]
name = "any"
description = "Any file"
match = "any"

[[capabilities]]
domain = "any"
name = "polish"
triggers = ["{trigger}"]
description = "Polish files"
destructive = false
command = {{ base = "{base}", positional_order = ["source"], end_of_options = "--" }}

[capabilities.slots]
source = {{ category = "TARGET", type = "filepath", required = true, render = "positional", desc = "Files" }}
"""


def _file(
    name: str = "shine", *, trigger: str = "polish", base: str = "shine", origin: Origin = Origin.BUILTIN
) -> ToolFile:
    content = TOML.format(name=name, trigger=trigger, base=base).encode()
    return ToolFile(f"/x/{name}.toml", f"{name}.toml", origin, content)


def _read(content: bytes, file: str) -> Any:
    return read_tool(content, file)


def _never(content: bytes, file: str) -> Any:
    raise AssertionError(f"{file} was parsed, {len(content)} bytes")


def test_the_second_call_parses_nothing(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    first, _ = load_tool_index([_file()], _read, stem_text, "1", cache)
    second, _ = load_tool_index([_file()], _never, stem_text, "1", cache)
    assert second.tool(0) == first.tool(0)
    assert second.aliases == {"shine": [0]}
    assert second.find_by_stems(["polish"]) == [0]
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("changed", [_file(base="other"), _file(origin=Origin.REPOSITORY), _file(trigger="buff")])
def test_another_file_is_another_index(tmp_path: Path, changed: ToolFile) -> None:
    cache = str(tmp_path / "cache")
    load_tool_index([_file()], _read, stem_text, "1", cache)
    found, _ = load_tool_index([changed], _read, stem_text, "1", cache)
    assert found.tool(0).capabilities[0].command.base == ("other" if b"other" in changed.content else "shine")
    assert found.is_trusted(0) is (changed.origin is not Origin.REPOSITORY)
    with pytest.raises(AssertionError):
        load_tool_index([_file()], _never, stem_text, "2", cache)


def _group_writable(path: Path) -> None:
    path.chmod(0o620)


def _link(path: Path) -> None:
    moved = path.with_name("moved")
    path.rename(moved)
    path.symlink_to(moved)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


def _garbage(path: Path) -> None:
    path.write_bytes(b"\xff" * 40)


def _open_folder(path: Path) -> None:
    path.parent.chmod(0o777)


@pytest.mark.parametrize("spoil", [_group_writable, _link, _cut, _garbage, _open_folder])
def test_what_others_may_have_written_is_not_believed(tmp_path: Path, spoil: Any) -> None:
    cache = tmp_path / "cache"
    load_tool_index([_file()], _read, stem_text, "1", str(cache))
    (kept,) = cache.iterdir()
    spoil(kept)
    with pytest.raises(AssertionError):
        load_tool_index([_file()], _never, stem_text, "1", str(cache))
    assert load_tool_index([_file()], _read, stem_text, "1", str(cache))[0].tool(0).alias == "shine"


def test_only_some_are_kept(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for number in range(MAX_CACHED + 3):
        load_tool_index([_file(f"t{number}")], _read, stem_text, "1", str(cache))
    assert len(list(cache.iterdir())) == MAX_CACHED


def test_an_earlier_shelf_goes_first_and_two_on_one_shelf_are_both_there() -> None:
    own = _file(base="own", origin=Origin.REPOSITORY)
    found, _ = load_tool_index([own, _file()], _read, stem_text, "1", None)
    assert [found.tool(number).capabilities[0].command.base for number in found.aliases["shine"]] == ["own"]
    twice, _ = load_tool_index([_file(base="a"), _file(base="b")], _read, stem_text, "1", None)
    assert len(twice.aliases["shine"]) == 2


@pytest.mark.parametrize("origin", [Origin.REPOSITORY, Origin.PATH, Origin.PACKAGE])
def test_a_broken_adapter_is_reported_and_stops_no_other(origin: Origin) -> None:
    broken = ToolFile("/x/b.toml", "b.toml", origin, b"[adapter]\nname = 3\n")
    found, warnings = load_tool_index([broken, _file()], _read, stem_text, "1", None)
    assert any("b.toml" in warning for warning in warnings)
    assert list(found.aliases) == list(load_tool_index([_file()], _read, stem_text, "1", None)[0].aliases)


def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    found, _ = load_tool_index([_file()], _read, stem_text, "1", os.fspath(blocked / "cache"))
    assert found.tool(0).alias == "shine"
