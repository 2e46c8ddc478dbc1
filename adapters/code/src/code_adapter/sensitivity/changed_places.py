"""Find the places where a change may make code do something else: functions, and lines outside of all functions.

A place that only moved, or in which only names differ that the change gave to something else, is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from code_adapter.changes.code_equality import compare_code
from code_adapter.changes.kinds import classify
from code_adapter.changes.names import is_docstring
from code_adapter.counterfactual.mixed_sources import is_in_test_part, may_hold_tests
from code_adapter.counterfactual.test_support import is_named_by_code
from code_adapter.counterfactual.test_tree import MIXED, is_settings
from code_adapter.counterfactual.versions import Version
from code_adapter.sensitivity.mutants import MUTATED
from code_adapter.syntax.changes import ChangedFile, Side, read_changed_files
from code_adapter.syntax.moved_symbols import MovedSymbol, pair_moved
from code_adapter.syntax.symbols import Symbol, extract
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse, walk
from verigate.sdk.subject import Repository

GONE = "it is gone, and code still has its name"
UNTRIED = "no mutant can be made in it"
_OTHERS = frozenset({"docs", "test", "lock", "ci"})
"""Kinds of files that don't say what the program does."""

_MOST_GONE = 20
"""So many names that are gone are looked up; where there are more, each counts as named."""

_WORD = re.compile(r"\w+|[^\w\s]")
_MARK = re.compile(r"@\w|#!?\[")
"""How a line begins that belongs to the definition below it."""

_KEYWORDS = frozenset(
    {
        *("import", "from", "as", "const", "let", "var", "export", "default", "type", "require", "use", "pub", "mod"),
        *(
            "crate",
            "self",
            "super",
            "package",
            "static",
            "final",
            "class",
            "public",
            "private",
            "protected",
            "internal",
        ),
        *("async", "await", "def", "fn", "func", "function", "return", "new", "in", "of", "if", "else", "and", "or"),
        *("not", "is", "this", "None", "True", "False", "null", "true", "false"),
    }
)


@dataclass(frozen=True)
class Place:
    """A place in the subject. ``lines`` are those in which a mutant shows whether tests notice, from 1.

    ``needed`` is whether it counts against the change if no mutant can be made there; ``why`` says why none can.
    """

    path: str
    unit: str | None
    lines: frozenset[int] = frozenset()
    needed: bool = True
    why: str = UNTRIED


@dataclass(frozen=True)
class Places:
    """The places of a change, and the files of the subject by path."""

    listed: Sequence[Place] = ()
    sources: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class _Names:
    """What the change gave another name or place."""

    by_old: Mapping[str, str] = field(default_factory=dict)
    parts: frozenset[str] = frozenset()
    """Words of the paths that something moved from and to."""

    def explain(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether two texts, as words, differ in nothing but these names."""
        old = [self.by_old.get(word, word) for word in before]
        return all(
            kind == "equal" or {*old[a:b], *after[c:d]} <= {*self.parts, ".", "/"}
            for kind, a, b, c, d in SequenceMatcher(None, old, after, autojunk=False).get_opcodes()
        )


def read_places(repository: Repository, base: str, head: Version) -> Places:
    """Find the places of the change since ``base``, and read the files of the subject that they are in.

    Raises AdapterError for too many bytes.
    """
    files = read_changed_files(repository, base)
    places = find_places(files, lambda name: is_named_by_code(repository, name, head))
    contents = {each.after.path: each.after.content for each in files if each.after is not None}
    return Places(places, {path: content for path, content in contents.items() if content is not None})


def find_places(files: Iterable[ChangedFile], is_named: Callable[[str], bool]) -> list[Place]:
    """Find the places of a change. ``is_named`` says whether the code of the subject still has a name."""
    acting = [file for file in files if _may_act(file)]
    moved = pair_moved(acting)
    names = _Names(
        {each.old.name: each.new.name for each in moved},
        frozenset(word for each in moved for path in (each.old.path, each.new.path) for word in _list_words(path)),
    )
    found = [place for file in acting for place in _list_places(file, moved, names)]
    gone = [symbol for file in acting for symbol in _list_gone(file, moved)]
    return found + [
        Place(symbol.path, symbol.qualified, why=GONE)
        for index, symbol in enumerate(gone)
        if index >= _MOST_GONE or is_named(symbol.name)
    ]


def _may_act(file: ChangedFile) -> bool:
    paths = {side.path for side in (file.before, file.after) if side is not None}
    if all(classify(path) in _OTHERS or _is_tools(path) for path in paths):
        return False
    return compare_code(file) != "equal"


def _is_tools(path: str) -> bool:
    """Whether it is a file by which people set up their tools."""
    name = path.rpartition("/")[2]
    return name.startswith(".") and not name.startswith(".env")


def _is_mutated(side: Side) -> bool:
    return (
        language_of(side.path) in MUTATED
        and not is_settings(side.path)
        and side.path.rpartition("/")[2] not in MIXED
        and side.content is not None
    )


def _list_places(file: ChangedFile, moved: Sequence[MovedSymbol], names: _Names) -> Iterator[Place]:
    sides = [side for side in (file.before, file.after) if side is not None]
    if not all(map(_is_mutated, sides)):
        yield Place(file.path, None, why="no mutants are made in files like it")
        return
    before, after = _Text.read(file.before), _Text.read(file.after)
    changed = [symbol for symbol in after.symbols if _has_changed(symbol, before, after, moved, names)]
    for symbol in changed:
        new = symbol.kind == "class" and not before.find(symbol)
        yield Place(file.path, symbol.qualified, after.list_lines(symbol), needed=not new)
    if file.after is not None:
        yield from _list_outer(file.path, (before, after), names)


def _has_changed(symbol: Symbol, before: _Text, after: _Text, moved: Sequence[MovedSymbol], names: _Names) -> bool:
    was = before.find(symbol)
    if any(each.own == symbol.own for each in was):
        return False
    pair = next((each for each in moved if each.new == symbol), None)
    if pair is not None and pair.same:
        return False
    return not any(names.explain(before.list_words(each), after.list_words(symbol)) for each in was)


def _list_outer(path: str, texts: tuple[_Text, _Text], names: _Names) -> Iterator[Place]:
    """List what differs outside of all functions and classes, and the functions of the file that use it."""
    before, after = texts
    removed, added = before.list_more(after), after.list_more(before)
    was, now = (
        [word for line in lines for word in _WORD.findall(text.outer[line])]
        for text, lines in ((before, removed), (after, added))
    )
    if names.explain(was, now):
        return
    words = {word for word in (*was, *now) if word[0].isidentifier()} - _KEYWORDS
    users = [symbol for symbol in after.symbols if not words.isdisjoint(after.list_words(symbol))]
    yield Place(path, None, frozenset(added), needed=not users)
    for symbol in users:
        yield Place(path, symbol.qualified, after.list_lines(symbol), needed=symbol.kind != "class")


def _list_gone(file: ChangedFile, moved: Sequence[MovedSymbol]) -> Iterator[Symbol]:
    if file.before is None or not _is_mutated(file.before):
        return
    kept = {symbol.qualified for symbol in _Text.read(file.after).symbols}
    for symbol in _Text.read(file.before).symbols:
        if symbol.qualified not in kept and all(each.old != symbol for each in moved):
            yield symbol


@dataclass(frozen=True)
class _Text:
    """One version of a file: its lines, the functions and classes in it, and its lines outside of these by number."""

    lines: Sequence[str] = ()
    symbols: Sequence[Symbol] = ()
    outer: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def read(cls, side: Side | None) -> _Text:
        if side is None or side.content is None or language_of(side.path) is None:
            return cls()
        lines = _blank_comments(side.content, side.path).decode("utf-8", "replace").split("\n")
        every = [each for each in extract(side.content, side.path).symbols if each.route is None]
        inner = {number for each in every for number in range(each.line, each.end_line + 1)}
        outer = {
            number: line.strip()
            for number, line in enumerate(lines, 1)
            if number not in inner and line.strip() and not _MARK.match(line.strip())
        }
        if may_hold_tests(side.path):
            outer = {number: line for number, line in outer.items() if not _is_of_tests(side, number)}
        return cls(lines, [each for each in every if not each.declaration and not each.in_tests], outer)

    def list_more(self, other: _Text) -> list[int]:
        """List the lines outside of definitions of which the other version has fewer, by number."""
        left = Counter(other.outer.values())
        found = []
        for number, line in self.outer.items():
            left[line] -= 1
            if left[line] < 0:
                found.append(number)
        return found

    def find(self, symbol: Symbol) -> list[Symbol]:
        """Find the definitions of the same name."""
        return [each for each in self.symbols if each.qualified == symbol.qualified]

    def list_lines(self, symbol: Symbol) -> frozenset[int]:
        """List the lines of a definition that are of none inside of it."""
        inside = {
            number
            for each in self.symbols
            if each != symbol and symbol.line <= each.line and each.end_line <= symbol.end_line
            for number in range(each.line, each.end_line + 1)
        }
        return frozenset(range(symbol.line, symbol.end_line + 1)) - inside

    def list_words(self, symbol: Symbol) -> list[str]:
        """List the words and signs of these lines."""
        return [word for number in sorted(self.list_lines(symbol)) for word in _WORD.findall(self.lines[number - 1])]


def _blank_comments(content: bytes, path: str) -> bytes:
    """Put spaces in place of comments and docstrings."""
    tree = parse(content, grammar_of(path) or "")
    if tree.source != content:
        return content
    left = bytearray(content)
    for node in walk(tree.root):
        if is_comment(node) or is_docstring(node):
            text = content[node.start_byte : node.end_byte]
            left[node.start_byte : node.end_byte] = re.sub(rb"[^\n]", b" ", text)
    return bytes(left)


def _is_of_tests(side: Side, number: int) -> bool:
    content = side.content or b""
    lines = content.split(b"\n")
    start = sum(len(line) + 1 for line in lines[: number - 1])
    return is_in_test_part(side.path, content, start, start + len(lines[number - 1]))


def _list_words(path: str) -> list[str]:
    return re.findall(r"\w+", path)
