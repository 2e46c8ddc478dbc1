"""The change as input of the checks: texts and trees of both sides, and the surrounding files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from code_adapter.syntax.changes import MAX_BLOB_BYTES, ChangedFile, Side
from verigate.sdk import path_text
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import Tree, parse

if TYPE_CHECKING:
    from verigate.sdk.subject import Repository

MAX_KEPT_BYTES = 64 << 10
"""Files up to this size are kept once they were read: several checks ask for the same settings."""

Test = TypeVar("Test")
Place = TypeVar("Place", bound=tuple[Any, ...])


@dataclass(frozen=True)
class ChangeSet:
    """A change: its files, the repository, and every path of the subject."""

    files: tuple[ChangedFile, ...]
    repository: Repository
    base: str
    subject_paths: tuple[str, ...]
    _trees: dict[int, Tree | None] = field(default_factory=dict, repr=False)
    _tests: dict[int, tuple[Any, ...]] = field(default_factory=dict, repr=False)
    _shown: dict[str, bytes | None] = field(default_factory=dict, repr=False)

    def sides(self) -> Iterator[tuple[ChangedFile, Side | None, Side | None]]:
        """Each file with the sides that could be read; a side that could not is None."""
        for file in self.files:
            yield file, _readable(file.before), _readable(file.after)

    def newly(self, places: Callable[[Side | None], Iterable[Place]]) -> Iterator[tuple[Side | None, Side, Place]]:
        """Both sides of a file and a place of the subject, for each place whose text the base had less often.

        ``places`` are those of one side: line, text, and further facts. Moved places are not new; of a file whose base
        can't be read, nothing is known to be.
        """
        known = Counter(place[1] for _, before, _ in self.sides() for place in places(before))
        for file, before, after in self.sides():
            unread = file.before is not None and before is None
            for place in places(after) if not unread else ():
                if known[place[1]]:
                    known[place[1]] -= 1
                elif after is not None:
                    yield before, after, place

    def tree(self, side: Side | None) -> Tree | None:
        """The side's syntax tree; None where there is no text or no grammar for it."""
        if side is None or side.content is None:
            return None
        if id(side) not in self._trees:
            grammar = grammar_of(side.path)
            self._trees[id(side)] = parse(side.content, grammar) if grammar else None
        return self._trees[id(side)]

    def tests(self, side: Side | None, find: Callable[[Tree], Iterable[Test]]) -> tuple[Test, ...]:
        """The tests of a side, whether or not a runner collects it, by ``find`` of its language; it is asked once."""
        tree = self.tree(side)
        if side is None or tree is None:
            return ()
        if id(side) not in self._tests:
            self._tests[id(side)] = tuple(find(tree))
        return self._tests[id(side)]

    @cached_property
    def base_paths(self) -> frozenset[str]:
        """Every path of the base: most of those that are asked for aren't there, and each would start a git."""
        return frozenset(
            map(path_text, self.repository.entries("ls-tree", "-r", "-z", "--full-tree", "--name-only", self.base))
        )

    def at_base(self, path: str) -> bytes | None:
        """The base's version of a file that may be no part of the change; None where there is none."""
        return self._show(f"{self.base}:{path}") if path in self.base_paths else None

    def at_subject(self, path: str) -> bytes | None:
        """The subject's version of a file that may be no part of the change; None where there is none."""
        return self._show(f":{path}")

    def object_id(self, tree: str, path: str) -> str | None:
        """The id of git's object for a path of ``tree``, ":0" for the subject; None where there is none."""
        run = self.repository.git("rev-parse", "--verify", "--quiet", f"{tree}:{path}", check=False)
        return run.stdout.decode("ascii", "replace").strip() if run.exit_code == 0 else None

    def _show(self, name: str) -> bytes | None:
        if name in self._shown:
            return self._shown[name]
        run = self.repository.git("cat-file", "blob", name, check=False, max_bytes=MAX_BLOB_BYTES)
        content = run.stdout if run.exit_code == 0 and not run.truncated else None
        if content is None or len(content) <= MAX_KEPT_BYTES:
            self._shown[name] = content
        return content


def _readable(side: Side | None) -> Side | None:
    return side if side is not None and side.content is not None else None


def text(side: Side | None) -> str:
    """Decode one side; bytes that aren't UTF-8 are replaced. Empty for a missing side."""
    return "" if side is None or side.content is None else side.content.decode("utf-8-sig", "replace")
