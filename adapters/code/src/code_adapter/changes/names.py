"""Count a name on both sides: in code, in comments and prose, in tests, and in files that don't change.

Names are those that the claim states something about. They are written by who is judged: they are compared as text, and
go to git as fixed strings behind an option that takes no path.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from code_adapter.changes.changed_lines import list_changed_lines
from code_adapter.changes.kinds import classify
from code_adapter.counterfactual.mixed_sources import drop_test_parts
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse, text_of, walk

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile, Side
    from verigate.sdk.asked_names import AskedName
    from verigate.sdk.subject import Repository

_MOST_BYTES = 1 << 20
_SHORT = 3
"""A last part of fewer characters says too little."""

_MOST_LISTED = 8 << 20
_PLACES = ("code", "test", "docs", "comment", "other")
_WORD = re.compile(r"[A-Za-z0-9_$]")
_DEPRECATING = re.compile(r"deprecat", re.IGNORECASE)


def count_names(
    names: Sequence[AskedName], files: Sequence[ChangedFile], repository: Repository
) -> list[dict[str, Any]]:
    """Return an entry for each name: counts by place before and after, and whether unchanged files have it."""
    sides = [(_Text.read(file.before), _Text.read(file.after)) for file in files] if names else []
    changed = "\n".join(line for file in files for line in list_changed_lines(file)) if names else ""
    unchanged = _find_unchanged(names, files, repository) if names else {}
    return [
        {**_entry(name, files, sides, unchanged.get(name, 0)), "touched": _count(_choose_pattern(name, sides), changed)}
        for name in names
    ]


def _entry(
    asked: AskedName, files: Sequence[ChangedFile], sides: Sequence[tuple[_Text, _Text]], unchanged: int
) -> dict[str, Any]:
    name, pattern = asked.name, _choose_pattern(asked, sides)
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    inside: list[dict[str, Any]] = []
    paths: list[str] = []
    for file, (old, new) in zip(files, sides, strict=True):
        was, now = old.count(pattern), new.count(pattern)
        before += was
        after += now
        inside += _count_inside(pattern, file.path, old, new)
        if was != now or any(side is not None and is_named(name, side.path) for side in (file.before, file.after)):
            paths.append(file.path)
    return {
        "name": name,
        "folded": asked.folded,
        "before": {place: before[place] for place in _PLACES},
        "after": {place: after[place] for place in _PLACES},
        "unchanged_files": unchanged,
        "defined": [sum(_is_defined(name, each) for pair in sides for each in pair[at].symbols) for at in (0, 1)],
        "stubs": sum(each.stub and _is_defined(name, each) for _, new in sides for each in new.symbols),
        "endpoints": [sum(_is_endpoint(name, each) for pair in sides for each in pair[at].symbols) for at in (0, 1)],
        "changed": sum(_count_changed(name, old, new) for old, new in sides),
        "deprecating": _count_deprecating(pattern, sides),
        "inside": inside[:50],
        "paths": sorted(paths)[:50],
    }


def _is_defined(name: str, symbol: _Symbol) -> bool:
    """Whether a function or class has this name, with as many of the names around it as are given."""
    wanted, found = (re.split(r"[.#]|::", each) for each in (name, symbol.qualified))
    return found[-len(wanted) :] == wanted


def _is_endpoint(name: str, symbol: _Symbol) -> bool:
    """Whether a name is the route of an endpoint, or the last part of it."""
    route = symbol.qualified.partition(" ")[2].strip("/")
    return bool(route) and name.strip("/") in {route, route.rpartition("/")[2]}


def _count_changed(name: str, old: _Text, new: _Text) -> int:
    """Count functions and classes of this name, or with it at the end of theirs, whose text differs."""
    was, now = (
        sorted(each for each in side.symbols if name in {each.qualified, re.split(r"[.#]|::", each.qualified)[-1]})
        for side in (old, new)
    )
    return len(set(was) ^ set(now))


def _count_deprecating(pattern: re.Pattern[str], sides: Sequence[tuple[_Text, _Text]]) -> int:
    """Count how many more lines with "deprecat" there are in files, functions or classes that have the name."""
    more = 0
    for old, new in sides:
        if _count(pattern, new.text) or _count(pattern, old.text):
            more += max(0, _count(_DEPRECATING, new.text) - _count(_DEPRECATING, old.text))
    return more


def _choose_pattern(asked: AskedName, sides: Sequence[tuple[_Text, _Text]]) -> re.Pattern[str]:
    """Choose how to look a name up: a member that nothing names in full is looked up by its last part."""
    # A POM has group and artifact in two elements.
    name = asked.name.rpartition(":")[2] if asked.folded else asked.name
    whole = make_pattern(name, folded=asked.folded)
    if any(_count(whole, side.text) for pair in sides for side in pair):
        return whole
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", asked.name):
        return make_pattern(asked.name, folded=True)  # a product's name, as prose has it
    last = re.split(r"[.#]|::", asked.name)[-1]
    if asked.folded or last == asked.name or len(last) < _SHORT or "/" in asked.name:
        return whole
    return make_pattern(last)


def make_pattern(name: str, *, folded: bool = False) -> re.Pattern[str]:
    """Match the name where it is no part of a longer one."""
    first = r"(?<![\w$])" if _WORD.match(name[:1]) else ""
    last = r"(?![\w$])" if _WORD.match(name[-1:]) else ""
    return re.compile(f"{first}{re.escape(name)}{last}", re.IGNORECASE if folded else re.NOFLAG)


def is_named(name: str, path: str) -> bool:
    """Whether a path, a part of it, or its file's name without suffix is the name."""
    parts = path.lower().split("/")
    wanted = name.lower().strip("/")
    return (
        wanted in {path.lower(), *parts, parts[-1].rpartition(".")[0]} or f"/{path.lower()}/".find(f"/{wanted}/") >= 0
    )


def _count_inside(pattern: re.Pattern[str], path: str, old: _Text, new: _Text) -> Iterator[dict[str, Any]]:
    was, now = old.count_inside(pattern), new.count_inside(pattern)
    for symbol in sorted(was.keys() | now.keys()):
        if was[symbol] != now[symbol]:
            yield {"symbol": symbol, "path": path, "before": was[symbol], "after": now[symbol]}


class _Symbol(NamedTuple):
    """A function, class or endpoint. ``stub``: it does nothing yet."""

    qualified: str
    text: str
    stub: bool


class _Text:
    """The text of one version of a file, and what of it is comments. ``own`` are both without the tests in it."""

    def __init__(
        self, text: str, kind: str, comments: str, symbols: Sequence[_Symbol], own: tuple[str, str] | None = None
    ) -> None:
        self.text, self.kind, self.comments, self.symbols = text, kind, comments, symbols
        self.own = own

    @classmethod
    def read(cls, side: Side | None) -> _Text:
        """Read a version; empty where there is none, or where it is no text."""
        if side is None or side.content is None or len(side.content) > _MOST_BYTES or b"\0" in side.content:
            return cls("", "other", "", ())
        text, kind = side.content.decode("utf-8", "replace"), classify(side.path)
        place = kind if kind in {"code", "test", "docs"} else "other"
        grammar = grammar_of(side.path)
        if grammar is None or language_of(side.path) is None:
            return cls(text, place, "", ())
        comments = _read_comments(side.content, grammar)
        product = drop_test_parts(side.path, side.content) if place == "code" else side.content
        own = None
        if product != side.content:
            own = (product.decode("utf-8", "replace"), _read_comments(product, grammar))
        lines = text.splitlines()
        symbols = [
            _Symbol(symbol.qualified, "\n".join(lines[symbol.line - 1 : symbol.end_line]), symbol.stub)
            for symbol in extract(side.content, side.path).symbols
        ]
        return cls(text, place, comments, symbols, own)

    def count(self, pattern: re.Pattern[str]) -> Counter[str]:
        """Count by place; what stands in comments doesn't count as code."""
        every, said = _count(pattern, self.text), _count(pattern, self.comments)
        if self.own is None:
            return Counter({self.kind: max(0, every - said), "comment": said})
        code = _count(pattern, self.own[0]) - _count(pattern, self.own[1])
        return Counter({self.kind: max(0, code), "test": max(0, every - said - code), "comment": said})

    def count_inside(self, pattern: re.Pattern[str]) -> Counter[str]:
        """Count by function and class."""
        return Counter({name: count for name, text, _ in self.symbols if (count := _count(pattern, text))})


def _read_comments(source: bytes, grammar: str) -> str:
    tree = parse(source, grammar)
    return "\n".join(text_of(node) for node in walk(tree.root) if is_comment(node) or is_docstring(node))


def is_docstring(node: Any) -> bool:
    """Whether it is a string of Python that stands alone, as a statement."""
    parent = node.parent
    return (
        node.type in {"string", "concatenated_string"}
        and parent is not None
        and parent.type == "expression_statement"
        and parent.named_child_count == 1
    )


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _find_unchanged(
    names: Iterable[AskedName], files: Sequence[ChangedFile], repository: Repository
) -> Mapping[AskedName, int]:
    """Count for each name the files that have it and don't differ; those of the index are the subject's."""
    changed = {side.path for file in files for side in (file.before, file.after) if side is not None}
    found: dict[AskedName, int] = {}
    for name in names:
        case = ("-i",) if name.folded else ()
        search = ("grep", "--cached", "-l", "-z", "-w", "-I", "-F", *case, "-e", name.name)
        run = repository.git(*search, check=False, max_bytes=_MOST_LISTED)
        if run.exit_code not in {0, 1} or run.truncated:
            found[name] = 1  # nobody knows, so that it isn't taken for new or gone
            continue
        listed = run.stdout.decode("utf-8", "surrogateescape").split("\0")
        found[name] = sum(1 for path in listed if path and path not in changed and classify(path) in {"code", "test"})
    return found
