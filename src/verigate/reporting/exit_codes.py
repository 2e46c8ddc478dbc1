"""The exit codes: their names, and when ``gate verify`` returns them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class ExitText(NamedTuple):
    """``name`` is one to three words; ``verify`` says when ``gate verify`` returns the code."""

    name: str
    verify: str


EXIT_CODES: Mapping[int, ExitText] = MappingProxyType(
    {
        0: ExitText("pass", "the verdict is pass, or there was nothing to verify"),
        1: ExitText("fail", "the verdict is fail"),
        2: ExitText(
            "usage or configuration",
            "no verdict: bad command line; bad or unknown key, profile, type; commitment unreadable or another task's; "
            "no such commit",
        ),
        3: ExitText(
            "error", "the verdict is error; or no verdict: evidence changed since, lock held, a fault of the gate's own"
        ),
        4: ExitText("inconclusive", "the verdict is inconclusive"),
        130: ExitText("interrupted", "no verdict; every process that was started has been ended"),
    }
)


def format_exit_codes() -> str:
    """Format all exit codes in one line, for the help."""
    return f"Exit codes: {', '.join(f'{code} {text.name}' for code, text in EXIT_CODES.items())}."
