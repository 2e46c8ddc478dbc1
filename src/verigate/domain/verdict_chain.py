"""The chain of a task's verdicts: what one entry says, and what shows that entries are missing or in another order.

An entry is a git commit of the empty tree whose parent is the entry before. Its message holds the document below, so
that ``git log`` of the chain's ref can be read by people, and its id is a digest over all that came before.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from msgspec import Struct

ENTRY_SCHEMA = "verigate:chain-entry.v1"
CHAINS = "refs/verigate/verdicts"
"""Below it, in the main working tree, one ref for each task."""

WORKTREE_CHAINS = "refs/verigate/worktrees"
"""Below it, for each linked working tree, its name, and one ref for each task."""

REMOVED = "removed"
"""The status of the entry that ``gate end --remove`` adds: the verdicts before it were taken away on purpose."""

MOST_ENTRIES = 10_000
"""So many entries of a chain are read, the newest first."""


class Anchor(Struct, frozen=True):
    """An entry by its number, from 1, and its commit."""

    number: int
    commit: str


class ChainEntry(Struct, frozen=True):
    """One verdict in the chain.

    ``verdict_sha256`` is the digest of verdict.json as published, ``lost`` the entry that this one should have followed
    where that was gone: the chain keeps that it happened.
    """

    commit: str
    number: int
    task_id: str
    status: str
    verdict_sha256: str
    tree: str
    finished: str
    lost: Anchor | None = None

    @property
    def anchor(self) -> Anchor:
        """Its number and commit."""
        return Anchor(self.number, self.commit)


class BrokenEntry(Struct, frozen=True):
    """A commit in the place of an entry that isn't one, with the reason."""

    commit: str
    why: str


class Chain(Struct, frozen=True):
    """The entries of ``ref``, the newest first, up to MOST_ENTRIES or to what isn't an entry.

    ``whole``: down to the first entry. ``witness`` is the newest entry that this machine remembers, ``witnessed``
    whether it is in the chain.
    """

    ref: str
    entries: tuple[ChainEntry, ...] = ()
    broken: BrokenEntry | None = None
    whole: bool = True
    witness: Anchor | None = None
    witnessed: bool = True

    @property
    def tip(self) -> ChainEntry | None:
        """The newest entry; None of an empty chain."""
        return self.entries[0] if self.entries else None


def describe_entry(entry: ChainEntry) -> dict[str, Any]:
    """Return the document of an entry, without its commit, which is the digest of it."""
    document: dict[str, Any] = {
        "schema": ENTRY_SCHEMA,
        "number": entry.number,
        "task_id": entry.task_id,
        "status": entry.status,
        "verdict_sha256": entry.verdict_sha256,
        "tree": entry.tree,
        "finished": entry.finished,
    }
    if entry.lost is not None:
        document["lost"] = {"number": entry.lost.number, "commit": entry.lost.commit}
    return document


def parse_entry(commit: str, document: Any) -> ChainEntry:
    """Read the document of an entry. Raises ValueError."""
    if not isinstance(document, dict) or document.get("schema") != ENTRY_SCHEMA:
        raise ValueError("it isn't an entry")
    texts = ("task_id", "status", "verdict_sha256", "tree", "finished")
    if not all(isinstance(document.get(name), str) for name in texts) or not _is_number(document.get("number")):
        raise ValueError("it lacks a field of an entry")
    lost = document.get("lost")
    if lost is not None and not (
        isinstance(lost, dict) and _is_number(lost.get("number")) and isinstance(lost.get("commit"), str)
    ):
        raise ValueError("what it says is lost can't be read")
    found = Anchor(lost["number"], lost["commit"]) if lost is not None else None
    task_id, status, verdict_sha256, tree, finished = (document[name] for name in texts)
    return ChainEntry(commit, document["number"], task_id, status, verdict_sha256, tree, finished, found)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def find_chain_problems(chain: Chain, task_id: str, verdict_sha256: str | None) -> tuple[str, ...]:
    """Return what shows that verdicts of a task are gone, in another order or not its own; empty if nothing does.

    ``verdict_sha256`` is that of the published verdict, None without one.
    """
    problems = [*_find_loss(chain)]
    if chain.broken is not None:
        problems.append(f"{chain.broken.commit[:12]} in {chain.ref} is no entry of the chain: {chain.broken.why}")
    problems += _find_disorder(chain, task_id)
    if verdict_sha256 is not None:
        problems += _place_verdict(chain, verdict_sha256)
    return tuple(problems)


def _find_loss(chain: Chain) -> list[str]:
    witness, tip = chain.witness, chain.tip
    if witness is None or chain.witnessed:
        return []
    if tip is None:
        return [f"the chain of its verdicts is gone: {chain.ref} had {_count(witness.number)}"]
    gone = f"verdict {witness.number} ({witness.commit[:12]}) is gone from the chain of its verdicts"
    return [f"{gone}: {chain.ref} ends with number {tip.number} ({tip.commit[:12]})"]


def _find_disorder(chain: Chain, task_id: str) -> list[str]:
    found = []
    for entry, before in zip_longest(chain.entries, chain.entries[1:]):
        if before is not None and entry.finished < before.finished:
            found.append(
                f"verdict {entry.number} in {chain.ref} was finished before number {before.number}: "
                "the clock, by which approvals and baselines expire, went back"
            )
        if entry.task_id != task_id:
            found.append(f"verdict {entry.number} in {chain.ref} is of another task, {entry.task_id!r}")
        if entry.lost is not None:
            found.append(
                f"before verdict {entry.number} the chain had lost verdict {entry.lost.number} "
                f"({entry.lost.commit[:12]})"
            )
            continue
        last = before.number if before is not None else 0
        if entry.number == last + 1 or (before is None and (not chain.whole or chain.broken is not None)):
            continue
        after = f"follows number {last}" if before is not None else "is the first one"
        found.append(f"verdict {entry.number} in {chain.ref} {after}: verdicts are missing or in another order")
    return found


def _place_verdict(chain: Chain, verdict_sha256: str) -> list[str]:
    if chain.tip is None:
        return [] if chain.witness is not None else [f"its verdict is in no chain: there is no {chain.ref}"]
    if chain.tip.verdict_sha256 == verdict_sha256:
        return []
    earlier = next((entry for entry in chain.entries if entry.verdict_sha256 == verdict_sha256), None)
    last = f"the last one, number {chain.tip.number}, was {chain.tip.status}"
    if earlier is None:
        return [f"its verdict is not in the chain of its verdicts, {chain.ref}: {last}"]
    return [f"its verdict is number {earlier.number} of its chain, {chain.ref}: {last}"]


def _count(number: int) -> str:
    return "1 verdict" if number == 1 else f"{number} verdicts"
