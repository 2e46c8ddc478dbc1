"""What a language says about its imports: which names a test file has from where."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from verigate.sdk.languages.tree import Tree

Read = Callable[[str], bytes | None]
"""The bytes of a file of the subject, None where it isn't there."""


class Imported(NamedTuple):
    """A module, the name in it (empty for the module itself), and the line of the import."""

    module: str
    original: str
    line: int


@dataclass(frozen=True, slots=True)
class Imports:
    """How imports are read.

    list_imports   name -> what it is; the last one of a name counts
    find_module    the file that a module is, from the subject's paths, the importing file, module and name
    parse_handing  the tree of a module that may hand on what it imports; None: no such module is followed
    list_starred   stems of modules all of whose names are imported, with lines
    list_mocks     calls that replace a module, which is their first group
    is_alias       whether a module is a file of the source under an alias that bundlers have
    """

    list_imports: Callable[[Tree], Iterator[tuple[str, Imported]]]
    find_module: Callable[[Collection[str], Read, str, str, str], str | None]
    parse_handing: Callable[[bytes], Tree] | None = None
    list_starred: Callable[[Tree], Iterator[tuple[str, int]]] = lambda _: iter(())
    list_mocks: Callable[[str], Iterator[re.Match[str]]] = lambda _: iter(())
    is_alias: Callable[[str, str], bool] = lambda *_: False
