"""Install, uninstall and report the git hooks of a repository.

A hook that was there before is never lost: it is kept byte for byte under another name in the same folder, runs first,
and comes back at uninstall. At no moment is there no hook where there was one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from verigate.domain.names import suggestion
from verigate.errors import UsageError
from verigate.integrations.hook_managers import Lefthook, find_lefthook, is_lefthooks
from verigate.integrations.hooks_folder import HooksFolder, find_hooks_folder, refuse_shared
from verigate.integrations.launchers import (
    HOOKS,
    hook_of,
    installed_hook,
    is_advisory,
    is_carrier,
    is_edited,
    kept_name,
)

_READ_LIMIT = 65536
_MODE = 0o755


class HookAction(StrEnum):
    """What was done with one hook."""

    INSTALLED = "installed"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    RESTORED = "restored"
    LEFT = "left"
    BY_HAND = "by hand"


class HookState(StrEnum):
    """Whose hook git would run."""

    ABSENT = "absent"
    OURS = "installed"
    EDITED = "edited"
    CARRIED = "carried"
    MANAGED = "called by its manager"
    FOREIGN = "foreign"


class HookChange(Struct, frozen=True):
    """One hook after ``install`` or ``uninstall``. ``path`` is absolute; ``note`` is for people.

    BY_HAND: nothing was written; a manager's configuration has to call the gate, and doesn't.
    """

    hook: str
    path: str
    action: HookAction
    note: str = ""


class HookStatus(Struct, frozen=True):
    """One hook as it stands. ``kept`` tells that an earlier hook is kept beside it.

    CARRIED: another tool took the hook's place, keeps ours as ``<hook>.legacy`` and runs it (pre-commit and prek do).
    MANAGED: the hook is lefthook's, and its configuration calls the gate.
    """

    hook: str
    path: str
    state: HookState
    kept: bool = False


def install(
    root: Path,
    hooks: Iterable[str] = HOOKS,
    *,
    launcher: Sequence[str],
    environ: Mapping[str, str],
    shared: bool = False,
    advisory: bool = False,
) -> list[HookChange]:
    """Put the gate into ``hooks`` of the repository at ``root``; a second call changes no byte.

    ``launcher`` is the argument vector that starts the gate, with an absolute path first. ``shared`` allows to write
    to a folder outside the repository; ``advisory`` hooks report and never block. Raises UsageError before anything is
    written.
    """
    wanted = _known(hooks)
    if not launcher or not Path(launcher[0]).is_absolute() or any("\0" in word for word in launcher):
        raise UsageError(f"the launcher {launcher!r} is no absolute path", hint="pass the path of the gate executable")
    folder = _folder(root, environ, shared=shared)
    if (manager := find_lefthook(folder.top)) is not None:
        return [_managed(folder.path, hook, manager) for hook in wanted]
    for hook in wanted:
        _check_free(folder.path, hook)
    folder.path.mkdir(parents=True, exist_ok=True)
    return [_install_one(folder, hook, launcher, advisory=advisory) for hook in wanted]


def uninstall(
    root: Path, hooks: Iterable[str] = HOOKS, *, environ: Mapping[str, str], shared: bool = False
) -> list[HookChange]:
    """Take the gate out of ``hooks``; what was there before comes back with its bytes, mode and links.

    Hooks of others are left alone. Raises UsageError where ``install`` would, and for a launcher edited by hand.
    """
    wanted = _known(hooks)
    folder = _folder(root, environ, shared=shared)
    for hook in wanted:
        for name in (hook, _carried_name(hook), _set_aside_name(hook)):
            _refuse_edited(folder.path / name)
    manager = find_lefthook(folder.top)
    return [_uninstall_one(folder.path, hook, manager) for hook in wanted]


def status(root: Path, *, environ: Mapping[str, str]) -> list[HookStatus]:
    """Every hook that can be installed, as it stands. Raises UsageError outside a repository."""
    found = find_hooks_folder(root, environ)
    folder, manager = found.path, find_lefthook(found.top)
    return [
        HookStatus(hook, _shown(folder / hook), _state(folder, hook, manager), _present(folder / kept_name(hook)))
        for hook in HOOKS
    ]


def installed_text(root: Path, hook: str, *, environ: Mapping[str, str]) -> bytes | None:
    """The installed launcher that git, or the tool that carries it, runs as ``hook``; None if it isn't ours as it was.

    Raises UsageError outside a repository.
    """
    folder = find_hooks_folder(root, environ).path
    places = {HookState.OURS: folder / hook, HookState.CARRIED: folder / _carried_name(hook)}
    place = places.get(_state(folder, hook))
    content = _content(place) if place is not None else b""
    return content if content and not is_edited(content) else None


def outdated(root: Path, launcher: Sequence[str], *, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The hooks of ours that another gate wrote, or that git passes over because they aren't executable."""
    folder = find_hooks_folder(root, environ)
    return tuple(hook for hook in HOOKS if _is_outdated(folder, hook, launcher))


def _is_outdated(folder: HooksFolder, hook: str, launcher: Sequence[str]) -> bool:
    if _state(folder.path, hook) is not HookState.OURS:
        return False
    content, mode = _content(folder.path / hook), (folder.path / hook).stat().st_mode
    text = installed_hook(hook, launcher, folder.interpreter, advisory=is_advisory(content))
    return content != os.fsencode(text) or not stat.S_IMODE(mode) & 0o111


def renew(root: Path, launcher: Sequence[str], *, environ: Mapping[str, str]) -> list[HookChange]:
    """Write ``outdated`` hooks anew, advisory ones as advisory ones; a folder that others share is left alone."""
    folder = find_hooks_folder(root, environ)
    if folder.shared:
        return []
    return [
        _install_one(folder, hook, launcher, advisory=is_advisory(_content(folder.path / hook)))
        for hook in HOOKS
        if _is_outdated(folder, hook, launcher)
    ]


def _known(hooks: Iterable[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(hooks))
    unknown = [hook for hook in wanted if hook not in HOOKS]
    if unknown or not wanted:
        hint = suggestion(unknown[0] if unknown else "", HOOKS)
        raise UsageError(f"no such hook: {', '.join(unknown) or '(none named)'}", hint=hint)
    return wanted


def _folder(root: Path, environ: Mapping[str, str], *, shared: bool) -> HooksFolder:
    folder = find_hooks_folder(root, environ)
    if not shared:
        refuse_shared(folder, root, environ)
    return folder


def _carried_name(hook: str) -> str:
    return f"{hook}.legacy"


def _set_aside_name(hook: str) -> str:
    return f"{hook}.old"


def _state(folder: Path, hook: str, manager: Lefthook | None = None) -> HookState:
    if not _present(folder / hook):
        return HookState.ABSENT
    content = _content(folder / hook)
    if hook_of(content) is not None:
        return HookState.EDITED if is_edited(content) else HookState.OURS
    if manager is not None and hook in manager.called and is_lefthooks(content):
        return HookState.MANAGED
    carried = hook_of(_content(folder / _carried_name(hook))) == hook
    return HookState.CARRIED if carried else HookState.FOREIGN


def _check_free(folder: Path, hook: str) -> None:
    path, kept = folder / hook, folder / kept_name(hook)
    if _present(path) and not path.is_symlink() and not path.is_file():
        raise UsageError(f"the hook {hook} is no file", where=_shown(path), hint="move it away")
    _refuse_edited(path)
    if _state(folder, hook) is HookState.FOREIGN and _present(kept):
        raise UsageError(
            f"the hook {hook} was replaced since `gate install`, and the one from before is still kept",
            where=_shown(path),
            hint=f"decide which one you want, remove the other ({_shown(kept)} or the hook), and install again",
        )


def _refuse_edited(path: Path) -> None:
    if is_edited(_content(path)):
        raise UsageError(
            "this hook was written by `gate install` and edited since",
            where=_shown(path),
            hint="move your lines to a file of your own and delete the hook, then run the command again",
        )


def _install_one(folder: HooksFolder, hook: str, launcher: Sequence[str], *, advisory: bool) -> HookChange:
    path = folder.path / hook
    text = os.fsencode(installed_hook(hook, launcher, folder.interpreter, advisory=advisory))
    state = _state(folder.path, hook)
    note = "in the work tree: everybody who checks this repository out gets it" if folder.tracked else ""
    if state is HookState.CARRIED:
        note = "another tool's hook runs it from " + _carried_name(hook)
        carried = folder.path / _carried_name(hook)
        if is_advisory(_content(carried)) is advisory:
            return HookChange(hook, _shown(path), HookAction.UNCHANGED, note)
        _write(carried, text)
        return HookChange(hook, _shown(path), HookAction.UPDATED, note)
    if state is HookState.OURS and _content(path) == text and stat.S_IMODE(path.stat().st_mode) & 0o111:
        return HookChange(hook, _shown(path), HookAction.UNCHANGED)
    if state is HookState.FOREIGN:
        _keep(path, folder.path / kept_name(hook))
        note = "; ".join(filter(None, (f"the hook from before is kept as {kept_name(hook)} and runs first", note)))
    _write(path, text)
    return HookChange(hook, _shown(path), HookAction.UPDATED if state is HookState.OURS else HookAction.INSTALLED, note)


def _managed(folder: Path, hook: str, manager: Lefthook) -> HookChange:
    if _state(folder, hook, manager) is HookState.MANAGED:
        without = "" if manager.asserts else "; not where lefthook is missing, without assert_lefthook_installed: true"
        note = f"lefthook runs it: {manager.path}{without}"
        return HookChange(hook, _shown(folder / hook), HookAction.UNCHANGED, note)
    called = hook in manager.called
    note = f"{manager.path} calls the gate: run `lefthook install`" if called else f"write it into {manager.path}"
    return HookChange(hook, _shown(folder / hook), HookAction.BY_HAND, note)


def _keep(path: Path, kept: Path) -> None:
    """Give the hook a second name; the first is then replaced in one step, so that there always is a hook."""
    try:
        os.link(path, kept, follow_symlinks=False)
    except FileExistsError:
        raise UsageError("somebody else is installing hooks here", where=_shown(kept), hint="try again") from None
    except OSError:
        # A file system without hard links.
        path.rename(kept)


def _write(path: Path, text: bytes) -> None:
    staging = path.with_name(f".{path.name}.verigate-{os.getpid()}")
    descriptor = os.open(staging, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _MODE)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(text)
        # A hook without its executable bit is ignored by git, whatever the umask was.
        staging.chmod(_MODE)
        staging.replace(path)
    except BaseException:
        staging.unlink(missing_ok=True)
        raise


def _uninstall_one(folder: Path, hook: str, manager: Lefthook | None) -> HookChange:
    path, kept = folder / hook, folder / kept_name(hook)
    state = _state(folder, hook)
    if state is HookState.CARRIED:
        path = folder / _carried_name(hook)
        if is_carrier(_content(kept)):
            # It was installed before us and again after: its hook is there, and this is its old one.
            kept.unlink()
    elif hook_of(_content(folder / _set_aside_name(hook))) == hook:
        path = folder / _set_aside_name(hook)
    elif state is not HookState.OURS:
        note = f"the hook from before is still kept as {kept_name(hook)}" if _present(kept) else ""
        if manager is not None and hook in manager.called:
            note = f"take the gate out of {manager.path} by hand"
        return HookChange(hook, _shown(path), HookAction.LEFT, note)
    if _present(kept):
        kept.replace(path)
        return HookChange(hook, _shown(path), HookAction.RESTORED)
    path.unlink()
    return HookChange(hook, _shown(path), HookAction.REMOVED)


def _present(path: Path) -> bool:
    return os.path.lexists(path)


def _content(path: Path) -> bytes:
    """The first bytes of a regular file; nothing of anything else, a link included."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return b""
        return stream.read(_READ_LIMIT)


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
