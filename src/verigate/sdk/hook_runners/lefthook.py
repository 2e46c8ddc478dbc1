"""Compare two configurations of lefthook. Each of its jobs is a command of the repository's own.

Source: https://lefthook.dev/configuration
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from verigate.sdk.hook_runners.changes import (
    MAX_HOOKS,
    HookChange,
    Table,
    UnknownSettingsError,
    calls_gate,
    refuse,
    weaken,
)

_FREE = frozenset({"$schema", "colors", "min_version", "output", "skip_output"})
_FREE_OF_HOOK = frozenset({"parallel", "piped", "follow"})
_FREE_OF_JOB = frozenset({"fail_text", "interactive", "priority", "stage_fixed", "use_stdin"})
_NARROWS = frozenset({"exclude", "exclude_tags", "file_types", "glob", "only", "skip", "tags"})
_PARTS = ("jobs", "commands", "scripts")


def compare_lefthook(before: Table, after: Table) -> Iterator[HookChange]:
    """Yield what changed, other than that more is run. Raises UnknownSettingsError."""
    if _gate_parts(before) != _gate_parts(after):
        yield refuse("the gate's own hook changed")
        return
    for key in sorted({*before, *after} - _FREE):
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if not all(value is None or _is_hook(value) for value in (old, new)):
            yield refuse(f"{key} changed")
        elif new is None:
            yield weaken(f"the hook {key} is gone", {key: old}, None)
        elif old is not None:
            yield from _compare_hook(key, old, new)


def _gate_parts(document: Table) -> list[Any]:
    """The hooks in which the gate is called: its jobs, and the settings around them."""
    found: list[Any] = []
    for name, hook in sorted(document.items()):
        if calls_gate(hook) and _is_hook(hook):
            settings = {key: value for key, value in hook.items() if key not in _FREE_OF_HOOK | {*_PARTS}}
            found.append((name, settings, [job for job in _list_jobs(hook).items() if calls_gate(job)]))
        elif calls_gate(hook):
            found.append((name, hook))
    return found


def _is_hook(value: object) -> bool:
    return isinstance(value, dict) and not set(_PARTS).isdisjoint(value)


def _compare_hook(name: str, old: Table, new: Table) -> Iterator[HookChange]:
    yield from _compare_settings(f"the hook {name}", old, new, _FREE_OF_HOOK | {*_PARTS})
    was, now = _list_jobs(old), _list_jobs(new)
    for key, job in was.items():
        if key in now:
            yield from _compare_settings(f"{key[0]} of {name}", job, now[key], _FREE_OF_JOB)
        else:
            yield weaken(f"{key[0]} of {name} is gone", job, None)


def _compare_settings(what: str, old: Table, new: Table, free: frozenset[str]) -> Iterator[HookChange]:
    for key in sorted({*old, *new} - free):
        was, now = old.get(key), new.get(key)
        if was == now:
            continue
        if key not in _NARROWS:
            yield refuse(f"{key} of {what} changed")
        elif now is not None and now is not False:
            yield weaken(f"{key} of {what} changed", {key: was} if key in old else None, {key: now})


def _list_jobs(hook: Table) -> dict[tuple[str, int], Table]:
    """List the jobs, commands and scripts of a hook by what names them. Raises UnknownSettingsError."""
    found: list[tuple[str, Any]] = []
    for part in ("commands", "scripts"):
        table = hook.get(part, {})
        if not isinstance(table, dict):
            raise UnknownSettingsError(f"{part} is no table")
        found += ((f"{part[:-1]} {name}", job) for name, job in table.items())
    jobs = hook.get("jobs", [])
    if not isinstance(jobs, list):
        raise UnknownSettingsError("jobs is no list")
    for job in jobs:
        name = job.get("name") or job.get("run") or job.get("script") if isinstance(job, dict) else None
        found.append((f"job {name}", job))
    if len(found) > MAX_HOOKS:
        raise UnknownSettingsError(f"there are more than {MAX_HOOKS} jobs")
    counts: Counter[str] = Counter()
    named: dict[tuple[str, int], Table] = {}
    for name, job in found:
        if not isinstance(job, dict):
            raise UnknownSettingsError(f"{name} is no table")
        named[name, counts[name]] = job
        counts[name] += 1
    return named
