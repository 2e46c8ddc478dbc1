"""Add the doctests of a project's own calls of pytest to the gate's call, and nothing that these calls don't run.

The gate's call collects what it would without; pytest then collects doctests as well. A plug-in drops those that lie
outside of the paths of the own calls: a module that none of these imports may not be importable.
"""

from __future__ import annotations

import json
import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from code_adapter.detection import Unexamined
from code_adapter.excluded_tools import is_excluded
from code_adapter.own_calls.doctests import (
    ABOUT,
    CONTINUE,
    LENIENT,
    MODULES,
    PLUS,
    DoctestCall,
    read_calls,
    read_options,
)
from code_adapter.own_calls.own_lines import list_own_lines
from code_adapter.own_calls.paths import resolve_ignored, resolve_path
from code_adapter.pytest_settings import read_pytest_options, read_test_paths
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, clean_text, path_text

PLUGIN = Path(__file__).parent / "pytest_plugin" / "verigate_doctests.py"
LOAD_PLUGIN = f"import sys; sys.path.append({str(PLUGIN.parent)!r}); import {PLUGIN.stem}"
"""Imports the plug-in, before the subject can, and makes it importable by workers of xdist, which get the path."""

WHAT = "doctests"
NEEDS = "pytest_doctestplus"
_TEXTS = (".txt", ".rst")
"""Files with these ends are doctests where a call names them."""

_DEFAULT_GLOB = "test*.txt"


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where doctests are run: below ``roots``, from the project's folder ("" is all of it), but not in ``ignored``."""

    modules: bool
    globs: tuple[str, ...]
    roots: tuple[str, ...]
    ignored: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it is all that pytest collects."""
        return "" in self.roots and not self.ignored


@dataclass(frozen=True, slots=True)
class Doctests:
    """The arguments by which pytest runs the doctests, and those that aren't run.

    ``where`` is for a call without paths; with paths pytest gets ``options`` alone.
    """

    options: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    unexamined: tuple[Unexamined, ...] = ()

    @property
    def then(self) -> str:
        """Code that has to run before pytest does."""
        return LOAD_PLUGIN if PLUGIN.stem in self.options else ""


def find_doctests(request: Request, files: SubjectFiles, folder: str, *, has_plus: bool) -> Doctests:
    """Find the doctests of the project in ``folder`` that its settings of pytest don't run anyway."""
    own = read_options(read_pytest_options(files, folder) or "")
    found = _Found(request, files, folder, own, has_plus=has_plus)
    for line in list_own_lines(files, folder, ABOUT):
        for call in read_calls(line):
            found.add(call)
    unexamined = found.list_unexamined()
    if not found.scopes:
        return Doctests(unexamined=unexamined)
    return Doctests(_make_options(own, found), _make_where(files, folder, found.named), unexamined)


def list_own_doctests(files: SubjectFiles, folder: str, why: str) -> Iterator[Unexamined]:
    """List the files whose calls run doctests, where nothing runs them, and ``why``."""
    sources = {call.line.source for line in list_own_lines(files, folder, ABOUT) for call in read_calls(line)}
    return (Unexamined(WHAT, path_text(source), why) for source in sorted(sources))


@dataclass
class _Found:
    """The calls that run more than pytest's ``own`` settings do, where each looks, and what isn't run."""

    request: Request
    files: SubjectFiles
    folder: str
    own: DoctestCall
    has_plus: bool
    calls: list[DoctestCall] = field(default_factory=list)
    scopes: list[_Scope] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    unknown: set[Unexamined] = field(default_factory=set)
    """Paths of calls that nobody knows."""
    left_out: set[Unexamined] = field(default_factory=set)

    def add(self, call: DoctestCall) -> None:
        """Add a call of the project."""
        settings = {MODULES, *self.own.options} if self.own.modules else self.own.options
        globs = tuple(glob for glob in call.globs if glob not in self.own.globs)
        new = replace(call, options=call.options - settings, globs=globs)
        if not (new.modules or new.globs or new.options & PLUS):
            return
        if why := self._explain_left_out(new):
            self.left_out.add(Unexamined(WHAT, path_text(call.line.source), why))
            return
        known = self._resolve(call)
        if not known:
            return
        texts = tuple(sorted(root for root in known if root.endswith(_TEXTS)))
        globs = (*new.globs, *(("*",) if "--doctest-rst" in new.options else ()), *texts)
        ignored = [resolve_ignored(word, call) for word in call.ignored]
        self.scopes.append(_Scope(new.modules, globs, tuple(sorted(known)), tuple(filter(None, ignored))))
        self.calls.append(replace(new, globs=(*new.globs, *texts)))
        self.named |= known if call.looks else set()

    def list_unexamined(self) -> tuple[Unexamined, ...]:
        """List what isn't run. A path that isn't known is below all that another call runs."""
        runs_all = any(scope.is_open and scope.modules for scope in self.scopes)
        return tuple(sorted(self.left_out | (set() if runs_all else self.unknown)))

    def _explain_left_out(self, call: DoctestCall) -> str:
        if is_excluded(self.request, WHAT, path_text(call.line.source)):
            return "the configuration excludes them"
        if call.options & PLUS and not self.has_plus:
            return "pytest-doctestplus is not installed in the project's environment"
        return ""

    def _resolve(self, call: DoctestCall) -> set[str]:
        """Find what a call names; "" is where pytest looks without a path."""
        words = call.looks
        found = {word: resolve_path(self.files, self.folder, word, call) for word in words}
        for word in (word for word, path in found.items() if path is None):
            why = clean_text(f"pytest is called with a path that isn't known here: {word}")
            self.unknown.add(Unexamined(WHAT, path_text(call.line.source), why))
        return {path for path in found.values() if path is not None} if words else {""}


def _make_options(own: DoctestCall, found: _Found) -> tuple[str, ...]:
    calls = found.calls
    flags = {option for call in calls for option in call.options} - {LENIENT}
    flags -= {CONTINUE} if CONTINUE in own.options else set()
    if any(call.modules for call in calls) and all(LENIENT in call.options for call in calls if call.modules):
        flags.add(LENIENT)
    globs = dict.fromkeys(glob for call in calls for glob in call.globs)
    if globs and not own.globs:
        # What pytest takes without any option.
        globs = dict.fromkeys([_DEFAULT_GLOB, *globs])
    options = (*sorted(flags), *(f"--doctest-glob={glob}" for glob in globs))
    if all(scope.is_open for scope in found.scopes):
        return options
    before = _Scope(own.modules, own.globs or (_DEFAULT_GLOB,), ("",))
    scopes = json.dumps([asdict(scope) for scope in dict.fromkeys((before, *found.scopes))])
    return (*options, "-p", PLUGIN.stem, f"--verigate-doctests={scopes}")


def _make_where(files: SubjectFiles, folder: str, named: set[str]) -> tuple[str, ...]:
    """Make the arguments that let pytest come to the paths that calls name, where its settings say where tests are."""
    paths: Sequence[str] = read_test_paths(files, folder)
    missing = [root for root in sorted(named) if not any(_is_within(root, path) for path in paths)]
    if not paths or not missing:
        return ()
    return ("-o", "testpaths=" + shlex.join([*paths, *(root or "." for root in missing)]))


def _is_within(root: str, path: str) -> bool:
    top = posixpath.normpath(path)
    return top in {".", root} or root.startswith(f"{top}/") or fnmatchcase(root, f"{top}/*")
