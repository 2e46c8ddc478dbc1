"""Read the words with which a project calls ruff or flake8 as arguments of ``linter_calls``. Nothing is run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from verigate.integrations.setup.own_commands import QUOTED, SHELL
from verigate.integrations.setup.repository_scan import Scan
from verigate.sdk.place_patterns import matches_place

LINTERS = ("ruff", "flake8")
EVERYTHING = "."
_LONGEST = 1000
_NAMED = re.compile(
    r"(?:^|[;&|(`!]|\b(?:uv|poetry|pdm|hatch|pipenv|rye|pipx)\s+run\s|(?<!\S)-m\s|\b(?:exec|time|uvx|xargs)\s)"
    r"\s*(?:-\S+\s+)*(?:\w+=\S*\s+)*[\w./{}$()-]{0,100}?"
    r"\b(ruff(?=\s+check\b|\s+(?!--version|--help|-[Vh]\b)[^a-z\s])|flake8)(?![\w.=-])"
)
"""Where a command may call one, also among what only a shell reads."""

_LETS_FAIL = re.compile(r"\|\|\s*(?:true|:|exit 0)\s*$")
_MOVES = re.compile(r"\s*(?:cd|pushd)\b")
_RUNNERS = frozenset((name, "run") for name in ("uv", "poetry", "pdm", "hatch", "pipenv", "rye", "pipx"))
_RUNNER_FLAGS = frozenset({"--frozen", "--locked", "--no-sync", "--isolated", "--all-extras", "--dev", "-q", "--quiet"})
_PYTHON = re.compile(r"python[\d.]*")
_SETTINGS = {
    "ruff": frozenset({"pyproject.toml", "ruff.toml", ".ruff.toml"}),
    "flake8": frozenset({".flake8", "setup.cfg", "tox.ini"}),
}
"""What each reads by itself at the root."""

_NO_LINT = re.compile(
    r"-e|-w|-h|--(?:exit-zero|watch|diff|add-noqa|show-files|show-settings|help|version|bug-report)|--stdin.*"
)
_SHOWS = re.compile(
    r"-[vqsn]+|--(?:count|show-source|no-show-source|show-fixes|no-show-fixes|statistics|benchmark|verbose|quiet|silent"
    r"|tee|no-cache|fix|no-fix|fix-only|no-fix-only|unsafe-fixes|no-unsafe-fixes|exit-non-zero-on-fix"
    r"|exit-non-zero-on-format|force-exclude|no-force-exclude)|-j\d+"
)
"""What changes no finding of a call that repairs nothing."""

_SHOWS_WITH_VALUE = frozenset(
    {"--output-format", "--format", "--output-file", "-o", "--cache-dir", "--color", "-j", "--jobs"}
)
_WITH_VALUE = frozenset(
    f"--{name}"
    for name in (
        *("select", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "extend-per-file-ignores"),
        *("exclude", "extend-exclude", "line-length", "target-version", "max-line-length", "max-doc-length"),
        *("max-complexity", "enable-extensions", "doctests", "builtins", "import-order-style", "docstring-convention"),
    )
)
_FLAGS = frozenset({"--preview", "--no-preview", "--isolated", "--ignore-noqa", "--disable-noqa"})
_STRICTER = re.compile(r"--(?:extend-select|preview|ignore-noqa|disable-noqa|max-complexity|max-doc-length)(?:=.*)?")
"""What leaves nothing out that the settings don't leave out."""


class NamedCall(Struct, frozen=True):
    """A call of a linter that ``source`` names.

    ``arguments`` are () for the whole project with all rules of its settings, None where they can't be said.
    """

    tool: str
    arguments: tuple[str, ...] | None
    source: str


def read_line(seen: Scan, line: str, source: str, *, by_shell: bool = True) -> Iterator[NamedCall]:
    """Yield the calls of a line: unknown ones where only a shell could read it, none where the failure is ignored.

    ``by_shell``: a shell replaces patterns such as ``test/*.py``, as tox doesn't.
    """
    if not any(tool in line for tool in LINTERS) or _LETS_FAIL.search(line):
        return
    parts = line.split("&&")
    bare = [QUOTED.sub("", part) for part in parts]
    moves = any(_MOVES.match(part) for part in bare)
    signs = (part.replace("*", "") if by_shell else part for part in bare)
    needs_shell = any(SHELL.search(part) or part.rstrip().endswith("\\") for part in signs)
    if len(line) > _LONGEST or moves or needs_shell:
        yield from _name_unknown(line, source)
        return
    for part in parts:
        yield from _read_command(seen, part.strip(), source)


def _name_unknown(text: str, source: str) -> Iterator[NamedCall]:
    named = LINTERS if len(text) > _LONGEST else _NAMED.findall(text)
    yield from (NamedCall(tool, None, source) for tool in sorted(set(named)))


def _read_command(seen: Scan, text: str, source: str) -> Iterator[NamedCall]:
    try:
        words = _skip_runners(shlex.split(text))
    except ValueError:
        words = []
    tool = PurePosixPath(words[0]).name.partition("@")[0] if words else ""
    start = {"flake8": ["flake8"], "ruff": ["ruff", "check"]}.get(tool, [])
    if start and [tool, *words[1 : len(start)]] == start:
        yield from (NamedCall(tool, each, source) for each in read_arguments(seen, tool, words[len(start) :]))
    else:
        yield from _name_unknown(text, source)


def _skip_runners(words: list[str]) -> list[str]:
    while words:
        if tuple(words[:2]) in _RUNNERS:
            words = words[2:]
        elif words[0] == "uvx" or "=" in words[0]:
            words = words[1:]
        elif _PYTHON.fullmatch(PurePosixPath(words[0]).name) and words[1:2] == ["-m"]:
            return words[2:]
        elif words[0] in _RUNNER_FLAGS:
            words = words[1:]
        else:
            return words
    return words


def read_arguments(seen: Scan, tool: str, words: Sequence[str]) -> Iterator[tuple[str, ...] | None]:
    """Yield the arguments of a call as ``NamedCall`` has them; nothing for a call that checks nothing."""
    options: list[str] = []
    places: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if _NO_LINT.fullmatch(name):
            return
        if _SHOWS.fullmatch(word):
            continue
        if name in _SHOWS_WITH_VALUE:
            del rest[: 0 if equals else 1]
        elif name == "--config":
            value = value if equals else next(iter(rest), "")
            del rest[: 0 if equals else 1]
            if value.removeprefix("./") not in _SETTINGS[tool]:
                yield None
                return
        elif name in _WITH_VALUE:
            options.append(word if equals else f"{word}={next(iter(rest), '')}")
            del rest[: 0 if equals else 1]
        elif word in _FLAGS or (word.startswith("--") and equals):
            options.append(word)
        elif word.startswith(("-", "@")) or (place := _find_place(seen, word)) is None:
            yield None
            return
        else:
            places.append(place)
    yield _join(options, list(dict.fromkeys(places)))


def _find_place(seen: Scan, word: str) -> str | None:
    """Return the file or folder of the project that a word names; None if it is none."""
    pure = PurePosixPath(word)
    path = pure.as_posix()
    if path == EVERYTHING:
        return path
    outside = pure.is_absolute() or ".." in pure.parts
    known = path in seen.files or any(each.startswith(f"{path}/") for each in seen.files)
    known = known or ("*" in pure.name and any(matches_place(each, path) for each in seen.files))
    return path if known and not outside else None


def _join(options: Sequence[str], places: Sequence[str]) -> tuple[str, ...] | None:
    if not places or EVERYTHING in places:
        return () if all(map(_STRICTER.fullmatch, options)) else (*options, EVERYTHING)
    nested = any(one != other and PurePosixPath(one).is_relative_to(other) for one in places for other in places)
    return None if nested else (*options, *places)
