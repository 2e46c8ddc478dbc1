"""Read ``gate git-hook`` as the installed hooks call it, and run it without click."""

from __future__ import annotations

import os
from collections.abc import Sequence

from verigate.sdk.lazy_imports import defer_imports, load_msgspec

_HOOKS = {"pre-commit": 0, "pre-merge-commit": 0, "commit-msg": 1, "pre-applypatch": 0}
"""The hooks that are answered here -> how many arguments git passes."""

_FLAGS = {"--advisory": "advisory", "--message-follows": "message_follows"}


def read(arguments: Sequence[str]) -> tuple[str, tuple[str, ...], dict[str, bool]] | None:
    """Read the arguments after the command's name: hook, its arguments, flags; None for click."""
    flags = {}
    rest = list(arguments)
    while rest and rest[0] in _FLAGS:
        flags[_FLAGS[rest.pop(0)]] = True
    if "_GATE_COMPLETE" in os.environ or not rest or _HOOKS.get(rest[0]) != len(rest) - 1:
        return None
    hook, *words = rest
    return None if any(word.startswith("-") for word in words) else (hook, tuple(words), flags)


def run(arguments: Sequence[str]) -> int | None:
    """Run ``gate git-hook``; return the exit code, None for what click must read."""
    found = read(arguments)
    if found is None:
        return None
    hook, words, flags = found
    defer_imports()
    load_msgspec()
    from verigate.cli.git_hook import run_hook

    return run_hook(hook, words, **flags)
