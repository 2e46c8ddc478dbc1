"""Ask a tool what it would do: which paths it would write where its command names none, and which targets it takes.

The tool's file says how (``command.writes``, ``command.accepts``). The tool only looks; its output is data and is never
run.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from verigate.errors import Fault
from verigate.tools.effects import AffectedPath, find_output_folder
from verigate.tools.model import Effect, SlotType, ToolCapability
from verigate.tools.render import Argv, render_commands
from verigate.tools.slots import Filled, SlotsError

if TYPE_CHECKING:
    from subprocess import CompletedProcess

TIMEOUT_S = 60
MAX_LISTING_BYTES = 16 * 1024 * 1024


def list_written_paths(
    capability: ToolCapability, filled: Filled, folder: str, environ: Mapping[str, str]
) -> Iterator[AffectedPath]:
    """Yield the paths that the command would write, as seen from ``folder``; none where its file doesn't say how.

    Raises SlotsError if the tool can't tell: then nobody knows what would be overwritten.
    """
    command = capability.command
    if not command.writes:
        return
    plain = {name: values for name, values in filled.items() if not _is_flag(capability, name)}
    asked = capability._replace(command=command._replace(args=command.writes))
    output = find_output_folder(capability)
    into = str(filled[output.name][0]) if output is not None and output.name in filled else ""
    for line in render_commands(asked, plain):
        for path in _list(line, folder, environ):
            yield AffectedPath(posixpath.join(into, path) if into else path, Effect.WRITES)


def check_accepted(capability: ToolCapability, filled: Filled, folder: str, environ: Mapping[str, str]) -> None:
    """Let the tool look at the targets, where its file says how. Raises SlotsError for those that it wouldn't take."""
    command = capability.command
    if not command.accepts:
        return
    plain = {name: values for name, values in filled.items() if not _is_flag(capability, name)}
    for line in render_commands(capability._replace(command=command._replace(args=command.accepts)), plain):
        done = _ask(line, folder, environ)
        if done is not None and done.returncode != 0:
            raise SlotsError([Fault(f"{line[0]} wouldn't take it: {_tell(done)}", hint="check the name")])


def _is_flag(capability: ToolCapability, name: str) -> bool:
    return capability.get_slot(name).type is SlotType.BOOLEAN


def _list(line: Argv, folder: str, environ: Mapping[str, str]) -> list[str]:
    done = _ask(line, folder, environ)
    if done is None:
        return []  # nothing can be written by what isn't there; running it reports that
    if done.returncode != 0 or len(done.stdout) > MAX_LISTING_BYTES:
        raise _unknown(line[0], _tell(done))
    return [path for path in os.fsdecode(done.stdout).splitlines() if path]


def _ask(line: Argv, folder: str, environ: Mapping[str, str]) -> CompletedProcess[bytes] | None:
    """Run what only looks; None if the program isn't there. Raises SlotsError if it can't be run or takes too long."""
    import shutil
    import subprocess

    program = shutil.which(line[0], path=environ.get("PATH", os.defpath))
    if program is None:
        return None
    try:
        return subprocess.run(
            line,
            executable=program,
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise _unknown(line[0], str(problem)) from problem


def _tell(done: CompletedProcess[bytes]) -> str:
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[0] if said else f"exit code {done.returncode}"


def _unknown(program: str, why: str) -> SlotsError:
    return SlotsError([Fault(f"{program} can't list what it would write: {why}", hint="check the file")])
