"""``gate-ci comment``: put a Markdown report on the pull request of this job."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from verigate.errors import UsageError
from verigate.integrations.ci.comment_job import find_place
from verigate.integrations.ci.comment_text import compose
from verigate.integrations.ci.rest_api import Refused

MOST_BYTES = 65_300
"""Of a report: GitHub takes 65,536 characters, and the mark and the link come on top."""

_NO_COMMENT = "no comment: {}. The verdict is the same."


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message, where="comment", hint="gate-ci comment FILE [--host HOST]... [--author LOGIN]")


def run_comment(arguments: Sequence[str], environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Comment with the report in a file; return 0, or 3 if the forge refuses. Raises UsageError."""
    parser = _Parser(prog="gate-ci comment", add_help=False, allow_abbrev=False)
    parser.add_argument("file", type=Path)
    parser.add_argument("--host", action="append", default=[])
    parser.add_argument("--author", default="")
    given = parser.parse_args(arguments)
    try:
        say(f"gate: {put_comment(given.file, environ, given.host, given.author)}")
    except Refused as refused:
        say(f"gate: {_NO_COMMENT.format(refused)}")
        return 3
    return 0


def put_comment(file: Path, environ: Mapping[str, str], hosts: Sequence[str], author: str) -> str:
    """Make the report in ``file`` the one comment of this job's pull request; return what was done, in a sentence.

    Raises UsageError for a job or a file that can't be read, and Refused.
    """
    place = find_place(environ, hosts, author)
    if place is None:
        return "this job has no pull request to comment on"
    return f"the comment is {place.conversation.put(compose(_read_report(file), place.link))}"


def _read_report(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
        if len(text) <= MOST_BYTES:
            return text.decode("utf-8")
    except (OSError, ValueError) as problem:
        raise UsageError(f"the report can't be read: {problem!a}", where=str(file)) from None
    hint = "give a report that the gate wrote: --format markdown=FILE"
    raise UsageError(f"this is longer than {MOST_BYTES:,} bytes, and no comment", where=str(file), hint=hint)


def write_comment(environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Comment with the report of this run, as a step of action.yml; return 0, also if that is refused, with a notice.

    Takes INPUT_REPORTS, INPUT_TOKEN, INPUT_COMMENT_AUTHOR, and INPUT_API_URL from the runner's own context. Raises
    UsageError where the event can't be read.
    """
    own = {**environ, "GATE_COMMENT_TOKEN": environ.get("INPUT_TOKEN", "")}
    api, file = urlsplit(environ.get("INPUT_API_URL", "")), Path(environ["INPUT_REPORTS"], "gate.md")
    try:
        done = put_comment(file, own, [f"{api.scheme}://{api.netloc}"], environ.get("INPUT_COMMENT_AUTHOR", ""))
        say(f"gate: {done}")
    except Refused as refused:
        say(f"::notice title=gate::{_NO_COMMENT.format(refused)} The job summary has the report.")
    return 0
