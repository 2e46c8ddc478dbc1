from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import tool_index
from tool_documents import UNIX

from verigate.composition import adapters
from verigate.config.builtin import find_builtin_root
from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain.manifest import Manifest, Origin, Registry
from verigate.errors import ConfigError, ExecutionError

BUILTIN = str(find_builtin_root())


def find(root: Path, environ: Mapping[str, str] | None = None) -> Registry:
    return adapters.RepositoryAdapters(BUILTIN, environ or {}).discover(str(root))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def named(registry: Registry, name: str) -> Manifest:
    return next(manifest for manifest in registry.manifests if manifest.name == name)


def test_the_index_is_what_the_shipped_files_say() -> None:
    assert (tool_index.TOOLS / "index.json").read_bytes() == tool_index.index()


def test_nothing_that_ships_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a file was parsed")

    monkeypatch.setattr(adapters, "read_tool_document", refuse)
    registry = find(tmp_path)
    ruff = named(registry, "ruff")
    assert (ruff.origin, ruff.entry, ruff.folder) == (Origin.BUILTIN, "python-ruff.toml", f"{BUILTIN}/adapters/tools")
    assert ruff.launcher == ruff.entry_path == f"{BUILTIN}/adapters/tools/bin/adapter-tool"
    assert adapters.find_entry_problem(ruff.entry_path) is None
    lint = ruff.capability("ruff:lint")
    assert [(output.path, output.media_spec) for output in lint.outputs] == [
        ("ruff/lint/run.json", None),
        ("ruff/lint/lint.json", "verigate:lint.v1"),
    ]
    assert ruff.sandbox.tools == ("ruff", "git")


@pytest.mark.parametrize("place", ["adapters/mine.toml", "adapters/unix/any.toml"])
def test_a_tool_of_the_repository_comes_before_the_shipped_one(place: str, tmp_path: Path) -> None:
    put(tmp_path / place, UNIX)
    registry = find(tmp_path)
    assert [manifest.origin for manifest in registry.providers["unix:move"]] == [Origin.REPOSITORY, Origin.BUILTIN]
    provider = registry.provider("unix:move")
    assert provider is not None
    assert f"{provider.folder}/{provider.entry}" == str(tmp_path / place)
    assert provider.capability("unix:move").destructive
    assert registry.providers["unix:copy"][0].origin is Origin.BUILTIN


def test_on_one_shelf_manifests_go_first_and_tools_by_path(tmp_path: Path) -> None:
    put(tmp_path / "adapters/z/manifest.json", '{"name":"z","version":"1","entry":"run","capabilities":["unix:move"]}')
    put(tmp_path / "adapters/b.toml", UNIX)
    put(tmp_path / "adapters/a/tool.toml", UNIX)
    found = find(tmp_path).providers["unix:move"]
    assert [manifest.entry for manifest in found[:3]] == ["run", "b.toml", "tool.toml"]
    other = find(tmp_path / "nowhere", {"GATE_ADAPTER_PATH": str(tmp_path / "adapters")})
    assert [manifest.origin for manifest in other.providers["unix:move"]][:3] == [Origin.PATH] * 3


def test_every_fault_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    put(tmp_path / "adapters/a.toml", UNIX.replace(', flag = "-v"', "").replace('"destination"]', '"dest"]'))
    put(tmp_path / "adapters/b/b.toml", "[adapter]\nname = \n")
    with pytest.raises(ConfigError) as caught:
        find(tmp_path)
    assert len(caught.value.faults) == 4
    assert {fault.line for fault in caught.value.faults} == {2, 17, 23}


def test_a_shipped_file_elsewhere_is_known_by_its_digest_and_a_changed_one_is_read(tmp_path: Path) -> None:
    source = (tool_index.TOOLS / "tar.toml").read_bytes()
    put(tmp_path / "adapters/tools/tar.toml", source.decode())
    read: list[str] = []

    def reading(content: bytes, file: str) -> Any:
        read.append(file)
        return read_tool(content, file)

    tools = ToolAdapters(BUILTIN, reading)
    paths = [str(tmp_path / "adapters/tools/tar.toml")]
    options: dict[str, Any] = {
        "display_path": str,
        "real_path": str,
        "content_of": lambda path: Path(path).read_bytes(),
    }
    (found,), faults = tools.load(paths, Origin.REPOSITORY, **options)
    assert (found.origin, found.folder, faults, read) == (Origin.REPOSITORY, str(tmp_path / "adapters/tools"), [], [])
    put(tmp_path / "adapters/tools/tar.toml", source.decode() + "\n")
    (again,), _ = tools.load(paths, Origin.REPOSITORY, **options)
    assert read == paths
    assert again.capabilities == found.capabilities


def test_a_broken_index_is_told_and_none_is_no_tool(tmp_path: Path) -> None:
    assert ToolAdapters(str(tmp_path), read_tool).shipped == {}
    put(tmp_path / "adapters/tools/index.json", "[1]")
    with pytest.raises(ExecutionError, match="index of the built-in tools"):
        _ = ToolAdapters(str(tmp_path), read_tool).shipped
