"""Find hooks of a hook runner that are gone, narrowed, made non-fatal or pinned to another commit.

What else changes in such a file is for the gate itself, which compares it with the base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.tools.commands import is_replaced
from verigate.sdk import clean_text
from verigate.sdk.hook_runners.compare import compare_hooks, list_hooks
from verigate.sdk.hook_runners.paths import is_hook_runner_file

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet


def find_weakened_hooks(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find the weakenings of the changed configurations of hook runners."""
    paths = {side.path for file in changes.files for side in (file.before, file.after) if side is not None}
    for path in sorted(path for path in paths if is_hook_runner_file(path)):
        base, head = changes.at_base(path), changes.at_subject(path)
        ran, runs = (Counter(_tool(name) for name in list_hooks(path, content)) for content in (base, head))
        for change in compare_hooks(path, base, head):
            if not change.judges:
                replaced = change.gone is not None and is_replaced(_tool(change.gone), ran, runs)
                message = clean_text(f"{change.what}, and another of its kind runs" if replaced else change.what, 400)
                weight: Weight = "note" if replaced else "weakening"
                forms = Forms(change.base, change.head)
                kind = "hook_repinned" if change.repinned else "hook_weakened"
                yield IntegrityFinding(kind, path, None, message, weight, kind.replace("_", "-"), forms=forms)


def _tool(hook: str) -> str:
    """The tool that a hook runs, by its id: ``ruff-format`` -> ``ruff``."""
    return hook.partition("-")[0]
