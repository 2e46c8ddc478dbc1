"""Write commitments and claims, and list tasks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from verigate.composition.judged_trees import JudgedTrees
from verigate.composition.trusted_policy import open_policy
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.config.effective_profile import preview_profile
from verigate.config.files import parse_json, read_bytes
from verigate.config.plan_file import find_entry
from verigate.config.task_files import commitment_from, parse_claim, read_commitment
from verigate.config.task_history import TaskHistory
from verigate.config.validation import find_unknown_keys, validate
from verigate.config.which_task import has_ended, list_task_ids, read_current_task, suggest_task
from verigate.domain.policy_source import PolicySource
from verigate.domain.standard_artifacts import COMPARES
from verigate.domain.subject import BaseBy
from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.domain.task_folder import (
    ARTIFACTS_FOLDER,
    CLAIM_FILE,
    COMMITMENT_FILE,
    CURRENT_FILE,
    ENDED_FILE,
    UNVERIFIED_FILE,
    VERDICT_FILE,
)
from verigate.domain.verdict import Status
from verigate.errors import ConfigError, EvidenceError, Fault, UsageError
from verigate.evidence.sealed_commitment import read_sealed_commitment, remove_seal, seal_commitment
from verigate.evidence.store import Published, artifacts_folder, encode_json, task_folder, write_atomically
from verigate.reporting.listings import TaskRow
from verigate.subject.git import Git, is_git
from verigate.subject.git_query import read_committed_file, read_git_line
from verigate.subject.ref_names import refuse_ambiguous
from verigate.usecases.chain_notes import find_chain_notes, list_gone_tasks, record_removal
from verigate.usecases.judged_files import find_changed_files
from verigate.usecases.replay import read_genuine


class BegunTask(NamedTuple):
    """The path of a commitment, warnings about what it will be judged by, and the ref that this was read from."""

    path: Path
    warnings: tuple[str, ...]
    policy: PolicySource | None


def begin_task(root: Path, document: Mapping[str, Any], base: str | None, environ: Mapping[str, str]) -> BegunTask:
    """Write a commitment with its base commit, and make its task the current one; never overwrites one.

    It is checked by the policy that ``gate verify`` will judge it by: that of the policy ref, if one is set.
    """
    task_id = str(document["task_id"])
    if base is not None and is_git(root):
        refuse_ambiguous(Git.from_root(str(root), environ), base, "--base")
    commit = read_git_line(
        root, environ, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base or 'HEAD'}^{{commit}}"
    )
    if base is not None and commit is None:
        raise UsageError(f"{base!r} is no commit of this repository", where="--base")
    full = {**document, **({"base": commit} if commit else {})}
    # Of a commitment that any tool may write an unknown key is a warning; this one is written here, by options.
    if faults := validate("commitment", full) + find_unknown_keys("commitment", full):
        raise ConfigError(faults)
    with open_policy(root, environ) as (policy_root, source, doubts):
        configuration = load_configuration(policy_root, find_builtin_root())
    entry = find_entry(configuration.plan, str(document["type"]))
    if COMPARES in entry.order and not is_git(root):
        raise UsageError(
            f"this is not a git repository, and type {document['type']} compares with a commit",
            where=str(root),
            hint="git init and commit, or a --type without code, such as content",
        )
    effective = preview_profile(configuration.profiles, commitment_from(full), where="--profile")
    folder = task_folder(root, task_id)
    path = folder / COMMITMENT_FILE
    content = encode_json(full)
    if path.exists() and not _was_cut_short(root, environ, task_id, content):
        hint = f"choose another id; to start it again, remove it first with `gate end --remove {task_id}`"
        raise UsageError(f"task {task_id} has a commitment already", where=str(path), hint=hint)
    _refuse_committed(root, environ, task_id, content)
    artifacts_folder(root)
    # The seal first: a commitment that stands there was sealed, at whatever moment this is ended.
    seal_commitment(root, environ, task_id, content)
    write_atomically(path, content)
    write_atomically(root / CURRENT_FILE, f"{task_id}\n".encode())
    return BegunTask(path, (*doubts, *effective.warnings), source)


def _refuse_committed(root: Path, environ: Mapping[str, str], task_id: str, content: bytes) -> None:
    """Raise UsageError if HEAD has another commitment of this name: one that landed can't change."""
    path = f"{ARTIFACTS_FOLDER}/{task_id}/{COMMITMENT_FILE}"
    committed = read_committed_file(root, environ, path)
    if committed is not None and committed != content:
        hint = (
            "choose another id: what was committed as agreed can't be agreed again, and would be refuted as gate.judges"
        )
        raise UsageError(f"task {task_id} is committed in HEAD with another commitment", where=path, hint=hint)


def _was_cut_short(root: Path, environ: Mapping[str, str], task_id: str, content: bytes) -> bool:
    """Return whether a start with this very commitment ended before the task was current, and so can be repeated."""
    path = task_folder(root, task_id) / COMMITMENT_FILE
    if read_current_task(root) == task_id or has_ended(root, task_id) or (path.parent / CLAIM_FILE).exists():
        return False
    sealed = read_sealed_commitment(root, environ, task_id)
    return read_bytes(path, shown=str(path)) == content and sealed == (content if is_git(root) else None)


def write_claim(
    root: Path, task_id: str, body: Mapping[str, Any], file: Path | None, actor: str | None
) -> tuple[Path, tuple[str, ...]]:
    """Write claim.json for a task. Raises ConfigError for a claim that verify would reject, and for a file without any.

    The error names unknown keys too, which alone are warnings: one of them may be why something else is missing.
    """
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
    faults = reading.faults
    if reading.claim is not None and reading.claim.is_empty:
        hint = "name what was done: units_list, units_total, statements or weakens"
        faults = (Fault("the claim is empty", file=str(file) if file else None, hint=hint),)
    if faults:
        raise ConfigError((*faults, *reading.warnings))
    path = folder / CLAIM_FILE
    write_atomically(path, encode_json(document))
    return path, tuple(map(str, reading.warnings))


class EndedTask(NamedTuple):
    """A task that was closed. ``row`` is what ``gate list`` showed of it; ``removed``: its files are gone."""

    row: TaskRow
    was_current: bool
    removed: bool


def end_task(root: Path, task_id: str, moment: str, environ: Mapping[str, str], *, remove: bool) -> EndedTask:
    """Close a task: it is no longer current, and a branch of its name no longer names it.

    Its files stay, unless ``remove``, which its chain of verdicts keeps. Raises UsageError for an unknown task, and for
    removing an UNVERIFIED mark.
    """
    folder = task_folder(root, task_id)
    if not folder.is_dir():
        raise UsageError(f"there is no task {task_id}", where=str(folder), hint=suggest_task(root, task_id))
    if remove and (folder / UNVERIFIED_FILE).exists():
        raise UsageError(
            f"{task_id} carries a mark of work that was not verified",
            where=str(folder / UNVERIFIED_FILE),
            hint="fix what the mark lists as refuted, or end the task and keep its files",
        )
    was_current = read_current_task(root) == task_id
    row = _make_task_row(root, environ, task_id, JudgedTrees(root, environ), current=was_current)
    if remove:
        # The entry first: what is ended in between is still there, and can be ended again.
        record_removal(root, environ, task_id, moment)
        shutil.rmtree(folder)
        remove_seal(root, environ, task_id)
    else:
        write_atomically(folder / ENDED_FILE, f"{moment}\n".encode())
    if was_current:
        (root / CURRENT_FILE).unlink(missing_ok=True)
    return EndedTask(row, was_current, remove)


def list_open_tasks(root: Path) -> tuple[str, ...]:
    """List the tasks that haven't ended, sorted, without the implicit one, which nobody began."""
    return tuple(
        task_id for task_id in list_task_ids(root) if task_id != IMPLICIT_TASK_ID and not has_ended(root, task_id)
    )


def list_tasks(root: Path, environ: Mapping[str, str]) -> list[TaskRow]:
    """Return a row per task of the repository, with its verdict if that is genuine.

    The note of the current task says why it is left aside, if it is.
    """
    current = read_current_task(root)
    obstacle = TaskHistory(root, environ).find_obstacle(current) if current is not None else None
    aside = "" if obstacle is None or obstacle.is_brought else f"left aside: {obstacle.why}"
    known, trees = list_task_ids(root), JudgedTrees(root, environ)
    rows = [_make_task_row(root, environ, name, trees, current=name == current, aside=aside) for name in known]
    return rows + [TaskRow(name, "-", note=note) for name, note in list_gone_tasks(root, environ, frozenset(known))]


def _make_task_row(
    root: Path, environ: Mapping[str, str], task_id: str, trees: JudgedTrees, *, current: bool, aside: str = ""
) -> TaskRow:
    """Describe a task, with what the chain of its verdicts shows; ``aside``: why it is left aside, if it is current."""
    row, published = _describe_task(root, task_id, current=current)
    note = aside if current and aside else row.note
    if published is not None and not note:
        changes = (trees.find_change(published.verdict["subject"]), find_changed_files(published.folder, published.run))
        note = "; ".join(filter(None, changes))
    choices = _list_choices(published) if published is not None else ()
    notes = find_chain_notes(root, environ, task_folder(root, task_id))
    return replace(row, note="; ".join(filter(None, (note, *choices, *notes))))


def _describe_task(root: Path, task_id: str, *, current: bool) -> tuple[TaskRow, Published | None]:
    """Describe a task by its files; what is published comes with it, None without an intact verdict."""
    ended = "ended" if has_ended(root, task_id) else ""
    folder = task_folder(root, task_id)
    try:
        task_type = read_commitment(folder / COMMITMENT_FILE, task_id, root).commitment.type
    except ConfigError:
        task_type = "-"
    try:
        published = read_genuine(root, folder)
        verdict = published.verdict
        marked = UNVERIFIED_FILE if (folder / UNVERIFIED_FILE).exists() else ended
        row = TaskRow(
            task_id,
            str(verdict.get("type", task_type)),
            Status(verdict["status"]),
            str(verdict["metadata"].get("finished", "")) or None,
            current,
            marked,
        )
    except (EvidenceError, KeyError, ValueError) as problem:
        begun = not (folder / VERDICT_FILE).exists()
        note = (ended or "no verdict yet") if begun else str(problem)
        return TaskRow(task_id, task_type, None, None, current, note), None
    return row, published


def _describe_base(subject: Mapping[str, Any], *, is_whole: bool) -> str:
    """Say what the subject was compared with, if that was the caller's choice; whole: by ``gate init``, with itself."""
    if subject.get("base_by") != BaseBy.OPTION:
        return ""
    if is_whole:
        return "by `gate init`: HEAD with the gate's files, compared with itself"
    return f"compared with {subject['base'][:12]}, which its caller named"


def _list_choices(published: Published) -> tuple[str, ...]:
    """Say what the caller chose in place of the task's own: by which profile it was judged, compared with what."""
    policy, subject = published.run["policy"], published.verdict["subject"]
    ref = policy.get("ref") or {}
    found = (
        f"judged by --profile {policy['profile']}" if policy.get("named") else "",
        _describe_base(subject, is_whole=bool(published.run["subject"].get("whole"))),
        f"judged by --policy-ref {ref['name']}" if ref.get("by") == "--policy-ref" else "",
    )
    return tuple(filter(None, found))
