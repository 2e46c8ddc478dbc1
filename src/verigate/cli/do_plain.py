"""``gate do`` with words and its own options, read and answered without click."""

from __future__ import annotations

from collections.abc import Sequence

from verigate.cli.plain import Grammar, Plain
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


def asked(arguments: Sequence[str]) -> Plain | None:
    """The arguments of a ``gate do`` (the words after the command's name), None for what click must read."""
    plain = _GRAMMAR.read(arguments)
    return plain if plain is not None and plain.words else None


def run(arguments: Sequence[str]) -> int | None:
    """Answer a ``gate do``; returns the exit code, None for what click must read."""
    plain = asked(arguments)
    if plain is None:
        return None
    from verigate.cli.do_answer import answer
    from verigate.cli.output import complain

    try:
        return answer(plain.words, **plain.options)
    except GateError as problem:
        complain(problem, arguments)
        return problem.exit_code
    except Exception as problem:  # noqa: BLE001 - told like what ends any other command
        from verigate.cli.app import told

        return told(problem, ["do", *arguments])
