"""Find the calls of pytest in a command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from code_adapter.own_calls.own_lines import OwnLine, move

_PYTEST = re.compile(r"(?:.*/)?py\.?test|\$[({]PYTEST[)}]|\$PYTEST")
WITH_VALUE = frozenset(
    {"-c", "-k", "-m", "-n", "-o", "-p", "-r", "-W", "--assert", "--basetemp", "--benchmark-json", "--capture"}
    | {"--color", "--confcutdir", "--config-file", "--cov", "--cov-config", "--cov-fail-under", "--cov-report"}
    | {"--deselect", "--dist", "--durations", "--html", "--import-mode", "--junit-prefix", "--junit-xml", "--junitxml"}
    | {"--log-cli-level", "--log-file", "--log-level", "--maxfail", "--maxprocesses", "--numprocesses"}
    | {"--override-ini", "--pythonwarnings", "--reruns", "--reruns-delay", "--rootdir", "--show-capture", "--tb"}
    | {"--timeout", "--timeout-method", "--tx", "--verbosity", "--doctest-report"}
)
"""Options whose value may be the next word; what is a path among them isn't where tests are."""
_INSTALLS = frozenset({"install", "add"})
"""Words before the name of pytest that make it a package to be installed."""


def list_calls(line: OwnLine) -> Iterator[tuple[str | None, list[str]]]:
    """List the calls of pytest in a line: the folder that each starts in, as in ``OwnLine``, and its arguments."""
    place = line.folder
    for words in split_line(line.text):
        if words[:1] == ["cd"]:
            place = move(place, words[1:2])
        start = next((number for number, word in enumerate(words) if _PYTEST.fullmatch(word)), None)
        if start is not None and _INSTALLS.isdisjoint(words[:start]):
            yield place, words[start + 1 :]


def split_line(text: str) -> Iterator[list[str]]:
    """Split a line into the words of its commands; one that no shell could read has none."""
    if text.lstrip().startswith("#"):
        return
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|<>")
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        for word in lexer:
            if word and not word.strip(";&|<>"):
                yield words
                words = []
            else:
                words.append(word)
    except ValueError:
        return
    yield words
