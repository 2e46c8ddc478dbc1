"""A shard of a range: the share of its commits that one CI job verifies, without knowing of the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import Struct

from verigate.domain.commit_verdict import CommitVerdict
from verigate.domain.verdict import Verdict

SHARD_KIND = "range-shard"
SHARD_SCHEMA = f"verigate:{SHARD_KIND}.v1"
MOST_SHARDS = 1000

_TEXT = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_Item = TypeVar("_Item")


class Shard(Struct, frozen=True):
    """Shard ``number`` of ``of``, counted from 1. Commits are dealt out in turn: neighbours go to different shards."""

    number: int
    of: int

    def take(self, commits: Sequence[_Item]) -> tuple[_Item, ...]:
        """Return this shard's share of all commits of the range, in their order."""
        return tuple(commits[self.number - 1 :: self.of])

    @property
    def takes_whole(self) -> bool:
        """Whether the range as one change is this shard's: the last one has the fewest commits."""
        return self.number == self.of

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard:
    """Parse ``2/8``. Raises ValueError, which says what is wrong."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no shard")
    shard = Shard(int(found[1]), int(found[2]))
    if shard.number > shard.of:
        raise ValueError(f"there is no shard {shard.number} of {shard.of}")
    if shard.of > MOST_SHARDS:
        raise ValueError(f"{shard.of} shards are more than {MOST_SHARDS}")
    return shard


class ListedCommit(Struct, frozen=True):
    """A commit of a range as every shard lists it: id, tree, and the first line of the message.

    The tree is the one that is verified, without ``.artifacts``.
    """

    id: str
    tree: str
    subject: str


class RangePlan(Struct, frozen=True):
    """What all shards of a range have in common.

    ``gate`` is the gate's version, ``policy`` what the command line and the environment say of the policy, with its
    digest. ``merges`` are documents, ``id`` and whether it has changes of its own. ``commits`` are oldest first.
    """

    gate: str
    base: str
    tip: str
    policy: dict[str, Any]
    commits: tuple[ListedCommit, ...]
    merges: tuple[dict[str, Any], ...]

    @property
    def has_whole(self) -> bool:
        """Whether the range as a whole is a change."""
        return self.base != self.tip


class RangeVerdicts(Struct, frozen=True):
    """The verdicts of commits of a range and of the whole; ``whole_problem`` says why that has none."""

    commits: tuple[CommitVerdict, ...]
    whole: Verdict | None = None
    whole_problem: str = ""
