"""Find which names of functions and classes the change brought: a test that uses one can't pass on the code of base."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from code_adapter.counterfactual.differing_code import list_names, read_sources
from code_adapter.counterfactual.test_support import is_named_by_code
from code_adapter.syntax.symbols import extract
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse, text_of

if TYPE_CHECKING:
    from code_adapter.counterfactual.sides import Sides
    from code_adapter.syntax.changes import Side
    from verigate.sdk.subject import Repository


def find_new_names(repository: Repository, sides: Sides) -> frozenset[str]:
    """Find the names that changed tests use, that the code of the subject defines, and that no code of base has.

    Raises ToolFailed, or AdapterError for too many bytes.
    """
    used = {name for path in sides.changed for name in list_used(sides.head_forms.read(path), path)}
    if not used:
        return frozenset()
    files = list(read_sources(repository, sides.base, sides.head))
    defined = set(_list_defined(file.after for file in files)) - set(_list_defined(file.before for file in files))
    return frozenset(name for name in sorted(defined & used) if not is_named_by_code(repository, name, sides.base))


def list_used(source: str, path: str) -> set[str]:
    """List the names in a source, or in a part of one; none in a language that no grammar reads."""
    grammar = grammar_of(path)
    return set() if grammar is None else {text_of(node) for node in list_names(parse(source.encode(), grammar))}


def choose_used(form: str | None, path: str, new: Collection[str]) -> tuple[str, ...]:
    """Choose which new names a test uses."""
    return tuple(sorted(list_used(form, path).intersection(new))) if form and new else ()


def _list_defined(sides: Iterable[Side | None]) -> Iterator[str]:
    for side in sides:
        if side is not None and side.content is not None:
            yield from (symbol.name for symbol in extract(side.content, side.path).symbols if symbol.route is None)
