"""Files in memory for programs that read files by name: nobody can change them, and nothing of them is left."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


class MemoryFile(NamedTuple):
    """A file by its descriptor, which a program must inherit, and by the name under which that then opens it."""

    descriptor: int
    path: str


@contextmanager
def open_memory_files(contents: Sequence[bytes]) -> Iterator[tuple[MemoryFile, ...]]:
    """Open a file in memory for each content; they are gone afterwards. Raises OSError."""
    with ExitStack() as stack:
        made = []
        for content in contents:
            file = stack.enter_context(
                os.fdopen(os.memfd_create("verigate", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "wb")
            )
            file.write(content)
            file.flush()
            fcntl.fcntl(file.fileno(), fcntl.F_ADD_SEALS, _SEALS)
            made.append(MemoryFile(file.fileno(), f"/proc/self/fd/{file.fileno()}"))
        yield tuple(made)
