"""Find hooks of a hook runner (pre-commit, prek, lefthook) that are gone, narrowed or made non-fatal.

What else changes in such a file is for the gate itself, which compares it with the base.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import Forms, IntegrityFinding
from verigate.sdk import clean_text
from verigate.sdk.hook_runners.compare import compare_hooks
from verigate.sdk.hook_runners.paths import is_hook_runner_file

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet


def find_weakened_hooks(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find the weakenings of the changed configurations of hook runners."""
    paths = {side.path for file in changes.files for side in (file.before, file.after) if side is not None}
    for path in sorted(path for path in paths if is_hook_runner_file(path)):
        for change in compare_hooks(path, changes.at_base(path), changes.at_subject(path)):
            if not change.judges:
                message, forms = clean_text(change.what, 400), Forms(change.base, change.head)
                yield IntegrityFinding("hook_weakened", path, None, message, "weakening", "hook-weakened", forms=forms)
