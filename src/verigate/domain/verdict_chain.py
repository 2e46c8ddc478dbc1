"""The chain of a task's verdicts: what one entry says, and what shows that entries are missing or in another order.

An entry is a git commit of the empty tree whose parent is the entry before. Its message holds the document below, so
that ``git log`` of the chain's ref can be read by people, and its id is a digest over all that came before.

The witness is what the user's own machine remembers of a chain, outside of the repository.
"""

from __future__ import annotations

import re
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

_TO_THE_SECOND = len("2026-01-31T12:00:00")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)")


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


class Witness(Struct, frozen=True):
    """What this machine remembers of a chain.

    ``last`` is the newest entry that its gate added, None before the first. ``unwritten`` are the verdicts since then
    that git didn't take, the oldest first. ``fault`` says why nothing can be remembered.
    """

    last: ChainEntry | None = None
    unwritten: tuple[ChainEntry, ...] = ()
    fault: str | None = None

    @property
    def newest(self) -> ChainEntry | None:
        """The newest verdict that is remembered, whether git took it or not."""
        return self.unwritten[-1] if self.unwritten else self.last


class Chain(Struct, frozen=True):
    """The entries of ``ref``, the newest first, up to MOST_ENTRIES or to what isn't an entry.

    ``whole``: down to the first entry. ``witness`` is what this machine remembers, ``witnessed`` whether its last entry
    is in the chain.
    """

    ref: str
    entries: tuple[ChainEntry, ...] = ()
    broken: BrokenEntry | None = None
    whole: bool = True
    witness: Witness = Witness()
    witnessed: bool = True

    @property
    def tip(self) -> ChainEntry | None:
        """The newest entry; None of an empty chain."""
        return self.entries[0] if self.entries else None

    @property
    def is_unknown(self) -> bool:
        """Whether neither git nor this machine knows of any verdict."""
        return not self.entries and self.broken is None and self.witness.newest is None


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
    if _MOMENT.fullmatch(document["finished"]) is None:
        raise ValueError("when it was made can't be read")
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


def find_chain_problems(
    chain: Chain, task_id: str, verdict_sha256: str | None, *, recorded: bool = True
) -> tuple[str, ...]:
    """Return what shows that verdicts of a task are gone, added, in another order or not its own; empty if nothing
    does.

    ``verdict_sha256`` is that of the published verdict, None without one. Without ``recorded`` what is past is
    left out: an entry itself says what was lost before it, and a clock that went back before the last one.
    """
    problems = [*_find_loss(chain), *_find_unwritten(chain), *_find_added(chain)]
    if chain.broken is not None:
        problems.append(f"{chain.broken.commit[:12]} in {chain.ref} is no entry of the chain: {chain.broken.why}")
    problems += _find_disorder(chain, task_id, recorded=recorded)
    problems += _find_repeats(chain)
    if verdict_sha256 is not None:
        problems += _place_verdict(chain, verdict_sha256)
    return tuple(problems)


def _find_loss(chain: Chain) -> list[str]:
    witness, tip = chain.witness.last, chain.tip
    if chain.witness.fault is not None:
        return [f"what this machine remembers of {chain.ref} can't be read: {chain.witness.fault}"]
    if witness is None or chain.witnessed:
        return []
    if tip is None:
        return [f"the chain of its verdicts is gone: {chain.ref} had {_count(witness.number)}"]
    gone = f"verdict {witness.number} ({witness.commit[:12]}) is gone from the chain of its verdicts"
    return [f"{gone}: {chain.ref} ends with number {tip.number} ({tip.commit[:12]})"]


def _find_unwritten(chain: Chain) -> list[str]:
    """Say what git didn't take: each was published, and the next entry brings it into the chain."""
    found = chain.witness.unwritten
    if not found:
        return []
    last = f"the last verdict, number {found[-1].number}, was {found[-1].status}"
    more = f", as {_count(len(found) - 1)} before it" if len(found) > 1 else ""
    return [f"{last}, and is not in the chain of its verdicts: git couldn't write it{more}"]


def _find_added(chain: Chain) -> list[str]:
    """Say which entries came after the last one that this machine's gate added."""
    witness, tip = chain.witness.last, chain.tip
    if witness is None or tip is None or not chain.witnessed or tip.anchor == witness.anchor:
        return []
    own = f"this machine's gate, whose last one was number {witness.number}, {witness.status}"
    return [f"verdict {tip.number} ({tip.commit[:12]}) in {chain.ref} is not of {own}"]


def _find_disorder(chain: Chain, task_id: str, *, recorded: bool) -> list[str]:
    found = []
    for entry, before in zip_longest(chain.entries, chain.entries[1:]):
        if (
            before is not None
            and entry.finished[:_TO_THE_SECOND] < before.finished[:_TO_THE_SECOND]
            and (recorded or entry is chain.tip)
        ):
            found.append(
                f"verdict {entry.number} in {chain.ref} was finished before number {before.number}: the clock, by "
                "which approvals and baselines expire, went back"
            )
        if entry.task_id != task_id:
            found.append(f"verdict {entry.number} in {chain.ref} is of another task, {entry.task_id!r}")
        if entry.lost is not None:
            if recorded:
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


def _find_repeats(chain: Chain) -> list[str]:
    """Say which verdict stands there once more."""
    found, seen = [], dict[str, int]()
    for entry in reversed(chain.entries):
        if entry.status == REMOVED:
            continue
        first = seen.setdefault(entry.verdict_sha256, entry.number)
        if first != entry.number:
            found.append(f"verdict {entry.number} in {chain.ref} is verdict {first} once more")
    return found


def _place_verdict(chain: Chain, verdict_sha256: str) -> list[str]:
    if any(entry.verdict_sha256 == verdict_sha256 for entry in chain.witness.unwritten[-1:]):
        return []
    if chain.tip is None:
        return [] if chain.witness.newest is not None else [f"its verdict is in no chain: there is no {chain.ref}"]
    if chain.tip.verdict_sha256 == verdict_sha256:
        return []
    earlier = next((entry for entry in chain.entries if entry.verdict_sha256 == verdict_sha256), None)
    last = f"the last one, number {chain.tip.number}, was {chain.tip.status}"
    if earlier is None:
        return [f"its verdict is not in the chain of its verdicts, {chain.ref}: {last}"]
    return [f"its verdict is number {earlier.number} of its chain, {chain.ref}: {last}"]


def _count(number: int) -> str:
    return "1 verdict" if number == 1 else f"{number} verdicts"
