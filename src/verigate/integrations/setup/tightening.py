"""Make the present configuration stricter where the repository can answer more than when it was written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from verigate.domain.weakening import PROFILE_KEY, Policy
from verigate.formats import strict_json
from verigate.integrations.setup.stack import Stack

PLAN_FILE = "config/adapter-plan.json"
PROFILES_FILE = "config/verification.profiles.json"
PROFILE = "code_default"
TASK_TYPE = "code"
_BUILD_RULE, _BUILD = "build_success", "code:build"
_ANSWERED_BY = {"tests": ("code:tests", ("tests_pass", "tests_min")), "lint": ("code:lint", ("lint_errors_max",))}
"""Kind of tool -> the capability that runs it, and the rules that an earlier init set to null for lack of one."""

LOOKED = "(when gate init looked)"
"""Ends the reason of a capability that ``gate init`` left out."""

_ABSENT = "no linter was found; missing: "
"""Begins the reason of one that lacked its program."""


def plan_tightening(root: Path, stack: Stack, *, is_read: bool = True) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return path -> new content and what changes, of the files at ``root`` that can become stricter.

    Where a rule is null though a tool can answer it now, its shipped value returns and its capability is planned,
    unless the plan lists the capability as unchecked. Where
    it is said that no person reads every change (``is_read`` is False), no disclosure of a weakening is taken any more.
    Nothing is ever taken away. A file that can't be read is left to the verification, which reports it.
    """
    plan, profiles = read_document(root / PLAN_FILE), read_document(root / PROFILES_FILE)
    entry, profile = find_table(plan, TASK_TYPE), find_table(profiles, PROFILE)
    if profile is None:
        return {}
    unchecked = find_table(entry, "unchecked") or {}
    planned: list[str] = []
    restored: list[str] = []
    for kind, (capability, rules) in _ANSWERED_BY.items():
        nulls = [rule for rule in rules if rule in profile and profile[rule] is None]
        if kind in stack.gaps or not nulls or capability in unchecked:
            continue
        for rule in nulls:
            del profile[rule]
        restored += [f"gives {rule} its shipped value back: the repository can answer it now" for rule in nulls]
        if entry is not None and add_capability(entry, capability):
            planned.append(f"plans {capability}")
    if profile.get(_BUILD_RULE, True) is None and stack.is_built and _BUILD not in unchecked:
        profile[_BUILD_RULE] = True
        restored.append("asks for the build again")
        if entry is not None and add_capability(entry, _BUILD):
            planned.append(f"plans {_BUILD}")
    if not is_read and profile.get(PROFILE_KEY) != Policy.REFUSE:
        profile[PROFILE_KEY] = Policy.REFUSE.value
        restored.append("takes no disclosure of a weakening: nobody would read it")
    found = ((PLAN_FILE, plan, planned), (PROFILES_FILE, profiles, restored))
    return {path: (render_document(document), tuple(changes)) for path, document, changes in found if changes}


def find_answerable(root: Path, stack: Stack, lacking: Iterable[str] = ()) -> Iterator[str]:
    """Say how to add what an earlier init left out for lack of a tool, which is there now.

    ``lacking`` are the capabilities whose program isn't installed. What was left out for another reason stays so.
    """
    unchecked = find_table(find_table(read_document(root / PLAN_FILE), TASK_TYPE), "unchecked") or {}
    for kind, (capability, _) in _ANSWERED_BY.items():
        reason = str(unchecked.get(capability))
        absent = reason.startswith(_ABSENT) and reason.endswith(LOOKED)
        if absent and capability not in lacking and kind not in stack.gaps:
            why = reason.removesuffix(LOOKED).strip()
            again = f"delete {capability} from unchecked in {PLAN_FILE} and call gate init again"
            yield f"{capability} is left out since {why}; if that is installed now, {again}"


def add_capability(entry: dict[str, Any], capability: str) -> bool:
    """Add a required capability to an entry of a plan; returns whether it wasn't there and could be added."""
    order, required = entry.get("order"), entry.get("required")
    if not isinstance(order, list) or not isinstance(required, list) or capability in order:
        return False
    order.append(capability)
    required.append(capability)
    return True


def read_document(file: Path) -> Any:
    """Read a file of configuration; None if it can't be read."""
    try:
        return strict_json.loads(file.read_bytes())
    except (OSError, strict_json.StrictJsonError):
        return None


def find_table(document: Any, name: str) -> dict[str, Any] | None:
    """Find a table of a document; None if there is none of this name."""
    value = document.get(name) if isinstance(document, dict) else None
    return value if isinstance(value, dict) else None


def render_document(document: Any) -> str:
    """Write a document as ``gate init`` does."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
