"""The options of ``go test`` in the target ``test`` of a Makefile: how the project's developers run its tests."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

_RULE = re.compile(r"^(?P<names>[\w ./-]+?)\s*:(?![:=])(?P<needs>[^=#\n]*)$")
_GO = frozenset({"go", "$(GO)", "${GO}"})
_SWITCHES = frozenset({"-race", "-short", "-msan", "-asan", "-cover"})
_WITH_VALUE = frozenset(
    {"-tags", "-timeout", "-parallel", "-p", "-cpu", "-ldflags", "-gcflags", "-vet", "-shuffle"}
    | {"-covermode", "-coverpkg"}
)
"""None of them chooses tests by name. ``-short`` and ``-tags`` show in the number of tests and of skipped ones.

Those of coverage decide what is compiled: what the developer compiled is known to go by the same options alone.
"""

_PROFILE = "-coverprofile"
"""Only where the report goes; it implies -cover."""

_DEEPEST = 5


def read_go_options(makefile: str) -> tuple[str, ...]:
    """Return the options of the first ``go test`` over ``./...`` that ``make test`` reaches, without variables."""
    rules = _read_rules(makefile)
    for line in _list_commands(rules, "test", _DEEPEST):
        try:
            words = shlex.split(line.lstrip("@-+ \t"))
        except ValueError:
            continue
        for place, word in enumerate(words):
            if word in _GO and words[place + 1 : place + 2] == ["test"] and "./..." in words[place:]:
                return tuple(_choose(words[place + 2 :]))
    return ()


def is_about_coverage(option: str) -> bool:
    """Whether an option of ``read_go_options`` is about coverage; each of them has its value behind a ``=``."""
    return option.lstrip("-").startswith("cover")


def _read_rules(makefile: str) -> dict[str, tuple[list[str], list[str]]]:
    """Return target -> (prerequisites, lines of the recipe)."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    current: list[tuple[list[str], list[str]]] = []
    for line in makefile.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for _, recipe in current:
                recipe.append(line.strip())
        elif match := _RULE.match(line):
            current = [rules.setdefault(name, ([], [])) for name in match["names"].split()]
            for prerequisites, _ in current:
                prerequisites.extend(match["needs"].split())
        elif line.strip() and not line.startswith("#"):
            current = []
    return rules


def _list_commands(rules: dict[str, tuple[list[str], list[str]]], target: str, depth: int) -> Iterator[str]:
    needs, recipe = rules.get(target, ([], []))
    if depth:
        for name in needs:
            yield from _list_commands(rules, name, depth - 1)
    yield from recipe


def _choose(words: list[str]) -> Iterator[str]:
    expected = ""
    for word in words:
        if word in {";", "&&", "||", "|", "./..."}:
            return
        if expected:
            if expected != _PROFILE and "$" not in word:
                yield from (f"{expected}={word}",) if is_about_coverage(expected) else (expected, word)
            expected = ""
            continue
        name, separator, value = word.replace("--", "-", 1).partition("=")
        if name == _PROFILE:
            yield "-cover"
            expected = "" if separator else name
        elif name in _SWITCHES:
            yield word
        elif name in _WITH_VALUE and not separator:
            expected = name
        elif name in _WITH_VALUE and "$" not in value:
            yield word
