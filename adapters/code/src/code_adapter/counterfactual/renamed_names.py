"""Symbols that a change renames: the tests of each version get the names of the other one, to run on its code.

A symbol counts as renamed if its definition is the same but for the name, or if tests of the subject are those of the
base with the new name put in place of the old one. Then no code of the subject may have the old name any more, in any
identifier, and no code of the base may define the new one. Absence is decided on syntax trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from code_adapter.counterfactual.differing_code import DifferingCode, find_group, list_names
from code_adapter.counterfactual.mixed_sources import blank_code, drop_test_parts, read_test_parts
from code_adapter.counterfactual.replaced_targets import Target, list_targets
from code_adapter.counterfactual.test_support import list_naming
from code_adapter.syntax.changes import read_blobs
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse, text_of

if TYPE_CHECKING:
    from code_adapter.counterfactual.versions import Version
    from code_adapter.syntax.moved_symbols import MovedSymbol
    from verigate.sdk.subject import Repository

MOST = 20
"""With more renamed symbols than these none is replaced: each takes a search through both versions."""

_MOST_FILES = 200
"""A name that stands in more files than these isn't looked for in their syntax trees: it counts as still there."""


@dataclass(frozen=True)
class Renames:
    """Old names and the new ones, by the language or the group of languages that call each other."""

    by_language: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def apply(self, path: str, source: bytes, *, mixed: bool = False) -> bytes:
        """Put the new names in place of the old ones, but for those that the source defines or has already.

        Of ``mixed`` sources, which are of the code and hold tests, the parts of tests alone.
        """
        names = self.by_language.get(find_group(path) or "", {})
        if not any(old.encode() in source for old in names):
            return source
        read = blank_code(path, source) if mixed else source
        tree = parse(read, grammar_of(path) or "")
        found = [Target(node.start_byte, node.end_byte, text_of(node)) for node in list_names(tree)]
        found += list_targets(tree)
        taken = {each.text for each in found}
        own = {symbol.name for symbol in extract(read, path).symbols}
        used = {old: new for old, new in names.items() if new not in taken and old not in own}
        out, at = [], 0
        for each in sorted(found):
            new = used.get(each.text)
            if new is not None and each.start >= at:
                out += [source[at : each.start], new.encode()]
                at = each.end
        return b"".join([*out, source[at:]])

    def reverse(self) -> Renames:
        """Return the renames that lead back, for tests of the subject on the code of the base."""
        return Renames({group: {new: old for old, new in names.items()} for group, names in self.by_language.items()})

    def describe(self) -> list[dict[str, str]]:
        """List what was replaced, sorted."""
        pairs = {(old, new) for names in self.by_language.values() for old, new in names.items()}
        return [{"from": old, "to": new} for old, new in sorted(pairs)]


def find_renames(repository: Repository, base: Version, head: Version, code: DifferingCode) -> Renames:
    """Find the symbols of the code that the change renames. Raises ToolFailed, or AdapterError for too many bytes."""
    candidates = _list_candidates(code.pairs)
    if not 0 < sum(map(len, candidates.values())) <= MOST:
        return Renames()
    confirmed = _confirm(repository, candidates, [path for path in code.tests if path in head.files], base, head)
    found: dict[str, dict[str, str]] = {}
    for group, names in candidates.items():
        for old, (new, same) in names.items():
            if (same or (group, old) in confirmed) and not (
                _is_named(repository, old, group, head) or _is_defined(repository, new, group, base)
            ):
                found.setdefault(group, {})[old] = new
    return Renames(found)


def _list_candidates(pairs: Iterable[MovedSymbol]) -> dict[str, dict[str, tuple[str, bool]]]:
    """List the renamed symbols by group and old name. A name that becomes two, or two that become one, are none."""
    found: dict[str, dict[str, tuple[str, bool]]] = {}
    unclear: set[tuple[str, str]] = set()
    for old, new, same in pairs:
        group = find_group(old.path) or ""
        if old.name == new.name or find_group(new.path) != group:
            continue
        names = found.setdefault(group, {})
        before = names.get(old.name, (new.name, same))
        if before[0] != new.name:
            unclear.add((group, old.name))
        names[old.name] = (new.name, same and before[1])
    for group, names in found.items():
        news = [new for new, _ in names.values()]
        for name, (becomes, _) in list(names.items()):
            if (group, name) in unclear or news.count(becomes) > 1:
                del names[name]
    return found


def _confirm(
    repository: Repository,
    candidates: Mapping[str, Mapping[str, tuple[str, bool]]],
    paths: Iterable[str],
    base: Version,
    head: Version,
) -> set[tuple[str, str]]:
    """Find the old names of which a test file of the subject is that of the base with the new ones in their place."""
    renames = Renames({group: {old: new for old, (new, _) in names.items()} for group, names in candidates.items()})
    paths = list(paths)
    blobs = read_blobs(repository, {version.files[path].oid for path in paths for version in (base, head)})
    found: set[tuple[str, str]] = set()
    for path in paths:
        before, after = blobs[base.files[path].oid], blobs[head.files[path].oid]
        if not isinstance(before, bytes) or not isinstance(after, bytes):
            continue
        mixed = path in base.mixed
        changed = renames.apply(path, before, mixed=mixed)
        if changed == before or not _is_same(path, changed, after, mixed=mixed):
            continue
        group = find_group(path) or ""
        words = {text_of(node) for node in list_names(parse(before, grammar_of(path) or ""))}
        found |= {(group, old) for old in candidates.get(group, {}) if old in words}
    return found


def _is_same(path: str, one: bytes, other: bytes, *, mixed: bool) -> bool:
    """Whether two sources are the same, of one of the code that holds tests their parts."""
    return read_test_parts(path, one) == read_test_parts(path, other) if mixed else one == other


def _is_named(repository: Repository, name: str, group: str, head: Version) -> bool:
    """Whether an identifier of the code of the subject is still called so."""
    sources = _read_naming(repository, name, group, head)
    return sources is None or any(
        name in {text_of(node) for node in list_names(parse(source, grammar_of(path) or ""))}
        for path, source in sources
    )


def _is_defined(repository: Repository, name: str, group: str, base: Version) -> bool:
    """Whether the code of the base defines something that is called so."""
    sources = _read_naming(repository, name, group, base)
    return sources is None or any(
        symbol.name == name for path, source in sources for symbol in extract(source, path).symbols
    )


def _read_naming(repository: Repository, name: str, group: str, version: Version) -> list[tuple[str, bytes]] | None:
    """Read the sources of the code in which ``name`` is a word; None if there are too many, or one is too large."""
    paths = [
        path
        for path in list_naming(repository, name, version.tree)
        if find_group(path) == group and path not in version.tests and path in version.files
    ]
    if len(paths) > _MOST_FILES:
        return None
    blobs = read_blobs(repository, {version.files[path].oid for path in paths})
    sources = [(path, blobs[version.files[path].oid]) for path in paths]
    if not all(isinstance(source, bytes) for _, source in sources):
        return None
    return [(path, drop_test_parts(path, source)) for path, source in sources if isinstance(source, bytes)]
