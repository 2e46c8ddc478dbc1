"""What every run asks of the machine first, asked while the gate is still being loaded.

Loading takes as long as all of git's answers together, on another core.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from msgspec import Struct

from verigate.errors import SubjectError
from verigate.execution.git import DESCRIBE, Git, is_git
from verigate.execution.sandbox import Bubblewrap, begin_probe, find_bubblewrap


class Ahead(Struct, frozen=True):
    """Answers that are on their way; each call waits for its own.

    ``repository`` is what ``git.open_repository`` asks, None outside git; ``bubblewrap`` the sandbox that works here.
    """

    repository: Callable[[], subprocess.CompletedProcess[bytes]] | None
    bubblewrap: Callable[[], Bubblewrap | None]


@contextmanager
def ask_ahead(root: str | os.PathLike[str], environ: Mapping[str, str]) -> Iterator[Ahead]:
    """Ask about the repository at ``root`` and about this machine's bubblewrap; nothing is left running at the end."""
    repository = None
    if is_git(root):
        try:
            repository = cache(Git.at(os.path.realpath(root), environ).begin(*DESCRIBE))
        except SubjectError:
            repository = None  # It is told where the answer is needed.
    bubblewrap = cache(begin_probe(find_bubblewrap(environ)))
    try:
        yield Ahead(repository, bubblewrap)
    finally:
        if repository is not None:
            repository()
        bubblewrap()
