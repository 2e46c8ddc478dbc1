"""Which paths are policy files: plan, profiles, enforced configuration, hooks, adapters, tool files.

They decide about a change. The hook after an agent's edit reads this before anything else is loaded.
"""

from __future__ import annotations

from verigate.domain.agent_files import HOST_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGES_FILE = "config/adapter-packages.json"
POLICY_FILE = "config/policy.json"
BASELINE_FILE = "config/verigate-baseline.json"
APPROVALS_FILE = "config/approvals.json"
SIGNERS_FILE = "config/allowed-signers"
SANDBOX_FILE = "config/sandbox.json"
CACHE_FILE = "config/cache.json"

CONFIG_FILES = (
    "config/adapter-plan.json",
    "config/verification.profiles.json",
    "config/adapters.json",
    SANDBOX_FILE,
    CACHE_FILE,
    POLICY_FILE,
    PACKAGES_FILE,
    BASELINE_FILE,
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

_HOST_FILES = tuple(path for settings, also in HOST_FILES.values() for path in (settings, *also))
_AGENT_FILES = frozenset(path for path in _HOST_FILES if "*" not in path)
_AGENT_PATTERNS = tuple(path for path in _HOST_FILES if "*" in path)
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
        *(folder for path in _HOST_FILES for folder in _list_parent_folders(path)),
    }
)
"""Folders that must not be replaced by a link or a submodule, which would bring other policy files."""


TOP_FOLDERS = frozenset(path.partition("/")[0] for path in _LINKABLE)
"""The folders of the root below which policy is."""


def is_policy_file(path: str, exists: Callable[[str], bool], is_link: Callable[[str], bool]) -> bool:
    """Whether a change of this path changes policy.

    ``exists`` returns whether a path is a file in base or subject, ``is_link`` whether it is a symbolic link or a
    submodule in either: a link in place of a policy folder would bring other policy files.
    """
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
    return any(_matches(path, pattern) for pattern in _AGENT_PATTERNS) or is_link(path)


def _matches(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern with ``*``, which stands for any text. fnmatch is slow to load."""
    first, *between, last = pattern.split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for part in between:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return path.endswith(last) and len(path) - len(last) >= at
