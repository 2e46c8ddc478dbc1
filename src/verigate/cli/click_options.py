"""Make click's options and arguments from the declarations in ``options``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from verigate.cli.options import Option, Takes, convert, error_style, find_fault

task_argument = click.argument("task_id", required=False)


def with_options(*declared: Option) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add these options to a command, in this order; it is called with checked and converted values."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        # click keeps the options that a function has so far in its __dict__, which wraps copies.
        @wraps(function)
        def call_with_checked(**values: Any) -> Any:
            if (fault := find_fault(declared, values)) is not None:
                raise click.UsageError(fault)
            styles = click.get_current_context().obj
            if isinstance(styles, list):
                styles.append(error_style(declared, values))
            return function(**convert(declared, values))

        decorated: Callable[..., Any] = call_with_checked
        for option in reversed(declared):
            decorated = _decorator(option)(decorated)
        return decorated

    return decorate


def as_parameter(option: Option) -> click.Option:
    """Return the option as click's parameter, for a command that is made without decorators."""
    return click.Option([option.name, *option.spellings], **_settings(option))


def _decorator(option: Option) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(option.name, *option.spellings, **_settings(option))


def _settings(option: Option) -> dict[str, Any]:
    settings: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if option.known_values is not None:
        known = tuple(option.known_values())
        settings["help"] = option.help.format(values=", ".join(known))
        settings["shell_complete"] = lambda _context, _option, start: [name for name in known if name.startswith(start)]
    if option.takes is Takes.NOTHING:
        settings["is_flag"] = True
    elif option.takes is Takes.FILE:
        settings["type"] = click.Path()
    elif option.takes in {Takes.WORDS, Takes.NAMES}:
        settings["multiple"] = True
    return settings
