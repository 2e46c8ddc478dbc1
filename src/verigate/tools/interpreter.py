"""What a script is, by the program that its first line asks for (execve(2), env(1)).

Libraries that know content by magic numbers take a shell script for any text; libmagic calls it as here.
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


def script_type(head: bytes) -> str | None:
    """The MIME type of a script that begins with ``head``; None for what names no interpreter that is known."""
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
