"""Read a program's own log of the session that just ended, for facts that its output lacks."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from verigate.verifier.lifecycle.parse import ParsedOutput, read_output
from verigate.verifier.program import SessionLog

_MAX_BYTES = 64 * 1024 * 1024


def complete_from_session(printed: ParsedOutput, kept: SessionLog, environ: Mapping[str, str]) -> ParsedOutput:
    """Add the models and the version from the session's file where ``printed`` has none."""
    path = _find_file(kept, printed.session, environ) if printed.session else None
    try:
        text = path.read_text("utf-8", "replace") if path is not None and path.stat().st_size <= _MAX_BYTES else ""
    except OSError:
        return printed
    found = read_output(text, kept.log)
    return replace(
        printed,
        model=printed.model or found.model,
        asked=printed.asked or found.asked,
        version=printed.version or found.version,
    )


def _find_file(kept: SessionLog, session: str, environ: Mapping[str, str]) -> Path | None:
    """Find the newest matching file. The session id is untrusted and never used as a pattern."""
    moved = environ.get(kept.home_variable, "") if kept.home_variable else ""
    first, _, below = kept.folder.removeprefix("~/").partition("/")
    folder = Path(moved) / below if moved else Path(environ.get("HOME", "/")) / first / below
    name = kept.name.replace("{session}", glob.escape(session))
    if os.sep in session or not folder.is_dir():
        return None
    return max((path for path in folder.rglob(name) if path.is_file()), key=lambda path: path.name, default=None)
