"""What an agent's tool call is refused for: going past the hooks, and editing what judges the work.

A refusal says the honest way. It stops what is written openly and no more; what lands is verified again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verigate.integrations.agents.bypasses import find_bypass
from verigate.integrations.agents.shell_calls import list_calls
from verigate.integrations.agents.written_paths import list_replaced, list_written

HONEST = (
    "Let the hooks run. If they refuse the commit, fix what they name, or tell the person what they refuse and why: "
    "they decide whether it goes past them."
)
HONEST_EDIT = (
    "Leave the file as it is. If it has to change, show the person the change and the reason: they review it and "
    "commit it by itself."
)


def find_refusal(
    command: str | None,
    paths: Sequence[str],
    is_guarded: Callable[[str], bool],
    holds_guarded: Callable[[str], bool] = lambda _: False,
) -> str | None:
    """Return why a tool call is refused, and the honest way; None if it isn't.

    ``command`` is the shell text that would run, ``paths`` are the files that would be written. ``is_guarded`` answers
    whether a path, as written, is one of the judges' own files or a hook, ``holds_guarded`` whether it is a folder with
    one.
    """
    for path in paths:
        if is_guarded(path):
            return f"{path} is a policy file. {HONEST_EDIT}"
    for call in list_calls(command) if command else ():
        why = find_bypass(call)
        if why is not None:
            return f"{why}. {HONEST}"
        written = next(filter(is_guarded, list_written(call)), None) or next(
            filter(holds_guarded, list_replaced(call)), None
        )
        if written is not None:
            return f"{written} is a policy file. {HONEST_EDIT}"
    return None
