"""Command lines read without click: loading it takes longer than a short command.

Only the commonest forms are read. Whatever else stands on a command line (help, a slip, options in other forms) is left
to click, which knows and says everything about it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any


class Grammar:
    """The options of a command, each spelling with the name of its parameter.

    ``flags`` are False unless given, ``values`` take a word and are None unless given, ``lists`` take a word each time.
    """

    def __init__(
        self, flags: Mapping[str, str], values: Mapping[str, str] | None = None, lists: Mapping[str, str] | None = None
    ) -> None:
        self._flags = flags
        self._values = values or {}
        self._lists = lists or {}

    def read(self, arguments: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Any]] | None:
        """The arguments of a command (what follows its name): words, and every option by its parameter's name.

        None for what click must read.
        """
        if "_GATE_COMPLETE" in os.environ:
            return None
        words: list[str] = []
        options: dict[str, Any] = {
            **dict.fromkeys(self._flags.values(), False),
            **dict.fromkeys(self._values.values()),
            **dict.fromkeys(self._lists.values(), ()),
        }
        rest = iter(arguments)
        for argument in rest:
            if argument == "--":
                words += rest
            elif argument in self._flags:
                options[self._flags[argument]] = True
            elif argument.startswith("-") and argument != "-":
                option, given, value = argument.partition("=")
                named = self._value(option, value if given else next(rest, None), options)
                if not named or not option.startswith("--"):
                    return None
            else:
                words.append(argument)
        return tuple(words), options

    def _value(self, option: str, value: str | None, options: dict[str, Any]) -> bool:
        if value is None:
            return False
        if option in self._values:
            options[self._values[option]] = value
        elif option in self._lists:
            options[self._lists[option]] += (value,)
        else:
            return False
        return True
