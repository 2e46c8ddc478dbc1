"""Split the text of a script into simple commands, as sh would. Source: POSIX.1-2017, Shell Command Language, 2.3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_NAME = re.compile(r"\$(?:(\w+)|\{(\w+)(?::?-([^{}$`]*))?\})")
_OPERATORS = ("&&", "||", ";", "|", "&", "\n")
_REDIRECTION = re.compile(r"(?:\d*|&)>>?(?:&\d|&-)?")
_READERS = frozenset(
    {
        *("cat", "tee", "tail", "head", "less", "colortap", "faucet", "pino-pretty", "roc-nyan", "tnyan"),
        *("tap-arc", "tap-difflet", "tap-dot", "tap-min", "tap-nyan", "tap-nirvana", "tap-pessimist", "tap-spec"),
        *("tap-summary", "tap-bail", "tap-diff", "tap-out", "tap-prettify", "tap-pretty", "@tapjs/reporter", "tapdiff"),
    }
)
"""Programs that only show the output of the tests before them."""


class Pattern(str):
    """A word with characters that the shell expands to file names: ``*``, ``?`` or ``[``, not in quotes."""

    __slots__ = ()


class NeedsShellError(ValueError):
    """The text has parts that only a shell can run."""


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """The words of a command, and whether its failure is hidden or it is only run after a failure (``||``)."""

    words: tuple[str, ...]
    doubtful: bool = False


@dataclass(slots=True)
class _Line:
    tokens: list[tuple[str, bool]] = field(default_factory=list)
    """(text, whether it is an operator)"""
    word: str = ""
    started: bool = False
    expands: bool = False

    def end_word(self) -> None:
        if self.started:
            self.tokens.append((Pattern(self.word) if self.expands else self.word, False))
        self.word, self.started, self.expands = "", False, False

    def add(self, text: str) -> None:
        self.word += text
        self.started = True


def split_script(text: str, variables: Mapping[str, str]) -> tuple[SimpleCommand, ...]:
    """Return the commands of ``text``, with ``variables`` in place. Raises NeedsShellError for all that isn't simple.

    A pipe into a program that only formats output is its first command; redirections of output are left out.
    """
    commands: list[SimpleCommand] = []
    pipeline: list[tuple[str, ...]] = []
    words: list[str] = []
    doubtful = skip = False
    for part, operator in [*_scan(text, variables), ("\n", True)]:
        if not operator:
            if skip:
                skip = False
            else:
                words.append(part)
        elif part.endswith((">", "&1", "&2", "&-")) and part not in _OPERATORS:
            skip = part.endswith(">")
        else:
            pipeline.append(tuple(words))
            words = []
            if part == "|":
                continue
            if part == "&":
                raise NeedsShellError("it starts a program in the background")
            doubtful = doubtful or part == "||"
            if pipeline[0]:
                if any(not end or end[0].rpartition("/")[2] not in _READERS for end in pipeline[1:]):
                    raise NeedsShellError("it has a pipe")
                commands.append(SimpleCommand(pipeline[0], doubtful))
            pipeline = []
            doubtful = part == "||"
    return tuple(commands)


def _scan(text: str, variables: Mapping[str, str]) -> list[tuple[str, bool]]:
    line = _Line()
    position = 0
    while position < len(text):
        char = text[position]
        operator = next((sign for sign in _OPERATORS if text.startswith(sign, position)), None)
        redirection = _REDIRECTION.match(text, position) if not line.started else None
        if redirection:
            line.tokens.append((redirection[0], True))
            position = redirection.end()
        elif operator:
            line.end_word()
            line.tokens.append((operator, True))
            position += len(operator)
        elif char.isspace():
            line.end_word()
            position += 1
        elif char == "'":
            end = _find_closing_quote(text, position)
            line.add(text[position + 1 : end])
            position = end + 1
        elif char == '"':
            position = _read_double_quoted(line, text, position + 1, variables)
        elif char == "$":
            position = _read_variable(line, text, position, variables)
        elif char == "\\" and position + 1 < len(text):
            line.add(text[position + 1])
            position += 2
        elif char in "`()<>{}#!" and not _is_plain(char, line, text, position):
            raise NeedsShellError(f"it has {char!r}")
        else:
            line.expands = line.expands or char in "*?["
            line.add(char)
            position += 1
    line.end_word()
    return line.tokens


def _is_plain(char: str, line: _Line, text: str, position: int) -> bool:
    """Whether a character that can have a meaning has none here: inside a word, or a lone ``!`` before one."""
    if char in "#!":
        return line.started or (char == "!" and not text[position + 1 : position + 2].isspace())
    return char in "{}" and (line.started or not text[position + 1 : position + 2].isspace())


def _find_closing_quote(text: str, position: int) -> int:
    end = text.find("'", position + 1)
    if end < 0:
        raise NeedsShellError("a quote isn't closed")
    return end


def _read_double_quoted(line: _Line, text: str, position: int, variables: Mapping[str, str]) -> int:
    line.add("")
    while position < len(text) and text[position] != '"':
        if text[position] == "\\" and text[position + 1 : position + 2] in {'"', "\\", "$", "`"}:
            line.add(text[position + 1])
            position += 2
        elif text[position] == "$":
            position = _read_variable(line, text, position, variables)
        elif text[position] == "`":
            raise NeedsShellError("it has '`'")
        else:
            line.add(text[position])
            position += 1
    if position >= len(text):
        raise NeedsShellError("a quote isn't closed")
    return position + 1


def _read_variable(line: _Line, text: str, position: int, variables: Mapping[str, str]) -> int:
    match = _NAME.match(text, position)
    if match is None:
        if text[position + 1 : position + 2] in {"", " ", '"', "/", "'", "|"}:
            line.add("$")
            return position + 1
        raise NeedsShellError("it has a substitution")
    value = variables.get(match[1] or match[2], "") or match[3] or ""
    if value or line.started:
        line.add(value)
    return match.end()
