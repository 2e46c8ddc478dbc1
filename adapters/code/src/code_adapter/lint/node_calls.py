"""Find how the scripts of a package call a linter: with which arguments, in which folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_options import expand_pattern
from code_adapter.testing.node_workspaces import read_package
from verigate.sdk.npm_scripts import LinterCall, read_script
from verigate.sdk.npm_scripts.shell_words import Pattern

_SCRIPTS = re.compile(r"^(?:pre|post)?(?:lint|eslint|xo|biome|standard|oxlint|style|check|format|test|ci|verify|qa)\b")
_MOST_ASKED = 50
_FIXES = re.compile(r"(?:^|[:_-])(?:fix|write|staged|watch|dev|init|migrate)\b")


def find_linter_calls(files: SubjectFiles, folder: str, *linters: str) -> tuple[LinterCall, ...]:
    """Return the calls of ``linters`` in the scripts of ``folder`` that check something, each once.

    Scripts that only repair come last: their call is the answer where no other script checks.
    """
    package = read_package(files, folder)
    scripts = package.get("scripts")
    names = [name for name in scripts if _SCRIPTS.search(name)] if isinstance(scripts, Mapping) else []
    checking = [name for name in names if not _FIXES.search(name)]
    for group in (checking, names):
        found = list(_read_calls(package, group, linters))
        if found:
            return tuple(call for index, call in enumerate(found) if call not in found[:index])
    return ()


def _read_calls(package: Mapping[str, object], names: list[str], linters: tuple[str, ...]) -> Iterator[LinterCall]:
    for name in names:
        for step in read_script(package, name):
            if isinstance(step, LinterCall) and step.linter in linters:
                yield step


def read_lint_arguments(
    place: Path, call: LinterCall, dropped: re.Pattern[str], with_value: re.Pattern[str]
) -> list[str]:
    """Return the arguments of ``call`` without those that match ``dropped``, and the values of ``with_value``."""
    kept: list[str] = []
    skip = False
    for word in call.arguments:
        if skip:
            skip = False
        elif dropped.match(word):
            skip = bool(with_value.fullmatch(word))
        elif isinstance(word, Pattern):
            kept += expand_pattern(place, word)
        else:
            kept.append(word)
    return kept


def find_unprocessed(
    root: Path, place: Path, words: Sequence[str], count: Callable[[Sequence[str]], int], asked: Sequence[str]
) -> dict[str, str]:
    """Find the ``asked`` files that a linter that only counts files doesn't look at, run in ``place`` by ``words``.

    ``count`` runs it with other words. All files are counted at once, and each by itself where some are missing.
    """
    given = [word for word in words if not word.startswith("-") and (place / word).exists()]
    folders = [(place / word).resolve() for word in given] or [place.resolve()]
    options = [word for word in words if word not in given]
    near = {path: (root / path).resolve() for path in asked}
    left = {
        path: "the command of the script doesn't name its folder"
        for path, full in near.items()
        if not any(full.is_relative_to(folder) for folder in folders)
    }
    own = [path for path in asked if path not in left]
    if not own or count((*options, *(str(near[path]) for path in own))) == len(own):
        return left
    for path in own[:_MOST_ASKED]:
        if not count((*options, str(near[path]))):
            left[path] = "its settings leave it out"
    left |= dict.fromkeys(own[_MOST_ASKED:], f"it was asked about {_MOST_ASKED} files alone")
    return left
