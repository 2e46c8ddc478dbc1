"""Find what an option newly narrows: tests that aren't collected any more, files that aren't checked or measured."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.checks.left_out import is_harmless, matches
from code_adapter.integrity.roles import is_collected, is_test_code
from code_adapter.integrity.tools.guards import COLLECTED, NARROWED, Guard
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.finding import Weight

    Judged = Iterator[tuple[Weight, str]]


def find_narrowing(option: str, now: list[str], changes: ChangeSet, guard: Guard) -> Judged:
    """An option that wasn't there took everything; now it may take less."""
    if guard.tool == "pytest" and option == "testpaths" and now:
        left = [path for path in changes.subject_paths if path.endswith(".py") and is_collected(path)]
        left = [
            path
            for path in left
            if not any(
                path == entry or path.startswith(entry.rstrip("/") + "/") or fnmatch.fnmatchcase(path, f"{entry}/*")
                for entry in now
            )
        ]
        if left and "." not in now:
            yield "weakening", f"{left[0]} and {len(left) - 1} more are no longer collected"
    elif guard.tool == "pytest" and option == "python_files" and now:
        left = [
            path for path in changes.subject_paths if re.fullmatch(r"test_.*\.py|.*_test\.py", PurePosixPath(path).name)
        ]
        left = [path for path in left if not any(fnmatch.fnmatchcase(PurePosixPath(path).name, entry) for entry in now)]
        if left:
            yield "weakening", f"{left[0]} is no longer collected"
    elif guard.tool == "ruff" and option == "include":
        patterns = [entry.removeprefix("**/").removeprefix("./") for entry in now]
        left = [
            path for path in changes.subject_paths if language_of(path) == "python" and not _is_named(path, patterns)
        ]
        if now and left:
            yield "weakening", f"{left[0]} and {len(left) - 1} more are no longer checked"
    elif option.endswith((*PATTERNS, "include", "roots")) and guard.kind == COLLECTED:
        yield from _collects_less(now, changes)
    else:
        if guard.kind == NARROWED:
            yield from _measures_little(now, changes)
        negative = [entry for entry in now if entry.startswith("!") and not is_harmless(entry, changes, guard)]
        yield from (("weakening", f"{entry} leaves something out") for entry in negative)


def _collects_less(now: list[str], changes: ChangeSet) -> Judged:
    """Patterns of jest or vitest where there were none; one with alternatives is taken to mean everything."""
    wanted = [entry for entry in now if not entry.startswith("!")]
    if not wanted or any(sign in entry for entry in wanted for sign in "({"):
        return
    left = [path for path in _list_scripts(changes) if not any(_takes(path, entry) for entry in wanted)]
    if left:
        yield "weakening", f"{left[0]} and {len(left) - 1} more are no longer collected"


PATTERNS = ("testMatch", "test.include")
"""Options of jest and vitest that hold patterns of test files."""


def collects_fewer(entry: str, now: list[str], changes: ChangeSet) -> bool:
    """Whether a test file that a pattern took isn't taken by those that are there now; true if one can't be read."""
    if not now or any(sign in pattern for pattern in (entry, *now) for sign in "({!"):
        return True
    taken = (path for path in changes.subject_paths if language_of(path) in _SCRIPTS and _takes(path, entry))
    return any(not any(_takes(path, pattern) for pattern in now) for path in taken)


def _takes(path: str, pattern: str) -> bool:
    """Whether a glob pattern of jest or vitest, or one of jest's roots, takes a file."""
    bare = re.sub(r"^(?:<rootDir>/?|\./)", "", pattern)
    return any(matches(path, form.removeprefix("**/")) for form in (bare, bare.replace("/**/", "/")))


def _list_scripts(changes: ChangeSet) -> list[str]:
    return [path for path in changes.subject_paths if is_collected(path) and language_of(path) in _SCRIPTS]


_SCRIPTS = frozenset({"javascript", "typescript"})


def _is_named(path: str, patterns: Iterable[str]) -> bool:
    name = PurePosixPath(path).name
    return any(fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _measures_little(now: list[str], changes: ChangeSet) -> Judged:
    """What is measured now is said for the first time: it may not be tests, or a file or two, alone."""
    source = [path for path in changes.subject_paths if language_of(path) is not None and not is_test_code(path)]
    wanted = [entry for entry in now if not entry.startswith("!")]
    named = [
        path
        for path in source
        if any(
            matches(path, entry.replace(".", "/") if "/" not in entry and not language_of(entry) else entry)
            or matches(path, entry)
            for entry in wanted
        )
    ]
    if wanted and source and (not named or (len(named) < len(source) and set(wanted) <= set(source))):
        yield "weakening", f"only {', '.join(wanted)} is measured"
