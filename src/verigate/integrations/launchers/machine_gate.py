"""The gate of this machine, for hooks in files that are committed: no path of one machine may stand there.

``gate install`` makes a link in the user's folder for state, outside of every repository and out of reach of sandboxed
agents. The committed command looks there, then on PATH, and blocks if there is no gate at all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from verigate.errors import ExecutionError
from verigate.user_folders import STATE, UserFolders

_LINK = "gate"

FIND = (
    f'g=${STATE}; [ -n "$g" ] || g=$HOME/.local/state; g=$g/verigate/{_LINK}; case $g in "$PWD"/*) g= ;; esac; '
    '[ -x "$g" ] || g=$(command -v gate); case $g in /*) ;; *) g= ;; esac'
)
"""Commands of sh that set ``g`` to the path of the gate; empty without one, and for a link inside the repository.

No quote in it is one that a shell or the configuration of a host reads in its own way; nor has it a ``${name:-word}``,
which hosts replace when they read their settings.
"""


def record_gate(launcher: Sequence[str], root: Path, environ: Mapping[str, str]) -> None:
    """Let the link lead to the gate that is installed with; do nothing where the user has no folder for state.

    Raises ExecutionError where the link can't be written.
    """
    place = UserFolders(environ, str(root)).state(_LINK)
    if place is None:
        return
    link = Path(place)
    draft = link.with_name(f".{link.name}.{os.getpid()}")
    try:
        if link.is_symlink() and str(link.readlink()) == launcher[0]:
            return
        link.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.unlink(missing_ok=True)
        draft.symlink_to(launcher[0])
        draft.replace(link)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise ExecutionError(
            f"the path of this gate can't be recorded: {problem.strerror}",
            where=place,
            hint=f"make the folder writable, or set {STATE}",
        ) from None
