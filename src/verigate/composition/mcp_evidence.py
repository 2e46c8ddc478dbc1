"""The tasks of a repository for the server of MCP: verdicts that are intact, and their files."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from pathlib import Path

from verigate.config.which_task import list_task_ids
from verigate.domain.task_folder import VERDICT_FILE
from verigate.errors import EvidenceError, GateError
from verigate.evidence.store import encode_json, task_folder
from verigate.integrations.mcp.resources import Evidence, TaskFiles
from verigate.usecases.replay import read_genuine

_JSON = "application/json"
_MOST_TASKS = 500


def open_evidence(root: Path) -> Evidence:
    """Return what reads the tasks of the repository at ``root``."""

    def tasks() -> Sequence[TaskFiles]:
        return tuple(found for task_id in list_task_ids(root)[-_MOST_TASKS:] if (found := _describe(root, task_id)))

    def read(task_id: str, path: str) -> tuple[bytes, str]:
        if task_id not in list_task_ids(root):
            raise EvidenceError(f"there is no task {task_id}", where=str(task_folder(root, task_id)))
        published = read_genuine(root, task_folder(root, task_id))
        return (published.read(path), _guess(path)) if path else (encode_json(published.verdict), _JSON)

    return Evidence(tasks, read)


def _describe(root: Path, task_id: str) -> TaskFiles | None:
    """Describe a task; None without an intact verdict."""
    try:
        published = read_genuine(root, task_folder(root, task_id))
    except GateError:
        return None
    files = ((path, int(entry.get("size", 0)), _guess(path)) for path, entry in published.index.items())
    return TaskFiles(
        task_id, str(published.verdict["status"]), tuple(each for each in files if each[0] != VERDICT_FILE)
    )


def _guess(path: str) -> str:
    """Guess a media type by the name: hosts want one to show a file, and decide nothing by it."""
    return mimetypes.guess_type(path, strict=False)[0] or (
        "text/plain" if path.endswith((".patch", ".log")) else "application/octet-stream"
    )
