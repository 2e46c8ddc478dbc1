"""Which installed runners ask for another node, in real folders of packages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verigate.integrations.setup.stack import detect_stack
from verigate.integrations.setup.wanted_node import find_wanted_nodes, list_conflicts

ENGINES = {"version": "5.0.1", "engines": {"node": "^22.12.0 || >=24.0.0"}}


def install(root: Path, place: str, package: Any, runner: str = "vitest") -> Path:
    (root / "web").mkdir(exist_ok=True)
    (root / "web" / "package.json").write_text(json.dumps({"scripts": {"test": f"{runner} run"}}))
    folder = root / place / "node_modules" / runner
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(package if isinstance(package, str) else json.dumps(package))
    return folder


def conflicts(root: Path, node: str) -> tuple[str, ...]:
    return list_conflicts(find_wanted_nodes(root, detect_stack(root)), node)


@pytest.mark.parametrize("place", ["web", "."])
@pytest.mark.parametrize("runner", ["vitest", "jest"])
def test_a_runner_that_asks_for_another_node_is_named(tmp_path: Path, place: str, runner: str) -> None:
    install(tmp_path, place, ENGINES, runner)
    advice = f"install such a node, or a version of {runner} that works with this one"
    message = f"{runner} 5.0.1 asks for node ^22.12.0 || >=24.0.0; this is 20.19.2: {advice}"
    assert conflicts(tmp_path, "v20.19.2") == (message,)
    assert conflicts(tmp_path, "v22.12.1") == ()


def test_a_package_that_is_linked_is_read(tmp_path: Path) -> None:
    folder = install(tmp_path, "web", ENGINES)
    store = tmp_path / "web" / "node_modules" / ".pnpm" / "vitest"
    store.parent.mkdir()
    folder.rename(store)
    folder.symlink_to(store)
    assert len(conflicts(tmp_path, "v20.19.2")) == 1


@pytest.mark.parametrize(
    "package",
    ["", "[", "[]", "[" * 100_000, '{"engines": []}', '{"engines": {"node": 22}}', '{"engines": {"node": "lts"}}'],
)
def test_what_can_not_be_read_warns_of_nothing(tmp_path: Path, package: str) -> None:
    install(tmp_path, "web", package)
    assert conflicts(tmp_path, "v20.19.2") == ()


def test_a_pipe_in_place_of_a_package_holds_nothing_up(tmp_path: Path) -> None:
    folder = install(tmp_path, "web", ENGINES)
    (folder / "package.json").unlink()
    os.mkfifo(folder / "package.json")
    assert conflicts(tmp_path, "v20.19.2") == ()


def test_control_characters_of_a_package_are_escaped(tmp_path: Path) -> None:
    install(tmp_path, "web", {"version": "5\x1b[2J", "engines": {"node": ">=99"}})
    (message,) = conflicts(tmp_path, "v20.19.2")
    assert "\x1b" not in message
