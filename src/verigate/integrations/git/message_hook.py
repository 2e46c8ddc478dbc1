"""Find whether git will ask the gate about the message of a commit: whose hook commit-msg it runs, and how."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.errors import UsageError
from verigate.integrations.git.hook_callers import HookCaller
from verigate.integrations.git.hook_managers import find_lefthook
from verigate.integrations.git.hook_states import (
    HookState,
    find_hook_caller,
    is_executed,
    name_carried,
    read_hook,
    read_state,
)
from verigate.integrations.git.hooks_folder import HooksFolder, find_hooks_folder
from verigate.integrations.launchers import calls_as_now, is_advisory, is_edited

HOOK = "commit-msg"
_INSTALL = "run `gate install`"
_BY_HAND = "let it run `gate git-hook commit-msg` with the file that git passes"
_TOLD = "or, if another manager runs the gate there, call `gate git-hook pre-commit --message-follows`"
_OTHERS = {
    HookState.ABSENT: f"there is no hook {HOOK}: {_INSTALL}, {_TOLD}",
    HookState.EDITED: f"the gate's hook {HOOK} was edited: delete it and {_INSTALL}",
    HookState.FOREIGN: f"the hook {HOOK} doesn't call the gate: {_INSTALL}, or {_BY_HAND}, {_TOLD}",
}


def find_message_lack(root: Path, environ: Mapping[str, str]) -> str:
    """Return why git won't ask the gate about the message, and how to get it; "" if it will.

    Looks at what git runs: ``core.hooksPath``, the installed hook, and the configuration of its manager.
    """
    try:
        folder = find_hooks_folder(root, environ)
        lefthook = find_lefthook(folder.top)
        state = read_state(folder, HOOK, lefthook)
        if state in _OTHERS:
            return _OTHERS[state]
        caller = find_hook_caller(folder, HOOK, lefthook) if state is HookState.MANAGED else None
        return _find_fault(folder, state, caller)
    except UsageError as problem:
        return f"the hook {HOOK} can't be found: {problem}"


def _find_fault(folder: HooksFolder, state: HookState, caller: HookCaller | None) -> str:
    """Return why a hook that calls the gate doesn't decide; "" if it does."""
    if not is_executed(folder, HOOK):
        return f"git skips the hook {HOOK}, which isn't executable: {_INSTALL}"
    own = read_hook(folder.path / (name_carried(HOOK) if state is HookState.CARRIED else HOOK))
    if caller.advisory if caller is not None else is_advisory(own):
        return f"the hook {HOOK} is advisory: {_INSTALL}"
    if caller is None and (is_edited(own) or not calls_as_now(own, HOOK)):
        return f"the hook {HOOK} is that of another version of the gate: {_INSTALL}"
    return ""
