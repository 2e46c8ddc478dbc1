"""Leave weakenings to the message of the commit: what the hook pre-commit does where the hook commit-msg follows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.cli.output import say, warn

if TYPE_CHECKING:
    from verigate.usecases.verify import Verified


def leave_to_message(
    verified: Verified, folder_name: str, root: Path, find_lack: Callable[[], str] | None
) -> int | None:
    """Remember what was judged for the hook commit-msg; return 0 where all that is lacking is left to it, else None.

    ``find_lack`` returns why git won't ask the gate about the message, "" if it will; None: the caller says that it
    will. Then nothing is left to it, and the reason is printed.
    """
    verdict = verified.verdict
    if verdict is None or verified.landing is None:
        return None
    left = verified.left_to_message
    if left and find_lack is not None and (lack := find_lack()):
        say(f"verigate: the message of a commit can disclose this, but {lack}", err=True)
        return None
    if left or verdict.status.exit_code == 0:
        _remember(verified.landing, folder_name, root, left=left)
    if not left:
        return None
    from verigate.integrations.git.amending import is_amending
    from verigate.reporting.commit_message import render_left_to_message

    warn(verified.warnings)
    say(render_left_to_message(verdict, amends=is_amending()), err=True)
    return 0


def _remember(landing: tuple[str, str | None], folder_name: str, root: Path, *, left: bool) -> None:
    from verigate.composition.judged_indexes import open_judged_indexes
    from verigate.usecases.judged_indexes import IndexKey

    tree, head = landing
    indexes = open_judged_indexes(root, os.environ)
    if indexes is not None:
        indexes.keep(IndexKey(str(root), tree, () if head is None else (head,), folder_name), left_to_message=left)
