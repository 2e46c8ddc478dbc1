"""Resolve a task once: its id, commitment, claim, and units, with each statement of the claim parsed.

What the other stages know about a task, they get from here as values. None of them opens its files again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.task_files import claim_from, commitment_from, read_claim, read_commitment
from verigate.domain.task import IMPLICIT_TASK_ID, IMPLICIT_TASK_TYPE, Claim, Task, Unit, parse_unit
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE, task_path
from verigate.errors import Fault
from verigate.evidence.store import task_folder


class ResolvedTask(Struct, frozen=True):
    """A task with the warnings about its files.

    ``units`` are those that the claim lists, located in base and subject by ``resolve_units``; None where it lists
    none.
    """

    task: Task
    units: tuple[Unit, ...] | None = None
    warnings: tuple[str, ...] = ()


def resolve_task(root: Path, task_id: str | None, commitment: bytes | None = None) -> ResolvedTask:
    """Read the files of a task; without an id the task is implicit and has none.

    ``commitment`` is the content of commitment.json if it was read before. Raises ConfigError for a commitment that is
    missing or can't be used, EvidenceError for a folder outside the repository. A claim that can't be used is recorded
    in ``claim_faults``.
    """
    if task_id is None:
        implicit = commitment_from({"task_id": IMPLICIT_TASK_ID, "type": IMPLICIT_TASK_TYPE})
        return ResolvedTask(Task(IMPLICIT_TASK_ID, implicit, implicit=True))
    folder = task_folder(root, task_id)
    promised = read_commitment(folder / COMMITMENT_FILE, task_id, root, content=commitment)
    claimed = read_claim(folder / CLAIM_FILE, task_id, promised.commitment.type, root)
    task = Task(task_id, promised.commitment, _parse_statements(claimed.claim), claimed.faults)
    return ResolvedTask(task, warnings=tuple(map(str, (*promised.warnings, *claimed.warnings))))


def take_landing_claim(resolved: ResolvedTask, root: Path, content: bytes | None) -> ResolvedTask:
    """Replace the claim in the working tree by the one that lands with the subject, if the subject has one.

    What is committed is what was verified. A difference between the two is a warning.
    """
    task = resolved.task
    if task.implicit or content is None:
        return resolved
    path = task_folder(root, task.id) / CLAIM_FILE
    landing = read_claim(path, task.id, task.commitment.type, root, content=content)
    old, new = (claim.document if claim is not None else None for claim in (task.claim, landing.claim))
    if old == new and task.claim_faults == landing.faults:
        return resolved
    shown = task_path(task.id, CLAIM_FILE)
    differs = f"{shown} in the working tree differs from the one that lands, which is verified: stage it with git add"
    replaced = replace(task, claim=_parse_statements(landing.claim), claim_faults=landing.faults)
    return replace(resolved, task=replaced, warnings=(*resolved.warnings, *map(str, landing.warnings), differs))


def resolve_units(resolved: ResolvedTask, path_exists: Callable[[str], bool]) -> ResolvedTask:
    """Locate the units that the claim lists. A unit that names nothing, or is listed twice, makes the claim invalid.

    ``path_exists`` answers whether base or subject have a path.
    """
    claim = resolved.task.claim
    if claim is None or claim.unit_ids is None:
        return resolved
    units: list[Unit] = []
    for index, text in enumerate(claim.unit_ids):
        try:
            units.append(parse_unit(text, path_exists))
        except ValueError as problem:
            return _reject_claim(resolved, Fault(str(problem), CLAIM_FILE, f"/claim/units_list/{index}"))
    if len(set(units)) != len(units):
        twice = sorted({unit.id for unit in units if units.count(unit) > 1})
        message = f"units are listed more than once: {', '.join(twice[:5])}"
        return _reject_claim(resolved, Fault(message, CLAIM_FILE, "/claim/units_list"))
    return replace(resolved, units=tuple(units))


def restore_task(document: Mapping[str, Any]) -> ResolvedTask:
    """Restore the task that run.json records. Raises LookupError, TypeError, ValueError, AttributeError."""
    commitment = commitment_from(document["commitment"])
    claim = claim_from(document["claim"], commitment.type) if document["claim"] is not None else None
    faults = tuple(Fault(text) for text in document["claim_faults"])
    task = Task(document["id"], commitment, _parse_statements(claim), faults, document["implicit"])
    ids = document["units"]
    return ResolvedTask(task, None if ids is None else tuple(parse_unit(text, lambda _: False) for text in ids))


def _reject_claim(resolved: ResolvedTask, fault: Fault) -> ResolvedTask:
    return replace(resolved, task=replace(resolved.task, claim=None, claim_faults=(fault,)))


def _parse_statements(claim: Claim | None) -> Claim | None:
    """Parse each statement, once for all stages. Loads the parser only if there is a statement."""
    if claim is None or not claim.statements:
        return claim
    from verigate.statements.claims import read_statements

    return replace(claim, statements=read_statements(claim.statements))
