"""Functions and classes that a change moves to another file, so that tests of each version look for them elsewhere.

What stands at the new place has to be what the code uses: no other file may define the name as well that didn't before,
and the code must use it as often as before. A copy for tests alone, with the code calling something else, is no move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from code_adapter.counterfactual.differing_code import find_group, list_names
from code_adapter.syntax.moved_symbols import strip_lines
from code_adapter.syntax.symbols import Symbol, extract
from verigate.sdk import path_text
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.counterfactual.differing_code import DifferingCode
    from code_adapter.syntax.changes import ChangedFile, Side

_IMPORTS = frozenset({"dotted_name", "aliased_import", "export_clause", "use_declaration", "import_declaration"})
_GROUPS = frozenset({"go", "java", "javascript", "python", "rust"})
"""Languages in which a module can hand on what another one defines."""

_LIKE = 0.5
"""What share of the lines is the same, at least, in what moved under its name."""

_Places = dict[str, dict[str, list[tuple[Symbol, list[str]]]]]


@dataclass(frozen=True, slots=True)
class Move:
    """A symbol in base and in the subject, in two files."""

    old: Symbol
    new: Symbol


@dataclass(frozen=True, slots=True)
class Handed:
    """What the code of one version hands on: its own ``symbol``, to tests that know it as ``known`` of the other one.

    Renamed ones are called by the name that they have in this version.
    """

    symbol: Symbol
    known: Symbol


def find_moves(code: DifferingCode, renamed: Mapping[str, Mapping[str, str]]) -> list[Move]:
    """Find what moved under its name, or under the new one of ``renamed``, by old name and group of languages."""
    definitions = _Definitions(code.files)
    found = list(definitions.list_moved())
    for old, new, _ in code.pairs:
        named_so = renamed.get(find_group(new.path) or "", {}).get(old.name) == new.name
        if old.path != new.path and named_so and _can_be_handed_on(old, new) and definitions.is_alone(old, new):
            found.append(Move(old, new))
    if not found:
        return []
    used = _Uses(code.files, {name for move in found for name in (move.old.name, move.new.name)})
    return [move for move in found if used.is_kept(move)]


def describe_moves(moves: Iterable[Move]) -> list[dict[str, str]]:
    """List what moved, sorted, as the artifact has it."""
    found = {(move.old.path, move.old.qualified, move.new.path, move.new.qualified) for move in moves}
    keys = ("from_path", "from", "to_path", "to")
    return [dict(zip(keys, (path_text(a), b, path_text(c), d), strict=True)) for a, b, c, d in sorted(found)]


def _can_be_handed_on(old: Symbol, new: Symbol) -> bool:
    group = find_group(new.path)
    if group not in _GROUPS or find_group(old.path) != group or old.kind != new.kind:
        return False
    if "." in old.qualified or "::" in old.qualified:
        return old.language == new.language == "java" and old.kind == "method"
    return old.kind in {"class", "function"} and old.parent is None and new.parent is None


class _Definitions:
    """What the differing files define, by name and path, in base and in the subject."""

    def __init__(self, files: Iterable[ChangedFile]) -> None:
        self._found: tuple[_Places, _Places] = ({}, {})
        for file in files:
            for places, side in zip(self._found, (file.before, file.after), strict=True):
                for symbol, lines in _list_defined(side):
                    places.setdefault(symbol.name, {}).setdefault(symbol.path, []).append((symbol, lines))

    def list_moved(self) -> Iterator[Move]:
        """List what is gone from one file, and has come, as much the same, in another one."""
        for name, before in self._found[0].items():
            after = self._found[1].get(name, {})
            gone, come = before.keys() - after.keys(), after.keys() - before.keys()
            if len(gone) != 1 or len(come) != 1:
                continue
            olds, news = before[gone.pop()], after[come.pop()]
            if len(olds) == len(news):
                for (old, was), (new, now) in zip(olds, news, strict=True):
                    if _can_be_handed_on(old, new) and SequenceMatcher(None, was, now, autojunk=False).ratio() >= _LIKE:
                        yield Move(old, new)

    def is_alone(self, old: Symbol, new: Symbol) -> bool:
        """Whether nothing else defines the new name that didn't before, and neither place does in both versions."""
        before, after = self._found[0].get(old.name, {}).keys(), self._found[1].get(new.name, {}).keys()
        known = self._found[0].get(new.name, {}).keys()
        return old.path not in after and new.path not in before and after - {new.path} <= known


def _list_defined(side: Side | None) -> Iterator[tuple[Symbol, list[str]]]:
    if side is None or side.content is None:
        return
    lines = side.content.decode("utf-8", "replace").splitlines()
    for symbol in extract(side.content, side.path).symbols:
        if symbol.route is None and (symbol.parent is None or symbol.language == "java"):
            yield symbol, strip_lines(lines[symbol.line - 1 : symbol.end_line])


class _Uses:
    """How often the differing code uses a name, in base and in the subject, but for imports."""

    def __init__(self, files: Iterable[ChangedFile], names: Iterable[str]) -> None:
        self._found: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        wanted = {name: name.encode() for name in names}
        for file in files:
            for counts, side in zip(self._found, (file.before, file.after), strict=True):
                if side is None or side.content is None:
                    continue
                if any(name in side.content for name in wanted.values()):
                    tree = parse(side.content, grammar_of(side.path) or "")
                    counts.update(
                        text for node in list_names(tree) if (text := text_of(node)) in wanted and not _is_import(node)
                    )

    def is_kept(self, move: Move) -> bool:
        """Whether the code uses what moved as often as before."""
        before, after = self._found
        return before[move.old.name] <= after[move.new.name]


def _is_import(node: Node) -> bool:
    around = node.parent
    while around is not None:
        if around.type in _IMPORTS or around.type.startswith("import_"):
            return True
        around = around.parent
    return False
