"""Read how many workers of pytest-xdist a project's own calls of pytest start.

Source: https://pytest-xdist.readthedocs.io/en/stable/distribution.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from code_adapter.own_calls.own_lines import list_own_lines
from code_adapter.own_calls.pytest_calls import WITH_VALUE, list_calls
from code_adapter.project_texts import ProjectTexts

_ABOUT = re.compile(r"py\.?test", re.IGNORECASE)
_ASKED = re.compile(r"(?<![\w-])-n|--numprocesses")
_NAMED = re.compile(r"-n\w*$|-d$|--(?:numprocesses|dist|tx)(?:=|$)")
_NUMBER = re.compile(r"auto|logical|[1-9]\d?")
_NAMES = {"-n": "-n", "--numprocesses": "-n", "--dist": "--dist", "--maxprocesses": "--maxprocesses"}
_VALUES = {
    "-n": _NUMBER,
    "--dist": re.compile(r"load|loadscope|loadfile|loadgroup|worksteal"),
    "--maxprocesses": re.compile(r"[1-9]\d?"),
}
_RUNS_NONE = frozenset(
    {"-h", "-V", "--cache-show", "--co", "--collect-only", "--fixtures", "--fixtures-per-test", "--funcargs"}
    | {"--help", "--markers", "--setup-only", "--setup-plan", "--version"}
)
"""Options by which pytest runs no test."""


def read_workers(files: ProjectTexts, folder: str) -> tuple[str, ...]:
    """Read the options by which the project in ``folder`` starts workers, such as ``("-n", "auto")``; () without.

    The first file that calls pytest decides, in the order of ``list_own_lines``. If one of its calls starts no workers,
    some tests may not be able to run at the same time as others, and none does.
    """
    if next(list_own_lines(files, folder, _ASKED), None) is None:
        return ()
    decides, found = "", list[tuple[str, ...]]()
    for line in list_own_lines(files, folder, _ABOUT):
        if decides and line.source != decides:
            break
        for _, words in list_calls(line):
            if _RUNS_NONE.isdisjoint(words):
                decides = line.source
                found.append(_read(words))
    return found[0] if found and all(found) else ()


def names_workers(options: Iterable[str]) -> bool:
    """Whether pytest's ``options`` are about workers."""
    return any(_NAMED.match(option) for option in options)


def _read(words: Iterable[str]) -> tuple[str, ...]:
    options = dict(_list_options(words))
    known = all(_VALUES[name].fullmatch(value) for name, value in options.items())
    return tuple(word for pair in options.items() for word in pair) if known and "-n" in options else ()


def _list_options(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if word.startswith("-n") and word != "-n":
            yield "-n", word.removeprefix("-n").removeprefix("=")
        elif name in _NAMES:
            yield _NAMES[name], value if equals else next(left, "")
        elif word in WITH_VALUE:
            next(left, None)
