"""A temporary folder where programs can be run and, wherever the machine has such a place, reads of files are seen.

``/dev/shm`` doesn't show them, and of a fresh machine ``/var/tmp`` may be mounted ``noexec``.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from npm_tools import cache_folder

from verigate.change_times import has_exact_change_times
from verigate.subject.access_times import shows_reads


@dataclass(frozen=True)
class DiskFolder:
    """``shows_reads``: whether the gate sees in it what was read. Where it doesn't, everything counts as read."""

    path: Path
    shows_reads: bool


@contextmanager
def open_disk_folder() -> Iterator[DiskFolder]:
    """Give the best of the places there are; it's removed at the end."""
    with ExitStack() as stack:
        found = []
        for place in (cache_folder(), Path("/var/tmp"), Path(tempfile.gettempdir())):  # noqa: S108 - a random name is made in it
            if place.is_dir():
                folder = Path(stack.enter_context(TemporaryDirectory(dir=place))).resolve()
                if _runs_programs(folder):
                    seen = has_exact_change_times(str(folder)) and shows_reads(str(folder))
                    found.append(DiskFolder(folder, seen))
        assert found, "no folder for temporary files allows to run a program"
        yield next((folder for folder in found if folder.shows_reads), found[0])


def _runs_programs(folder: Path) -> bool:
    program = folder / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    try:
        return subprocess.run((program,), check=False).returncode == 0
    except OSError:
        return False
    finally:
        program.unlink()
