"""``gate verify`` with its own options, read and answered without click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from verigate.cli.fast_path import Grammar
from verigate.cli.lazy_imports import load_msgspec, put_off

if TYPE_CHECKING:
    from verigate.cli.target import Target

_GRAMMAR = Grammar(
    flags={
        "--staged": "staged",
        "--json": "as_json",
        "--no-llm": "no_llm",
        "--watch": "watch",
        "--no-cache": "no_cache",
        "--verbose": "verbose",
        "-v": "verbose",
        "--advisory": "advisory",
        "--quiet": "quiet",
        "-q": "quiet",
    },
    values={"--ref": "ref", "--base": "base", "--profile": "profile", "--output": "output"},
    lists={"--only": "only", "--format": "formats"},
)
_TARGET = ("staged", "ref", "base", "profile")


def asked(arguments: Sequence[str]) -> tuple[Target, dict[str, Any]] | None:
    """What a ``gate verify`` is about (the arguments after the command's name) and its other options.

    None for what click must read, what makes no sense among it.
    """
    plain = _GRAMMAR.read(arguments)
    if plain is None:
        return None
    words, options = plain
    if len(words) > 1 or "" in words:
        return None
    put_off()
    load_msgspec()
    from pathlib import Path

    from verigate.cli.run_verify import capabilities
    from verigate.cli.target import Target, here

    about = {name: options.pop(name) for name in _TARGET}
    if about["staged"] and about["ref"] is not None:
        return None
    if any(about[name] is not None and not about[name].strip() for name in ("ref", "base", "profile")):
        return None
    if options["only"] and not capabilities(options["only"]):
        return None
    options["only"] = capabilities(options["only"])
    options["output"] = None if options["output"] is None else Path(options["output"])
    return Target(here(), next(iter(words), None), **about), options


def run(arguments: Sequence[str]) -> int | None:
    """Answer a ``gate verify``; returns the exit code, None for what click must read."""
    try:
        plain = asked(arguments)
        if plain is None:
            return None
        from verigate.cli.run_verify import answer

        target, options = plain
        return answer(target, **options)
    except (Exception, KeyboardInterrupt, SystemExit) as problem:  # noqa: BLE001 - told like what ends any other command
        from verigate.cli.app import told

        return told(problem, ["verify", *arguments])
