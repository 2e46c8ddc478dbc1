"""Who wrote the commits that were verified."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from verigate.errors import GateError
from verigate.subject.git import Git, is_git

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_AUTHOR = re.compile(rb"^author (.*?) <[^<>\n]*> \d+ [-+]\d{4}$", re.MULTILINE)
_LONGEST = 200


def read_authors(root: Path, environ: Mapping[str, str], revisions: Collection[str]) -> dict[str, str]:
    """Read the names of the authors of commits, by commit; one that git doesn't have is left out."""
    wanted = sorted(revision for revision in revisions if _COMMIT.fullmatch(revision))
    if not wanted or not is_git(root):
        return {}
    try:
        printed = Git.from_root(str(root), environ).run(
            "cat-file", "--batch", stdin="".join(f"{revision}\n" for revision in wanted).encode()
        )
    except GateError:
        return {}
    found, at = {}, 0
    while at < len(printed):
        end = printed.index(b"\n", at)
        words = printed[at:end].split(b" ")
        at = end + 1
        if len(words) != 3:
            continue  # "missing"
        headers = printed[at : at + int(words[2])].partition(b"\n\n")[0]
        at += int(words[2]) + 1
        if words[1] == b"commit" and (author := _AUTHOR.search(headers)) is not None:
            found[words[0].decode("ascii")] = author[1].decode("utf-8", "replace")[:_LONGEST]
    return found
