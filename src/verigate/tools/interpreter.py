"""Detect the type of a script by the interpreter in its first line (execve(2), env(1)).

Libraries that detect content by magic numbers see only text in a shell script. The types are those of libmagic.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("sh", "ash", "bash", "dash", "ksh", "mksh", "busybox", "zsh", "bats"), "text/x-shellscript"),
    **dict.fromkeys(("python", "pypy"), "text/x-python"),
    "perl": "text/x-perl",
    "ruby": "text/x-ruby",
    "php": "text/x-php",
    "lua": "text/x-lua",
    "awk": "text/x-awk",
    **dict.fromkeys(("node", "nodejs", "bun", "deno"), "text/javascript"),
}
_ENV_WORD = re.compile(r"-\S*|\w+=\S*")
_VERSION = re.compile(r"[0-9.]+$")
_LONGEST = 256


def detect_script_type(head: bytes) -> str | None:
    """Return the MIME type of a script that begins with ``head``; None without a known interpreter."""
    if not head.startswith(b"#!"):
        return None
    words = head[2:_LONGEST].split(b"\n", 1)[0].decode("ascii", "replace").split()
    if words and posixpath.basename(words[0]) == "env":
        words = words[1:]
        while words and _ENV_WORD.fullmatch(words[0]):
            words = words[1:]
    if not words:
        return None
    return _TYPES.get(_VERSION.sub("", posixpath.basename(words[0])))
