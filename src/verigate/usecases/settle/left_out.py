"""Plan to leave a capability out, with the reason in the plan: every verdict says then what isn't checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verigate.integrations.setup.init_files import OF_DOCUMENTS
from verigate.integrations.setup.tightening import (
    LOOKED,
    PLAN_FILE,
    PROFILE,
    PROFILES_FILE,
    TASK_TYPE,
    add_capability,
    find_table,
    read_document,
    render_document,
)
from verigate.usecases.settle.obstacles import Obstacle
from verigate.usecases.suite_fixes import SuiteFix

_NEVER = frozenset({"code:diff", "code:functions", "code:integrity"})
"""They need nothing of the project: without them a change isn't looked at."""


def plan_left_out(root: Path, obstacle: Obstacle, install: str = "") -> tuple[SuiteFix, ...]:
    """Plan the profile without the rules that this capability answers, and the plan without it.

    ``install`` is the command that gives it the program that it lacks, "" if it lacks none. Empty where the files have
    another shape than ``gate init`` writes, and for what is never left out.
    """
    name = obstacle.capability
    profiles, plan = (read_document(root / path) for path in (PROFILES_FILE, PLAN_FILE))
    profile, entry = find_table(profiles, PROFILE), find_table(plan, TASK_TYPE)
    if name in _NEVER or profile is None or entry is None or not _drop(entry, name):
        return ()
    reason = f"{obstacle.message} {LOOKED}"
    unchecked = entry.setdefault("unchecked", {})
    if not isinstance(unchecked, dict):
        return ()
    unchecked[name] = reason
    again = f"delete {name} from unchecked in {PLAN_FILE}, then gate init"
    first = f"install what it lacks ({install}), " if install else ""
    lines = (f"{name} isn't checked: {obstacle.message}", f"to add it: {first}{again}")
    fixes = [SuiteFix(PLAN_FILE, render_document(plan), True, f"leave {name} out in {PLAN_FILE}?", lines)]
    if obstacle.rules:
        profile |= dict.fromkeys(obstacle.rules)
        what = f"asks for no {', '.join(obstacle.rules)}"
        question = f"leave {', '.join(obstacle.rules)} out in {PROFILES_FILE}?"
        fixes.append(SuiteFix(PROFILES_FILE, render_document(profiles), True, question, (what,)))
    return tuple(fixes)


def plan_documents(root: Path) -> Iterator[SuiteFix]:
    """Plan to read the documents, where nothing else is left to check."""
    profiles, plan = (read_document(root / path) for path in (PROFILES_FILE, PLAN_FILE))
    profile, entry = find_table(profiles, PROFILE), find_table(plan, TASK_TYPE)
    if profile is None or entry is None or set(OF_DOCUMENTS) & set(entry.get("unchecked") or ()):
        return
    added = [name for name in OF_DOCUMENTS if add_capability(entry, name)]
    if added:
        lines = (f"plans {', '.join(added)}: nothing else is left to check",)
        yield SuiteFix(PLAN_FILE, render_document(plan), True, f"check the documents in {PLAN_FILE}?", lines)
        profile |= {"files_min": 1, "images_found": True}
        lines = ("asks for readable documents, and for the images that they show",)
        yield SuiteFix(PROFILES_FILE, render_document(profiles), True, f"ask for it in {PROFILES_FILE}?", lines)


def _drop(entry: dict[str, Any], name: str) -> bool:
    for key in ("order", "required", "optional"):
        names = entry.get(key)
        if isinstance(names, list):
            names[:] = [each for each in names if each != name]
    return bool(entry.get("order"))
