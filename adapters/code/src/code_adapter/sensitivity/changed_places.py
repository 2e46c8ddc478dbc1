"""Find the places where a change may make code do something else: functions, and lines outside of all functions.

A place that only moved, or in which only names differ that the change gave to something else, is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property, partial
from textwrap import dedent

from code_adapter.changes.code_equality import compare_code
from code_adapter.changes.kinds import classify
from code_adapter.changes.names import is_docstring
from code_adapter.changes.steering import find_steering
from code_adapter.counterfactual.mixed_sources import drop_test_parts
from code_adapter.counterfactual.test_support import is_named_by_code
from code_adapter.counterfactual.test_tree import MIXED, is_settings
from code_adapter.counterfactual.versions import Version
from code_adapter.sensitivity.changed_calls import find_other_calls
from code_adapter.sensitivity.changed_parts import Part, Source, Unit, find_parts
from code_adapter.sensitivity.mutants import MUTATED
from code_adapter.syntax.changes import ChangedFile, Side, read_changed_files
from code_adapter.syntax.moved_symbols import MovedSymbol, pair_moved, strip_lines
from code_adapter.syntax.symbols import Symbol, extract
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse, walk
from verigate.sdk.subject import Repository

GONE = "it is gone, and code still has its name"
GONE_FILE = "it is gone, and did something when it was loaded"
UNTRIED = "no mutant can be made in it"
_UNMUTATED = "no mutants are made in files like it"
_OTHERS = frozenset({"docs", "test", "lock", "ci"})
"""Kinds of files that don't say what the program does."""

_MOST_NAMES = 20
"""So many names are looked up in a version; where there are more, each counts as named there."""

_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_WORD = re.compile(r"[^\W\d]\w*")
_IMPORT = re.compile(r"\s*(?:import|from|use|pub use|export .* from|export \*|(?:const|let|var) .*\brequire\()\b")
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
    parts: Sequence[Part] = ()
    """What the change wrote or took away in them."""


IsNamed = Callable[[str], bool]
"""Whether the code of a version has a name."""


def read_places(repository: Repository, commit: str, base: Version, head: Version) -> Places:
    """Find the places of the change since ``commit``, and read the files of the subject that they are in.

    Raises AdapterError for too many bytes.
    """
    files = read_changed_files(repository, commit)
    before, after = (partial(_is_named, repository, version) for version in (base, head))
    places, parts = find_places(files, before, after)
    places += [Place(path, None, why=f"{what} differs") for path, what in find_steering(files, repository)]
    contents = {each.after.path: each.after.content for each in files if each.after is not None}
    return Places(places, {path: content for path, content in contents.items() if content is not None}, parts)


def _is_named(repository: Repository, version: Version, name: str) -> bool:
    return is_named_by_code(repository, name, version)


def find_places(files: Iterable[ChangedFile], in_base: IsNamed, in_head: IsNamed) -> tuple[list[Place], list[Part]]:
    """Find the places of a change, and the parts in them that are new or gone."""
    acting = [_Compared.read(file) for file in files if _may_act(file)]
    moved = pair_moved(each.file for each in acting)
    names = _Names.read(moved, in_base, in_head)
    before = {each.file.before.path: each.before for each in acting if each.file.before is not None}
    origins = {(each.new.path, each.new.qualified): (each.old, before[each.old.path]) for each in moved}
    found = [place for each in acting for place in _list_places(each, origins, names)]
    kept = {(each.old.path, each.old.qualified) for each in moved}
    gone = [symbol for each in acting for symbol in each.list_gone() if (symbol.path, symbol.qualified) not in kept]
    named = [each for index, each in enumerate(gone) if index >= _MOST_NAMES or in_head(each.name)]
    found += [Place(symbol.path, symbol.qualified, why=GONE) for symbol in named]
    before_parts, after_parts = _read_sources(acting, moved, gone)
    others = find_other_calls(before_parts, after_parts, names.rename)
    found += [Place(*unit, why=why) for unit, why in others.items()]
    return found, find_parts(before_parts, after_parts, names.rename)


def _read_sources(
    acting: Sequence[_Compared], moved: Sequence[MovedSymbol], gone: Sequence[Symbol]
) -> tuple[list[Source], list[Source]]:
    """Read what parts are found in; what nothing else in the changed files named isn't missed."""
    mutated = [each for each in acting if each.is_mutated]
    kept = {(each.old.path, each.old.qualified): (each.new.path, each.new.qualified) for each in moved}
    lost = {(each.path, each.qualified) for each in gone}
    words: set[str] = set()
    for each in mutated:
        words |= {word for line in each.before.list_without(lost) for word in _WORD.findall(line)}
    dead = frozenset((each.path, each.qualified) for each in gone if each.name not in words)
    return (
        [source for each in mutated if (source := each.before.make_source(each.file.before, kept, dead)) is not None],
        [
            source
            for each in mutated
            if (source := each.after.make_source(each.file.after, {}, frozenset())) is not None
        ],
    )


def _may_act(file: ChangedFile) -> bool:
    paths = {side.path for side in (file.before, file.after) if side is not None}
    if all(classify(path) in _OTHERS or _is_tools(path) for path in paths):
        return False
    return compare_code(file) != "equal"


def _is_tools(path: str) -> bool:
    """Whether it is a file by which people set up their tools."""
    name = path.rpartition("/")[2]
    return name.startswith(".") and not name.startswith(".env")


@dataclass(frozen=True)
class _Names:
    """What the change gave another name or place: names of base with those of the subject."""

    by_old: Mapping[str, str]
    parts: frozenset[str]
    """Words of the paths that something moved from and to."""

    @classmethod
    def read(cls, moved: Sequence[MovedSymbol], in_base: IsNamed, in_head: IsNamed) -> _Names:
        """A new name is one only if the subject has the old one nowhere any more, and base had the new one nowhere."""
        pairs = dict.fromkeys((each.old.name, each.new.name) for each in moved)
        kept = {old: new for old, new in pairs if old == new}
        others = [(old, new) for old, new in pairs if old != new][:_MOST_NAMES]
        by_old = kept | {old: new for old, new in others if not in_head(old) and not in_base(new)}
        paths = {path for each in moved for path in (each.old.path, each.new.path) if each.old.path != each.new.path}
        return cls(by_old, frozenset(word for path in paths for word in _WORD.findall(path)))

    @cached_property
    def _qualified(self) -> re.Pattern[str] | None:
        """Match the parts of paths in front of a name that moved."""
        if not self.parts or not self.by_old:
            return None
        parts, names = ("|".join(map(re.escape, sorted(each))) for each in (self.parts, self.by_old.values()))
        return re.compile(rf"\b(?:(?:{parts})(?:\.|::|/))+(?=(?:{names})\b)")

    def rename(self, text: str) -> str:
        """Give the names in a text of base that they have in the subject."""
        return "".join(self.by_old.get(piece, piece) for piece in _PIECE.findall(text))

    def explain(self, before: str, after: str) -> bool:
        """Whether two texts differ in nothing but these names."""
        renamed = self.rename(before)
        pattern = self._qualified
        return renamed == after or (pattern is not None and pattern.sub("", renamed) == pattern.sub("", after))

    def is_followed(self, line: str) -> bool:
        """Whether a line imports nothing but what moved, from where it was or is."""
        words = set(_WORD.findall(line)) - _KEYWORDS
        known = {*self.by_old, *self.by_old.values()}
        return bool(_IMPORT.match(line)) and not words.isdisjoint(known) and words <= {*known, *self.parts}


_Origins = Mapping[tuple[str, str], "tuple[Symbol, _Text]"]
"""What moved or has another name, by path and name in the subject: what it was, and in which text."""


def _list_places(compared: _Compared, origins: _Origins, names: _Names) -> Iterator[Place]:
    if not compared.is_mutated:
        yield Place(compared.path, None, why=_UNMUTATED)
        return
    before, after = compared.before, compared.after
    for symbol in after.symbols:
        was = [(each, before) for each in before.by_name.get(symbol.qualified, ())]
        origin = origins.get((symbol.path, symbol.qualified))
        if any(each.own == symbol.own for each, _ in was):
            continue
        text = after.read_own(symbol)
        if any(names.explain(place.read_own(each), text) for each, place in (*was, *((origin,) if origin else ()))):
            continue
        new = symbol.kind == "class" and not was
        yield Place(compared.path, symbol.qualified, after.list_lines(symbol), needed=not new)
    if compared.file.after is None:
        if any("(" in line and not _IMPORT.match(line) for line in before.outer.values()):
            yield Place(compared.path, None, why=GONE_FILE)
    else:
        yield from _list_outer(compared, names)


def _list_outer(compared: _Compared, names: _Names) -> Iterator[Place]:
    """List what differs outside of all functions and classes, and the functions of the file that use it."""
    before, after = compared.before, compared.after
    removed, added = before.list_more(after), after.list_more(before)
    removed, added = (
        [number for number in lines if not names.is_followed(text.outer[number])]
        for text, lines in ((before, removed), (after, added))
    )
    if not removed and not added:
        return
    lines = [*(before.outer[number] for number in removed), *(after.outer[number] for number in added)]
    words = {word for line in lines for word in _WORD.findall(line)} - _KEYWORDS
    users = [symbol for symbol in after.symbols if not words.isdisjoint(_WORD.findall(after.read_own(symbol)))]
    yield Place(compared.path, None, frozenset(added), needed=not users)
    for symbol in users:
        yield Place(compared.path, symbol.qualified, after.list_lines(symbol), needed=symbol.kind != "class")


@dataclass(frozen=True)
class _Compared:
    """A changed file with both texts."""

    file: ChangedFile
    before: _Text
    after: _Text

    @classmethod
    def read(cls, file: ChangedFile) -> _Compared:
        return cls(file, _Text.read(file.before), _Text.read(file.after))

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def is_mutated(self) -> bool:
        """Whether mutants are made in either version."""
        return all(
            language_of(side.path) in MUTATED
            and not is_settings(side.path)
            and side.path.rpartition("/")[2] not in MIXED
            and side.content is not None
            for side in (self.file.before, self.file.after)
            if side is not None
        )

    def list_gone(self) -> Iterator[Symbol]:
        """List the definitions of base whose name the file has no more."""
        return (symbol for symbol in self.before.symbols if symbol.qualified not in self.after.by_name)


@dataclass(frozen=True)
class _Text:
    """One version of a file without comments: its lines, its definitions, and its lines outside of these by number."""

    lines: Sequence[str] = ()
    symbols: Sequence[Symbol] = ()
    outer: Mapping[int, str] = field(default_factory=dict)
    own: Mapping[Symbol, Sequence[int]] = field(default_factory=dict)
    """The lines of each definition that are of none inside of it, by number."""

    @classmethod
    def read(cls, side: Side | None) -> _Text:
        """Read a version; empty where there is none, or in no language that is read."""
        if side is None or side.content is None or language_of(side.path) is None:
            return cls()
        content = drop_test_parts(side.path, side.content)
        lines = _blank_comments(content, side.path).decode("utf-8", "replace").split("\n")
        every = [each for each in extract(content, side.path).symbols if each.route is None]
        owners: dict[int, Symbol] = {}
        for symbol in sorted(every, key=lambda each: (each.line, -each.end_line)):
            owners.update(dict.fromkeys(range(symbol.line, symbol.end_line + 1), symbol))
        own: dict[Symbol, list[int]] = {symbol: [] for symbol in every}
        for number, symbol in sorted(owners.items()):
            own[symbol].append(number)
        outer = {number: line.rstrip() for number, line in enumerate(lines, 1) if number not in owners and line.strip()}
        return cls(lines, [each for each in every if not each.declaration and not each.in_tests], outer, own)

    @cached_property
    def _owners(self) -> Mapping[int, Symbol]:
        return {number: symbol for symbol, numbers in self.own.items() for number in numbers}

    def list_without(self, units: Collection[tuple[str, str]]) -> Iterator[str]:
        """List the lines that are in none of these definitions."""
        for number, line in enumerate(self.lines, 1):
            owner = self._owners.get(number)
            if owner is None or (owner.path, owner.qualified) not in units:
                yield line

    def make_source(
        self, side: Side | None, kept: Mapping[tuple[str, str], tuple[str, str]], dead: Collection[tuple[str, str]]
    ) -> Source | None:
        """Make what parts are found in: ``kept`` has the present place of what moved, ``dead`` is left out."""
        if side is None or side.content is None:
            return None

        def find_unit(line: int) -> Unit:
            owner = self._owners.get(line)
            return (side.path, None) if owner is None else kept.get(unit := (owner.path, owner.qualified), unit)

        left_out = frozenset(n for n, each in self._owners.items() if (each.path, each.qualified) in dead)
        defined = frozenset(each.name for each in self.symbols)
        return Source(side.path, side.content, self.lines, find_unit, left_out, defined)

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[Symbol]]:
        """The definitions by qualified name."""
        found: dict[str, list[Symbol]] = {}
        for symbol in self.symbols:
            found.setdefault(symbol.qualified, []).append(symbol)
        return found

    def list_more(self, other: _Text) -> list[int]:
        """List the lines outside of definitions that the other version hasn't there; the order of imports is none."""
        imports = Counter(line for line in other.outer.values() if _IMPORT.match(line))
        found = []
        rest = []
        for number, line in self.outer.items():
            if not _IMPORT.match(line):
                rest.append(number)
            elif imports[line]:
                imports[line] -= 1
            else:
                found.append(number)
        others = [line for line in other.outer.values() if not _IMPORT.match(line)]
        lines = [self.outer[number] for number in rest]
        for kind, start, end, _, _ in SequenceMatcher(None, lines, others).get_opcodes():
            if kind != "equal":
                found += rest[start:end]
        return sorted(found)

    def list_lines(self, symbol: Symbol) -> frozenset[int]:
        """List the lines of a definition that are of none inside of it."""
        return frozenset(self.own[symbol])

    def read_own(self, symbol: Symbol) -> str:
        """Read these lines as they would stand at the left margin, without empty ones and who may use it."""
        lines = [line for number in self.own[symbol] if (line := self.lines[number - 1].rstrip())]
        first, *rest = dedent("\n".join(lines)).split("\n") if lines else [""]
        return "\n".join([*strip_lines([first]), *rest])


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
