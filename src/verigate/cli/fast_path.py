"""Read the usual command lines of a command without click, which takes longer to load than a short command to run.

What it doesn't read (help, a mistake, short options in one word) goes to click, which reports every mistake.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from verigate.cli.options import Option, Takes, convert, find_fault

_DEFAULTS: dict[Takes, Any] = {Takes.NOTHING: False, Takes.WORDS: (), Takes.NAMES: ()}


def read_arguments(
    options: Sequence[Option], arguments: Sequence[str]
) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """Read what follows a command's name; return its words, and the value of each option by name.

    None for what click must read.
    """
    if "_GATE_COMPLETE" in os.environ:
        return None
    by_spelling = {spelling: option for option in options for spelling in option.spellings}
    words: list[str] = []
    values: dict[str, Any] = {option.name: _DEFAULTS.get(option.takes) for option in options}
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            words += rest
        elif argument == "-" or not argument.startswith("-"):
            words.append(argument)
        elif (flag := by_spelling.get(argument)) is not None and not flag.takes_value:
            values[flag.name] = True
        else:
            spelling, equals, value = argument.partition("=")
            option, given = by_spelling.get(spelling), value if equals else next(rest, None)
            if option is None or given is None or not option.takes_value or not spelling.startswith("--"):
                return None
            values[option.name] = given if option.takes in {Takes.WORD, Takes.FILE} else (*values[option.name], given)
    return None if find_fault(options, values) is not None else (tuple(words), convert(options, values))
