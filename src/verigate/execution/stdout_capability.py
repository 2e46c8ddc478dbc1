"""A capability of a cap definition: a command with arguments, whose output is its stdout.

Source: the third source document (command, stdin, arguments, output). The contract's own flags are not passed: a
program that reads ``<command> <arguments>`` and writes to stdout need not know the gate.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verigate.errors import GateError
from verigate.processes.sandbox import SHELL

if TYPE_CHECKING:
    from verigate.domain.plan import PlannedCapability
    from verigate.domain.ports import Staging

STDIN = "stdin"
"""The key of the configuration that names the subject's file for stdin; also the name of its copy."""

MAX_STDIN_BYTES = 64 * 1024 * 1024

_FROM_NOTHING = 'out=$1; shift; mkdir -p -- "${out%/*}" && exec "$@" >"$out"'
_FROM_FILE = 'out=$1; in=$2; shift 2; mkdir -p -- "${out%/*}" && exec "$@" <"$in" >"$out"'


class StdinError(GateError):
    """The file for stdin is missing or not of its type."""


def wrap_argv(call: Sequence[str], output: str, stdin: str | None) -> tuple[str, ...]:
    """Wrap ``<entry> <command> <arguments>``: a shell opens the files and then executes the program in its place.

    stdout goes to ``output``, the artifact's path in the staging folder, and is collected like any other.
    """
    if stdin is None:
        return (SHELL, "-c", _FROM_NOTHING, "sh", output, *call)
    return (SHELL, "-c", _FROM_FILE, "sh", output, stdin, *call)


def copy_stdin(
    planned: PlannedCapability, config: Mapping[str, Any], checkout: str, folder: str, staging: Staging
) -> str | None:
    """Copy the file that the configuration names for stdin; return the copy's path, None where it names none.

    It must be one of the subject, and of the media spec that the definition gives stdin. It is copied, so that the
    program reads the bytes that were checked.
    """
    spec_id, name = planned.declaration.stdin, config.get(STDIN)
    if spec_id is None or name is None:
        return None
    if not isinstance(name, str):
        raise StdinError(f"{STDIN} in the configuration is not a string", hint="name a file of the repository")
    content = _read_content(checkout, name)
    fault = staging.input_fault(planned, spec_id, name, content)
    if fault is not None:
        raise StdinError(f"the file for stdin is not valid: {fault}")
    copy = Path(folder) / STDIN
    copy.write_bytes(content)
    return str(copy)


def _read_content(checkout: str, name: str) -> bytes:
    root = os.path.realpath(checkout)
    path = os.path.realpath(f"{root}/{name}") if "\0" not in name else ""
    if name.startswith("/") or not path.startswith(f"{root}/"):
        raise StdinError(f"{STDIN}: {name!r} leads out of the repository", hint="name a file of the repository")
    if path.startswith(f"{root}/.git/") or not Path(path).is_file():
        raise StdinError(f"{STDIN}: there is no file {name!r} in the repository")
    if Path(path).stat().st_size > MAX_STDIN_BYTES:
        raise StdinError(f"{STDIN}: {name!r} has more than the {MAX_STDIN_BYTES} bytes that are read")
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise StdinError(f"{STDIN}: {name!r} can't be read: {problem.strerror}") from problem
