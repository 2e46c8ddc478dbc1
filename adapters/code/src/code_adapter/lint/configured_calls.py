"""Calls of ruff and flake8 from the configuration: the arguments with which the project calls its linter.

Each call takes the place of the one on the whole project. A policy file holds them, so that a change that is judged
can't narrow its own lint.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import PurePosixPath

from code_adapter.subject_files import SubjectFiles
from verigate.sdk import AdapterUsageError, Request
from verigate.sdk.place_patterns import matches_place
from verigate.sdk.reports.lint import LintRun

KEY = "linter_calls"
EVERYTHING = "."
_WHERE = f"configuration of code, /{KEY}"
_OPTION = re.compile(r"(--[a-z][a-z0-9_-]*)(=.*)?", re.DOTALL)
_RUFF_VALUES = frozenset(
    f"--{name}"
    for name in (
        *("select", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "extend-per-file-ignores"),
        *("exclude", "extend-exclude", "line-length", "target-version", "dummy-variable-rgx", "extension"),
    )
)
_RUFF_FLAGS = frozenset({"--preview", "--no-preview", "--isolated", "--ignore-noqa", "--force-exclude"})
_RUFF_HINT = "options that choose rules and files are allowed, as in --select=F,E or --extend-exclude=docs/conf.py"
_FLAKE8_REFUSED = (
    *("--format", "--output-file", "--tee", "--exit-zero", "--quiet", "--verbose", "--help", "--version", "--color"),
    *("--show-source", "--no-show-source", "--statistics", "--benchmark", "--count", "--diff", "--bug-report"),
    *("--stdin-display-name", "--config", "--append-config", "--install-hook", "--filename"),
)
"""Its plug-ins have options of their own, so that the allowed ones can't be listed."""

_FLAKE8_HINT = "options that change the report or read other settings are refused; so is --filename: name the files"


@dataclass(frozen=True, slots=True)
class LintCall:
    """The arguments of one call at the root: options, each one word, and the files and folders that it names."""

    options: tuple[str, ...] = ()
    places: tuple[str, ...] = (EVERYTHING,)


def read_linter_calls(request: Request, files: SubjectFiles) -> Mapping[str, tuple[LintCall, ...]]:
    """Read the calls of each linter that has any. Raises AdapterUsageError for what can't be used."""
    entries = request.config.get(KEY, {})
    if not isinstance(entries, dict):
        raise AdapterUsageError("is not an object", where=_WHERE)
    return {tool: tuple(_read_calls(tool, listed, files)) for tool, listed in entries.items()}


def drop_repeated(linted: Iterable[LintRun], tools: Iterable[str]) -> list[LintRun]:
    """Leave out the findings of ``tools`` that an earlier call has too: two calls may look at the same file."""
    chosen = frozenset(tools)
    seen: dict[str, set[object]] = {}
    kept: list[LintRun] = []
    for run in linted:
        if run.tool in chosen:
            known = seen.setdefault(run.tool, set())
            found = tuple(each for each in run.findings if each not in known)
            known.update(found)
            kept.append(replace(run, findings=found))
        else:
            kept.append(run)
    return kept


def _read_calls(tool: str, listed: object, files: SubjectFiles) -> Iterable[LintCall]:
    where = f"{_WHERE}/{tool}"
    if tool not in _CHECKS:
        raise AdapterUsageError("is no linter with calls", where=where, hint=f"one of {', '.join(_CHECKS)}")
    if not isinstance(listed, list) or not listed:
        raise AdapterUsageError("is not a list of calls", where=where, hint='as in [["src"], ["--select=F", "tests"]]')
    return [_read_call(tool, words, files, f"{where}/{index}") for index, words in enumerate(listed)]


def _read_call(tool: str, words: object, files: SubjectFiles, where: str) -> LintCall:
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise AdapterUsageError("is not a list of arguments", where=where, hint='[".", ...] is the whole project')
    for word in words:
        if "\0" in word:
            raise AdapterUsageError("has a NUL character", where=where)
        if word.startswith("-"):
            _CHECKS[tool](word, where)
    named = [_read_place(word, files, where) for word in words if not word.startswith("-")]
    places = [path for place in named for path in _expand(place, files)]
    if any(_overlap(one, other) for one, other in combinations(places, 2)):
        raise AdapterUsageError("names a place twice", where=where, hint="leave out the inner one")
    return LintCall(tuple(word for word in words if word.startswith("-")), tuple(places) or (EVERYTHING,))


def _read_place(word: str, files: SubjectFiles, where: str) -> str:
    pure = PurePosixPath(word)
    if pure.is_absolute() or ".." in pure.parts or word.startswith("@"):
        raise AdapterUsageError(f"has {word!r}, which is no path in the repository", where=where)
    path = pure.as_posix()
    found = path == EVERYTHING or path in files.known or next(files.below(path), None) is not None
    if not found and next(iter(_expand(path, files)), path) == path:
        hint = "an option's value is written with =, as in --select=F"
        raise AdapterUsageError(f"has {word!r}, which is neither a file nor a folder of it", where=where, hint=hint)
    return path


def _expand(place: str, files: SubjectFiles) -> Iterable[str]:
    """Return the files that a place such as ``test/*.py`` names; itself if there are none."""
    if "*" not in place or place in files.known:
        return [place]
    found = sorted(path for path in files.paths if matches_place(path, place))
    return [f"./{path}" if path.startswith("-") else path for path in found] or [place]


def _overlap(one: str, other: str) -> bool:
    return EVERYTHING in {one, other} or PurePosixPath(one).is_relative_to(other) or other.startswith(f"{one}/")


def _check_ruff(word: str, where: str) -> None:
    found = _OPTION.fullmatch(word)
    if found is None or found[1] not in (_RUFF_FLAGS if found[2] is None else _RUFF_VALUES):
        raise AdapterUsageError(f"has {word!r}", where=where, hint=_RUFF_HINT)


def _check_flake8(word: str, where: str) -> None:
    """Refuse an option, also one that is shortened: argparse takes ``--exit-z`` as well."""
    found = _OPTION.fullmatch(word)
    if found is None or any(name.startswith(found[1]) for name in _FLAKE8_REFUSED):
        raise AdapterUsageError(f"has {word!r}", where=where, hint=_FLAKE8_HINT)


_CHECKS = {"ruff": _check_ruff, "flake8": _check_flake8}


def join_words(call: LintCall, places: Sequence[str] | None = None) -> tuple[str, ...]:
    """Join the arguments; ``places`` take the place of the call's own."""
    return (*call.options, *(call.places if places is None else places))
