"""The commands in the words of a call: of shells, of substitutions, and of programs that run what they are given."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_ALIAS = re.compile(r"alias\.[^=]+", re.IGNORECASE)
_RUNS = frozenset({"-x", "--exec"})
_FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_START_COMMANDS = frozenset({"submodule", "bisect"})
_WATCHERS = frozenset({"watch", "parallel", "entr", "script", "su"})


def list_inner(program: str, words: Sequence[str], assignments: Sequence[str]) -> Iterator[str]:
    """List the texts that a call would run as commands."""
    for word in (*words, *assignments):
        yield from (found[1] or found[2] or "" for found in _SUBSTITUTION.finditer(word))
    if program == "eval":
        yield " ".join(words[1:])
    elif program in _SHELLS:
        for option, text in itertools.pairwise(words):
            if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
                yield text
                return
    elif program == "git":
        yield from _list_inner_of_git(words[1:])
    elif program == "find":
        for index, word in enumerate(words):
            if word in _FIND_RUNS:
                yield shlex.join(words[index + 1 :])
    elif program in _WATCHERS:
        yield from (word for word in words[1:] if " " in word)


def read_alias(name: str, value: str) -> str | None:
    """Return the command of an alias that a setting of git makes; None if it makes none."""
    if _ALIAS.fullmatch(name) is None or not value:
        return None
    return value[1:] if value.startswith("!") else f"git {value}"


def _list_inner_of_git(words: Sequence[str]) -> Iterator[str]:
    known = set(words)
    for option, value in pairwise(words):
        text = read_alias(*value.partition("=")[::2]) if option == "-c" else None
        text = read_alias(option, value) if text is None and "config" in known else text
        if text is not None:
            yield text
        elif ("rebase" in known and option in _RUNS) or ("filter-branch" in known and option.endswith("-filter")):
            yield value
    if "rebase" in known:
        yield from (word.partition("=")[2] for word in words if word.startswith("--exec="))
        yield from (word[2:] for word in words if word.startswith("-x") and len(word) > len("-x"))
    for starts, quiet in (("foreach", {"--recursive", "-q", "--quiet"}), ("run", frozenset[str]())):
        if starts in known and known & _START_COMMANDS:
            words_run = [word for word in words[words.index(starts) + 1 :] if word not in quiet]
            yield words_run[0] if len(words_run) == 1 else shlex.join(words_run)
