"""What a capability is shown of the task: of what it doesn't declare to see, a document that says nothing.

So what it finds can't depend on it, and holds for every task with the same subject.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from verigate.domain.manifest import CLAIM, COMMITMENT, ONE_RULE, RULES
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE

NO_TASK = "task"
"""The id of a task of which nothing is shown."""

_NO_TYPE = "any"
NO_PROFILE = "any"
"""The name of a profile that has only the rules that a capability sees."""

_FILES = {CLAIM: CLAIM_FILE, COMMITMENT: COMMITMENT_FILE}


def shown_task_id(task_id: str, sees: Collection[str]) -> str:
    """Return the task's id for a capability that sees a document of the task, else one that is always the same."""
    return task_id if CLAIM in sees or COMMITMENT in sees else NO_TASK


def show_profile(document: Mapping[str, Any], sees: Collection[str]) -> Mapping[str, Any]:
    """Return the ``--profile`` document: as it is, or with one profile that has only the rules that are seen."""
    if RULES in sees:
        return document
    active = document.get(document.get("active", NO_PROFILE), {})
    seen = sorted(item.removeprefix(ONE_RULE) for item in sees if item.startswith(ONE_RULE))
    return {"active": NO_PROFILE, NO_PROFILE: {key: active[key] for key in seen if active.get(key) is not None}}


def withhold_unseen(inputs: Mapping[str, bytes], task_id: str, sees: Collection[str]) -> dict[str, bytes]:
    """Return commitment.json and claim.json by name, each as it is or as one that says nothing."""
    empty = json.dumps({"task_id": shown_task_id(task_id, sees), "type": _NO_TYPE}).encode() + b"\n"
    unseen = {name for part, name in _FILES.items() if part not in sees}
    return {name: empty if name in unseen else content for name, content in inputs.items()}
