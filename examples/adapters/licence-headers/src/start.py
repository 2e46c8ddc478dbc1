# SPDX-License-Identifier: Apache-2.0
"""licence:headers: reads the head of every source file and writes licence-headers.json."""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

from verigate.sdk import AdapterError, Request, ToolFailed, main, path_text, run_tool, write_json

sys.path.insert(0, str(Path(__file__).resolve().parent))

from spdx import licence_in, refused_part

MOST_BYTES_OF_A_LINE = 4096


def headers(request: Request) -> None:
    """Count licences; whether files without one are too many is for a rule to say."""
    suffixes = tuple(os.fsencode(suffix) for suffix in request.config["suffixes"])
    accepted = frozenset(request.config["accepted"])
    licences: Counter[str] = Counter()
    missing: list[str] = []
    refused: list[dict[str, str]] = []
    checked = 0
    for name in _sources(request.repo_root, suffixes):
        head = _head(os.fsencode(request.repo_root) + b"/" + name, request.config["lines"])
        if head is None:
            continue
        checked += 1
        licence = licence_in(head)
        if licence is None:
            missing.append(path_text(name))
            continue
        licences[licence] += 1
        if accepted and refused_part(licence, accepted) is not None:
            refused.append({"file": path_text(name), "licence": licence})
    facts = {
        "files_checked": checked,
        "licences": dict(licences),
        "missing": sorted(missing),
        "refused": sorted(refused, key=lambda item: item["file"]),
    }
    write_json(request.task_dir, "licence-headers.json", facts)


def _sources(root: Path, suffixes: tuple[bytes, ...]) -> list[bytes]:
    listed = run_tool(("git", "ls-files", "-z", "--cached"), cwd=root, timeout_s=30)
    if listed.exit_code != 0:
        raise ToolFailed(f"git ls-files: {listed.ended}: {listed.tail()}")
    return [name for name in listed.stdout.split(b"\0") if name.endswith(suffixes)]


def _head(path: bytes, lines: int) -> list[str] | None:
    """The first lines of a regular file; None for a link, and for an empty file, which nobody can license."""
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
            return None
        with open(path, "rb") as file:
            head = islice(iter(lambda: file.readline(MOST_BYTES_OF_A_LINE), b""), lines)
            return [line.decode("utf-8", "replace") for line in head]
    except OSError as problem:
        raise AdapterError(f"it can't be read: {problem.strerror}", where=path_text(path)) from problem


sys.exit(main({"licence:headers": headers}))
