"""Say while an agent works that an edit weakens a check, by the text of the one file alone. It decides nothing."""

from __future__ import annotations

import base64
import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from verigate.config.builtin import find_builtin_folder
from verigate.domain.checking_files import may_check
from verigate.errors import GateError
from verigate.reporting.edit_advice import Weaker
from verigate.subject.git import Git

TIMEOUT_S = 20
_MOST = 2 << 20
_PROGRAM = "adapters/code/src/edited_file.py"
_FILES = 5


def find_weaker(root: str, folder: str, paths: Sequence[str], environ: Mapping[str, str]) -> list[Weaker]:
    """Find what checks less than at HEAD in the files of an edit; ``folder`` is where relative paths begin.

    Where anything goes wrong there is no advice: the end of the turn is verified in any case.
    """
    found: list[Weaker] = []
    for path in dict.fromkeys(paths[:_FILES]):
        above, name = os.path.split(os.path.join(folder, path))  # noqa: PTH118 - a path of an agent, as written
        place = f"{os.path.realpath(above)}/{name}"
        inner = place.removeprefix(f"{root}/")
        if inner == place or inner.startswith(".git/") or name in {"", ".", ".."}:
            continue
        after = _read(place)
        if after is None and os.path.lexists(place):
            continue
        if may_check(inner, None if after is None else after.decode("utf-8", "replace")):
            found += _compare(root, inner, after, environ)
    return found


def _compare(root: str, inner: str, after: bytes | None, environ: Mapping[str, str]) -> list[Weaker]:
    try:
        shown = Git.from_root(root, environ).attempt("cat-file", "blob", f"HEAD:{inner}")
    except GateError:
        return []
    # What is new can't be weaker than it was.
    if shown.returncode != 0 or shown.stdout == after or len(shown.stdout) > _MOST:
        return []
    asked = {"path": inner, "before": _encode(shown.stdout), "after": _encode(after)}
    return [
        Weaker(inner, str(entry.get("message", "")), str(entry.get("kind", "")), entry.get("line"))
        for entry in _ask(asked)
        if isinstance(entry, dict)
    ]


def _ask(document: Mapping[str, Any]) -> list[Any]:
    """Run the detectors of code:integrity in a process of their own, which bounds itself."""
    try:
        done = subprocess.run(
            (sys.executable, "-I", os.path.join(find_builtin_folder(), _PROGRAM)),  # noqa: PTH118 - no pathlib
            input=json.dumps(document).encode(),
            capture_output=True,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            timeout=TIMEOUT_S,
            check=False,
        )
        found = json.loads(done.stdout) if done.returncode == 0 else []
    except (OSError, ValueError, RecursionError, subprocess.TimeoutExpired):
        return []
    return found if isinstance(found, list) else []


def _encode(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode("ascii")


def _read(place: str) -> bytes | None:
    """Read a regular file; None where there is none, or one that is too large."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            content = file.read(_MOST + 1)
    except OSError:
        return None
    return content if len(content) <= _MOST else None
