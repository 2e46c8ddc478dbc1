"""Policy files: plan, profiles, enforced configuration, hooks, adapters, tool files. They decide about a change.

The gate itself, not an adapter, computes whether one of them differs between base and subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

from verigate.domain.adapter_package import PACKAGES_FILE
from verigate.domain.agent_host import GUARDED_HOSTS
from verigate.domain.policy_source import POLICY_FILE
from verigate.domain.profile import APPROVALS_FILE, CACHE_FILE, SIGNERS_FILE
from verigate.domain.subject import Change

CONFIG_FILES = (
    "config/adapter-plan.json",
    "config/verification.profiles.json",
    "config/adapters.json",
    "config/sandbox.json",
    CACHE_FILE,
    POLICY_FILE,
    PACKAGES_FILE,
    "config/verigate-baseline.json",
    APPROVALS_FILE,
    SIGNERS_FILE,
)
"""The configuration files that the gate reads from a repository."""

POLICY_FOLDERS = ("config", "adapters", "hooks")
"""The folders that are copied for the gate and for the repository's own adapters."""

GIT_HOOKS = frozenset(
    {
        "applypatch-msg",
        "pre-applypatch",
        "post-applypatch",
        "pre-commit",
        "pre-merge-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-commit",
        "pre-rebase",
        "post-checkout",
        "post-merge",
        "pre-push",
        "pre-receive",
        "update",
        "proc-receive",
        "post-receive",
        "post-update",
        "reference-transaction",
        "push-to-checkout",
        "pre-auto-gc",
        "post-rewrite",
        "sendemail-validate",
        "fsmonitor-watchman",
        "p4-changelist",
        "p4-prepare-changelist",
        "p4-post-changelist",
        "p4-pre-submit",
        "post-index-change",
    }
)
"""The hooks of githooks(5)."""

_HOOK_FILES = frozenset(
    {
        ".pre-commit-config.yaml",
        ".pre-commit-config.yml",
        "prek.toml",
        "lefthook.yml",
        "lefthook.yaml",
        "lefthook.toml",
        "lefthook.json",
    }
)
_HOOK_PLACES = (
    *(".husky/", ".githooks/", ".lefthook/"),
    *("lefthook-local.", ".lefthook.", ".lefthook-local.", ".config/lefthook."),
)
"""Prefixes of the paths of hooks."""

_AGENT_FILES = frozenset(path for host in GUARDED_HOSTS for path in host.guarded if "*" not in path)
_AGENT_PATTERNS = tuple(path for host in GUARDED_HOSTS for path in host.guarded if "*" in path)
_AGENT_PLACES = tuple(pattern.partition("*")[0] for pattern in _AGENT_PATTERNS)
"""Prefixes of the paths that match."""


def _list_parent_folders(path: str) -> Iterator[str]:
    """List every folder above this path or pattern, except those that a pattern leaves open."""
    fixed = path.partition("*")[0]
    return (fixed[:at] for at, character in enumerate(fixed) if character == "/")


_LINKABLE = frozenset(
    {
        *POLICY_FOLDERS,
        *(".husky", ".githooks", ".lefthook"),
        *(folder for host in GUARDED_HOSTS for path in host.guarded for folder in _list_parent_folders(path)),
    }
)
"""Folders that must not be replaced by a link or a submodule, which would bring other policy files."""


TOP_FOLDERS = frozenset(path.partition("/")[0] for path in _LINKABLE)
"""The folders of the root below which policy is."""


def find_changed_policy_files(
    changes: Iterable[Change], exists: Callable[[str], bool], is_link: Callable[[str], bool]
) -> tuple[str, ...]:
    """Find the changed paths that are policy files, sorted.

    ``exists`` returns whether a path is a file in base or subject, ``is_link`` whether it is a symbolic link or a
    submodule in either: a link in place of a policy folder would bring other policy files.
    """
    return tuple(sorted({change.path for change in changes if is_policy_file(change.path, exists, is_link)}))


def is_policy_file(path: str, exists: Callable[[str], bool], is_link: Callable[[str], bool]) -> bool:
    """Whether a change of this path changes policy; see ``find_changed_policy_files``."""
    parts = path.split("/")
    if (
        path in {*CONFIG_FILES, SIGNERS_FILE}
        or path in _LINKABLE
        or _is_hook(path)
        or _is_agent_hook_file(path, is_link)
    ):
        return True
    if parts[0] == "adapters" and len(parts) > 1:
        if path.endswith(".toml") and len(parts) <= 3:
            return True
        if parts[1] == "tools" and exists("adapters/tools/index.json"):
            # In the gate's own checkout: the code that calls the tools of TOML files.
            return True
        return exists(f"adapters/{parts[1]}/manifest.json") or (len(parts) == 2 and is_link(path))
    return False


def _is_hook(path: str) -> bool:
    if path in _HOOK_FILES or path.startswith(_HOOK_PLACES):
        return True
    folder, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    return folder == "hooks" and (name in GIT_HOOKS or name == "post-hook" or name.startswith(("agent-", "stop")))


def _is_agent_hook_file(path: str, is_link: Callable[[str], bool]) -> bool:
    """Whether the host of a coding agent reads its hooks from this path; a link may hold such a file below it."""
    if path in _AGENT_FILES:
        return True
    if not path.startswith(_AGENT_PLACES):
        return False
    return any(fnmatchcase(path, pattern) for pattern in _AGENT_PATTERNS) or is_link(path)
