"""Choose the test files whose own tree differs between base and subject: the file, or support and data that it uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import PurePosixPath

from code_adapter.counterfactual.test_tree import is_settings
from code_adapter.counterfactual.versions import Version
from code_adapter.integrity.roles import is_collected

Read = Callable[[str], str]
_WIDE = frozenset({"conftest", "__init__", "spec_helper", "test_helper", "rails_helper", "minitest_helper"})
"""What all tests below may use without naming it."""

_WORD = re.compile(r"[\w-]+")
_IMPORTED = r"/{}(?:\.[cm]?[jt]sx?|/index)?(?=['\"`\s,)]|$)"
_IMPORTS = {".py": r"\b{}\b", ".java": r"\b{}\b", ".rs": r"\bmod\s+{}\b", ".go": r"(?!){}"}
"""How a source names another one of the test tree, by the ending of that; files of a package of Go never do. Those of
one of Java need no import."""


def find_changed_tests(base: Version, head: Version) -> frozenset[str]:
    """Return the paths of the test tree, and settings of runners, whose content differs."""
    either = base.tests | head.tests
    settings = {path for path in (*base.files, *head.files) if is_settings(path)}
    return frozenset(path for path in either | settings if base.files.get(path) != head.files.get(path))


def choose_test_files(
    changed: Collection[str], tests: Collection[str], support: Collection[str], read: Read
) -> list[str]:
    """Choose those of ``tests`` that a change of ``changed`` can affect, sorted.

    ``support`` are the other sources of the test tree, and the settings of runners. A file that can't be attributed
    affects all tests around it; a test file, also of another runner, only those that name it. ``read`` returns the text
    of a path in either version.
    """
    known = frozenset(tests)
    chosen = {path for path in changed if path in known}
    users = _find_users([*tests, *support], known, read)
    for path in changed:
        if known <= chosen:
            break
        chosen.update(_find_affected(path, known, users))
    return sorted(chosen)


def _find_affected(path: str, tests: frozenset[str], users: Callable[[str], Iterable[str]]) -> Iterator[str]:
    pure = PurePosixPath(path)
    folder = "" if str(pure.parent) == "." else str(pure.parent)
    if is_settings(path) or pure.stem in _WIDE:
        yield from _below(tests, folder)
        return
    seen: set[str] = set()
    waiting = [path]
    while waiting:
        for user in users(waiting.pop()):
            if user not in seen:
                seen.add(user)
                waiting.append(user)
    found = [user for user in seen if user in tests]
    wide = (user for user in seen if user.endswith("conftest.py") or is_settings(user))
    found += [test for user in wide for test in _below(tests, user.rpartition("/")[0])]
    yield from found or (() if path in tests or is_collected(path) else _around(tests, folder))


def _find_users(sources: Iterable[str], tests: frozenset[str], read: Read) -> Callable[[str], Iterable[str]]:
    """Index sources by the words in them; whoever has the stem of a file's name may use it.

    Names of test files are words that other tests have as well: these are used by whoever imports them.
    """
    words: dict[str, set[str]] = {}
    for source in sources:
        for word in frozenset(_WORD.findall(read(source))):
            words.setdefault(word, set()).add(source)

    def find(path: str) -> Iterable[str]:
        pure = PurePosixPath(path)
        if path not in tests:
            return words.get(pure.name.split(".")[0], set()) - {path}
        name = pure.parent.name if pure.stem in {"mod", "index"} else pure.stem
        pattern = re.compile(_IMPORTS.get(pure.suffix, _IMPORTED).format(re.escape(name)))
        found = words.get(name.split(".")[0], set()) - {path}
        return [user for user in found if pattern.search(read(user))]

    return find


def _below(tests: frozenset[str], folder: str) -> Iterator[str]:
    return (test for test in tests if folder == "" or test.startswith(f"{folder}/"))


def _around(tests: frozenset[str], folder: str) -> list[str]:
    """Return the tests below the nearest folder around ``folder`` that has any."""
    while not (found := list(_below(tests, folder))) and folder:
        folder = folder.rpartition("/")[0]
    return found
