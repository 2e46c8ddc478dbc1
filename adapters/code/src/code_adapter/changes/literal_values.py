"""Whether a changed string literal is a value that code compares or returns, and no text for people.

A value is empty, of signs alone, or a single word. A single word of which one letter is corrected may be a text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTED = re.compile(r"[A-Za-z@$#]{0,3}(?P<quotes>\"{3}|'{3}|[\"'`])(?P<text>.*)(?P=quotes)#*", re.DOTALL)
_WORD = re.compile(r"[^\W\d][\w-]*")
_LETTER = re.compile(r"[^\W_]")
_SHORTEST = 4
"""In a shorter word another letter makes another word as a rule: ``on`` and ``of``."""


def changes_value(old: Node, new: Node, strings: Collection[str], without: Collection[int]) -> bool:
    """Whether a literal of these node types is another value; ``without`` are ids of those that count as no code."""
    sides = (list(_list_literals(root, strings, without)) for root in (old, new))
    return any(
        was is not None and now is not None and was != now and _is_value(was, now) for was, now in zip_longest(*sides)
    )


def _list_literals(root: Node, strings: Collection[str], without: Collection[int]) -> Iterator[str]:
    """List the texts between the quotes of the outermost literals that have some, in order."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.id in without:
            continue
        if node.type not in strings:
            stack.extend(reversed(node.children))
        elif (found := _QUOTED.fullmatch(text_of(node))) is not None:
            yield found["text"]


def _is_value(was: str, now: str) -> bool:
    if not was or not now:
        return True
    return _is_short(was) and _is_short(now) and not _is_slip(was, now)


def _is_short(text: str) -> bool:
    return _WORD.fullmatch(text) is not None or _LETTER.search(text) is None


def _is_slip(was: str, now: str) -> bool:
    """Whether one letter is more, less or another one, or two have changed places."""
    if min(len(was), len(now)) < _SHORTEST or was == now:
        return False
    start = next(index for index, (a, b) in enumerate(zip_longest(was, now)) if a != b)
    gone, come = was[start:], now[start:]
    swapped = gone[:2] == come[1::-1] and gone[2:] == come[2:]
    return swapped or gone[1:] == come[1:] or gone[1:] == come or gone == come[1:]
