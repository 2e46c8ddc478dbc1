# SPDX-License-Identifier: Apache-2.0
"""licence:headers: reads the head of every source file and writes licence-headers.json."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from pathlib import Path

from verigate.sdk import AdapterError, Request, main, path_text, write_json
from verigate.sdk.subject import find_repository, list_files

sys.path.insert(0, str(Path(__file__).resolve().parent))

from spdx import licence_in, refused_part

MOST_BYTES_OF_A_LINE = 4096


def headers(request: Request) -> None:
    """Count licences. A rule decides how many files without one are too many."""
    suffixes = tuple(request.config["suffixes"])
    accepted = frozenset(request.config["accepted"])
    licences: Counter[str] = Counter()
    missing: list[str] = []
    refused: list[dict[str, str]] = []
    checked = 0
    for name in list_files(request, find_repository(request)):
        head = _head(request.repo_root / name, request.config["lines"]) if name.endswith(suffixes) else []
        if not head:
            continue  # nobody can license an empty file
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


def _head(path: Path, lines: int) -> list[str]:
    """The first lines of a file, none of an empty one."""
    try:
        with path.open("rb") as file:
            head = islice(iter(lambda: file.readline(MOST_BYTES_OF_A_LINE), b""), lines)
            return [line.decode("utf-8", "replace") for line in head]
    except OSError as problem:
        raise AdapterError(f"it can't be read: {problem.strerror}", where=path_text(path)) from problem


sys.exit(main({"licence:headers": headers}))
