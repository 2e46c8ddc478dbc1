"""``gate do`` with words and its own options, read without click: loading it takes longer than the answer.

Whatever else stands on the command line (help, a slip, options in other forms) is left to click, which knows and says
everything about it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from verigate.errors import GateError

_FLAGS: Mapping[str, str] = {
    "--dry-run": "dry_run",
    "-n": "dry_run",
    "--explain": "explain",
    "--yes": "yes",
    "-y": "yes",
    "--json": "as_json",
}
_USING = "--using"


class Asked(NamedTuple):
    """What ``gate do`` is given; see ``do_answer.answer``."""

    words: tuple[str, ...]
    using: str | None
    flags: Mapping[str, bool]


def asked(arguments: Sequence[str]) -> Asked | None:
    """The arguments of a ``gate do`` (the words after the command's name), None for what click must read."""
    if "_GATE_COMPLETE" in os.environ:
        return None
    words: list[str] = []
    flags = dict.fromkeys(_FLAGS.values(), False)
    using = None
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            words += rest
        elif argument in _FLAGS:
            flags[_FLAGS[argument]] = True
        elif argument == _USING:
            using = next(rest, None)
            if using is None:
                return None
        elif argument.startswith(f"{_USING}="):
            using = argument.removeprefix(f"{_USING}=")
        elif argument.startswith("-") and argument != "-":
            return None
        else:
            words.append(argument)
    return Asked(tuple(words), using, flags) if words else None


def run(arguments: Sequence[str]) -> int | None:
    """Answer a ``gate do``; returns the exit code, None for what click must read."""
    plain = asked(arguments)
    if plain is None:
        return None
    from verigate.cli.do_answer import answer
    from verigate.cli.output import complain

    try:
        return answer(plain.words, using=plain.using, **plain.flags)
    except GateError as problem:
        complain(problem, arguments)
        return problem.exit_code
    except Exception as problem:  # noqa: BLE001 - told like what ends any other command
        from verigate.cli.app import told

        return told(problem, ["do", *arguments])
