"""Choose the test files whose own tree differs between base and subject: the file, or support and data that it uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import PurePosixPath

from code_adapter.counterfactual.test_tree import is_settings
from code_adapter.counterfactual.versions import Version

Read = Callable[[str], str]
_WORD = re.compile(r"[\w-]+")


def find_changed_tests(base: Version, head: Version) -> frozenset[str]:
    """Return the paths of the test tree, and settings of runners, whose content differs."""
    either = base.tests | head.tests
    settings = {path for path in (*base.files, *head.files) if is_settings(path)}
    return frozenset(path for path in either | settings if base.files.get(path) != head.files.get(path))


def choose_test_files(
    changed: Collection[str], tests: Collection[str], support: Collection[str], read: Read
) -> list[str]:
    """Choose those of ``tests`` that a change of ``changed`` can affect, sorted.

    ``support`` are the other sources of the test tree. A file that can't be attributed affects all tests around it.
    ``read`` returns the text of a path in either version.
    """
    known = frozenset(tests)
    chosen = {path for path in changed if path in known}
    users = _find_users([*tests, *support], read)
    for path in changed:
        if path in known or known <= chosen:
            continue
        chosen.update(_find_affected(path, known, users))
    return sorted(chosen)


def _find_affected(path: str, tests: frozenset[str], users: Callable[[str], Iterable[str]]) -> Iterator[str]:
    pure = PurePosixPath(path)
    folder = "" if str(pure.parent) == "." else str(pure.parent)
    if is_settings(path) or pure.stem in {"conftest", "__init__"}:
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
    found += [test for user in seen if user.endswith("conftest.py") for test in _below(tests, user.rpartition("/")[0])]
    yield from found or _around(tests, folder)


def _find_users(sources: Iterable[str], read: Read) -> Callable[[str], Iterable[str]]:
    """Index sources by the words in them; whoever has the stem of a file's name, or its folder's name, may use it."""
    words: dict[str, set[str]] = {}
    for source in sources:
        for word in frozenset(_WORD.findall(read(source))):
            words.setdefault(word, set()).add(source)

    def find(path: str) -> Iterable[str]:
        pure = PurePosixPath(path)
        stem = pure.name.split(".")[0]
        return words.get(stem, set()) - {path}

    return find


def _below(tests: frozenset[str], folder: str) -> Iterator[str]:
    return (test for test in tests if folder == "" or test.startswith(f"{folder}/"))


def _around(tests: frozenset[str], folder: str) -> list[str]:
    """Return the tests below the nearest folder around ``folder`` that has any."""
    while not (found := list(_below(tests, folder))) and folder:
        folder = folder.rpartition("/")[0]
    return found
