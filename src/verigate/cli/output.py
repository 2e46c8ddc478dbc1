"""Print the output of commands: text or JSON on stdout, warnings on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.verifier.run_log import LogEntry


def print_json(document: Any) -> None:
    """Print a JSON document on stdout, keys sorted."""
    from verigate.evidence.store import encode_json

    sys.stdout.buffer.write(encode_json(document))
    sys.stdout.buffer.flush()


def use_colour(stream: Any) -> bool:
    """Return whether to colour the output to ``stream`` (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Return the number of columns to use."""
    import shutil

    return min(shutil.get_terminal_size((100, 24)).columns, 140)


def say(text: str, *, err: bool = False) -> None:
    """Print rendered text on stdout or stderr; make it harmless to a CI runner that obeys commands in its log."""
    text = _disarm(text)
    _write(text if text.endswith("\n") else f"{text}\n", sys.stderr if err else sys.stdout)


def say_commands(text: str) -> None:
    """Print text with commands for a CI runner on stdout, unchanged."""
    _write(text, sys.stdout)


def _write(text: str, stream: TextIO) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        # The terminal's encoding lacks a character: escape it.
        stream.write(text.encode(stream.encoding, "backslashreplace").decode(stream.encoding))
    stream.flush()


def say_entry(engine: str, entry: LogEntry) -> None:
    """Print an entry of an engine's run log on stderr."""
    say(f"{engine} {entry.summary()}", err=True)


def _disarm(text: str) -> str:
    """Disable commands of a GitHub Actions runner in a text: lines that begin with ``::``, and ``##[`` anywhere.

    The text has names and messages from the change under review, and a long message may break into lines anywhere.
    https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
    """
    if not os.environ.get("GITHUB_ACTIONS"):
        return text
    import re

    return re.sub(r"(?m)^([^\S\n]*):(?=:)", r"\1: ", text).replace("##[", "## [")


def warn(messages: Sequence[str]) -> None:
    """Print warnings on stderr, each once."""
    for message in dict.fromkeys(messages):
        say(f"warning: {escape(message)}\n", err=True)
