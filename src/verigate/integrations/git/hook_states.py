"""Read whose hooks a repository has, and what git runs for each of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from verigate.formats.visible import format_path
from verigate.integrations.git.hook_callers import HookCaller, find_caller, read_framework
from verigate.integrations.git.hook_managers import Lefthook, find_lefthook
from verigate.integrations.git.hooks_folder import HooksFolder, find_hooks_folder
from verigate.integrations.launchers import HOOKS, is_advisory, is_carrier, is_edited, name_kept, read_hook_name

_READ_LIMIT = 65536
_PROGRAMS = ("node_modules/.bin", ".venv/bin")


class HookState(StrEnum):
    """Whose hook git would run."""

    ABSENT = "absent"
    OURS = "installed"
    EDITED = "edited"
    CARRIED = "carried"
    MANAGED = "called by its manager"
    FOREIGN = "foreign"


class HookStatus(Struct, frozen=True):
    """The state of one hook. ``kept`` is true if an earlier hook is kept next to it.

    CARRIED: another tool replaced the hook, keeps ours as ``<hook>.legacy`` and runs it (pre-commit and prek do).
    MANAGED: the hook is another program's and calls the gate; ``caller`` is the file with that call.
    """

    hook: str
    path: str
    state: HookState
    kept: bool = False
    caller: str = ""


class InstalledHook(Struct, frozen=True):
    """A hook as git runs it here, without anything but its call of the gate.

    ``files`` are scripts by their paths below a folder of hooks, in which git uses ``inside``; ``configuration`` maps
    paths below the top of a work tree to the files that the hook's manager reads there. ``programs`` are folders in
    which the manager looks for itself, below the top of this work tree.
    """

    files: Mapping[str, bytes]
    inside: str = ""
    configuration: Mapping[str, bytes] = {}
    programs: tuple[str, ...] = ()
    advisory: bool = False
    executable: bool = True


def read_status(root: Path, *, environ: Mapping[str, str]) -> list[HookStatus]:
    """Read the state of every hook that can be installed.

    Raises UsageError outside a repository, and for a manager's configuration that can't be read.
    """
    folder = find_hooks_folder(root, environ)
    lefthook = find_lefthook(folder.top)
    found = []
    for hook in HOOKS:
        state = read_state(folder, hook, lefthook)
        caller = find_hook_caller(folder, hook, lefthook) if state is HookState.MANAGED else None
        kept = is_present(folder.path / name_kept(hook))
        found.append(HookStatus(hook, format_path(folder.path / hook), state, kept, caller.path if caller else ""))
    return found


def read_installed(root: Path, hook: str, *, environ: Mapping[str, str]) -> InstalledHook | None:
    """Read what git runs as ``hook``; None if no call of the gate is found in it. Raises as ``read_status`` does."""
    folder = find_hooks_folder(root, environ)
    lefthook = find_lefthook(folder.top)
    state, content = read_state(folder, hook, lefthook), read_hook(folder.path / hook)
    files, configuration, advisory = {hook: content}, dict[str, bytes](), is_advisory(content)
    if state is HookState.CARRIED:
        carried = read_hook(folder.path / name_carried(hook))
        if is_edited(carried):
            return None
        kept = read_framework(folder.top, hook, content)
        if not kept.alone:
            return None
        files, advisory = {**files, name_carried(hook): carried}, is_advisory(carried)
        configuration = dict(kept.configuration)
    elif state is HookState.MANAGED and (caller := find_hook_caller(folder, hook, lefthook)) is not None:
        if caller.script is None:
            return None
        files, configuration, advisory = {hook: caller.script}, dict(caller.configuration), caller.advisory
    elif state is not HookState.OURS:
        return None
    inside = ""
    if folder.interpreter:
        inside = "_"
        files |= {f"_/{name}": read_hook(folder.path / "_" / name) for name in ("h", hook)}
    programs = tuple(str(folder.top / name) for name in _PROGRAMS)
    return InstalledHook(files, inside, configuration, programs, advisory, is_executed(folder, hook))


def is_executed(folder: HooksFolder, hook: str) -> bool:
    """Whether git, or the runner of these hooks, executes it: its executable bit is set where that is needed."""
    return bool(folder.interpreter) or os.access(folder.path / hook, os.X_OK)


def read_state(folder: HooksFolder, hook: str, lefthook: Lefthook | None) -> HookState:
    """Read whose ``hook`` in ``folder`` is. ``lefthook`` is its configuration at the top of the work tree."""
    place = folder.path / hook
    if not is_present(place):
        return HookState.ABSENT
    content = read_hook(place)
    if read_hook_name(content) is not None:
        return HookState.EDITED if is_edited(content) else HookState.OURS
    carried = read_hook(folder.path / name_carried(hook))
    if is_carrier(content) and read_hook_name(carried) == hook:
        return HookState.CARRIED
    return HookState.MANAGED if find_hook_caller(folder, hook, lefthook) is not None else HookState.FOREIGN


def find_hook_caller(folder: HooksFolder, hook: str, lefthook: Lefthook | None) -> HookCaller | None:
    """Find how the existing ``hook`` calls the gate, None if no call is found."""
    place = folder.path / hook
    if not is_executed(folder, hook):
        return None
    return find_caller(folder.top, place, hook, read_hook(place), lefthook)


def name_carried(hook: str) -> str:
    """Return the name under which pre-commit and prek keep the hook that was there before them."""
    return f"{hook}.legacy"


def name_set_aside(hook: str) -> str:
    """Return the name to which lefthook moves a hook that isn't its own; nothing runs it."""
    return f"{hook}.old"


def is_present(path: Path) -> bool:
    """Whether anything exists at the path, including a dangling link."""
    return os.path.lexists(path)


def read_hook(path: Path) -> bytes:
    """Read the first bytes of a regular file; nothing of anything else, including a link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return b""
        return stream.read(_READ_LIMIT)
