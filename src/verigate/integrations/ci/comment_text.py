"""The text of our comment: a hidden first line with a digest of the rest, the report, and a link to the run.

By the digest a later run knows whether anything changed. It covers all but the link, which is another one each time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from verigate.integrations.ci.github_verify import MARK

_MARK = re.compile(r"<!-- verigate(?: sha256:([0-9a-f]{64}))? -->")
_LINK = re.compile(r"^\[[A-Z][a-z]+ \d+\]\(\S+\) ?")


def compose(report: str, link: str) -> str:
    """Return the comment for a Markdown report; ``link`` is its last line, ``[Run 5](ADDRESS) COMMIT``."""
    body = f"{report.removeprefix(MARK).strip()}\n\n{link}\n"
    return f"{MARK.removesuffix(' -->')} sha256:{_digest(body.split(chr(10)))} -->\n{body}"


def is_ours(body: str) -> bool:
    """Whether a text begins with our mark. Who wrote it is another question."""
    return _MARK.fullmatch(next(_split(body))) is not None


def say_the_same(body: str, other: str) -> bool:
    """Whether two comments say the same, each as its digest has it: one that somebody edited says something else."""
    mark, *lines = _split(body)
    others = list(_split(other))
    found = _MARK.fullmatch(mark)
    return mark == others[0] and found is not None and found[1] == _digest(lines) == _digest(others[1:])


def _split(body: str) -> Iterator[str]:
    # Forges keep line ends as they came, and some take away blanks at an end; GitHub's own editor sends CR LF.
    yield from (line.rstrip() for line in body.split("\n"))


def _digest(lines: list[str]) -> str:
    said = "\n".join(_LINK.sub("", line.rstrip()) for line in lines).strip()
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()
