"""What a worker of Dask does for a client: take objects of a repository, verify a job, send back what was found.

Dask sends these functions by their names, so a worker has a gate of the same version installed. No command is
sent: a worker runs the gate's own, in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from verigate.errors import GateError
from verigate.subject.temporary_folder import open_temporary_folder
from verigate.usecases.fleet.mirror import Mirror, end_quietly
from verigate.usecases.fleet.packing import pack
from verigate.usecases.fleet.reports import JOB_FILE, REPORT_FILE

WORKER = "from verigate.cli.fleet_worker import main; main()"

_LAST_CHARACTERS = 2000


class Wanted(NamedTuple):
    """A repository as workers know it: its key, format of objects, the commits that are needed, and the HEAD."""

    key: str
    object_format: str
    commits: tuple[str, ...]
    head: str
    name: str


class Answer(NamedTuple):
    """What comes of a job. ``lacks``: the mirror has too little, nothing was run; else ``packed`` or ``failure``."""

    worker: str
    lacks: bool = False
    packed: bytes = b""
    failure: str = ""


def list_haves(wanted: Wanted) -> tuple[str, ...]:
    """List the commits that this worker's mirror has. Raises GateError."""
    return Mirror(wanted.key, wanted.object_format, os.environ).list_haves()


def take_bundle(wanted: Wanted, bundle: bytes) -> None:
    """Take the objects of a bundle into the mirror. Raises GateError."""
    Mirror(wanted.key, wanted.object_format, os.environ).take(bundle, wanted.commits)


def verify_job(assignment: bytes, wanted: Wanted, carried: Mapping[str, bytes]) -> Answer:
    """Verify a job, ``job.json``, in a repository with the mirror's objects and the ``carried`` files by path."""
    from distributed import get_worker

    address = str(get_worker().address)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GATE_")}
    try:
        mirror = Mirror(wanted.key, wanted.object_format, environ)
        if mirror.lacks(wanted.commits):
            return Answer(address, lacks=True)
        with open_temporary_folder(environ, str(mirror.path), time.time_ns) as place:
            root = Path(place, "root", wanted.name)
            folder = Path(place, "found")
            folder.mkdir(mode=0o700)
            (folder / JOB_FILE).write_bytes(assignment)
            with mirror.open_tree(root, wanted.head):
                for path, content in carried.items():
                    (root / path).parent.mkdir(parents=True, exist_ok=True)
                    (root / path).write_bytes(content)
                return _run(folder, root, environ, address)
    except (GateError, OSError) as problem:
        return Answer(address, failure=f"on {address}: {problem}")


def _run(folder: Path, root: Path, environ: Mapping[str, str], address: str) -> Answer:
    argv: Sequence[str] = (sys.executable, "-P", "-c", WORKER, str(os.getpid()), str(folder))
    process = subprocess.Popen(
        argv,
        cwd=root,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate()
    finally:
        end_quietly(process)
    if not (folder / REPORT_FILE).exists():
        last = errors.decode("utf-8", "replace").strip()[-_LAST_CHARACTERS:]
        return Answer(address, failure=f"on {address}: its process ended with {process.returncode}: {last}")
    return Answer(address, packed=pack(folder))
