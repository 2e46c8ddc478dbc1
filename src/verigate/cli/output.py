"""How commands speak: text by default, JSON with a schema on request, errors on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.verifier.run_log import Entry


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
