"""Install, uninstall and report the hooks in a host's own settings; what others wrote there stays byte for byte."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.errors import UsageError
from verigate.formats import jsonc
from verigate.integrations.agents import record
from verigate.integrations.agents.command import MARKER, commands, is_ours
from verigate.integrations.agents.host import Entries, Host, WholeFile
from verigate.integrations.agents.record import Record
from verigate.integrations.launchers.machine_gate import record_gate
from verigate.subject.whole_file import write_whole


class AgentAction(StrEnum):
    """What was done with a host's settings. RESTORED: they are byte for byte what they were before the gate."""

    INSTALLED = "installed"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    RESTORED = "restored"
    LEFT = "left"


class AgentChange(Struct, frozen=True):
    """A settings file before and after. ``path`` is relative to the root; None stands for no file."""

    host: str
    path: str
    action: AgentAction
    before: bytes | None
    after: bytes | None
    notes: tuple[str, ...] = ()


def install(
    root: Path, host: Host, *, launcher: Sequence[str], attempts: int, environ: Mapping[str, str], dry_run: bool = False
) -> AgentChange:
    """Put the gate into the settings of ``host`` for the repository at ``root``; a second call changes no byte.

    The settings are committed: the path of ``launcher`` goes into the user's folder for state, see ``machine_gate``.
    ``attempts`` is how often an agent is blocked in one turn. Raises UsageError before anything is written.
    """
    if not launcher or not Path(launcher[0]).is_absolute() or any("\0" in word for word in launcher):
        raise UsageError(f"the launcher {launcher!r} is no absolute path", hint="pass the path of the gate executable")
    wanted = host.contribution(commands(host.name, attempts))
    current = _read(root, host.settings)
    folder = record.state_folder(root, environ)
    kept = record.read(folder, host.name)
    notes = _notes(host, wanted, current)
    if current is not None and _holds(current, wanted, host.settings):
        if not dry_run:
            record_gate(launcher, root, environ)
        return AgentChange(host.name, host.settings, AgentAction.UNCHANGED, current, current, notes)
    original = _without(current, wanted, kept, host.settings)
    if isinstance(wanted, WholeFile) and original is not None and not wanted.replaces:
        raise UsageError(
            "this file is somebody's own, and the gate's would take its place",
            where=host.settings,
            hint="move it away; what is in it may belong into the settings of your home",
        )
    after = wanted.text.encode() if isinstance(wanted, WholeFile) else _with(original, wanted, host.settings)
    action = AgentAction.INSTALLED if original == current else AgentAction.UPDATED
    if not dry_run:
        record_gate(launcher, root, environ)
        record.write(folder, host.name, Record(original, record.digest(after)))
        _write(root, host.settings, after, executable=isinstance(wanted, WholeFile) and wanted.executable)
    return AgentChange(host.name, host.settings, action, current, after, notes)


def uninstall(root: Path, host: Host, *, environ: Mapping[str, str], dry_run: bool = False) -> AgentChange:
    """Take the gate out of the settings of ``host``; the bytes from before come back.

    A file that was changed since keeps those changes. Raises UsageError for a file that can't be read or edited.
    """
    current = _read(root, host.settings)
    folder = record.state_folder(root, environ)
    wanted = host.contribution(commands(host.name, 1))
    kept = record.read(folder, host.name)
    after = _without(current, wanted, kept, host.settings)
    if not dry_run:
        if after is None and current is not None:
            (root / host.settings).unlink()
            _remove_empty(root, host.settings)
        elif after is not None and after != current:
            _write(root, host.settings, after)
        record.forget(folder, host.name)
    return AgentChange(host.name, host.settings, _name_removal(current, after, kept), current, after)


def _name_removal(current: bytes | None, after: bytes | None, kept: Record | None) -> AgentAction:
    if after == current:
        return AgentAction.LEFT
    return AgentAction.RESTORED if after is not None and kept and after == kept.before else AgentAction.REMOVED


def is_installed(root: Path, host: Host) -> bool:
    """Whether the settings hold anything of the gate's. Raises UsageError for a file that can't be read."""
    current = _read(root, host.settings)
    if current is None or MARKER.encode() not in current:
        return False
    wanted = host.contribution(commands(host.name, 1))
    return _without(current, wanted, None, host.settings) != current


def is_ignored(root: Path, host: Host) -> bool:
    """Whether the host doesn't read its settings, because they have comments. Raises UsageError as above."""
    current = _read(root, host.settings)
    return current is not None and _is_ignored(host.contribution(commands(host.name, 1)), current, host)


def _is_ignored(wanted: Entries | WholeFile, current: bytes, host: Host) -> bool:
    if not isinstance(wanted, Entries) or wanted.comments or not current.strip():
        return False
    return jsonc.has_comments(current, host.settings)


def _notes(host: Host, wanted: Entries | WholeFile, current: bytes | None) -> tuple[str, ...]:
    notes = [
        (
            f"commit {host.settings} and push it before `gate install` adds the git hooks, which refuse a change of "
            "policy files; if they are there already: `gate uninstall`, commit, push, `gate install`; or have it "
            "approved by `gate approve`"
        )
    ]
    if current is not None and _is_ignored(wanted, current, host):
        notes.append(f"{host.name} ignores a settings file with comments, and every hook in it: take the comments out")
    return (*notes, *host.notes)


def _with(original: bytes | None, wanted: Entries, shown: str) -> bytes:
    return jsonc.add(original or b"", wanted.value, shown)


def _holds(current: bytes, wanted: Entries | WholeFile, shown: str) -> bool:
    if isinstance(wanted, WholeFile):
        return current == wanted.text.encode()
    found = jsonc.read_value(current, shown) if current.strip() else {}
    if any(key not in found for key in wanted.value):
        return False
    # The events are members of "hooks", or of the file itself.
    hooks, ours = (found["hooks"], wanted.value["hooks"]) if "hooks" in wanted.value else (found, wanted.value)
    if not isinstance(hooks, dict):
        return False
    there = {event: [item for item in items if item in ours[event]] for event, items in hooks.items()
             if isinstance(items, list) and event in ours}  # fmt: skip
    return bool(there == ours)


def _without(current: bytes | None, wanted: Entries | WholeFile, kept: Record | None, shown: str) -> bytes | None:
    """The settings without the gate's entries."""
    if current is None:
        return None
    if kept is not None and kept.after == record.digest(current):
        return kept.before
    return (
        _file_without(current, wanted, kept, shown)
        if isinstance(wanted, WholeFile)
        else (_entries_without(current, wanted, kept, shown))
    )


def _file_without(current: bytes, wanted: WholeFile, kept: Record | None, shown: str) -> bytes | None:
    if not current.startswith(wanted.marker.encode()):
        return current
    if kept is not None:
        raise UsageError("this file was edited since `gate install`", where=shown, hint="move it away")
    return None


def _entries_without(current: bytes, wanted: Entries, kept: Record | None, shown: str) -> bytes | None:
    if not current.strip():
        return current
    cleaned = jsonc.remove(current, is_ours, _came_with_ours(kept, wanted, shown), shown)
    if cleaned == current:
        return current
    return None if (kept is None or kept.before is None) and jsonc.read_value(cleaned, shown) == {} else cleaned


def _came_with_ours(kept: Record | None, wanted: Entries, shown: str) -> Callable[[tuple[str, ...]], bool]:
    """Whether a member that is left empty came with the gate's entries."""
    original = jsonc.read_value(kept.before, shown) if kept is not None and kept.before and kept.before.strip() else {}

    def came_with_ours(place: tuple[str, ...]) -> bool:
        value: Any = original
        ours: Any = wanted.value
        for key in place:
            ours = ours.get(key) if isinstance(ours, dict) else None
            value = value.get(key) if isinstance(value, dict) else None
        # Without a record nobody knows; an empty container that stays does no harm, nor does one that goes.
        return ours is not None and value is None and (kept is not None or place[0] == "hooks")

    return came_with_ours


def _read(root: Path, path: str) -> bytes | None:
    _refuse_links(root, path)
    try:
        descriptor = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise UsageError(f"it can't be read: {problem.strerror}", where=path) from problem
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError("this is no regular file", where=path, hint="move it away")
        return file.read(jsonc.MAX_BYTES + 1)


def _refuse_links(root: Path, path: str) -> None:
    """A link would have the gate write somewhere else."""
    place = root
    for part in Path(path).parts:
        place /= part
        if place.is_symlink():
            hint = "make it real, or put the hooks where it leads to by hand"
            raise UsageError("this is a symbolic link", where=str(place.relative_to(root)), hint=hint)


def _write(root: Path, path: str, content: bytes, *, executable: bool = False) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        mode = stat.S_IMODE(target.stat().st_mode)
        write_whole(target, content, mode=mode | (0o111 if executable else 0), exactly=True)
    else:
        write_whole(target, content, mode=0o777 if executable else 0o666)


def _remove_empty(root: Path, path: str) -> None:
    """The folders that only held the file go with it."""
    for folder in list(Path(path).parents)[:-1]:
        try:
            (root / folder).rmdir()
        except OSError:
            return
