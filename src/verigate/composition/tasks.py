"""Write commitments and claims, and list tasks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.config.effective_profile import preview_profile
from verigate.config.files import parse_json, read_bytes
from verigate.config.plan_file import find_entry
from verigate.config.task_files import commitment_from, parse_claim, read_commitment
from verigate.config.validation import validate
from verigate.config.which_task import list_task_ids, read_current_task
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE, CURRENT_FILE, UNVERIFIED_FILE, VERDICT_FILE
from verigate.domain.verdict import Status
from verigate.errors import ConfigError, EvidenceError, UsageError
from verigate.evidence.store import artifacts_folder, encode_json, task_folder, write_atomically
from verigate.reporting.listings import TaskRow
from verigate.subject.git_query import read_git_line
from verigate.usecases.replay import read_genuine


def begin_task(
    root: Path, document: Mapping[str, Any], base: str | None, environ: Mapping[str, str]
) -> tuple[Path, tuple[str, ...]]:
    """Write a commitment with its base commit, and make its task the current one; never overwrites one.

    Returns its path, and warnings about what it will be judged by.
    """
    task_id = str(document["task_id"])
    commit = read_git_line(
        root, environ, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base or 'HEAD'}^{{commit}}"
    )
    if base is not None and commit is None:
        raise UsageError(f"{base!r} is no commit of this repository", where="--base")
    full = {**document, **({"base": commit} if commit else {})}
    if faults := validate("commitment", full):
        raise ConfigError(faults)
    configuration = load_configuration(root, find_builtin_root())
    find_entry(configuration.plan, str(document["type"]))
    effective = preview_profile(configuration.profiles, commitment_from(full), where="--profile")
    folder = task_folder(root, task_id)
    path = folder / COMMITMENT_FILE
    if path.exists():
        raise UsageError(
            f"task {task_id} has a commitment already", where=str(path), hint="choose another id, or remove the file"
        )
    artifacts_folder(root)
    write_atomically(path, encode_json(full))
    write_atomically(root / CURRENT_FILE, f"{task_id}\n".encode())
    return path, effective.warnings


def write_claim(
    root: Path, task_id: str, body: Mapping[str, Any], file: Path | None, actor: str | None
) -> tuple[Path, tuple[str, ...]]:
    """Write claim.json for a task. Raises ConfigError for a claim that verify would reject."""
    folder = task_folder(root, task_id)
    commitment = read_commitment(folder / COMMITMENT_FILE, task_id, root).commitment
    if file is not None:
        content = read_bytes(file, shown=str(file), follow=True)
        if content is None:
            raise UsageError(f"{file} does not exist", where="--file")
        document = parse_json(content, shown=str(file))
    else:
        moment = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        document = {"schema": "verigate:claim.v1", "task_id": task_id, "timestamp": moment}
        document["claim"] = {"type": commitment.type, **body}
    if actor is not None and isinstance(document, dict):
        document["actor"] = actor
    reading = parse_claim(document, task_id, commitment.type, shown=str(file) if file else "the claim")
    if reading.faults:
        raise ConfigError(reading.faults)
    path = folder / CLAIM_FILE
    write_atomically(path, encode_json(document))
    return path, tuple(map(str, reading.warnings))


def list_tasks(root: Path) -> list[TaskRow]:
    """Return a row per task of the repository, with its verdict if that is genuine."""
    current = read_current_task(root)
    return [_make_task_row(root, task_id, current=task_id == current) for task_id in list_task_ids(root)]


def _make_task_row(root: Path, task_id: str, *, current: bool) -> TaskRow:

    folder = task_folder(root, task_id)
    try:
        task_type = read_commitment(folder / COMMITMENT_FILE, task_id, root).commitment.type
    except ConfigError:
        task_type = "-"
    try:
        published = read_genuine(root, folder)
        verdict = published.verdict
        return TaskRow(
            task_id,
            str(verdict.get("type", task_type)),
            Status(verdict["status"]),
            str(verdict["metadata"].get("finished", "")) or None,
            current,
            UNVERIFIED_FILE if (folder / UNVERIFIED_FILE).exists() else "",
        )
    except (EvidenceError, KeyError, ValueError) as problem:
        begun = not (folder / VERDICT_FILE).exists()
        return TaskRow(task_id, task_type, None, None, current, "no verdict yet" if begun else str(problem))
