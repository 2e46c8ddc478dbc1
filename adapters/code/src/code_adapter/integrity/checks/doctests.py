"""Find doctests in texts that were removed, are skipped, or accept any output.

By default pytest collects doctests of ``test*.txt``, and other texts with ``--doctest-glob``.
https://docs.pytest.org/en/stable/how-to/doctest.html
"""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding, Weight

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_WITHOUT_A_WORD = "test*.txt"
_GLOB = re.compile(r"--doctest-glob[= ]['\"]?([^\s'\"]+)")


def read_patterns(addopts: str) -> tuple[str, ...]:
    """Read the file patterns of doctests from pytest's options."""
    return (_WITHOUT_A_WORD, *_GLOB.findall(addopts))


def find_lost_doctests(
    changes: ChangeSet, patterns: Collection[str], gone_names: Callable[[], frozenset[str]]
) -> Iterator[IntegrityFinding]:
    """Find texts with fewer examples, unless another text of the change has them.

    ``patterns`` are those of base; ``gone_names`` finds functions that the change removes.
    """
    sides = [(_asked(old, patterns), _asked(new, patterns), old, new) for _, old, new in changes.sides()]
    gained = Counter[str]()
    for before, after, _, _ in sides:
        gained += after - before
    for before, after, old, new in sides:
        lost = before - after
        net = lost - gained
        gained -= lost
        count = min(net.total(), lost.total() - (after - before).total())
        if old is None or count <= 0:
            continue
        first = next(iter(net))
        gone = all(any(name in example for name in gone_names()) for example in net)
        weight: Weight = "note" if gone else "weakening"
        path = old.path if new is None else new.path
        message = f"{count} fewer doctest{'s' if count > 1 else ''}, among them: {' '.join(first.split())[:160]}"
        yield IntegrityFinding("assertion_removed", path, None, message, weight, "doctest-removed")


def _asked(side: Side | None, patterns: Collection[str]) -> Counter[str]:
    """The examples whose answer is compared, each as often as it is."""
    if side is None or side.path.endswith(".py") or not _is_collected(side.path, patterns):
        return Counter()
    import doctest  # takes long to load, and few changes touch such a text

    try:
        examples = doctest.DocTestParser().get_examples(text(side))
    except ValueError:
        # pytest calls it an error, which a failed test is.
        return Counter()
    return Counter(
        example.source
        for example in examples
        if (example.want.strip() or example.exc_msg)
        and not example.options.get(doctest.SKIP)
        and not (example.want.strip() == "..." and example.options.get(doctest.ELLIPSIS))
    )


def _is_collected(path: str, patterns: Collection[str]) -> bool:
    name = path.rpartition("/")[2]
    return any(
        fnmatch.fnmatchcase(f"/{path}", f"*/{pattern}") if "/" in pattern else fnmatch.fnmatchcase(name, pattern)
        for pattern in patterns
    )
