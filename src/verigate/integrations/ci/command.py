"""``gate-ci``: what a CI job asks beside ``gate``."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from verigate.errors import GateError, UsageError
from verigate.formats.near_names import suggest_name

ACTIONS: Mapping[str, str] = MappingProxyType(
    {
        "base": "Print the commit to compare with.",
        "github-verify": "The step of action.yml that verifies.",
        "github-comment": "The step of action.yml that writes the comment.",
    }
)


def main() -> int:
    """Run the command line; returns the exit code."""
    return run(sys.argv[1:], os.environ, Path.cwd())


def run(arguments: Sequence[str], environ: Mapping[str, str], folder: Path) -> int:
    """``base`` prints the commit to compare with; the others are the steps of ``action.yml``.

    Ends as the gate does: 0, its verdict, 2 for what can't be used.
    """
    try:
        match arguments:
            case ["base"]:
                from verigate.integrations.ci.base import find_base
                from verigate.integrations.ci.change import read_change
                from verigate.integrations.ci.history import History

                _print_line(find_base(read_change(environ), History(folder, environ)))
                return 0
            case ["github-verify"]:
                from verigate.integrations.ci.github_verify import make_runner, verify

                return verify(environ, make_runner(environ), _print_line)
            case ["github-comment"]:
                from verigate.integrations.ci.github_comment import write_comment

                return write_comment(environ, _print_line)
            case ["-h" | "--help"]:
                _print_line(render_help())
                return 0
            case _:
                hint = suggest_name(arguments[0], ACTIONS) if arguments else None
                raise UsageError("gate-ci takes one word", hint=hint or f"one of: {', '.join(ACTIONS)}")
    except GateError as error:
        sys.stderr.write("".join(f"gate-ci: {fault}\n" for fault in error.faults))
        return error.exit_code


def render_help() -> str:
    """What ``gate-ci --help`` prints."""
    lines = (f"  {name:<15} {text}" for name, text in ACTIONS.items())
    return "\n".join(("Usage: gate-ci ACTION", "", "  What a CI job asks beside gate.", "", "Actions:", *lines))


def _print_line(text: str) -> None:
    # At once: what a program that we start prints comes after it.
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
