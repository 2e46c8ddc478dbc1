"""Select the packages of a Go module whose tests a change can affect, by what ``go list`` says they are made of."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from code_adapter.testing.impact.change import Change, Selected, WholeSuiteError
from code_adapter.toolchains.go import run_go
from verigate.sdk import Request

_FIELDS = "ImportPath,Dir,ForTest,Deps,TestGoFiles,XTestGoFiles"
_TEST = ".test"
_RUNS_GO = re.compile(r"""\bexec\.Command(?:Context)?\([^)]*"go\"""")
"""A test that compiles programs itself may need any package."""


def select_go_packages(request: Request, folder: str, change: Change) -> tuple[Selected, tuple[str, ...]]:
    """Select the packages of the module in ``folder``, and name them for ``go test``.

    Raises WholeSuiteError if any may be affected, ToolFailed where go lacks a module.
    """
    if outside := next(change.list_outside(folder), None):
        raise WholeSuiteError(f"{outside} changed, outside of the module")
    packages = _list_packages(request, folder)
    own = {_locate(request, entry): name for name, entry in packages.items() if not name.endswith(_TEST)}
    tested = {name.removesuffix(_TEST): entry for name, entry in packages.items() if name.endswith(_TEST)}
    changed = {_find_package(path, own) for path in change.sources}
    folders = {name: place for place, name in own.items()}
    chosen = {
        name
        for name, entry in tested.items()
        if not changed.isdisjoint({name, *map(_strip, entry.get("Deps") or ())})
        or _runs_go(change, packages.get(name, {}), folders.get(name, ""))
    }
    if not chosen:
        raise WholeSuiteError("no package's tests are made of what changed")
    places = {folders[name] for name in chosen if name in folders}
    paths = frozenset(
        path for path in change.files.below(folder) if path.endswith("_test.go") and posixpath.dirname(path) in places
    )
    selected = Selected("go test", folder, "packages", len(chosen), len(tested), paths=paths, suffixes=("_test.go",))
    return selected, tuple(sorted(chosen))


def _list_packages(request: Request, folder: str) -> Mapping[str, Mapping[str, Any]]:
    """List the packages of the module, and their tests as ``NAME.test``, without the variants that tests need."""
    run = run_go(request, folder, ("go", "list", "-test", f"-json={_FIELDS}", "./..."))
    if run.exit_code != 0 or run.truncated:
        raise WholeSuiteError("go didn't list the module's packages")
    found = list(_read_stream(run.stdout.decode("utf-8", "surrogateescape")))
    return {entry["ImportPath"]: entry for entry in found if " " not in entry["ImportPath"]}


def _read_stream(text: str) -> Iterator[Mapping[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        try:
            entry, at = decoder.raw_decode(text, at)
        except ValueError:
            raise WholeSuiteError("go's list of packages can't be read") from None
        yield entry
        while at < len(text) and text[at].isspace():
            at += 1


def _locate(request: Request, entry: Mapping[str, Any]) -> str:
    """Return the package's folder in the repository; one outside is none of its files'."""
    place = posixpath.relpath(entry.get("Dir") or "/", request.repo_root.resolve())
    return "" if place == "." else place


def _find_package(path: str, own: Mapping[str, str]) -> str:
    pure = PurePosixPath(path)
    package = own.get("" if str(pure.parent) == "." else str(pure.parent))
    if pure.suffix != ".go" or package is None:
        raise WholeSuiteError(f"{path} changed, which may concern any package")
    return package


def _strip(name: str) -> str:
    """Return the import path of ``example.com/a [example.com/b.test]``."""
    return name.partition(" ")[0]


def _runs_go(change: Change, entry: Mapping[str, Any], folder: str) -> bool:
    names = (*(entry.get("TestGoFiles") or ()), *(entry.get("XTestGoFiles") or ()))
    paths = (posixpath.join(folder, name) for name in names)
    return any(_RUNS_GO.search(change.files.text(path)) for path in paths if path in change.files.known)
