"""Find calls of the gate in hooks of other tools: pre-commit, prek, lefthook, husky, and the user's own scripts.

Only written evidence counts: the tool's configuration, or a line of the script.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from verigate.integrations.git.hook_configuration import read_configuration
from verigate.integrations.git.hook_managers import Lefthook, call_pattern, is_alone, is_lefthook_script
from verigate.integrations.launchers import is_carrier

OFFERED: Mapping[str, str] = MappingProxyType(
    {
        "pre-commit": "gate-verify",
        "pre-merge-commit": "gate-verify-merge",
        "commit-msg": "gate-trailer",
        "pre-push": "gate-verify-push",
        "post-commit": "gate-verify-commit",
    }
)
"""Git's hooks -> the ids under which ``.pre-commit-hooks.yaml`` offers them. pre-commit has no pre-applypatch."""

_CONFIG = ".pre-commit-config.yaml"
_FRAMEWORK = ("prek.toml", _CONFIG, ".pre-commit-config.yml")
_NAMED = re.compile(rb"--config=[\"']?([^\s\"')]+)")
_SETS = re.compile(r"\s*set( [-+][a-z]+)+( pipefail)?\s*")
_SHELLS = re.compile(r"#! ?(/usr)?/bin/(env )?(ba|da|k|z)?sh( -[a-z]+)*\s*")
_IDLE = re.compile(r"\s*(#|$)")


class HookCaller(Struct, frozen=True):
    """The part of a hook that calls the gate.

    ``path`` is where the call is written, relative to the top of the work tree if it lies below it. ``script`` is the
    hook with only the calling lines, None if they make no script or do more than call; ``configuration`` maps paths
    below the top to a configuration with only the calling entries.
    """

    path: str
    script: bytes | None
    configuration: Mapping[str, bytes] = {}
    advisory: bool = False


class FrameworkHook(Struct, frozen=True):
    """The configuration of pre-commit or prek for a hook; ``path`` and ``configuration`` as in HookCaller.

    ``calls`` is true if any of its hooks calls the gate, ``alone`` if none does more than that.
    """

    path: str
    configuration: Mapping[str, bytes]
    calls: bool
    alone: bool


def find_caller(top: Path, place: Path, hook: str, content: bytes, lefthook: Lefthook | None) -> HookCaller | None:
    """Find how ``hook`` with ``content`` at ``place`` calls the gate; None if no call is found.

    ``top`` is the top of the work tree, ``lefthook`` its configuration of lefthook. Raises UsageError for a
    configuration that can't be read.
    """
    if is_lefthook_script(content):
        if lefthook is None or hook not in lefthook.called:
            return None
        kept = lefthook.only(hook)
        script = content if lefthook.calls_alone(hook) else None
        return HookCaller(lefthook.path, script, kept, any(b"--advisory" in text for text in kept.values()))
    if is_carrier(content):
        found = read_framework(top, hook, content)
        return HookCaller(found.path, content if found.alone else None, found.configuration) if found.calls else None
    return _find_script_call(top, place, hook, content)


def read_framework(top: Path, hook: str, content: bytes) -> FrameworkHook:
    """Read the configuration of a hook of pre-commit or prek.

    Raises UsageError for one that can't be read.
    """
    import yaml

    named = _NAMED.search(content)
    names = (named[1].decode("utf-8", "surrogateescape"),) if named else _FRAMEWORK
    name = next((name for name in names if (top / name).is_file()), names[-1])
    document = _read_document(top / name) if (top / name).is_file() else {}
    repositories, others = [], []
    for entry in _as_list(document.get("repos")):
        calls, more = _select_calls(entry, hook, top)
        repositories += calls
        others += more
    text = yaml.safe_dump({**document, "repos": repositories}).encode()
    # TOML becomes YAML, which both tools read under this name.
    elsewhere = Path(name).is_absolute() or ".." in Path(name).parts
    target = _CONFIG if name.endswith(".toml") or elsewhere else name
    return FrameworkHook(name, {target: text}, calls=bool(repositories or others), alone=not others)


def _select_calls(entry: object, hook: str, top: Path) -> tuple[list[dict[str, Any]], list[object]]:
    """Return a repository of hooks with only the gate's, if any, and the hooks that do more than call it."""
    if not isinstance(entry, dict):
        return [], []
    called = call_pattern(hook)
    hooks: list[object] = []
    others: list[object] = []
    for item in _as_list(entry.get("hooks")):
        command = item.get("entry") if isinstance(item, dict) else None
        if isinstance(command, str):
            if called.search(command):
                (hooks if is_alone(command, hook) else others).append(item)
        elif isinstance(item, dict) and item.get("id") == OFFERED.get(hook, ""):
            hooks.append(item)
    if not hooks:
        return [], others
    address = entry.get("repo")
    if isinstance(address, str) and (top / address).is_dir():
        address = str(top / address)
    return [{**entry, "repo": address, "hooks": hooks}], others


def _read_document(path: Path) -> dict[Any, Any]:
    return read_configuration(path, what="this configuration of hooks", look="pre-commit validate-config")


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _find_script_call(top: Path, place: Path, hook: str, content: bytes) -> HookCaller | None:
    """Find the call in a script of no tool. The commands around the calls become ``:``, which always succeeds."""
    called = call_pattern(hook)
    lines = content.decode("utf-8", "surrogateescape").splitlines()
    calls = [line for line in lines if not line.lstrip().startswith("#") and called.search(line)]
    if not calls:
        return None
    first = lines[0] if lines[0].startswith("#!") else "#!/bin/sh"
    # `set -e` and the lines after the call decide whether a failing call ends the script.
    kept = [line if line in calls or _SETS.fullmatch(line) else ":" for line in lines if not _IDLE.match(line)]
    script = "\n".join((first, *kept, "")).encode("utf-8", "surrogateescape")
    shown = place.relative_to(top) if place.is_relative_to(top) else place
    is_script = (
        all(is_alone(line, hook) for line in calls)
        and _SHELLS.fullmatch(first) is not None
        and subprocess.run(("/bin/sh", "-n"), input=script, capture_output=True, check=False).returncode == 0
    )
    return HookCaller(str(shown), script if is_script else None, advisory=all("--advisory" in line for line in calls))
