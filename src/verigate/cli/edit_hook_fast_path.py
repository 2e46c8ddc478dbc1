"""Answer ``gate hook HOST edit`` for an edit that nothing has to be said about, with next to nothing loaded.

Agents edit often, and most edits are of files that judge nothing. Whatever isn't plain goes to the command itself.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Sequence

_QUIET = {
    **dict.fromkeys(("claude", "codex", "copilot", "droid"), ""),
    **dict.fromkeys(("cursor", "gemini", "opencode", "qwen"), "{}"),
}
"""What each host hears if nothing has to be said. Its module says the same, which loads all hosts."""

_EDIT = 2
_PATHS = ("file_path", "filePath", "path")
_PLAIN_KEYS = frozenset(
    {
        *_PATHS,
        *("content", "contents", "old_string", "new_string", "replace_all", "oldString", "newString", "replaceAll"),
        *("old_str", "new_str", "file_text", "edits", "instruction", "change_all"),
    }
)
_CALLS = ("tool_input", "arguments", "toolArgs")
_MOST_INPUT = 4 << 20
_MOST_FILE = 1 << 20


def run(arguments: Sequence[str]) -> int | None:
    """Answer the hook; return the exit code, None for what the command must read: its input is put back."""
    if len(arguments) != _EDIT or arguments[1] != "edit" or arguments[0] not in _QUIET:
        return None
    content = sys.stdin.buffer.read(_MOST_INPUT + 1)
    if len(content) <= _MOST_INPUT and _is_plain(content):
        sys.stdout.write(_QUIET[arguments[0]])
        return 0
    _put_back(content)
    return None


def _is_plain(content: bytes) -> bool:
    """Whether an input is of an edit of one file that neither judges nor checks."""
    from verigate.domain.checking_files import may_check, may_judge

    try:
        document = json.loads(content)
        given = next((value for name in _CALLS if (value := document.get(name)) is not None), None)
        given = json.loads(given) if isinstance(given, str) else given
    except (AttributeError, ValueError, RecursionError):
        return False
    folder = document.get("cwd") or document.get("folder")
    if "cursor_version" in document or not isinstance(given, dict) or not isinstance(folder, str):
        return False
    named = [given[key] for key in _PATHS if key in given]
    # What else a tool is given may name files as well: of that the command knows more.
    if len(named) != 1 or not isinstance(named[0], str) or not given.keys() <= _PLAIN_KEYS:
        return False
    inner = named[0].removeprefix(f"{folder.rstrip('/')}/")
    if inner.startswith(("/", "~")) or ".." in inner or may_judge(inner):
        return False
    return not may_check(inner, _read(folder, inner))


def _read(folder: str, inner: str) -> str | None:
    """Read the beginning of a file; None for one that can't be read as text, or is too large."""
    try:
        descriptor = os.open(os.path.join(folder, inner), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)  # noqa: PTH118 - a path of text, at each edit
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_FILE:
                return None
            return file.read(_MOST_FILE).decode("utf-8", "replace")
    except OSError:
        return None


def _put_back(content: bytes) -> None:
    """Have what was read be read again: from a file without a name."""
    descriptor = os.memfd_create("hook-input", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
        while chunk := sys.stdin.buffer.read(1 << 20):
            file.write(chunk)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.dup2(descriptor, 0)
    os.close(descriptor)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays
