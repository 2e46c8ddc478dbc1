"""Check that files of task runners in Python still fail with their checks: nox, invoke, duty, tox.

Source: nox, "Session.run" (success_codes); invoke, "Context.run" (warn); duty (nofail); tox, "ignore_outcome".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.tools.commands import judges

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_FILES = frozenset({"noxfile.py", "tasks.py", "duties.py", "fabfile.py", "pavement.py", "dodo.py"})
_CALL = re.compile(r"\b\w*(?:run|call|sh|Popen)\w*\((?:[^()]|\([^()]*\)){0,4000}\)")
_TAKEN = re.compile(
    r"success_codes\s*=\s*(?!\[\s*0\s*\]|\(\s*0\s*,?\s*\)|None)[^,)]+|\b(?:warn|nofail|ignore_outcome|allow_failure)\s*=\s*True|"
    r"\bcheck\s*=\s*False"
)
_TOX = re.compile(
    r"^\s*ignore_outcome\s*=\s*(?:true|1|yes)\b|^(?:commands\s*=)?[ \t]+-[ \t]*\w.*", re.IGNORECASE | re.MULTILINE
)


def find_taken_failures(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find calls of checks whose failure is taken for a success now."""
    for file, old, new in changes.sides():
        name = PurePosixPath(file.path).name
        if new is None or name not in {*_FILES, "tox.ini"}:
            continue
        read = _list_of_tox if name == "tox.ini" else _list_of_calls
        before = [*read(text(old))]
        for call in read(text(new)):
            if call in before:
                before.remove(call)
                continue
            message = f"a check that fails counts as a success: {' '.join(call.split())[:200]}"
            forms = Forms(text(old) or None, call)
            yield IntegrityFinding(
                "check_command_weakened", file.path, None, message, "weakening", "failure-taken", forms=forms
            )


def _list_of_calls(source: str) -> Iterator[str]:
    for call in _CALL.finditer(source):
        taken = _TAKEN.search(call[0])
        if taken is not None and judges(call[0]):
            yield f"{next(iter(judges(call[0])))}: {taken[0].strip()}"


def _list_of_tox(source: str) -> Iterator[str]:
    for match in _TOX.finditer(source):
        if "ignore_outcome" in match[0] or judges(match[0].replace("-", " ", 1)):
            yield match[0].strip()
