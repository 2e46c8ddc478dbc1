"""What a capability is shown of the task: of what it doesn't declare to see, a document that says nothing.

So what it finds can't depend on it, and holds for every task with the same subject.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from verigate.domain.manifest import CLAIM, COMMITMENT
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE

NO_TASK = "task"
"""The id of a task of which nothing is shown."""

_NO_TYPE = "any"
NO_PROFILE = "any"
NO_RULES: Mapping[str, Any] = {"active": NO_PROFILE, NO_PROFILE: {}}
"""The name and the document of a profile without a rule."""

_FILES = {CLAIM: CLAIM_FILE, COMMITMENT: COMMITMENT_FILE}


def shown_task_id(task_id: str, sees: Collection[str]) -> str:
    """Return the task's id for a capability that sees a document of the task, else one that is always the same."""
    return task_id if CLAIM in sees or COMMITMENT in sees else NO_TASK


def withhold_unseen(inputs: Mapping[str, bytes], task_id: str, sees: Collection[str]) -> dict[str, bytes]:
    """Return commitment.json and claim.json by name, each as it is or as one that says nothing."""
    empty = json.dumps({"task_id": shown_task_id(task_id, sees), "type": _NO_TYPE}).encode() + b"\n"
    unseen = {name for part, name in _FILES.items() if part not in sees}
    return {name: empty if name in unseen else content for name, content in inputs.items()}
