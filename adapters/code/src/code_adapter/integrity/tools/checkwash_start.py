"""Start checkwash with what makes it faster and finds the same: git's answers are kept, and fewer tests are read twice.

It is a program of its own: ``python checkwash_start.py ARGUMENTS`` is ``python -m checkwash ARGUMENTS``.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import functools
import gc
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

_SETTLED = frozenset({"cat-file", "ls-tree", "rev-parse"})
"""What they answer can't change in a run: it compares two commits, by their ids."""

_WORD = re.compile(r"\w+")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
"""A line as Python's parser counts it."""

_RELATIVE = re.compile(r"\bfrom[\s\\]*\.")


def main() -> int:
    """Run checkwash with this process's arguments; returns its exit code."""
    # What is made while loading stays; looking for garbage among it takes time.
    gc.disable()
    from checkwash import engine, shadow
    from checkwash.cli import main as checkwash
    from checkwash.frontends.python import standin_installations

    gc.freeze()
    gc.enable()
    remember(_SETTLED)
    read_importers_alone(shadow)
    trace_changed_tests_alone(engine, standin_installations)
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


def trace_changed_tests_alone(engine: Any, installations: Any) -> None:
    """Let the search for new stand-ins follow only the tests that can do something new, not all of a changed file.

    It follows what each test does in base and in subject, through its file and the conftests, and reports what it does
    in the subject alone. A test does the same where its text is the same, and so is all that it can reach.
    """
    search, observe = engine.installation_events, installations._observed_for_test  # noqa: SLF001 - no other way in
    describe = functools.lru_cache(maxsize=4)(describe_tests)
    waiting: dict[str, Observed] = {}
    same_modules = True

    @functools.wraps(search)
    def note(ir: Any, changes: Sequence[Any], config: Any, **readers: Any) -> Any:
        nonlocal same_modules
        come_or_gone = [change.path for change in changes if change.before is None or change.after is None]
        same_modules = all(config.role_of(path) == "test" for path in come_or_gone if path.endswith(".py"))
        return search(ir, changes, config, **readers)

    @functools.wraps(observe)
    def follow(modules: Sequence[Any], path: str, name: str, context: Any, side: int, *rest: Any) -> Iterable[Any]:
        sources = tuple((each.path, each.source) for each in modules)
        if side == 0:
            waiting[name] = Observed(sources, functools.partial(observe, modules, path, name, context, side, *rest))
            return waiting[name]
        before = waiting.pop(name)
        if same_modules and does_the_same(describe(before.sources, path), describe(sources, path), name):
            before.observe = frozenset
            return ()
        return frozenset(observe(modules, path, name, context, side, *rest))

    engine.installation_events, installations._observed_for_test = note, follow  # noqa: SLF001 - as above


_Sources = tuple[tuple[str, str], ...]


@dataclasses.dataclass
class Observed:
    """What a test of the base does: it is asked for after the subject's form was followed."""

    sources: _Sources
    observe: Callable[[], Iterable[Any]]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.observe())


@dataclasses.dataclass(frozen=True, eq=False)
class Described:
    """A test file: the text of each test by its qualified name, what each import binds, and all other text.

    ``rest`` is that text of the file, and the text of each of its conftests, by path.
    """

    tests: Mapping[str, str]
    imports: Mapping[str, Sequence[str]]
    rest: _Sources


def describe_tests(sources: _Sources, path: str) -> Described | None:
    """Describe the file ``path`` of ``sources``, which are pairs of path and text. None if two tests have one name."""
    text = dict(sources)[path]
    lines = _LINE.findall(text)
    body = ast.parse(text).body
    tests: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    rest: list[str] = []
    end = 0
    for name, node in sorted([*find_tests(body), *find_imports_alone(body)], key=lambda each: each[1].lineno):
        decorators = [] if isinstance(node, (ast.Import, ast.ImportFrom)) else node.decorator_list
        start = min(each.lineno for each in (node, *decorators)) - 1
        if name in tests or start < end or node.end_lineno is None:
            return None
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for bound, meaning in bind(node):
                imports.setdefault(bound, []).append(meaning)
        else:
            tests[name] = "".join(lines[start : node.end_lineno])
        rest += lines[end:start]
        end = node.end_lineno
    around = "".join(line for line in [*rest, *lines[end:]] if line.strip())
    others = (source for source in sources if source[0] != path)
    return Described(tests, imports, ((path, around), *others))


def find_tests(
    body: Iterable[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Find functions named like tests, in the file itself and in its classes, with their qualified names."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from find_tests(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            yield f"{prefix}{node.name}", node


def find_imports_alone(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    """Find the imports of a file that share no line with another statement, each with an empty name."""
    used = collections.Counter(line for node in body for line in {node.lineno, node.end_lineno})
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and used[node.lineno] == used[node.end_lineno] == 1:
            yield "", node


def bind(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield each name that an import binds, with what it means."""
    source = f"{'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        yield alias.asname or alias.name.partition(".")[0], source + alias.name


def does_the_same(before: Described | None, after: Described | None, name: str) -> bool:
    """Whether a test can't do anything new: its text is the same, and so is all that it names."""
    if before is None or after is None or before.tests.get(name) != after.tests.get(name, ""):
        return False
    changed = find_changed_names(before, after)
    return changed is not None and changed.isdisjoint(_WORD.findall(after.tests[name]))


@functools.lru_cache(maxsize=2)
def find_changed_names(before: Described, after: Described) -> frozenset[str] | None:
    """Find the names that imports bind to something else. None if other text changed, or names one of these.

    Likewise if anything names a test that changed, but the line that defines it: it may call it.
    """
    bound = {name for side in (before, after) for name in side.imports}
    bound = {name for name in bound if before.imports.get(name) != after.imports.get(name)}
    around = [text for side in (before, after) for _, text in side.rest]
    if before.rest != after.rest or "*" in bound or not bound.isdisjoint(_WORD.findall("\n".join(around))):
        return None
    names = [*before.tests, *after.tests]
    changed = {name.rpartition(".")[2] for name in names if before.tests.get(name) != after.tests.get(name)}
    defined = collections.Counter(name.rpartition(".")[2] for name in names)
    texts = "\n".join([*around, *before.tests.values(), *after.tests.values()])
    named = collections.Counter(word for word in _WORD.findall(texts) if word in changed)
    return frozenset(bound) if all(named[name] == defined[name] for name in changed) else None


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
