"""Read the published state of the task that a command names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.cli.output import warn
from verigate.cli.target import Target, find_repository
from verigate.config.which_task import suggest_task
from verigate.errors import UsageError
from verigate.evidence.store import Published, task_folder

if TYPE_CHECKING:
    from verigate.reporting.report import Report


def read_published_task(task_id: str | None) -> Published:
    """Return the published state of a task. Raises UsageError if there is none, EvidenceError if it isn't genuine."""
    from verigate.usecases.replay import read_genuine

    return read_genuine(*find_task_folder(task_id))


def restore_report(published: Published, texts: Mapping[str, str] | None = None, notes: Sequence[str] = ()) -> Report:
    """Return the report of a published verdict, with the evidence it was decided on; ``notes`` are those of today."""
    from verigate.domain.verdict import parse_verdict
    from verigate.reporting.report import Report
    from verigate.usecases.replay import restore_facts

    notices = tuple(str(warning) for warning in published.run.get("warnings", ()))
    facts = restore_facts(find_repository(), published)
    verdict = parse_verdict(published.verdict)
    return Report(verdict, facts.runs, texts or {}, notices, baseline=facts.baseline, notes=tuple(notes))


def warn_of_chain(folder: Path) -> tuple[str, ...]:
    """Print and return what the chain of a task's verdicts shows: some are gone, or this isn't the last one."""
    from verigate.usecases.chain_notes import find_chain_notes

    notes = find_chain_notes(find_repository(), os.environ, folder)
    warn(notes)
    return notes


def warn_of_change(published: Published) -> tuple[str, ...]:
    """Print and return what is no longer as it was judged."""
    from verigate.composition.judged_trees import JudgedTrees
    from verigate.usecases.judged_files import find_changed_files

    tree = JudgedTrees(find_repository(), os.environ).find_change(published.verdict["subject"])
    changed = "; ".join(filter(None, (tree, find_changed_files(published.folder, published.run))))
    notes = (f"this verdict is no longer about what is here: {changed}",) if changed else ()
    warn(notes)
    return notes


def find_task_folder(task_id: str | None) -> tuple[Path, Path]:
    """Return the repository's root and the folder of a task. Raises UsageError if there is none."""
    root = find_repository()
    choice = Target(root, task_id).choice()
    warn(choice.left_aside)
    chosen = choice.folder_name
    folder = task_folder(root, chosen)
    if not folder.is_dir():
        raise UsageError(f"there is no task {chosen}", where=str(folder), hint=suggest_task(root, chosen))
    return root, folder
