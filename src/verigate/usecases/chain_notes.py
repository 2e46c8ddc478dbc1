"""Say what the chain of a task's verdicts shows: verdicts that are gone, added, in another order, or not the last."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from verigate.domain.task_folder import VERDICT_FILE
from verigate.domain.verdict_chain import REMOVED, ChainEntry, find_chain_problems
from verigate.errors import GateError
from verigate.evidence.verdict_chain import append_verdict, list_chained_tasks, read_chain


def find_chain_notes(root: Path, environ: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    """Return a note for each such finding about the task of ``folder``; empty outside git."""
    try:
        chain = read_chain(root, environ, folder.name)
    except GateError as problem:
        return (f"the chain of its verdicts can't be read: {problem.message}",)
    if chain is None:
        return ()
    try:
        digest = hashlib.sha256((folder / VERDICT_FILE).read_bytes()).hexdigest()
    except OSError:
        digest = None
    notes = find_chain_problems(chain, folder.name, digest)
    if digest is None and chain.tip is not None and chain.tip.status != REMOVED:
        notes = (f"its last verdict, number {chain.tip.number}, was {chain.tip.status}, and is gone", *notes)
    return notes


def list_gone_tasks(root: Path, environ: Mapping[str, str], there: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the tasks that have or had a chain and have no folder, each with a note; but for those that ``gate end``
    removed.
    """
    found = []
    for task_id in list_chained_tasks(root, environ):
        if task_id in there:
            continue
        try:
            chain = read_chain(root, environ, task_id)
        except GateError as problem:
            found.append((task_id, f"its files are gone; the chain of its verdicts can't be read: {problem.message}"))
            continue
        if chain is None:
            continue
        last = chain.witness.newest if chain.witness.unwritten else chain.tip or chain.witness.last
        problems = find_chain_problems(chain, task_id, None, recorded=False)
        if last is not None and last.status == REMOVED and not problems:
            continue
        was = f"; its last verdict, number {last.number}, was {last.status}" if last is not None else ""
        found.append((task_id, "; ".join((f"its files are gone{was}", *problems))))
    return tuple(found)


def record_removal(root: Path, environ: Mapping[str, str], task_id: str, moment: str) -> None:
    """Add to a task's chain, if it has one, that its files were removed on purpose."""
    if task_id in list_chained_tasks(root, environ):
        with suppress(GateError):  # `gate list` then shows that its files are gone
            append_verdict(root, environ, ChainEntry("", 0, task_id, REMOVED, "", "", moment))
