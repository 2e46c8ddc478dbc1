"""Pair the tests of base with those of the subject.

A renamed or moved test is the same test if its body, its name or most of its words are equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.moved_files import list_edited
from code_adapter.integrity.pairing.assertions import BodyReader
from code_adapter.integrity.pairing.cases import Case, Inventory, find_helpers, list_tests
from code_adapter.integrity.pairing.copied_tests import drop_copied
from code_adapter.integrity.pairing.gone_members import drop_used, list_methods
from code_adapter.integrity.pairing.markers import Marker
from code_adapter.integrity.pairing.phrases import takes_phrases
from code_adapter.integrity.pairing.reached import Walk
from code_adapter.integrity.roles import is_collected, is_test_code
from code_adapter.syntax.symbol_changes import compare
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

ALIKE_HERE = 0.5
_ALIKE_ELSEWHERE = 0.65
_MOST_COMPARISONS = 250_000
"""Above this many pairs of tests a renamed one is looked for in its own file alone."""

COMMON = frozenset(
    {"self", "assert", "def", "test", "expect", "it", "const", "await", "async", "t", "return", "import"}
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A test in base and in the subject."""

    before: Case
    after: Case

    def find(self, kind: str, line: int, message: str, weight: Weight, rule: str) -> IntegrityFinding:
        """Make a finding about this test."""
        forms = Forms(self.before.source, self.after.source)
        return IntegrityFinding(kind, self.after.path, line, message, weight, rule, test=self.after.id, forms=forms)


@dataclass(frozen=True, slots=True)
class PairedTests:
    """The tests of the change's files: pairs, those of base without a counterpart, those of the subject without one.

    ``markers`` are those of base and of the subject. ``astray`` maps the digest of each test of the subject that no
    runner comes to to its path.
    """

    pairs: tuple[Pair, ...]
    removed: tuple[Case, ...]
    added: tuple[Case, ...]
    markers: tuple[tuple[Marker, ...], tuple[Marker, ...]]
    astray: dict[str, str]


def pair_tests(changes: ChangeSet, python_files: Iterable[str], walk: Walk) -> PairedTests:
    """Pair the tests. ``python_files`` and ``walk`` are pytest's patterns and its file search in base."""
    patterns = tuple(python_files)
    sides = [*list_edited(changes, patterns, walk.reaches)]
    before = _inventory(changes, [old for old, _ in sides if old is None or walk.reaches(old.path)], patterns)
    after = _inventory(changes, [new for _, new in sides if new is None or walk.reaches(new.path)], patterns)
    unreached = [new for _, new in sides if new is not None and not walk.reaches(new.path)]
    astray = {case.digest: case.path for case in _inventory(changes, unreached, patterns).cases}
    pairs, gone, added = _paired(list(before.cases), list(after.cases))
    removed = drop_copied(gone, changes, patterns, walk)
    return PairedTests(tuple(pairs), tuple(removed), tuple(added), (before.markers, after.markers), astray)


def _inventory(changes: ChangeSet, sides: Iterable[Side | None], patterns: tuple[str, ...]) -> Inventory:
    """All tests and markers of one version of the change."""
    trees = [
        (side.path, tree, language)
        for side in sides
        if side is not None and (is_test_code(side.path) or is_collected(side.path, patterns))
        for tree, language in [(changes.tree(side), find_language(side.path))]
        if tree is not None and language is not None
    ]
    readers = {path: BodyReader(language, takes_phrases(changes, path, tree)) for path, tree, language in trees}
    helpers: dict[str, int] = {}
    for path, tree, _ in trees:
        helpers |= find_helpers(tree, readers[path])
    found = [list_tests(tree, path, helpers, readers[path]) for path, tree, _ in trees if is_collected(path, patterns)]
    return Inventory(
        tuple(case for item in found for case in item.cases), tuple(marker for item in found for marker in item.markers)
    )


def find_removed_names(changes: ChangeSet) -> frozenset[str]:
    """Return names of functions and classes outside tests that the change removes, not just renames or moves.

    Methods of object literals count if the product has their name nowhere else.
    """
    removed: dict[str, frozenset[str]] = {}
    members: dict[str, frozenset[str]] = {}
    kept: set[str] = set()
    bodies: list[frozenset[str]] = []
    for old, new in list_edited(changes):
        sides = [side for side in (old, new) if side is not None and language_of(side.path) is not None]
        if not sides or any(is_test_code(side.path) for side in sides):
            continue
        symbols = [
            extract(side.content or b"", side.path).symbols if side is not None and language_of(side.path) else ()
            for side in (old, new)
        ]
        kept |= {symbol.name for symbol in symbols[1]}
        was, now = ([*list_methods(changes.tree(side), side.path)] if side is not None else [] for side in (old, new))
        kept |= {name for name, _ in now}
        members |= dict(was)
        bodies += [words for name, words in now if name not in dict(was)]
        texts = [(side.content or b"").splitlines() if side is not None else [] for side in (old, new)]
        for change in compare(*symbols):
            lines = texts[0 if change.change == "removed" else 1]
            text = b"\n".join(lines[change.symbol.line : change.symbol.end_line]).decode("utf-8", "replace")
            words = frozenset(text.split())
            if change.change == "removed":
                removed[change.symbol.name] = words
            elif change.change == "added":
                bodies.append(words)
    functions, methods = (
        {
            name
            for name, words in gone.items()
            if name not in kept and not any(_overlap(words, body) >= _ALIKE_ELSEWHERE for body in bodies)
        }
        for gone in (removed, members)
    )
    return frozenset(functions) | drop_used(methods, changes)


def _paired(before: list[Case], after: list[Case]) -> tuple[list[Pair], list[Case], list[Case]]:
    pairs: list[Pair] = []
    steps = (
        lambda old, new: old.path == new.path and old.id == new.id,
        lambda old, new: old.id == new.id and old.digest == new.digest,
        lambda old, new: old.digest == new.digest,
        lambda old, new: old.id == new.id,
        lambda old, new: old.name == new.name,
    )
    for same in steps:
        before, after = _pair_by(before, after, same, pairs)
    everywhere = len(before) * len(after) <= _MOST_COMPARISONS
    ranked = sorted(
        (
            (-_likeness(old, new), old.path != new.path, i, j)
            for i, old in enumerate(before)
            for j, new in enumerate(after)
            if (everywhere or old.path == new.path)
            and language_of(old.path) == language_of(new.path)
            and _likeness(old, new) >= (ALIKE_HERE if old.path == new.path else _ALIKE_ELSEWHERE)
        ),
    )
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, _, i, j in ranked:
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairs.append(Pair(before[i], after[j]))
    return (
        pairs,
        [case for i, case in enumerate(before) if i not in used_old],
        [case for j, case in enumerate(after) if j not in used_new],
    )


def _pair_by(before: list[Case], after: list[Case], same: object, pairs: list[Pair]) -> tuple[list[Case], list[Case]]:
    assert callable(same)  # noqa: S101 - the steps above
    left: list[Case] = []
    rest = list(after)
    for old in before:
        new = next((candidate for candidate in rest if same(old, candidate)), None)
        if new is None:
            left.append(old)
        else:
            rest.remove(new)
            pairs.append(Pair(old, new))
    return left, rest


def _likeness(old: Case, new: Case) -> float:
    return _overlap(old.words - COMMON, new.words - COMMON)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
