"""Read from a command line which doctests a call of pytest runs: its options, where it looks, and what it leaves out.

Sources: https://docs.pytest.org/en/stable/how-to/doctest.html, https://github.com/scientific-python/pytest-doctestplus.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from code_adapter.own_calls.own_lines import OwnLine
from code_adapter.own_calls.pytest_calls import WITH_VALUE, list_calls, split_line

ABOUT = re.compile("doctest")
"""Occurs in each file whose calls run doctests."""

MODULES = "--doctest-modules"
PLUS = frozenset({"--doctest-plus", "--doctest-rst"})
"""Options of the plug-in pytest-doctestplus."""

LENIENT = "--doctest-ignore-import-errors"
CONTINUE = "--doctest-continue-on-failure"
_GLOB = "--doctest-glob"
_SAME = {"--doctest-only": "--doctest-plus"}
_TAKEN = frozenset({MODULES, LENIENT, CONTINUE, *PLUS})
_IGNORE = frozenset({"--ignore", "--ignore-glob"})
_INSTALLED = re.compile(r"^\{(?:envsitepackagesdir|env_site_packages_dir)\}/")
_ROOT = re.compile(r"^\{(?:toxinidir|tox_root|root)\}(?:/|$)")
_ODD = re.compile(r"[${}*?\[]|::")


@dataclass(frozen=True, slots=True)
class DoctestCall:
    """The doctests of one call. Paths are words of the command line; without any it looks where pytest does."""

    line: OwnLine
    options: frozenset[str] = frozenset()
    globs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    ignored: tuple[str, ...] = field(default=())
    by_name: bool = False
    """Paths may be names of packages (``--pyargs``)."""

    @property
    def looks(self) -> tuple[str, ...]:
        """The paths in which it looks; none where it looks in all of the project."""
        return self.paths or (() if self.line.folder == "" else (".",))

    @property
    def modules(self) -> bool:
        """Whether it runs the doctests of modules."""
        return not self.options.isdisjoint({MODULES, "--doctest-plus"})


def read_calls(line: OwnLine) -> Iterator[DoctestCall]:
    """Yield the calls of pytest in a line that run doctests."""
    for place, words in list_calls(line) if ABOUT.search(line.text) else ():
        call = _read(line._replace(folder=place), words)
        if call.modules or call.globs or call.options & PLUS:
            yield call


def read_options(text: str) -> DoctestCall:
    """Read the options in ``addopts``."""
    options = next(split_line(text), []) if ABOUT.search(text) else []
    return _read(OwnLine("", ""), options)


def _read(line: OwnLine, words: list[str]) -> DoctestCall:
    options: set[str] = set()
    globs: list[str] = []
    paths: list[str] = []
    ignored: list[str] = []
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name = _SAME.get(name, name)
        if name in _TAKEN:
            options.add(name)
        elif name == _GLOB:
            globs.append(value if equals else next(left, ""))
        elif name in _IGNORE:
            ignored.append(value if equals else next(left, ""))
        elif name in WITH_VALUE and not equals:
            next(left, None)
        elif not word.startswith("-"):
            paths.append(word)
    by_name = "--pyargs" in words
    return DoctestCall(
        line, frozenset(options), tuple(filter(None, globs)), tuple(paths), tuple(filter(None, ignored)), by_name
    )


def list_candidates(word: str, call: DoctestCall) -> list[str] | None:
    """List the paths from the project's folder that a word may be, likeliest first; None if that can't be known."""
    installed = _INSTALLED.sub("", word)
    if installed != word:
        return None if _ODD.search(installed) else _list_packages(installed)
    inner = _ROOT.sub("", word)
    place = call.line.folder if inner == word else ""
    if place is None or _ODD.search(place + inner) or inner.startswith("/"):
        return None
    path = posixpath.normpath(posixpath.join(place, inner))
    if path == ".." or path.startswith("../"):
        return None
    named = _list_packages(inner.replace(".", "/")) if call.by_name and re.fullmatch(r"\w+(?:\.\w+)*", inner) else []
    return [*named, "" if path == "." else path]


def _list_packages(name: str) -> list[str]:
    plain = posixpath.normpath(name)
    return [path for each in (plain, f"{plain}.py") for path in (each, f"src/{each}")]
