"""Compare two configurations of pre-commit or prek.

Sources: https://pre-commit.com, "Adding pre-commit plugins to your project"; https://prek.j178.dev/configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from verigate.sdk.hook_runners.changes import (
    MAX_HOOKS,
    HookChange,
    Table,
    UnknownSettingsError,
    calls_gate,
    refuse,
    repin,
    weaken,
)

_FREE = frozenset({"fail_fast", "minimum_pre_commit_version", "minimum_prek_version", "repos"})
"""Settings at the top that decide nothing about what is checked; ``repos`` is compared by itself."""

_NARROWS = ("files", "exclude", "default_stages", "default_install_hook_types")
_FREE_OF_HOOK = frozenset(
    {"id", "name", "description", "verbose", "require_serial", "fail_fast", "minimum_pre_commit_version", "priority"}
)
_FREE_OF_CI = frozenset(
    {
        "autofix_commit_msg",
        "autofix_prs",
        "autoupdate_branch",
        "autoupdate_commit_msg",
        "autoupdate_schedule",
        "submodules",
    }
)
_WEAKENS = frozenset(
    {"args", "files", "exclude", "types", "types_or", "exclude_types", "stages", "always_run", "pass_filenames"}
)
_STAGES: Mapping[str, str] = {"commit": "pre-commit", "push": "pre-push", "merge-commit": "pre-merge-commit"}
"""Names of stages before pre-commit 3.2, which mean the same."""

_OWN = frozenset({"local", "meta", "builtin"})
_RUNTIME = re.compile(r"(?:python|pypy|node|ruby|go|rust)?v?\d+(?:\.\d+)*|default|system|stable")
_LONGEST_TAG = 200
_ALTERNATIVES = re.compile(r"\^\((.{1,2000})\)\$")
_TARGET = re.compile(r"--py([23])(\d{0,2})-plus")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TAG = re.compile(r"(?P<prefix>[A-Za-z][A-Za-z_.@/-]*?[-_@/]?)??v?(?P<version>\d[\w.+!-]*)")


class _Hook(Struct, frozen=True):
    """A hook: its repository, the revision, its settings."""

    repo: str
    rev: str | None
    settings: Table

    @property
    def name(self) -> tuple[str, str]:
        return self.repo, str(self.settings["id"])


def compare_pre_commit(before: Table, after: Table) -> Iterator[HookChange]:
    """Yield what changed, other than that more is run. Raises UnknownSettingsError."""
    was, now = _list_hooks(before), _list_hooks(after)
    own = _gate_entries(before)
    if own != _gate_entries(after):
        yield refuse("the gate's own hook changed")
        return
    for change in _compare_settings(before, after):
        if own:
            yield refuse(f"{change.what}, and with it the gate's own hook may")
        elif before or change.judges:
            yield change  # a new configuration leaves out nothing that was looked at
    pairs, gone, added = _pair(was, now)
    for old, new in pairs:
        yield from _compare_hook(old, new)
    homes = {hook.name[1]: hook.repo for hook in added}
    for hook in gone:
        name = hook.name[1]
        if name in homes:
            yield refuse(f"the hook {name} comes from another repository: {homes[name]}")
        else:
            yield weaken(f"the hook {name} is gone", {"repo": hook.repo, **hook.settings}, None, gone=name)


def list_ids(document: Table) -> list[str]:
    """List the ids of the hooks. Raises UnknownSettingsError."""
    return [hook.name[1] for hook in _list_hooks(document)]


def _pair(was: list[_Hook], now: list[_Hook]) -> tuple[list[tuple[_Hook, _Hook]], list[_Hook], list[_Hook]]:
    """Pair hooks of one repository and id: equal ones first, then in order."""
    pairs: list[tuple[_Hook, _Hook]] = []
    gone, left = list(was), list(now)
    for equal in (True, False):
        for old in list(gone):
            alike = (hook for hook in left if hook.name == old.name and (not equal or hook.settings == old.settings))
            if (new := next(alike, None)) is not None:
                pairs.append((old, new))
                gone.remove(old)
                left.remove(new)
    return pairs, gone, left


def _compare_settings(before: Table, after: Table) -> Iterator[HookChange]:
    for key in sorted({*before, *after} - _FREE):
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if key == "ci" and all(isinstance(value, dict | None) for value in (old, new)):
            yield from _compare_ci(old or {}, new or {})
        elif key == "default_language_version" and isinstance(new, dict | None):
            if any(_RUNTIME.fullmatch(str(value)) is None for value in (new or {}).values()):
                yield refuse(f"{key} changed")
        elif key not in _NARROWS:
            yield refuse(f"{key} changed")
        elif not _is_wider(key, old, new):
            yield weaken(f"{key} leaves something out", {key: old} if key in before else None, {key: new})


def _compare_ci(before: Table, after: Table) -> Iterator[HookChange]:
    if any(before.get(key) != after.get(key) for key in {*before, *after} - _FREE_OF_CI - {"skip"}):
        yield refuse("ci changed")
    old, new = _names(before.get("skip")), _names(after.get("skip"))
    if new - old:
        yield weaken(f"pre-commit.ci leaves out {', '.join(sorted(new - old))}", sorted(old), sorted(new))


def _is_wider(key: str, old: object, new: object) -> bool:
    """Whether more files, stages or types of hooks are taken in than before."""
    if key == "files":
        return new in {None, ""}
    if key == "exclude":
        return new in {None, "", "^$"}
    if key == "default_install_hook_types":
        return _names(old or "pre-commit") <= _names(new or "pre-commit")
    return new is None or (old is not None and _names(old) <= _names(new))


def _names(value: object) -> frozenset[str]:
    items = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return frozenset(_STAGES.get(str(item), str(item)) for item in items)


def _list_hooks(document: Table) -> list[_Hook]:
    """List the hooks of a configuration. Raises UnknownSettingsError for one that no runner reads."""
    found: list[_Hook] = []
    for entry in _tables(document.get("repos", []), "repos"):
        repo, rev = entry.get("repo"), entry.get("rev")
        if not isinstance(repo, str) or not isinstance(rev, str | None):
            raise UnknownSettingsError("a repository has no address, or a revision that is no text")
        if {*entry} - {"repo", "rev", "hooks"}:
            raise UnknownSettingsError(f"{repo} has settings that aren't known")
        for hook in _tables(entry.get("hooks"), repo):
            if not isinstance(hook.get("id"), str):
                raise UnknownSettingsError(f"a hook of {repo} has no id")
            found.append(_Hook(repo, rev, hook))
    if len(found) > MAX_HOOKS:
        raise UnknownSettingsError(f"there are more than {MAX_HOOKS} hooks")
    return found


def _tables(value: object, where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise UnknownSettingsError(f"{where} has no list of tables")
    return value


def _gate_entries(document: Table) -> list[Any]:
    """The repositories with a hook that calls the gate, each as a whole, with what runs next to it."""
    own = []
    for entry in document.get("repos", []):
        hooks = [hook for hook in entry["hooks"] if calls_gate(hook)]
        if hooks or calls_gate(entry["repo"]):
            own.append({**entry, "hooks": hooks if entry["repo"] in _OWN else entry["hooks"]})
    return own


def _compare_hook(old: _Hook, new: _Hook) -> Iterator[HookChange]:
    if old.repo not in _OWN and _is_repinned(old.rev, new.rev):
        what = f"{new.repo} is pinned to another commit, maybe an earlier one or a fork's: {old.rev} became {new.rev}"
        yield repin(what, {"repo": old.repo, "rev": old.rev}, {"repo": new.repo, "rev": new.rev})
    elif old.repo not in _OWN and not _is_same_or_later(old.rev, new.rev):
        yield refuse(f"{new.repo} is not at a later tag: {old.rev} became {new.rev}")
    for key in sorted({*old.settings, *new.settings} - _FREE_OF_HOOK):
        was, now = old.settings.get(key), new.settings.get(key)
        if was == now or (key == "language_version" and _RUNTIME.fullmatch(str(now)) is not None):
            continue
        if key not in _WEAKENS or (key == "args" and new.repo in _OWN):
            yield refuse(f"{key} of the hook {new.name[1]} changed")
        elif not _runs_more(key, was, now) and not (key == "args" and _raises_target(new.name[1], was, now)):
            what = f"{key} of the hook {new.name[1]} changed"
            yield weaken(what, {key: was} if key in old.settings else None, {"id": new.name[1], key: now})


def _runs_more(key: str, old: object, new: object) -> bool:
    """Whether a changed setting of a hook takes in more. That of ``args`` and types isn't known."""
    if key == "stages":
        return _is_wider(key, old, new)
    if key == "files":
        return _takes_alternatives(old, new)
    return (key == "exclude" and _is_wider(key, old, new)) or (key == "always_run" and new is True)


def _takes_alternatives(old: object, new: object) -> bool:
    """Whether ``^(a|b)$`` becomes ``^(a|b|c)$``, in whichever order."""
    was, now = (_ALTERNATIVES.fullmatch(value) if isinstance(value, str) else None for value in (old, new))
    return was is not None and now is not None and _split(was[1]) <= _split(now[1])


def _split(pattern: str) -> frozenset[str]:
    """Split a regular expression at the bars that stand in no group; in one piece if that isn't sure."""
    parts, depth = [""], 0
    if re.search(r"\\[^\w./-]|\[|\(\?", pattern):
        return frozenset({pattern})
    for letter in pattern:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return frozenset({pattern})
        parts = [*parts, ""] if letter == "|" and depth == 0 else [*parts[:-1], parts[-1] + letter]
    return frozenset(parts)


def _raises_target(hook: str, old: object, new: object) -> bool:
    """Whether a hook that rewrites code for a Python gets a later one and nothing else: it then rewrites more."""
    if hook not in _OF_TARGET or not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return False
    changed = [(was, now) for was, now in zip(old, new, strict=True) if was != now]
    found = [[_TARGET.fullmatch(str(value)) for value in pair] for pair in changed]
    return all(
        was is not None and now is not None and was[1] == now[1] and int(was[2] or 0) < int(now[2] or 0)
        for was, now in found
    )


_OF_TARGET = frozenset({"pyupgrade", "reorder-python-imports", "add-trailing-comma", "setup-cfg-fmt"})
"""Hooks with ``--py310-plus`` and the like."""


def _is_repinned(old: str | None, new: str | None) -> bool:
    """Whether a whole commit id takes the place of one or of a tag, or a tag that of a commit id.

    The tag that bots write into a comment proves nothing, and hosts serve the commits of forks under the same address.
    """
    if old == new or not old or not new:
        return False
    commits = [_COMMIT.fullmatch(rev) is not None for rev in (old, new)]
    tags = [(found := _TAG.fullmatch(rev[:_LONGEST_TAG])) is not None and "." in found["version"] for rev in (old, new)]
    return any(commits) and all(commit or tag for commit, tag in zip(commits, tags, strict=True))


def _is_same_or_later(old: str | None, new: str | None) -> bool:
    """Whether a revision is the same, or a tag that is later than the tag that it replaces."""
    if old == new:
        return True
    was, now = (_TAG.fullmatch((rev or "")[:_LONGEST_TAG]) for rev in (old, new))
    if was is None or now is None or was["prefix"] != now["prefix"]:
        return False
    from packaging.version import InvalidVersion, Version

    try:
        earlier, later = Version(was["version"]), Version(now["version"])
    except InvalidVersion:
        return False
    # v5 instead of v4.1.0 follows whatever that name is moved to.
    return later > earlier and len(later.release) >= min(len(earlier.release), 2)
