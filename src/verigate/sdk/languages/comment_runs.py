"""Join long runs of comment lines of Python, over which its grammar takes their square.

After each line its scanner looks ahead over all comments that follow. A run becomes one long comment with as many empty
lines after it: each byte and each line that follows stays at its place. Lines that programs read are left as they are.
"""

from __future__ import annotations

import re

LONG_RUN = 200
_READ = (
    rb"(?i:noqa|type:|pragma|ruff|mypy|pylint|flake8|nosec|pyright|pyre|fmt|isort|coding|bandit|doctest|region|"
    rb"cython|distutils|///)"
)
_LINE = rb"[ \t]*#(?![^\n]*" + _READ + rb")[^\n]*\n"
_RUN = re.compile(rb"(?m:^)(?:" + _LINE + rb"){" + str(LONG_RUN).encode() + rb",}")


def join_comment_runs(source: bytes) -> bytes:
    """Join each long run of comment lines in ``source``; its length and the lines that follow stay as they are."""
    return _RUN.sub(lambda found: _join(found.group()), source) if source.count(b"\n") > LONG_RUN else source


def _join(run: bytes) -> bytes:
    lines = run.count(b"\n")
    return run.replace(b"\n", b" ")[: len(run) - lines] + b"\n" * lines
