"""Run checkwash (https://github.com/taipei49314/checkwash) on the change: in its own process, on clean trees.

checkwash refuses a repository with paths that aren't UTF-8, or with a changed source file above its size limit. So it
gets trees without links, submodules and such paths; the paths left out are returned and never count as examined.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.sdk import AdapterError, ToolFailed, clean_text, path_text
from verigate.sdk.subject import Repository
from verigate.sdk.tools import RunningTool, ToolRun, start_tool

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

START = Path(__file__).with_name("checkwash_start.py")
TIMEOUT_S = 300.0
MAX_FILE_BYTES = 1_000_000
"""checkwash's own limit for a file that it reads."""

MOST_LEFT_OUT = 3
_GAVE_UP_ON = re.compile(r"EngineError: .* exceeds .*\bpath='(?P<path>[^']+)'")

_WHO = {
    "GIT_AUTHOR_NAME": "verigate",
    "GIT_AUTHOR_EMAIL": "verigate@localhost",
    "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "verigate",
    "GIT_COMMITTER_EMAIL": "verigate@localhost",
    "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
}


@dataclass(frozen=True, slots=True)
class CheckwashReport:
    """checkwash's findings as it writes them, its version, and the changed paths that it didn't get.

    ``context`` is ``repository``, ``change`` if it got only the changed files and the settings, or ``none`` if it
    wasn't asked.
    """

    entries: tuple[Mapping[str, Any], ...]
    version: str
    left_out: tuple[str, ...]
    context: str = "repository"


NOT_ASKED = CheckwashReport((), "", (), "none")
"""Of a change in which it can find nothing."""

_NOT_READ = re.compile(r".*\.(?:go|rs|java|kt|rb|php|cs|md|rst|adoc)")
_READ = re.compile(r".*\.(?:py|pyi|ipynb|[cm]?[jt]sx?|vue|svelte)")


def can_find_anything(changes: ChangeSet) -> bool:
    """Whether checkwash can find anything: it reads Python, JavaScript and TypeScript, and settings of their tools.

    Other changed files matter to it as what tests in these languages read.
    """
    sides = [side for file in changes.files for side in (file.before, file.after) if side is not None]
    if all(_NOT_READ.fullmatch(side.path) and _is_shown(side) for side in sides):
        return bool(sides) and any(_READ.fullmatch(path) for path in changes.subject_paths)
    return True


def _is_shown(side: Side) -> bool:
    """Whether checkwash would get this file."""
    is_small = side.content is not None and len(side.content) <= MAX_FILE_BYTES
    return is_small and side.mode.startswith("100") and _plain(os.fsencode(side.path))


@contextlib.contextmanager
def start_checkwash(changes: ChangeSet, environ: Mapping[str, str]) -> Iterator[Callable[[], CheckwashReport]]:
    """Start checkwash on base and subject; it runs until this context ends.

    What the context yields waits for the report, and raises ToolFailed or AdapterError if there is none.
    """
    if not can_find_anything(changes):
        yield lambda: NOT_ASKED
        return
    too_large = {
        side.path
        for file in changes.files
        for side in (file.before, file.after)
        if side is not None and (side.content is None or len(side.content) > MAX_FILE_BYTES)
    }
    changed = {os.fsencode(side.path) for file in changes.files for side in (file.before, file.after) if side}
    with tempfile.TemporaryDirectory(prefix="verigate-checkwash-") as name:
        folder = Path(name)
        repository = _writable(changes.repository, folder)
        base = _entries(repository.entries("ls-tree", "-r", "-z", "--full-tree", changes.base), tree=True)
        subject = _entries(repository.entries("ls-files", "--stage", "-z"), tree=False)
        whole: tuple[_Entries, _Entries] = (_clean(base, too_large), _clean(subject, too_large))
        trees = Trees(repository, environ, folder)
        with trees.start(whole) as running:
            yield partial(_wait, running, trees, whole, changed)


def _wait(
    running: RunningTool, trees: Trees, whole: tuple[_Entries, _Entries], changed: Collection[bytes]
) -> CheckwashReport:
    try:
        context, report = "repository", _read_report(running.wait(), trees)
    except ToolFailed:
        # It gives up where a module has more importers, or a tree more files, than it wants to follow. The change
        # itself can still be judged; what is lost is the code around it, which mostly speaks for the change.
        part = tuple({path: e for path, e in side.items() if _is_part(path, changed)} for side in whole)
        context, (whole, report) = "change", _judge_what_can_be(trees, (part[0], part[1]))
    shown = set(whole[0]) | set(whole[1])
    left_out = tuple(sorted(path_text(path) for path in changed if path not in shown))
    return CheckwashReport(tuple(report["findings"]), str(report["run"]["checkwash_version"]), left_out, context)


_Entries = Mapping[bytes, tuple[str, str]]


def _is_part(path: bytes, changed: Collection[bytes]) -> bool:
    return path in changed or b"/" not in path or path.rpartition(b"/")[2] == b"conftest.py"


def _judge_what_can_be(
    trees: Trees, sides: tuple[_Entries, _Entries]
) -> tuple[tuple[_Entries, _Entries], dict[str, Any]]:
    """Judge a change without the few files for which checkwash needs more steps than it takes.

    Returns the sides that were judged. Raises ToolFailed where that isn't the cause, or too many such files change.
    """
    for _ in range(MOST_LEFT_OUT):
        try:
            return sides, trees.judge(sides)
        except ToolFailed as failed:
            named = {os.fsencode(found["path"]) for found in _GAVE_UP_ON.finditer(failed.output)}
            if named.isdisjoint(sides[0].keys() | sides[1].keys()):
                raise
            before, after = ({path: e for path, e in side.items() if path not in named} for side in sides)
            sides = (before, after)
    return sides, trees.judge(sides)


@dataclass(frozen=True, slots=True)
class Trees:
    """Where trees for checkwash are written, and checkwash is run on two of them."""

    repository: Repository
    environ: Mapping[str, str]
    folder: Path

    def judge(self, sides: tuple[_Entries, _Entries]) -> dict[str, Any]:
        """Return checkwash's report on base and subject."""
        with self.start(sides) as running:
            return _read_report(running.wait(), self)

    def start(self, sides: tuple[_Entries, _Entries]) -> AbstractContextManager[RunningTool]:
        """Start checkwash on base and subject."""
        first = _commit(self.repository, sides[0], None)
        second = _commit(self.repository, sides[1], first)
        root = self.repository.root
        env = {name: value for name, value in self.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
        env |= dict(self.repository.extra)
        # An exemption's expiry must not make the same facts differ tomorrow.
        env |= {"CHECKWASH_TODAY": "2000-01-01", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        argv = [
            sys.executable,
            "-I",
            str(START),
            "check",
            f"{first}..{second}",
            "--format",
            "json",
            "--repo",
            str(root),
        ]
        return start_tool(argv, cwd=root, timeout_s=TIMEOUT_S, env=env)


def _writable(repository: Repository, folder: Path) -> Repository:
    """The same repository with objects and index written aside."""
    (folder / "objects").mkdir()
    known = [repository.extra.get("GIT_OBJECT_DIRECTORY"), repository.objects()]
    known.append(repository.extra.get("GIT_ALTERNATE_OBJECT_DIRECTORIES"))
    extra = dict(repository.extra) | _WHO
    extra["GIT_OBJECT_DIRECTORY"] = str(folder / "objects")
    extra["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(dict.fromkeys(path for path in known if path))
    return replace(repository, extra=extra)


def _entries(listing: Iterable[bytes], *, tree: bool) -> dict[bytes, tuple[str, str]]:
    """Path -> (mode, object id): ``ls-tree`` says mode, type, id, path, and ``ls-files --stage`` mode, id, n, path."""
    found: dict[bytes, tuple[str, str]] = {}
    for entry in listing:
        head, tab, path = entry.partition(b"\t")
        if tab:
            fields = head.decode().split(" ")
            found[path] = (fields[0], fields[2] if tree else fields[1])
    return found


def _clean(entries: Mapping[bytes, tuple[str, str]], too_large: Iterable[str]) -> dict[bytes, tuple[str, str]]:
    refused = set(too_large)
    return {
        path: entry
        for path, entry in entries.items()
        if entry[0].startswith("100") and _plain(path) and path_text(path) not in refused
    }


def _plain(path: bytes) -> bool:
    try:
        name = path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return name.isprintable() and "\\" not in name and not name.startswith(".artifacts/")


def _commit(repository: Repository, entries: Mapping[bytes, tuple[str, str]], parent: str | None) -> str:
    index = {"GIT_INDEX_FILE": str(Path(repository.extra["GIT_OBJECT_DIRECTORY"]).parent / "index")}
    Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    lines = b"".join(f"{mode} {oid}\t".encode() + path + b"\0" for path, (mode, oid) in sorted(entries.items()))
    staged = replace(repository, extra=dict(repository.extra) | index)
    staged.git("update-index", "-z", "--index-info", stdin=lines)
    tree = staged.git("write-tree").stdout.decode().strip()
    parents = ["-p", parent] if parent else []
    return staged.git("commit-tree", tree, *parents, "-m", "verigate").stdout.decode().strip()


def _read_report(done: ToolRun, trees: Trees) -> dict[str, Any]:
    if done.exit_code not in {0, 1} or done.truncated:
        raise done.as_failure(f"checkwash ended with {done.ended}", where=str(trees.repository.root))
    try:
        report = json.loads(done.stdout)
        known = isinstance(report["findings"], list) and isinstance(report["run"]["checkwash_version"], str)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise AdapterError(f"checkwash's report can't be read: {error!r}") from error
    if not known:
        raise AdapterError("checkwash's report is not the one this adapter knows", hint="install checkwash 0.9")
    if report.get("config_errors"):
        raise AdapterError(
            f"checkwash's configuration can't be read: {clean_text(str(report['config_errors'][0]))}",
            hint="fix .checkwash/config.toml in the base",
        )
    return dict(report)
