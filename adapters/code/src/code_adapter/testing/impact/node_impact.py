"""Select the test files of jest and vitest by a change: both say themselves which tests import a file.

A test may also read a file, or name it in another way: tests in whose text the name of a changed file stands are taken
too.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath

from code_adapter.testing.impact.change import Change, Selected, WholeSuiteError
from verigate.sdk import ToolRun

SELECTING = frozenset({"jest", "vitest"})
Run = Callable[[Sequence[str]], ToolRun]
"""Runs the runner with these arguments."""

_SOURCES = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
_WIDE = re.compile(r"\.(?:config|setup|workspace)\.|^\.|^(?:jest|vitest|setup\w*|babel)[.-]|^index\.d\.ts$")
"""Names of settings, and of what runs before tests."""

_TAKES_VALUE = frozenset({"--config", "-c", "--rootDir", "--root", "--dir", "-r"})
_TEST = re.compile(r"[._](?:test|spec)\.[cm]?[jt]sx?$|/__tests__/")
_WORD = re.compile(r"[\w-]+")
_MOST = 500


def list_changed_sources(change: Change, folder: str) -> list[str]:
    """List the changed sources, relative to ``folder``. Raises WholeSuiteError where something else changed."""
    if outside := next(change.list_outside(folder), None):
        raise WholeSuiteError(f"{outside} changed, outside of the package")
    for path in sorted(change.sources):
        pure = PurePosixPath(path)
        if pure.suffix not in _SOURCES or _WIDE.search(pure.name) or "__mocks__" in pure.parts:
            raise WholeSuiteError(f"{path} changed, which may concern any test")
        if path not in change.files.known:
            raise WholeSuiteError(f"{path} is gone, and nobody can say who needed it")
    prefix = f"{folder}/" if folder else ""
    return [path.removeprefix(prefix) for path in sorted(change.sources)]


def require_no_patterns(options: Iterable[str]) -> None:
    """Raise WholeSuiteError if a script names the tests to run."""
    after = ""
    for word in options:
        if not word.startswith("-") and after not in _TAKES_VALUE and word != "run":
            raise WholeSuiteError(f"the project's script names tests: {word}")
        after = word


def select_jest(run: Run, root: Path, folder: str, change: Change) -> Selected:
    """Select jest's test files. Raises WholeSuiteError if the change may affect any."""
    changed = list_changed_sources(change, folder)
    settings = _read(run(["--showConfig"]))
    if wide := next((path for path in changed if str(root / folder / path) in settings), None):
        raise WholeSuiteError(f"{wide} changed, which jest's settings name")
    listed = _list_files(run(["--listTests", "--json"]), root)
    related = _list_files(run(["--listTests", "--json", "--findRelatedTests", *changed]), root)
    return make_selected("jest", folder, change, listed, related | find_naming(change, listed))


def list_vitest_files(run: Run, root: Path) -> frozenset[str]:
    """List vitest's test files, relative to the repository. Raises WholeSuiteError if it doesn't."""
    done = run(["list", "--filesOnly", "--json"])
    try:
        entries = json.loads(_read(done))
        return _relate((entry["file"] for entry in entries), root)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WholeSuiteError("vitest didn't list its test files") from None


def make_selected(tool: str, folder: str, change: Change, listed: frozenset[str], chosen: frozenset[str]) -> Selected:
    """Describe what was chosen of the ``listed`` files.

    Raises WholeSuiteError for none, for too many to name, and for a test that names what changed and isn't listed: the
    runner's settings are code, and may list fewer than they run.
    """
    prefix = f"{folder}/" if folder else ""
    similar = [path for path in change.files.known if path.startswith(prefix) and _TEST.search(path)]
    if unlisted := next(iter(sorted(find_naming(change, similar) - listed)), None):
        raise WholeSuiteError(f"{unlisted} names what changed, and {tool} doesn't list it")
    if not chosen & listed:
        raise WholeSuiteError("no test imports or names what changed")
    if len(chosen & listed) > _MOST:
        raise WholeSuiteError("too many files are concerned to name each")
    suffixes = tuple(sorted(_SOURCES))
    return Selected(tool, folder, "files", len(chosen & listed), len(listed), paths=chosen & listed, suffixes=suffixes)


def find_naming(change: Change, listed: Iterable[str]) -> frozenset[str]:
    """Find the test files that changed, or in whose text the name of a changed file stands."""
    names = {PurePosixPath(path).name.split(".")[0] for path in change.paths} - {"index"}
    found = (path for path in listed if path in change.paths or _names_any(change, path, names))
    return frozenset(found)


def _names_any(change: Change, path: str, names: set[str]) -> bool:
    return path in change.files.known and not names.isdisjoint(_WORD.findall(change.files.text(path)))


def _list_files(run: ToolRun, root: Path) -> frozenset[str]:
    try:
        return _relate(json.loads(_read(run)), root)
    except (ValueError, TypeError, RecursionError):
        raise WholeSuiteError("jest didn't list its test files") from None


def _relate(paths: Iterable[str], root: Path) -> frozenset[str]:
    return frozenset(posixpath.relpath(path, root) for path in paths)


def _read(run: ToolRun) -> str:
    if run.exit_code != 0 or run.truncated:
        raise WholeSuiteError("the runner didn't say which tests there are")
    return run.stdout.decode("utf-8", "surrogateescape")
