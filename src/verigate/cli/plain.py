"""Command lines read without click: loading it takes longer than a short command.

Only the commonest forms are read. Whatever else stands on a command line (help, a slip, options in other forms) is left
to click, which knows and says everything about it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Plain(NamedTuple):
    """What stands on a command line: the words in their order, and every option by its parameter's name."""

    words: tuple[str, ...]
    options: Mapping[str, Any]


class Grammar(NamedTuple):
    """The options of a command, each spelling with the name of its parameter.

    ``flags`` are False unless given, ``values`` take a word and are None unless given, ``lists`` take a word each time.
    """

    flags: Mapping[str, str]
    values: Mapping[str, str] = {}
    lists: Mapping[str, str] = {}

    def read(self, arguments: Sequence[str]) -> Plain | None:
        """The arguments of a command (what follows its name), None for what click must read."""
        if "_GATE_COMPLETE" in os.environ:
            return None
        words: list[str] = []
        options: dict[str, Any] = {
            **dict.fromkeys(self.flags.values(), False),
            **dict.fromkeys(self.values.values()),
            **dict.fromkeys(self.lists.values(), ()),
        }
        rest = iter(arguments)
        for argument in rest:
            if argument == "--":
                words += rest
            elif argument in self.flags:
                options[self.flags[argument]] = True
            elif argument.startswith("-") and argument != "-":
                option, given, value = argument.partition("=")
                named = self._value(option, value if given else next(rest, None), options)
                if not named or not option.startswith("--"):
                    return None
            else:
                words.append(argument)
        return Plain(tuple(words), options)

    def _value(self, option: str, value: str | None, options: dict[str, Any]) -> bool:
        if value is None:
            return False
        if option in self.values:
            options[self.values[option]] = value
        elif option in self.lists:
            options[self.lists[option]] += (value,)
        else:
            return False
        return True
