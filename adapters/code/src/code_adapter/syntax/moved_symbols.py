"""Functions and classes that were moved to another file, or renamed with their body alike."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from code_adapter.syntax.symbols import Symbol, extract
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from code_adapter.syntax.changes import ChangedFile, Side

_ALIKE = 0.75
_SAME = 1.0
"""A definition of one line has to be the same but for its name."""

_VISIBILITY = re.compile(
    r"(?:export\s+(?:default\s+)?|pub(?:\s*\([^)]*\))?\s+|(?:public|private|protected|internal)\s+)"
)
"""Who may use a definition differs with where it stands."""

_MOST = 400
"""More symbols that are gone or new than that are a rewrite, in which nothing is paired."""


_MOST_PAIRS = 2500
"""With more of them only those of one name are compared: each takes about a tenth of a millisecond or more."""


class MovedSymbol(NamedTuple):
    """A symbol in base and subject. ``same``: nothing differs but its name, where it stands and who may use it."""

    old: Symbol
    new: Symbol
    same: bool


class _Placed:
    __slots__ = ("counts", "lines", "symbol")

    def __init__(self, symbol: Symbol, lines: Sequence[str]) -> None:
        self.symbol, self.lines = symbol, strip_lines(lines)
        self.counts = Counter(self.lines)

    def read_body(self) -> tuple[str, str]:
        """Return the kind, and the lines without the symbol's own name."""
        own_name = rf"(?<![\w$]){re.escape(self.symbol.name)}(?![\w$])"
        return self.symbol.kind, re.sub(own_name, "\0", "\n".join(self.lines))


def strip_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines of a definition without what depends on where it stands."""
    return [_VISIBILITY.sub("", line.strip()) for line in lines]


def find_moved(files: Iterable[ChangedFile]) -> list[dict[str, Any]]:
    """List ``{kind, from, to, from_path, to_path}`` of symbols that are moved or renamed, sorted by place."""
    pairs = [_entry(each.old, each.new) for each in pair_moved(files)]
    return sorted(pairs, key=lambda each: (each["from_path"], each["from"], each["to_path"], each["to"]))


def pair_moved(files: Iterable[ChangedFile]) -> list[MovedSymbol]:
    """Pair the symbols of base and subject that are moved or renamed."""
    gone: list[_Placed] = []
    come: list[_Placed] = []
    for file in files:
        before, after = list(_list_symbols(file.before)), list(_list_symbols(file.after))
        kept = {each.symbol.qualified for each in before} & {each.symbol.qualified for each in after}
        moved = file.renamed
        gone += [each for each in before if moved or each.symbol.qualified not in kept]
        come += [each for each in after if moved or each.symbol.qualified not in kept]
    if max(len(gone), len(come)) > _MOST:
        return []
    same = list(_pair_same(gone, come))
    paired = {id(each) for pair in same for each in pair}
    gone, come = ([each for each in side if id(each) not in paired] for side in (gone, come))
    alike = [MovedSymbol(old.symbol, new.symbol, _ratio(old, new) == _SAME) for old, new in _pair(gone, come)]
    return [*(MovedSymbol(old.symbol, new.symbol, same=True) for old, new in same), *alike]


def _list_symbols(side: Side | None) -> Iterator[_Placed]:
    if side is None or side.content is None or language_of(side.path) is None:
        return
    lines = side.content.decode("utf-8", "replace").splitlines()
    for symbol in extract(side.content, side.path).symbols:
        if symbol.route is None:
            yield _Placed(symbol, lines[symbol.line - 1 : symbol.end_line])


def _pair_same(gone: list[_Placed], come: list[_Placed]) -> Iterator[tuple[_Placed, _Placed]]:
    """Pair what is equal apart from its own name, whatever its length: those of one name first, then those of one file.

    What is only similar can't take the place of what is equal then.
    """
    left: dict[tuple[str, str], list[_Placed]] = {}
    for new in come:
        left.setdefault(new.read_body(), []).append(new)
    rest = [(old, left.get(old.read_body(), [])) for old in gone]
    for key in (lambda each: each.name, lambda each: each.path, lambda _: ""):
        unpaired: list[tuple[_Placed, list[_Placed]]] = []
        for old, equal in rest:
            found = next((new for new in equal if key(new.symbol) == key(old.symbol)), None)
            if found is None:
                unpaired.append((old, equal))
                continue
            equal.remove(found)
            yield old, found
        rest = unpaired


def _pair(gone: list[_Placed], come: list[_Placed]) -> Iterator[tuple[_Placed, _Placed]]:
    """Pair what is similar: those of one name first, then the most similar of all others."""
    for named in (True, False):
        if not named and len(gone) * len(come) > _MOST_PAIRS:
            return
        found = sorted(_compare(gone, come, named=named), key=lambda each: -each[0])
        paired: set[int] = set()
        for _, old, new in found:
            if id(old) not in paired and id(new) not in paired:
                paired |= {id(old), id(new)}
                yield old, new
        gone, come = ([each for each in side if id(each) not in paired] for side in (gone, come))


def _compare(gone: list[_Placed], come: list[_Placed], *, named: bool) -> Iterator[tuple[float, _Placed, _Placed]]:
    """Compare those of one kind, and of one name or of two."""
    for old in gone:
        least = _ALIKE if named or len(old.lines) > 1 else _SAME
        for new in come:
            same = new.symbol.name == old.symbol.name
            if new.symbol.kind == old.symbol.kind and same is named and (ratio := _ratio(old, new)) >= least:
                yield ratio, old, new


def _ratio(old: _Placed, new: _Placed) -> float:
    """How alike both bodies are, from 0 to 1, with the new name put in place of the old one."""
    if abs(len(old.lines) - len(new.lines)) > max(len(old.lines), len(new.lines)) * (1 - _ALIKE) + 1:
        return 0.0
    was = [line.replace(old.symbol.name, new.symbol.name) for line in old.lines]
    # The lines that both have in any order are more than those in the same order, and much quicker to count.
    if 2 * (Counter(was) & new.counts).total() < _ALIKE * (len(was) + len(new.lines)):
        return 0.0
    return difflib.SequenceMatcher(None, was, new.lines, autojunk=False).ratio()


def _entry(old: Symbol, new: Symbol) -> dict[str, Any]:
    return {
        "kind": new.kind,
        "from": old.qualified,
        "to": new.qualified,
        "from_path": old.path,
        "to_path": new.path,
    }
