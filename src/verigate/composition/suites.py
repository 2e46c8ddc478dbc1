"""Compare the suite of a repository inside the sandbox and outside, with the parts of this machine."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from verigate.composition import services, today
from verigate.config.baseline import read_baseline
from verigate.domain.suite_comparison import SuiteExamination, SuiteResult
from verigate.errors import UsageError
from verigate.processes.failed_calls import find_failed_call_tracer
from verigate.processes.sandbox import find_secret_stores
from verigate.subject.git_query import read_git_lines
from verigate.usecases.compare_suites import compare_suites
from verigate.usecases.failure_causes import Machine
from verigate.usecases.suite_bench import FirstRun, SuiteBench, find_dirty_paths
from verigate.usecases.suite_fixes import SuiteFix, plan_fixes
from verigate.user_folders import UserFolders

_CONNECT_S = 0.3
_GIVEN = frozenset({".git", ".artifacts", "config", ".venv", "venv", "node_modules", "target", ".tox", ".nox"})
"""Names that a checkout has already, or that no grant opens."""


class ExaminedSuite(Struct, frozen=True):
    """What was found, the files that would settle it, and the adapter that runs the suite."""

    found: SuiteExamination
    fixes: tuple[SuiteFix, ...]
    adapter: str


def examine_suite(
    root: Path,
    environ: Mapping[str, str],
    agree: Callable[[SuiteResult], bool],
    report: Callable[[str], None],
    first: FirstRun | None = None,
) -> ExaminedSuite:
    """Compare the suite of the current commit; ``first`` is its run inside if there was one.

    Raises UsageError where tracked files differ from the commit.
    """
    dirty = find_dirty_paths(root, environ)
    if dirty.changed:
        raise UsageError(
            f"the working tree differs from the current commit: {', '.join(dirty.changed[:5])}",
            where=str(root),
            hint="commit or stash the changes: what is compared is the commit, inside and outside",
        )
    if dirty.untracked:
        report(f"outside alone, as git doesn't track it: {', '.join(dirty.untracked[:5])}")
    baseline = read_baseline(root, today())
    known = (
        frozenset(entry.key for entry in baseline.tests if not baseline.has_expired(entry)) if baseline else frozenset()
    )
    bench = SuiteBench(root, services(root), find_failed_call_tracer(environ), first)
    found = compare_suites(bench, agree, lambda home: _describe_machine(root, environ, home), report, known)
    return ExaminedSuite(found, plan_fixes(root, found, bench.adapter, today()), bench.adapter)


def _describe_machine(root: Path, environ: Mapping[str, str], private_home: str) -> Machine:
    own = UserFolders(environ)
    closed = [*find_secret_stores(environ), *filter(None, (own.state(), own.cache(), own.config()))]

    def is_secret(path: str) -> bool:
        real = os.path.realpath(path)
        return any(
            real == folder or real.startswith(f"{folder}/") or folder.startswith(f"{real.rstrip('/')}/")
            for folder in closed
        )

    return Machine(
        root=str(root),
        home=environ.get("HOME", ""),
        private_home=private_home,
        environ=environ,
        exists=os.path.exists,
        is_secret=is_secret,
        ignored=_find_ignored(root, environ),
        listens=cache(_is_listening),
        mentioned=lambda names: _find_mentioned(root, environ, names),
        finds_program=cache(lambda name: shutil.which(name, path=environ.get("PATH", os.defpath)) is not None),
    )


def _find_ignored(root: Path, environ: Mapping[str, str]) -> Callable[[str], str | None]:
    """Return what finds the topmost path that git doesn't track, of a clean working tree."""

    @cache
    def list_tracked() -> tuple[frozenset[str], frozenset[str]]:
        files = frozenset(read_git_lines(root, environ, "ls-files"))
        folders = {"/".join(path.split("/")[:depth]) for path in files for depth in range(1, path.count("/") + 1)}
        return files, frozenset(folders)

    def find(path: str) -> str | None:
        files, folders = list_tracked()
        parts = path.split("/")
        if path in files or path in folders or not _GIVEN.isdisjoint(parts):
            return None
        for depth in range(1, len(parts) + 1):
            start = "/".join(parts[:depth])
            if start not in folders:
                place = str(root / start)
                return start if os.path.realpath(place) == place else None
        return None

    return find


def _is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), _CONNECT_S).close()
    except OSError:
        return False
    return True


def _find_mentioned(root: Path, environ: Mapping[str, str], names: Sequence[str]) -> Sequence[str]:
    """Find the names that stand as words in the tracked files."""
    patterns = [word for name in names for word in ("-e", name)]
    found = read_git_lines(root, environ, "grep", "-h", "-o", "-w", "-I", "-F", *patterns)
    return sorted(set(found) & set(names))
