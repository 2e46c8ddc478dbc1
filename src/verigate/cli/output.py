"""How commands speak: text by default, JSON with a schema on request, errors on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from verigate.errors import GateError
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.verifier.run_log import Entry

ERROR_SCHEMA = "verigate:error.v1"

_VALUED = frozenset({"--only", "--format", "--output", "--ref", "--base", "--profile"})
"""The options of ``verify`` whose value is the next word."""


def json_option(function: Any) -> Any:
    """``--json`` as every command has it."""
    import click  # what only prints is loaded without it

    return click.option("as_json", "--json", is_flag=True, help="Print JSON with a versioned schema.")(function)


def print_json(document: Any) -> None:
    """A JSON document on stdout, keys sorted."""
    from verigate.evidence.store import encode

    sys.stdout.buffer.write(encode(document))
    sys.stdout.buffer.flush()


def use_colour(stream: Any) -> bool:
    """Whether ``stream`` is a terminal that wants colours (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write in."""
    import shutil

    return min(shutil.get_terminal_size((100, 24)).columns, 140)


def say(text: str, *, err: bool = False) -> None:
    """A finished text for people on stdout or stderr: whether it has colours was decided when it was made."""
    text = _inert(text)
    _write(text if text.endswith("\n") else f"{text}\n", sys.stderr if err else sys.stdout)


def say_commands(text: str) -> None:
    """A finished text for a runner that obeys what it reads, on stdout: as it is."""
    _write(text, sys.stdout)


def _write(text: str, stream: TextIO) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        # A terminal that can't show a character of a text that is ours, or of a name that is not: it sees its number.
        stream.write(text.encode(stream.encoding, "backslashreplace").decode(stream.encoding))
    stream.flush()


def say_entry(engine: str, entry: Entry) -> None:
    """An entry of an engine's run log, on stderr."""
    say(f"{engine} {entry.shown()}", err=True)


def _inert(text: str) -> str:
    """``text``, on GitHub Actions without what its runner obeys: lines that begin with ``::``, and ``##[`` anywhere.

    Names and messages of whoever is judged are in it, and a message may be so long that a line breaks where it likes.
    https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
    """
    if not os.environ.get("GITHUB_ACTIONS"):
        return text
    import re

    return re.sub(r"(?m)^([^\S\n]*):(?=:)", r"\1: ", text).replace("##[", "## [")


def warn(messages: Sequence[str]) -> None:
    """Warnings on stderr, each once."""
    for message in dict.fromkeys(messages):
        say(f"warning: {escape(message)}\n", err=True)


def complain(problem: GateError, arguments: Sequence[str]) -> None:
    """An expected error: what happened, where, what to try. As JSON on stdout where JSON was asked for."""
    if wants_json(arguments):
        print_error_json(problem, advisory=is_advisory(arguments))
    from verigate.reporting.notices import render_error

    say(render_error(problem, colour=use_colour(sys.stderr), width=width()), err=True)


def print_error_json(problem: GateError, *, advisory: bool = False) -> None:
    """An error as a JSON document on stdout; that of an advisory run says that the process ends with 0 all the same."""
    print_json(
        {
            "schema": ERROR_SCHEMA,
            "code": problem.code,
            "exit_code": problem.exit_code,
            **({"advisory": "not verified, and nothing is blocked"} if advisory else {}),
            "faults": [
                {
                    "message": fault.message,
                    "file": fault.file,
                    "pointer": fault.pointer,
                    "line": fault.line,
                    "hint": fault.hint,
                }
                for fault in problem.faults
            ],
        }
    )


def is_advisory(arguments: Sequence[str]) -> bool:
    """Whether a command line is that of a ``verify`` that never blocks, also one that could not be read to its end."""
    words = iter(arguments)
    for word in words:
        if word == "-C":
            next(words, None)
        elif not word.startswith("-"):
            return word == "verify" and _is_asked_for("--advisory", words)
    return False


def _is_asked_for(flag: str, words: Iterable[str]) -> bool:
    """Whether ``flag`` is among the options of a ``verify``: a task or a value that is called so is none."""
    before = ""
    for word in words:
        if word == "--":
            return False
        is_value = before in _VALUED
        if word == flag and not is_value:
            return True
        before = "" if is_value else word
    return False


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for JSON, also one that could not be read to its end."""
    return "--json" in arguments or any(
        argument == "--format=json" or (argument == "--format" and arguments[index + 1 : index + 2] == ["json"])
        for index, argument in enumerate(arguments)
    )
