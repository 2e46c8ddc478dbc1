"""Install and uninstall the git hooks of a repository.

An existing hook is never lost: it is kept byte for byte under another name in the same folder, runs first, and comes
back at uninstall. There is always a hook where there was one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name
from verigate.formats.visible import format_path
from verigate.integrations.git.hook_managers import Lefthook, find_lefthook
from verigate.integrations.git.hook_states import (
    HookState,
    find_hook_caller,
    is_present,
    name_carried,
    name_set_aside,
    read_hook,
    read_state,
)
from verigate.integrations.git.hooks_folder import HooksFolder, find_hooks_folder, refuse_shared
from verigate.integrations.launchers import (
    DEFAULT_HOOKS,
    HOOKS,
    is_advisory,
    is_carrier,
    is_edited,
    name_kept,
    read_hook_name,
    render_installed_hook,
    verifies_each,
)
from verigate.integrations.launchers.machine_gate import record_gate
from verigate.subject.whole_file import write_whole

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


class HookChange(Struct, frozen=True):
    """One hook after ``install`` or ``uninstall``, or after a dry run. ``path`` is absolute; ``note`` is for people.

    ``before`` and ``after`` are the bytes at ``path``, None if there is no regular file, or nothing changes. BY_HAND:
    nothing was written; a manager's configuration has to call the gate, and doesn't.
    """

    hook: str
    path: str
    action: HookAction
    note: str = ""
    before: bytes | None = None
    after: bytes | None = None


class _Form(Struct, frozen=True):
    """How a hook of ours judges, as ``install`` takes it."""

    advisory: bool = False
    each_commit: bool = False

    @classmethod
    def read(cls, content: bytes) -> _Form:
        """Read it from an installed hook."""
        return cls(is_advisory(content), verifies_each(content))

    def of(self, hook: str) -> _Form:
        """Return what of it matters to a hook."""
        return self if hook == "pre-push" else _Form(self.advisory)


def install(
    root: Path,
    hooks: Iterable[str] = DEFAULT_HOOKS,
    *,
    launcher: Sequence[str],
    environ: Mapping[str, str],
    shared: bool = False,
    advisory: bool = False,
    each_commit: bool = False,
    dry_run: bool = False,
) -> list[HookChange]:
    """Install the gate in ``hooks`` of the repository at ``root``; a second call changes no byte.

    ``launcher`` is the argument vector that starts the gate, with an absolute path first. ``shared`` permits writing to
    a folder outside the repository; ``advisory`` hooks report and never block; with ``each_commit`` pre-push verifies
    each commit by itself as well. Nothing is written in a ``dry_run``.
    Raises UsageError before anything is written.
    """
    wanted = _require_known(hooks)
    if not launcher or not Path(launcher[0]).is_absolute() or any("\0" in word for word in launcher):
        raise UsageError(
            f"the launcher {launcher!r} is not an absolute path", hint="pass the path of the gate executable"
        )
    folder = _find_folder(root, environ, shared=shared)
    if (manager := find_lefthook(folder.top)) is not None:
        return [_report_managed(folder, hook, manager) for hook in wanted]
    for hook in wanted:
        _check_free(folder, hook)
    if not dry_run:
        folder.path.mkdir(parents=True, exist_ok=True)
        if folder.tracked:
            record_gate(launcher, root, environ)
    form = _Form(advisory, each_commit)
    return [_install_one(folder, hook, launcher, form, dry_run=dry_run) for hook in wanted]


def uninstall(
    root: Path,
    hooks: Iterable[str] = HOOKS,
    *,
    environ: Mapping[str, str],
    shared: bool = False,
    dry_run: bool = False,
) -> list[HookChange]:
    """Remove the gate from ``hooks``; the earlier hook comes back with its bytes, mode and links.

    Hooks of others are left alone. Raises UsageError where ``install`` would, and for a launcher edited by hand.
    """
    wanted = _require_known(hooks)
    folder = _find_folder(root, environ, shared=shared)
    for hook in wanted:
        for name in (hook, name_carried(hook), name_set_aside(hook)):
            _refuse_edited(folder.path / name)
    manager = find_lefthook(folder.top)
    return [_uninstall_one(folder, hook, manager, dry_run=dry_run) for hook in wanted]


def find_outdated(root: Path, launcher: Sequence[str], *, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Find our hooks that another gate wrote, or that git skips because they aren't executable."""
    folder = find_hooks_folder(root, environ)
    return tuple(hook for hook in HOOKS if _is_outdated(folder, hook, launcher))


def _is_outdated(folder: HooksFolder, hook: str, launcher: Sequence[str]) -> bool:
    if read_state(folder, hook, None) is not HookState.OURS:
        return False
    content, mode = read_hook(folder.path / hook), (folder.path / hook).stat().st_mode
    text = _render(folder, hook, launcher, _Form.read(content))
    return content != os.fsencode(text) or not stat.S_IMODE(mode) & 0o111


def _render(folder: HooksFolder, hook: str, launcher: Sequence[str], form: _Form) -> str:
    """Render a hook. One in the work tree is committed: it holds no path of this machine."""
    own = None if folder.tracked else launcher
    return render_installed_hook(hook, own, folder.interpreter, advisory=form.advisory, each_commit=form.each_commit)


def update_outdated(root: Path, launcher: Sequence[str], *, environ: Mapping[str, str]) -> list[HookChange]:
    """Write outdated hooks again in their own form; leave a folder that others share alone."""
    folder = find_hooks_folder(root, environ)
    if folder.shared:
        return []
    if folder.tracked:
        record_gate(launcher, root, environ)
    return [
        _install_one(folder, hook, launcher, _Form.read(read_hook(folder.path / hook)), dry_run=False)
        for hook in HOOKS
        if _is_outdated(folder, hook, launcher)
    ]


def _require_known(hooks: Iterable[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(hooks))
    unknown = [hook for hook in wanted if hook not in HOOKS]
    if unknown or not wanted:
        hint = suggest_name(unknown[0] if unknown else "", HOOKS)
        raise UsageError(f"no such hook: {', '.join(unknown) or '(none named)'}", hint=hint)
    return wanted


def _find_folder(root: Path, environ: Mapping[str, str], *, shared: bool) -> HooksFolder:
    folder = find_hooks_folder(root, environ)
    if not shared:
        refuse_shared(folder, root, environ)
    return folder


def _check_free(folder: HooksFolder, hook: str) -> None:
    path, kept = folder.path / hook, folder.path / name_kept(hook)
    if is_present(path) and not path.is_symlink() and not path.is_file():
        raise UsageError(f"the hook {hook} is not a file", where=format_path(path), hint="move it away")
    _refuse_edited(path)
    if read_state(folder, hook, None) is HookState.FOREIGN and is_present(kept):
        raise UsageError(
            f"the hook {hook} was replaced since `gate install`, and the earlier hook is still kept",
            where=format_path(path),
            hint=f"decide which one you want, remove the other ({format_path(kept)} or the hook), and install again",
        )


def _refuse_edited(path: Path) -> None:
    if is_edited(read_hook(path)):
        raise UsageError(
            "this hook of `gate install` was edited",
            where=format_path(path),
            hint="move your lines to your own file and delete the hook, then run the command again",
        )


def _install_one(folder: HooksFolder, hook: str, launcher: Sequence[str], form: _Form, *, dry_run: bool) -> HookChange:
    path = folder.path / hook
    text = os.fsencode(_render(folder, hook, launcher, form))
    state, current = read_state(folder, hook, None), read_hook(path)
    note = "in the work tree: every checkout of this repository gets it" if folder.tracked else ""
    action = HookAction.INSTALLED
    if state is HookState.MANAGED:
        caller = find_hook_caller(folder, hook, None)
        note = f"{caller.path} calls the gate" if caller is not None else ""
        return HookChange(hook, format_path(path), HookAction.UNCHANGED, note)
    if state is HookState.CARRIED:
        note = "another tool's hook runs it as " + name_carried(hook)
        path = folder.path / name_carried(hook)
        current, action = read_hook(path), HookAction.UPDATED
        if _Form.read(current).of(hook) == form.of(hook):
            return HookChange(hook, format_path(folder.path / hook), HookAction.UNCHANGED, note)
    elif state is HookState.OURS:
        action = HookAction.UPDATED
        if current == text and stat.S_IMODE(path.stat().st_mode) & 0o111:
            return HookChange(hook, format_path(path), HookAction.UNCHANGED)
    elif state is HookState.FOREIGN:
        note = "; ".join(filter(None, (f"the earlier hook is kept as {name_kept(hook)} and runs first", note)))
        if not dry_run:
            _keep(path, folder.path / name_kept(hook))
    if not dry_run:
        _write(path, text)
    return HookChange(hook, format_path(path), action, note, current or None, text)


def _report_managed(folder: HooksFolder, hook: str, manager: Lefthook) -> HookChange:
    path = format_path(folder.path / hook)
    if read_state(folder, hook, manager) is HookState.MANAGED:
        without = "" if manager.asserts else "; it doesn't run without lefthook: set assert_lefthook_installed: true"
        return HookChange(hook, path, HookAction.UNCHANGED, f"lefthook runs it: {manager.path}{without}")
    called = hook in manager.called
    note = f"{manager.path} calls the gate: run `lefthook install`" if called else f"add it to {manager.path}"
    return HookChange(hook, path, HookAction.BY_HAND, note)


def _keep(path: Path, kept: Path) -> None:
    """Give the hook a second name; the first is then replaced in one step, so that there is always a hook."""
    try:
        os.link(path, kept, follow_symlinks=False)
    except FileExistsError:
        raise UsageError(
            "another process is installing hooks here", where=format_path(kept), hint="try again"
        ) from None
    except OSError:
        # The file system has no hard links.
        path.rename(kept)


def _write(path: Path, text: bytes) -> None:
    # git ignores a hook without its executable bit, so set it whatever the umask is.
    write_whole(path, text, mode=_MODE, exactly=True)


def _uninstall_one(folder: HooksFolder, hook: str, manager: Lefthook | None, *, dry_run: bool) -> HookChange:
    path, kept = folder.path / hook, folder.path / name_kept(hook)
    state, restored = read_state(folder, hook, manager), is_present(kept)
    if state is HookState.CARRIED:
        path = folder.path / name_carried(hook)
        if is_carrier(read_hook(kept)):
            # The tool was installed before us and again after: its hook is in place, and this is its old one.
            restored = False
            if not dry_run:
                kept.unlink()
    elif read_hook_name(read_hook(folder.path / name_set_aside(hook))) == hook:
        path = folder.path / name_set_aside(hook)
    elif state is not HookState.OURS:
        return HookChange(hook, format_path(path), HookAction.LEFT, _explain_left(folder, hook, manager))
    after = read_hook(kept) if restored else None
    change = HookChange(
        hook, format_path(path), HookAction.RESTORED if restored else HookAction.REMOVED, "", read_hook(path), after
    )
    if not dry_run:
        if restored:
            kept.replace(path)
        else:
            path.unlink()
    return change


def _explain_left(folder: HooksFolder, hook: str, manager: Lefthook | None) -> str:
    caller = find_hook_caller(folder, hook, manager)
    if caller is not None or (manager is not None and hook in manager.called):
        named = caller.path if caller is not None else manager.path if manager is not None else ""
        return f"remove the gate from {named} by hand"
    kept = folder.path / name_kept(hook)
    if is_present(kept):
        return f"the earlier hook is still kept as {name_kept(hook)}"
    return "not the gate's" if is_present(folder.path / hook) else "there is none"
