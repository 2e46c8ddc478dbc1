"""Find doctests that the project's calls of pytest ran, and that no call runs any more: an option is gone, or a path.

Settings of pytest and own calls are taken together, since an option may move from one to another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.tools.pytest import FILES
from code_adapter.own_calls.doctests import ABOUT, MODULES, DoctestCall, read_calls, read_options
from code_adapter.own_calls.own_lines import NAMES, list_own_lines
from code_adapter.own_calls.paths import resolve_ignored, resolve_path
from code_adapter.pytest_settings import read_pytest_options
from verigate.sdk.pipelines import is_pipeline

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_SKIPPED = re.compile(r"\s*((?:>>>|\.\.\.) .*?)\s*#\s*doctest:.*\+SKIP\b")
_Runs = dict[tuple[str, str], str]
"""Option and path ("" is wherever pytest looks) -> the file that says so."""


@dataclass(frozen=True)
class _Texts:
    """The files of one side."""

    paths: frozenset[str]
    read: Callable[[str], bytes | None]

    @cached_property
    def known(self) -> frozenset[str]:
        return self.paths

    def text(self, path: str) -> str:
        return (self.read(path) or b"").decode("utf-8", "replace") if path in self.paths else ""

    def toml(self, path: str) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text(path))
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}

    def below(self, folder: str) -> Iterator[str]:
        prefix = f"{folder}/" if folder else ""
        return (path for path in self.paths if path.startswith(prefix))


def find_dropped_doctests(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find doctests that ran in base, and that neither pytest's settings nor a call of the subject runs."""
    changed = {side.path for file in changes.files for side in (file.before, file.after) if side is not None}
    folders = {path.rpartition("/")[0] for path in changed if path.rpartition("/")[2] in {*NAMES, *FILES}}
    folders |= {"" for path in changed if is_pipeline(path)}
    if not folders:
        return
    before = _Texts(changes.base_paths, changes.at_base)
    after = _Texts(frozenset(changes.subject_paths), changes.at_subject)
    for folder in sorted(folders):
        ran, ignored = _list_runs(before, folder)
        runs, ignores = _list_runs(after, folder) if ran else ({}, {})
        for (option, path), source in sorted(ran.items()):
            if _is_gone(after, folder, path) or any(_covers(option, path, other) for other in runs):
                continue
            where = f" in {path}" if path else ""
            message = f"doctests are no longer run{where}: {option} is gone"
            yield _narrowed(source, message, "doctests-gone", Forms(f"{option} {path}", None))
        for path, source in sorted(ignores.items()):
            if path not in ignored:
                message = f"doctests are no longer run in {path}: it is ignored"
                yield _narrowed(source, message, "doctests-ignored", Forms(None, f"--ignore {path}"))


def find_skipped_doctests(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find examples of base that the subject's file has with a directive to skip them; new ones may have it."""
    for before, after, (line, example) in changes.newly(_list_skipped):
        if before is not None and example in {each.strip() for each in text(before).splitlines()}:
            message = f"an example of a doctest is skipped now: {example}"
            forms = Forms(example, f"{example}  # doctest: +SKIP")
            yield IntegrityFinding("test_skipped", after.path, line, message, "weakening", "doctest-skip", forms=forms)


def _list_skipped(side: Side | None) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text(side).splitlines(), start=1):
        if found := _SKIPPED.match(line):
            yield number, found[1]


def _narrowed(path: str, message: str, rule: str, forms: Forms) -> IntegrityFinding:
    return IntegrityFinding("test_collection_narrowed", path, None, message, "weakening", rule, forms=forms)


def _list_runs(texts: _Texts, folder: str) -> tuple[_Runs, dict[str, str]]:
    """List what runs doctests, and what calls that do so leave out."""
    runs: _Runs = {}
    ignored: dict[str, str] = {}
    prefix = f"{folder}/" if folder else ""
    settings = next((prefix + name for name in FILES if "doctest" in texts.text(prefix + name)), "")
    own = read_options(read_pytest_options(texts, folder) or "")
    calls = [call for line in list_own_lines(texts, folder, ABOUT) for call in read_calls(line)]
    for call in (own, *calls):
        source = call.line.source or settings
        for option in _list_options(call):
            for word in call.paths or ("",):
                path = resolve_path(texts, folder, word, call) if word else ""
                runs.setdefault((option, word if path is None else path), source)
        for word in call.ignored if call is not own else ():
            ignored.setdefault(resolve_ignored(word, call) or word, source)
    return runs, ignored


def _list_options(call: DoctestCall) -> Iterator[str]:
    if call.modules:
        yield MODULES
    yield from (f"--doctest-glob={glob}" for glob in call.globs)
    if "--doctest-rst" in call.options:
        yield "--doctest-rst"


def _is_gone(after: _Texts, folder: str, path: str) -> bool:
    """Whether the subject has nothing at this path: there is nothing to run."""
    whole = f"{folder}/{path}".strip("/")
    return bool(path) and whole not in after.known and next(after.below(whole), None) is None


def _covers(option: str, path: str, other: tuple[str, str]) -> bool:
    return other[0] == option and (not other[1] or path == other[1] or path.startswith(f"{other[1]}/"))
