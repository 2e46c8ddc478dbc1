"""Classes of Java and Kotlin that moved to another package: tests of the other version import them from there.

A class can't be handed on, so that here the tests are written otherwise: full names become the new ones, and a test
that needed no import since it is of the same package gets one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.counterfactual.differing_code import find_group, list_names
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse, text_of

if TYPE_CHECKING:
    from code_adapter.counterfactual.handed_on.moves import Move

PACKAGE = re.compile(rb"^[ \t]*package[ \t]+([\w.]+)[ \t]*;?", re.MULTILINE)
_ROOTS = ("java", "kotlin")


@dataclass(frozen=True)
class MovedClasses:
    """Names of classes with the packages in which tests look for them, and where the code has them."""

    places: tuple[tuple[str, str, str], ...] = ()

    def apply(self, path: str, source: bytes, *, mixed: bool = False) -> bytes:
        """Return a test that takes the classes from where the code has them; ``mixed`` sources are as they were."""
        if not self.places or mixed or find_group(path) != "java":
            return source
        head = PACKAGE.search(source)
        package = head[1].decode() if head is not None else ""
        words = {text_of(node) for node in list_names(parse(source, grammar_of(path) or ""))}
        added = []
        for name, known, now in self.places:
            full = rf"(?<![\w.]){re.escape(f'{known}.{name}')}\b".encode()
            found, count = re.subn(full, f"{now}.{name}".encode(), source)
            source = found
            if known == package and not count and name in words:
                added.append(f"import {now}.{name}")
        head = PACKAGE.search(source)
        if not added or head is None:
            return source
        # Lines of Java keep their numbers.
        start, end = (" ", ";") if path.endswith(".java") else ("\n", "")
        text = "".join(f"{start}{each}{end}" for each in added)
        return source[: head.end()] + text.encode() + source[head.end() :]

    def reverse(self) -> MovedClasses:
        """Return the way back, for tests of the subject on the code of base."""
        return MovedClasses(tuple((name, now, known) for name, known, now in self.places))


def find_moved_classes(moves: Iterable[Move]) -> MovedClasses:
    """Find the classes that are in another package, by the folders in which their sources are."""
    found = set()
    for move in moves:
        if move.new.language in {"java", "kotlin"} and move.new.kind == "class" and move.old.name == move.new.name:
            known, now = _name_package(move.old.path), _name_package(move.new.path)
            if known and now and known != now:
                found.add((move.new.name, known, now))
    return MovedClasses(tuple(sorted(found)))


def _name_package(path: str) -> str:
    """Name the package of a source by its folder below ``src/main/java``; empty if it isn't in such a one."""
    parts = posixpath.dirname(path).split("/")
    roots = [number for number, part in enumerate(parts) if part in _ROOTS]
    return ".".join(parts[roots[-1] + 1 :]) if roots else ""
