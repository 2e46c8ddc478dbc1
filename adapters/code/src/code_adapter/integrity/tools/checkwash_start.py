"""Start checkwash with what makes it faster and finds the same: git's answers are kept, and fewer tests are read twice.

It is a program of its own: ``python checkwash_start.py ARGUMENTS`` is ``python -m checkwash ARGUMENTS``.
"""

from __future__ import annotations

import ast
import collections
import functools
import gc
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_SETTLED = frozenset({"cat-file", "ls-tree", "rev-parse"})
"""What they answer can't change in a run: it compares two commits, by their ids."""

_RELATIVE = re.compile(r"\bfrom[\s\\]*\.")


def main() -> int:
    """Run checkwash with this process's arguments; returns its exit code."""
    # What is made while loading stays; looking for garbage among it takes time.
    gc.disable()
    from checkwash import shadow
    from checkwash.cli import main as checkwash

    gc.freeze()
    gc.enable()
    remember(_SETTLED)
    read_importers_alone(shadow)
    ast.walk = walk
    return int(checkwash())


def remember(commands: frozenset[str]) -> None:
    """Cache the result of ``subprocess.run`` for repeated git commands."""
    run = subprocess.run
    known: dict[str, subprocess.CompletedProcess[Any]] = {}

    def answer(argv: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
        if list(argv[:2]) != ["git", "-C"] or not commands.intersection(argv[3:4]):
            return run(argv, **options)
        call = repr((argv, sorted(options.items())))
        if call not in known:
            known[call] = run(argv, **options)
        return known[call]

    subprocess.run = answer  # type: ignore[assignment] # its many overloads


def read_importers_alone(shadow: Any) -> None:
    """Let the search for shadowed modules analyze only tests that import one of the modules it asks about.

    It analyzes every test of the repository twice, and keeps of what each one imports only these modules. A test whose
    text has no import of any of them can't change that, wherever the import stands.
    """
    asked: set[str] = set()
    complete, cache = shadow._complete_head_search, shadow._ShadowAnalysisCache  # noqa: SLF001 - it has no other way in
    of_tests, of_fixtures = cache.active_test_imports, cache.active_fixture_imports

    @functools.wraps(complete)
    def note(searcher: Any, modules: Iterable[str]) -> Any:
        asked.clear()
        asked.update(modules)
        list_imports.cache_clear()
        return complete(searcher, modules)

    @functools.cache
    def list_imports(data: bytes | None, package: str) -> frozenset[str]:
        text = shadow._decode(data)  # noqa: SLF001 - as above
        # An import that isn't relative has the last part of its module's name in it, but for how letters are composed.
        if text.isascii() and not _RELATIVE.search(text) and not any(name in text for name in last_parts()):
            return frozenset()
        return frozenset(find_imports(text, package))

    def last_parts() -> set[str]:
        return {module.rpartition(".")[2] for module in asked}

    @functools.wraps(of_tests)
    def test_imports(self: Any, data: bytes | None, *, package: str = "") -> frozenset[str]:
        if asked.isdisjoint(list_imports(data, package)):
            return frozenset()
        return frozenset(of_tests(self, data, package=package))

    @functools.wraps(of_fixtures)
    def fixture_imports(
        self: Any, path: str, data: bytes | None, conftests: dict[str, bytes | None], paths: Iterable[str] = ()
    ) -> frozenset[str]:
        package = functools.partial(shadow._source_package, paths=paths)  # noqa: SLF001 - as above
        sources = ((path, data), *conftests.items())
        if all(asked.isdisjoint(list_imports(content, package(place))) for place, content in sources):
            return frozenset()
        return frozenset(of_fixtures(self, path, data, conftests, paths))

    shadow._complete_head_search = note  # noqa: SLF001 - as above
    cache.active_test_imports, cache.active_fixture_imports = test_imports, fixture_imports


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what ``ast.walk`` yields, in its order, at half the price: the same trees are walked thousands of times."""
    waiting = collections.deque((node,))
    while waiting:
        node = waiting.popleft()
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif isinstance(value, list):
                waiting.extend([each for each in value if isinstance(each, ast.AST)])
        yield node


def find_imports(source: str, package: str) -> set[str]:
    """Return each module that an import anywhere in a source may mean; ``package`` is where relative ones begin."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    parents = package.split(".") if package else []
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parents[: len(parents) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found.update((module, *(f"{module}.{alias.name}" for alias in node.names)))
    return found


if __name__ == "__main__":
    sys.exit(main())
