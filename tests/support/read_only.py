"""Calls of the gate where folders can only be read, in a mount namespace of its own.

    unshare [-r] -m python read_only.py FOLDER PLACE...

Each PLACE of the repository in FOLDER, ``repository``, ``home`` or ``temporary``, is mounted read-only, and with the
last so are /tmp, /var/tmp and /dev/shm. Prints a JSON object: how each call ended.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import gated_repository as gr
from sample_repository import SampleRepository

CALLS = {
    "show": ("show", "T1"),
    "list": ("list",),
    "replay": ("replay", "T1"),
    "verify": ("verify", "T1", "--quiet"),
    "claim": ("claim", "T1", "file:a.py", "file:gone.py"),
    "start": ("start", "N1", "--type", "facts"),
    "end": ("end", "T1"),
    "install": ("install",),
    "attest": ("attest", "T1", "--unsigned"),
}


def main(folder: Path, places: list[str]) -> dict[str, list[object]]:
    """Mount, and call."""
    repository = gr.GatedRepository(SampleRepository(folder / "repository"), folder / "home")
    for kept in (repository.root, repository.home, repository.tmp):
        # What lies below a mount of its own stays as it is where /tmp is mounted read-only.
        subprocess.run(["mount", "--bind", str(kept), str(kept)], check=True)
    for place in places:
        found = {"repository": repository.root, "home": repository.home, "temporary": repository.tmp}[place]
        others = ["/tmp", "/var/tmp", "/dev/shm"] if place == "temporary" else []  # noqa: S108 - mounted here alone
        for mount in others:
            subprocess.run(["mount", "--rbind", mount, mount], check=True)
        for mount in (str(found), *others):
            subprocess.run(["mount", "-o", "remount,bind,ro", mount], check=True)
    ended: dict[str, list[object]] = {}
    for name, arguments in CALLS.items():
        done = repository.gate(*arguments)
        ended[name] = [done.code, done.out, done.err]
    return ended


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2:])))
