"""Build the argument vector and the environment of a program."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verigate.domain.engine import AGENT_TOKEN, AGENT_URL
from verigate.sdk.engine.environment import build_engine_environment, find_command
from verigate.verifier.lifecycle.config_file import flatten_keys
from verigate.verifier.program import Program

_PYTHON = re.compile(r"python(?:\d+(?:\.\d+)?)?")
_LONGEST_FIRST_LINE = 256
"""Bytes that Linux reads of it."""


def locate_command(command: Sequence[str], environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command with the path of its program, by the caller's PATH."""
    found = find_command(command, environ)
    return (found or command[0], *command[1:])


def build_argv(
    program: Program,
    command: Sequence[str],
    values: Mapping[str, str],
    settings: Mapping[str, Any],
    more: Sequence[str],
) -> list[str]:
    """Build the command line. ``values`` fill the placeholders; words with a missing value are left out.

    ``more`` are the user's arguments, placed where the program declares, else at the end.
    """
    words = list(command)
    placed = False
    for part in program.arguments:
        if (part.needs is not None and part.needs not in values) or (part.unless is not None and part.unless in values):
            continue
        placed = placed or part.each == "arguments"
        for placeholders in _list_repetitions(part.each, settings, more):
            words += [_fill(word, {**values, **placeholders}) for word in part.words]
    return words if placed else [*words, *more]


def _list_repetitions(
    what: str | None, settings: Mapping[str, Any], more: Sequence[str]
) -> Iterable[Mapping[str, str]]:
    if what == "settings":
        return ({"key": key, "value": value} for key, value in flatten_keys(settings))
    return ({"argument": word} for word in more) if what == "arguments" else ({},)


def _fill(word: str, values: Mapping[str, str]) -> str:
    """Fill the placeholders in one pass: placeholders inside values are not filled."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match.group(1), match.group(0)), word)


def wrap_with_dependencies(command: list[str], dependencies: Sequence[str]) -> list[str]:
    """Wrap a command in an environment with its dependencies: ``uv run --with``.

    A Python by its path, also one in a script's first line, would import what is installed there in place of the
    dependencies: uv makes the environment of that Python, and its ``python`` is started.
    """
    if not dependencies:
        return command
    interpreter, rest = _split_python(command)
    chosen = [] if interpreter is None else ["--python", interpreter]
    wanted = (word for item in dependencies for word in ("--with", item))
    return ["uv", "run", "--no-project", *chosen, *wanted, "--", *rest]


def _split_python(command: list[str]) -> tuple[str | None, list[str]]:
    """Return the Python that a command starts, and the command with ``python`` in its place; None for other programs.

    ``command`` begins with the path of its program, as ``locate_command`` returns it.
    """
    program, *words = command
    if _PYTHON.fullmatch(os.path.basename(program)):  # noqa: PTH119 - of a text
        return program, ["python", *words]
    interpreter, *options = _read_first_line(program) or [""]
    if os.path.basename(interpreter) == "env":  # noqa: PTH119 - env looks on the PATH, where uv's is first
        return None, command
    if _PYTHON.fullmatch(os.path.basename(interpreter)):  # noqa: PTH119 - of a text
        return interpreter, ["python", *options, program, *words]
    return None, command


def _read_first_line(program: str) -> list[str] | None:
    """Return the interpreter of a script and its option, as the kernel reads them; None for another file."""
    try:
        with open(program, "rb") as file:  # noqa: PTH123 - a path of the kernel's
            line = file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return None
    if not line.startswith(b"#!"):
        return None
    return line[2:].decode("utf-8", "surrogateescape").strip().split(None, 1) or None


def build_environment(program: Program, environ: Mapping[str, str], env_from: Sequence[str]) -> dict[str, str]:
    """Select the environment: common variables, those the program declares, those the user names, and no others.

    A program that declares that it takes a token for the local agent gets that of the server that started the gate.
    """
    names = (*program.environment, *env_from)
    lent = (AGENT_URL, AGENT_TOKEN) if program.capabilities.supports_local_agent_jwt else ()
    given = {name: environ[name] for name in lent if environ.get(name)}
    return build_engine_environment(environ, names) | dict(program.set) | given
