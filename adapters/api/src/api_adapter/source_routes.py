"""Find the routes that the source registers, by syntax tree, and path literals that could be mount points."""

from __future__ import annotations

import fnmatch
import re

from msgspec import Struct

from verigate.sdk import Request, path_text
from verigate.sdk.languages import grammar_of, language_of, load
from verigate.sdk.languages.tree import line_of, parse
from verigate.sdk.subject import UnreadableFileError, find_repository, list_paths, read_file

MAX_SOURCE_BYTES = 4 << 20
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "testdata", "fixtures", "e2e"})
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.(py|go)|conftest\.py|.*\.(test|spec)\.[cm]?[jt]sx?|.*Tests?\.java")
_LITERAL = re.compile(rb"""["'`](/?[A-Za-z0-9_.~{}:<>/-]{1,200})["'`]""")


class FoundRoute(Struct, frozen=True, order=True):
    """A registered route. ``method`` is ``ANY`` if the code accepts every method."""

    route: str
    method: str
    path: str = ""
    line: int = 0
    origin: str = "source"

    @property
    def id(self) -> str:
        """``GET /items/:id``, as written in the source."""
        return f"{self.method} {self.route}"


class Routes(Struct, frozen=True):
    """The registered routes. ``literals`` are path-like string literals without outer slashes."""

    found: tuple[FoundRoute, ...]
    literals: frozenset[str]
    files: int
    unreadable: tuple[str, ...]


def find_source_routes(request: Request, globs: tuple[str, ...]) -> Routes:
    """Search the files that ``globs`` select; without globs, all files except tests."""
    found: set[FoundRoute] = set()
    literals: set[str] = set()
    unreadable: list[str] = []
    count = 0
    for path in list_paths(request, find_repository(request)):
        if language_of(path) is None or not _is_selected(path, globs):
            continue
        try:
            source = read_file(request.repo_root, path, MAX_SOURCE_BYTES)
        except UnreadableFileError:
            unreadable.append(path_text(path))
            continue
        count += 1
        literals.update(match.decode().strip("/") for match in _LITERAL.findall(source))
        tree = parse(source, grammar_of(path) or "")
        for route in load(path).routes(tree, path):
            found.add(FoundRoute(route.route, route.method or "ANY", path_text(path), line_of(route.node)))
    return Routes(tuple(sorted(found)), frozenset(literals - {""}), count, tuple(sorted(unreadable)))


def _is_selected(path: str, globs: tuple[str, ...]) -> bool:
    if globs:
        return any(fnmatch.fnmatchcase(path, pattern) for pattern in globs)
    *folders, name = path.split("/")
    return not (_TEST_FOLDERS.intersection(folders) or _TEST_FILE.fullmatch(name))
