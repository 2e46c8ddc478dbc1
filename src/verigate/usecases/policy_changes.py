"""Find the policy files that a change touches, and whether the trusted policy allows that.

The trusted policy is that of the policy ref, or without one the base's: never what the change brings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from verigate.config.builtin import PROFILES_FILE
from verigate.config.profiles import Profiles
from verigate.config.task_files import is_same_commitment
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.profile import BASELINE_FILE, Profile
from verigate.domain.task import IMPLICIT_TASK_TYPE, Task
from verigate.domain.task_folder import COMMITMENT_FILE, task_path
from verigate.errors import ConfigError

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline

_SHOWN = 5
ReadBase = Callable[[bytes], Profiles | None]


def commitment_path(task_id: str) -> str:
    """Return the path of a task's commitment, relative to the repository's root."""
    return task_path(task_id, COMMITMENT_FILE)


def find_edited_commitment(task: Task, workspace: SubjectWorkspace, sealed: bytes | None) -> tuple[str, ...]:
    """Return the commitment's path if history, the subject or the seal hold another: the commitment is policy too.

    ``sealed`` is what ``gate start`` fixed, None where it began no such task.
    """
    if task.implicit:
        return ()
    path = commitment_path(task.id)
    others = (*workspace.read_committed(path), *(() if sealed is None else (sealed,)))
    return () if all(is_same_commitment(content, task.commitment) for content in others) else (path,)


def list_policy_changes(
    workspace: SubjectWorkspace, baseline: Baseline | None, landed: Collection[str] = (), *, integrity: bool
) -> tuple[str, ...]:
    """List the changed policy files that haven't ``landed``.

    A baseline that only lost entries isn't one: it is stricter than the base's. Hooks that are gone or narrowed are for
    the rule ``integrity``, if the profile has it.
    """
    left_out = {*landed, *(workspace.weakened_policy_files if integrity else ())}
    changed = tuple(path for path in workspace.changed_policy_files if path not in left_out)
    if BASELINE_FILE not in changed:
        return changed
    from verigate.config.baseline import only_tightens  # rare

    if workspace.policy_source is not None and (content := workspace.read_own_file(BASELINE_FILE)) is not None:
        own = _parse_own_baseline(content, baseline)
        if own is None:
            return changed
        baseline = own
    elif workspace.policy_source is not None:
        baseline = None
    if not only_tightens(workspace.read_base_file(BASELINE_FILE), baseline):
        return changed
    return tuple(path for path in changed if path != BASELINE_FILE)


def _parse_own_baseline(content: bytes, trusted: Baseline | None) -> Baseline | None:
    """Parse the subject's baseline as of the day of the ref's; None without the latter, and for an invalid one."""
    from verigate.config.baseline import parse_baseline  # rare

    if trusted is None:
        return None
    try:
        return parse_baseline(content, trusted.judged_on)
    except ConfigError:
        return None


def describe_landed(landed: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a warning about policy that changed since the base in commits of their own; none without any."""
    if not landed:
        return ()
    commits = sorted({commit[:12] for each in landed.values() for commit in each})
    files, more = sorted(landed)[:_SHOWN], len(landed) - _SHOWN
    rest = f" and {more} more" if more > 0 else ""
    shown = f"{', '.join(files)}{rest}"
    return (f"the policy has changed since the task's base, in commits of its own ({', '.join(commits)}): {shown}",)


def allows_policy_change(
    task_type: str, profile: Profile, workspace: SubjectWorkspace, read: ReadBase, *, named: bool
) -> bool:
    """Return whether the trusted policy allows changes of policy files; the subject must not allow itself anything.

    Its profiles of the type and of code must allow it too, unless the caller ``named`` a profile: neither the
    commitment nor the subject may choose which of its profiles counts.
    """
    if not workspace.changed_policy_files:
        return False
    profiles = load_trusted_profiles(workspace, read)
    if profiles is None or not (named or profiles.has_default(task_type)):
        return False
    asked = {profile.name}
    if not named:
        asked |= {profiles.default_for(name) for name in (task_type, IMPLICIT_TASK_TYPE)}
    return all(
        name in profiles.names and bool(profiles.resolve(name).rules.get("allow_policy_change")) for name in asked
    )


def load_trusted_profiles(workspace: SubjectWorkspace, read: ReadBase) -> Profiles | None:
    """Read the profiles of the policy ref, else of the base; None if it has none, or if they can't be used."""
    content = workspace.read_trusted_file(PROFILES_FILE)
    return None if content is None else read(content)
