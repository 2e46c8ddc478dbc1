"""Calls of the gate on a disk that has only a little room left, in a mount namespace of its own.

    unshare [-r] -m python short_disk.py FOLDER PLACE KIB...

One of ``repository``, ``temporary`` and ``home`` below FOLDER is a small tmpfs, filled but for KIB. For each KIB an
honest change and a lie are verified, other commands are tried, and then, with room again, the change once more. Prints
a JSON list with how each call ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf

SIZE = 24 * 1024 * 1024
CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}


def main(folder: Path, place: str, free: list[int]) -> list[dict[str, Any]]:
    """Try every amount of room in one place."""
    disk = {"repository": folder / "repository", "home": folder / "home", "temporary": folder / "home/tmp"}[place]
    disk.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(disk)], check=True)
    (folder / "home/tmp").mkdir(parents=True, exist_ok=True)
    if place == "home":
        subprocess.run(["mount", "-t", "tmpfs", "none", str(folder / "home/tmp")], check=True)
    repository = make(folder)
    found = []
    for number, kib in enumerate(free):
        for honest in (True, False):
            repository.put("a.py", f"answer = {number}{int(honest)}\n")
            repository.claim("file:a.py", *([] if honest else ["file:gone.py"]))
            with filled(disk, kib):
                calls = {"verify": repository.gate("verify", "T1", "--quiet")}
                calls["show"] = repository.gate("show", "T1", "--json")
                calls["start"] = repository.gate("start", f"N{number}{int(honest)}", "--type", "facts")
                calls["claim"] = repository.gate("claim", "T1", "file:a.py", "--actor", "x" * 5000)
            claim = json.loads((repository.root / ".artifacts/T1/claim.json").read_bytes())
            repository.claim("file:a.py", *([] if honest else ["file:gone.py"]))
            after = repository.verify()
            found.append(
                {
                    "free": kib,
                    "honest": honest,
                    "calls": {name: [done.code, done.out, done.err] for name, done in calls.items()},
                    "claim": claim,
                    "after": [after.code, after.out, after.err],
                    "left": [path.name for path in repository.tmp.iterdir()]
                    + [str(path) for path in (repository.root / ".artifacts").rglob("*.part")]
                    + [str(path) for path in (repository.root / ".git").rglob("*.lock")],
                    "fsck": subprocess.run(
                        ["git", "fsck", "--full"], cwd=repository.root, capture_output=True, check=False
                    ).returncode,
                }
            )
    return found


def make(folder: Path) -> gr.GatedRepository:
    """As ``gated_repository.make``, with a task that passes, in folders that may be there already."""
    found = gr.make(folder / "made", CODE, {"tests_pass": True})
    subprocess.run(["cp", "-aT", str(found.root), str(folder / "repository")], check=True)
    placed = gr.GatedRepository(type(found.sample)(folder / "repository"), folder / "home")
    placed.begin()
    placed.put("a.py", "answer = 42\n")
    placed.claim("file:a.py")
    done = placed.verify()
    assert done.code == 0, done.output
    return placed


@contextmanager
def filled(disk: Path, kib: int) -> Iterator[None]:
    """Leave so much room on a file system."""
    file = disk / ".filler"
    state = os.statvfs(disk)
    with file.open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, max(1, state.f_bavail * state.f_frsize - kib * 1024))
    try:
        yield
    finally:
        file.unlink()


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2], [int(word) for word in sys.argv[3:]])))
