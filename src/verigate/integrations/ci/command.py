"""``gate-ci``: commands for a CI job, next to ``gate``."""

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
        "policy": "Fetch the target branch of the change, and print the ref for --policy-ref.",
        "pull-request": "Print title and body of the pull request, for --pull-request.",
        "reviews": "Print the reviews of the pull request, for --reviews.",
        "comment": "Put the Markdown report in FILE on the pull request: one comment, updated in place.",
        "github-reviews": "Read the reviews, as a step of action.yml.",
        "github-fetch": "Fetch that branch, as a step of action.yml.",
        "github-verify": "Verify, as a step of action.yml.",
        "github-comment": "Write the comment, as a step of action.yml.",
    }
)


def main() -> int:
    """Run the command line; return the exit code."""
    return run(sys.argv[1:], os.environ, Path.cwd())


def run(arguments: Sequence[str], environ: Mapping[str, str], folder: Path) -> int:
    """Print what ``gate verify`` takes, comment, or run a step of ``action.yml``.

    Exit codes are the gate's: 0, its verdict, 2 for unusable input, 3 for a comment that was refused.
    """
    try:
        match arguments:
            case ["base" | "policy" | "pull-request" | "reviews" as action]:
                _print_line(_find(action, environ, folder))
                return 0
            case ["comment", *words]:
                from verigate.integrations.ci.comment_step import run_comment

                return run_comment(words, environ, _print_line)
            case ["github-fetch" | "github-reviews" | "github-verify" | "github-comment" as action]:
                return _run_step(action, environ)
            case ["-h" | "--help"]:
                _print_line(render_help())
                return 0
            case _:
                hint = suggest_name(arguments[0], ACTIONS) if arguments else None
                raise UsageError("name one action", hint=hint or f"one of: {', '.join(ACTIONS)}")
    except GateError as error:
        sys.stderr.write("".join(f"gate-ci: {fault}\n" for fault in error.faults))
        return error.exit_code


def _find(action: str, environ: Mapping[str, str], folder: Path) -> str:
    if action == "pull-request":
        from verigate.integrations.ci.pull_request import read_pull_request

        return read_pull_request(environ)
    if action == "reviews":
        from verigate.integrations.ci.github_reviews import read_reviews

        return read_reviews(environ, folder)
    from verigate.integrations.ci.change import read_change
    from verigate.integrations.ci.history import History

    if action == "policy":
        from verigate.integrations.ci.policy import find_policy

        return find_policy(read_change(environ), History(folder, environ))
    from verigate.integrations.ci.base import find_base

    return find_base(read_change(environ), History(folder, environ))


def _run_step(action: str, environ: Mapping[str, str]) -> int:
    if action == "github-fetch":
        from verigate.integrations.ci.github_fetch import fetch

        return fetch(environ, _print_line)
    if action == "github-reviews":
        from verigate.integrations.ci.github_reviews import write_reviews

        return write_reviews(environ, _print_line)
    if action == "github-comment":
        from verigate.integrations.ci.comment_step import write_comment

        return write_comment(environ, _print_line)
    from verigate.integrations.ci.github_verify import make_runner, verify

    return verify(environ, make_runner(environ), _print_line)


def render_help() -> str:
    """Return the text of ``gate-ci --help``."""
    lines = (f"  {name:<15} {text}" for name, text in ACTIONS.items())
    return "\n".join(
        (
            "Usage: gate-ci ACTION",
            "       gate-ci comment FILE [--host HOST]... [--author LOGIN]",
            "",
            "  Find a CI job's base and its pull request, and run the steps of action.yml.",
            "",
            "Actions:",
            *lines,
        )
    )


def _print_line(text: str) -> None:
    # Flush: the output of a program that we start comes after it.
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
