"""Read the versions of the programs on PATH, all at once."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

_ASKS: Mapping[str, tuple[str, ...]] = {"go": ("version",), "java": ("-version",)}
_TIMEOUT_S = 10.0
_MOST = 120
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""What Maven writes even where nobody looks."""


def read_versions(programs: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Return name -> first line of the version output of the program at this absolute path; empty without one."""
    asked = {name: _start(path, _ASKS.get(name, ("--version",)), environ) for name, path in programs.items()}
    return {name: "" if process is None else _read_first_line(process) for name, process in asked.items()}


def _start(path: str, arguments: tuple[str, ...], environ: Mapping[str, str]) -> subprocess.Popen[bytes] | None:
    try:
        return subprocess.Popen(
            (path, *arguments), env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError:
        return None


def _read_first_line(process: subprocess.Popen[bytes]) -> str:
    with process:
        try:
            output, _ = process.communicate(timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return ""
    text = _COLOURS.sub("", output.decode("utf-8", "replace"))
    lines = text.strip().splitlines() if process.returncode == 0 else []
    return lines[0].strip()[:_MOST] if lines else ""
