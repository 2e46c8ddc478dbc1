"""Say whether commitment.json and claim.json are still those that a published verdict judged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.config.files import read_bytes
from verigate.config.task_files import is_same_document
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.errors import ConfigError


def find_changed_files(folder: Path, run: Mapping[str, Any]) -> str:
    """Say which of the two is no longer as it was judged, "" if both are.

    ``run`` is the record of the run. Layout says nothing, only what a file states. A claim that couldn't be used isn't
    recorded, and so isn't compared; nor are the files of an implicit task, which has none.
    """
    task = run.get("task")
    if not isinstance(task, dict) or task.get("implicit"):
        return ""
    known = {COMMITMENT_FILE: task.get("commitment")}
    if not task.get("claim_faults"):
        known[CLAIM_FILE] = task.get("claim")
    changed = [name for name, document in known.items() if not _is_as_judged(folder / name, document)]
    return "" if not changed else f"{' and '.join(changed)} {'has' if len(changed) == 1 else 'have'} changed since"


def _is_as_judged(path: Path, document: Any) -> bool:
    try:
        content = read_bytes(path, shown=path.name)
    except ConfigError:
        return False
    if content is None or document is None:
        return content is None and document is None
    return is_same_document(content, document)
