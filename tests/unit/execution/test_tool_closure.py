"""A tool's digest covers its program, its interpreter and what it is installed with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from verigate.execution import tool_closure
from verigate.execution.tool_closure import UnknownToolError, describe_tools


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    _forget()
    yield
    _forget()


def _forget() -> None:
    for remembered in (tool_closure._describe_tool, tool_closure._digest_folder, tool_closure.digest_system):
        remembered.cache_clear()


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)
    return path


def digest(path: Path, search_path: str = "/usr/bin") -> str:
    _forget()
    return describe_tools({"tool": str(path)}, search_path)["tool"]


def test_what_a_tool_is_installed_with_is_part_of_it(tmp_path: Path) -> None:
    tool = write(tmp_path / "own/bin/tool", "#!/bin/sh\n")
    library = write(tmp_path / "own/lib/library.so", "1")
    first = digest(tool)
    assert digest(tool) == first
    library.write_text("2")
    assert digest(tool) != first
    library.write_text("1")
    assert digest(tool) == first
    write(tmp_path / "own/lib/__pycache__/x.pyc", "compiled")
    assert digest(tool) == first


def test_the_interpreter_that_env_finds_is_part_of_it(tmp_path: Path) -> None:
    tool = write(tmp_path / "a/bin/tool", "#!/usr/bin/env -S mine -x\n")
    mine = write(tmp_path / "b/bin/mine", "#!/bin/sh\n")
    first = digest(tool, str(mine.parent))
    mine.write_text("#!/bin/sh\n# other\n")
    assert digest(tool, str(mine.parent)) != first
    with pytest.raises(UnknownToolError, match="isn't on PATH"):
        digest(tool, "/nowhere")


def test_a_linked_tool_is_where_it_lies(tmp_path: Path) -> None:
    tool = write(tmp_path / "project/node_modules/pkg/bin/cli.js", "#!/bin/sh\n")
    other = write(tmp_path / "project/node_modules/dependency/index.js", "1")
    link = tmp_path / "project/node_modules/.bin/tool"
    link.parent.mkdir()
    link.symlink_to(tool)
    first = digest(link)
    other.write_text("2")
    assert digest(link) != first


def test_scripts_of_scripts_without_end_are_refused(tmp_path: Path) -> None:
    tool = tmp_path / "bin/tool"
    write(tool, f"#!{tool}\n")
    with pytest.raises(UnknownToolError, match="interpreters of interpreters"):
        digest(tool)


def test_a_folder_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = write(tmp_path / "own/bin/tool", "x")
    write(tmp_path / "own/lib/a", "x")
    monkeypatch.setattr(tool_closure, "_MOST_FILES", 1)
    with pytest.raises(UnknownToolError, match="more than 1 files"):
        digest(tool)


def test_a_system_without_a_package_database_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_closure, "_DATABASES", ())
    with pytest.raises(UnknownToolError, match="no database"):
        digest(Path("/usr/bin/cat"))
