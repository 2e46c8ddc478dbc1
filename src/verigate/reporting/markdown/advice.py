"""Say what to do about a problem, in one sentence, with the command of this very check."""

from __future__ import annotations

from verigate.domain.verdict import Check
from verigate.reporting.check_lines import CheckLines
from verigate.reporting.escape import quote_for_shell
from verigate.reporting.markdown.spans import code_span
from verigate.reporting.settling import SETTLING

_OF_CHECK = ("gate explain TASK CHECK", "gate output TASK CAPABILITY")


def advise(check: Check, accounts: CheckLines) -> str:
    """Return a blank and the first step that settles the reason of ``check``; "" for a reason that is unknown."""
    steps = SETTLING.get(check.reason or "", ())
    if not steps:
        return ""
    # What stands between backticks is code.
    parts = steps[0].split("`")
    parts[1::2] = [code_span(_fill(part, check, accounts)) for part in parts[1::2]]
    return f" {''.join(parts)}"


def _fill(command: str, check: Check, accounts: CheckLines) -> str:
    if command in _OF_CHECK:
        return accounts.reproduction(check)
    return command.replace("TASK", quote_for_shell(accounts.task_id) or "TASK")
