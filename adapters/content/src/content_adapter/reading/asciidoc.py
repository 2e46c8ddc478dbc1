"""Convert AsciiDoc to HTML with Asciidoctor, if it is installed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from verigate.sdk import AdapterError, path_text, run_tool

TIMEOUT_S = 50.0
_MOST_OUTPUT_BYTES = 64 << 20


def convert_asciidoc(root: Path, path: str) -> str:
    """Convert a file to HTML without its includes: in ``secure`` mode Asciidoctor reads no other file.

    Raises AdapterError if Asciidoctor is missing or fails.
    """
    program = shutil.which("asciidoctor", path=os.environ.get("PATH"))
    if program is None or Path(program).resolve().is_relative_to(root.resolve()):
        raise AdapterError(
            "asciidoctor isn't installed; it is needed to read AsciiDoc",
            where=path_text(path),
            hint='install asciidoctor, or exclude such files with "exclude" in config/adapters.json',
        )
    options = ("-S", "secure", "-b", "html5", "-s", "-a", "showtitle", "-a", "skip-front-matter", "-q", "-o", "-")
    done = run_tool([program, *options, str(root / path)], cwd=root, timeout_s=TIMEOUT_S, max_bytes=_MOST_OUTPUT_BYTES)
    if done.exit_code != 0 or done.truncated:
        raise done.as_failure(f"asciidoctor ended with {done.ended}", where=path_text(path))
    return done.stdout.decode("utf-8", "replace")
