"""``gate do`` with words and its own options, read and answered without click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.cli.fast_path import Grammar
from verigate.errors import GateError

_GRAMMAR = Grammar(
    flags={
        "--dry-run": "dry_run",
        "-n": "dry_run",
        "--explain": "explain",
        "--yes": "yes",
        "-y": "yes",
        "--json": "as_json",
    },
    values={"--using": "using"},
)


def asked(arguments: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """The words of a ``gate do`` (the arguments after the command's name) and its options.

    None for what click must read.
    """
    plain = _GRAMMAR.read(arguments)
    return plain if plain is not None and plain[0] else None


def run(arguments: Sequence[str]) -> int | None:
    """Answer a ``gate do``; returns the exit code, None for what click must read."""
    plain = asked(arguments)
    if plain is None:
        return None
    from verigate.cli.output import complain
    from verigate.cli.run_do import answer

    try:
        words, options = plain
        return answer(words, **options)
    except GateError as problem:
        complain(problem, arguments)
        return problem.exit_code
    except Exception as problem:  # noqa: BLE001 - told like what ends any other command
        from verigate.cli.app import told

        return told(problem, ["do", *arguments])
