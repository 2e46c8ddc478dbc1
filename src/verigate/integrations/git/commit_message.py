"""Insert the ``Gate-Task:`` trailer of a commit message where git-interpret-trailers(1) puts it.

Only a commit of new work gets one: not a merge, a rebase, a cherry-pick or a revert in progress, and not a commit that
``git rebase --autosquash`` folds into another. A message that git would refuse as empty stays empty.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from verigate.errors import ExecutionError, UsageError
from verigate.formats.visible import format_path
from verigate.integrations.git.operations import find_operation

TRAILER = "Gate-Task"

_TIMEOUT_S = 30.0
_MAX_BYTES = 64 * 1024 * 1024
_SCISSORS = re.compile(rb"(?m)^\S{1,64} -{24} >8 -{24}$")
_FOLDED = (b"fixup! ", b"squash! ", b"amend! ")
_NO_CHARACTER = "\x01"
_SETTINGS = r"^(core\.commentchar|core\.commentstring|commit\.template)$"


class TrailerOutcome(StrEnum):
    """What was done with a message."""

    ADDED = "added"
    NAMED = "names a task already"
    EMPTY = "empty"
    FOLDED = "folded into another commit"
    UNDER_WAY = "a merge, rebase, cherry-pick or revert is under way"


class Draft(Struct, frozen=True):
    """A message and the settings by which git will clean it up.

    ``comment`` begins the lines that git removes before it commits (empty: none); ``template`` is the text of
    commit.template, which git refuses if nothing was added to it.
    """

    text: bytes
    comment: bytes = b"#"
    template: bytes = b""


def add_trailer(message: Path, task_id: str, root: Path, environ: Mapping[str, str]) -> TrailerOutcome:
    """Add ``Gate-Task: <task_id>`` to the file ``message`` of the repository at ``root``, if it needs one.

    Raises UsageError for a file that can't be read or written, ExecutionError if git refuses it.
    """
    _require_repository(root, environ)
    if find_operation(root, environ) not in {None, "bisect"}:
        return TrailerOutcome.UNDER_WAY
    text = _read_message(message)
    outcome, changed = insert_trailer(_make_draft(text, root, environ), task_id, environ)
    if changed != text:
        message.write_bytes(changed)
    return outcome


def read_said_message(message: Path, root: Path, environ: Mapping[str, str]) -> str:
    """Read what a message says: without the comments that git removes, and without what is below scissors.

    Raises UsageError for a file that can't be read.
    """
    _require_repository(root, environ)
    draft = _make_draft(_read_message(message), root, environ)
    scissors = _SCISSORS.search(draft.text)
    head = draft.text if scissors is None else draft.text[: scissors.start()]
    lines = (line for line in head.splitlines() if not (draft.comment and line.startswith(draft.comment)))
    return b"\n".join(lines).decode("utf-8", "replace")


def _read_message(message: Path) -> bytes:
    try:
        with message.open("rb") as stream:
            text = stream.read(_MAX_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"the commit message can't be read: {problem.strerror}", where=format_path(message)) from None
    if len(text) > _MAX_BYTES:
        raise UsageError(f"the commit message has more than {_MAX_BYTES} bytes", where=format_path(message))
    return text


def insert_trailer(draft: Draft, task_id: str, environ: Mapping[str, str]) -> tuple[TrailerOutcome, bytes]:
    """Return the message with the trailer, or unchanged. Scissors and the text below them stay where they are."""
    scissors = _SCISSORS.search(draft.text)
    head, tail = (draft.text, b"") if scissors is None else _split_at(draft.text, scissors.start())
    lines = _read_significant_lines(head, draft.comment)
    if not lines or lines == _read_significant_lines(draft.template, draft.comment):
        return TrailerOutcome.EMPTY, draft.text
    if lines[0].startswith(_FOLDED):
        return TrailerOutcome.FOLDED, draft.text
    # Without a newline at its end git treats the last line as the beginning of the trailers.
    ended = head if head.endswith(b"\n") else head + b"\n"
    character = os.fsdecode(draft.comment) or _NO_CHARACTER
    arguments = (
        "--no-divider",
        "--if-exists",
        "doNothing",
        "--if-missing",
        "add",
        "--trailer",
        f"{TRAILER}: {task_id}",
    )
    # Ignore the user's and the repository's trailer.* settings, which may add other trailers and run programs.
    alone = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
    alone |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": "/"}
    done = _run_git(
        Path("/"), alone, "-c", f"core.commentChar={character}", "interpret-trailers", *arguments, stdin=ended
    )
    if done.returncode != 0:
        stderr = os.fsdecode(done.stderr).strip()
        raise ExecutionError(f"git interpret-trailers failed: {stderr[-300:]}", hint="check the message")
    named = any(
        line.lower().startswith(f"{TRAILER.lower()}:".encode()) for line in _parse_trailers(ended, character, alone)
    )
    return (TrailerOutcome.NAMED, draft.text) if named else (TrailerOutcome.ADDED, done.stdout + tail)


def _parse_trailers(text: bytes, character: str, environ: Mapping[str, str]) -> list[bytes]:
    options = ("-c", f"core.commentChar={character}", "interpret-trailers", "--no-divider", "--parse")
    return _run_git(Path("/"), environ, *options, stdin=text).stdout.splitlines()


def _split_at(text: bytes, place: int) -> tuple[bytes, bytes]:
    return text[:place], text[place:]


def _read_significant_lines(text: bytes, comment: bytes) -> tuple[bytes, ...]:
    """Return the lines that count: git removes comments, and treats a message of nothing but sign-offs as empty."""
    lines = (line.rstrip() for line in text.splitlines() if not (comment and line.startswith(comment)))
    return tuple(line for line in lines if line and not line.startswith(b"Signed-off-by: "))


def _require_repository(root: Path, environ: Mapping[str, str]) -> None:
    if _run_git(root, environ, "rev-parse", "--git-dir").returncode != 0:
        raise UsageError(
            "this is not a git repository", where=format_path(root), hint="git calls this as its commit-msg hook"
        )


def _make_draft(text: bytes, root: Path, environ: Mapping[str, str]) -> Draft:
    settings = {}
    for entry in _run_git(root, environ, "config", "--null", "--get-regexp", _SETTINGS).stdout.split(b"\0"):
        key, _, value = entry.partition(b"\n")
        settings[key.lower()] = value
    comment = settings.get(b"core.commentstring") or settings.get(b"core.commentchar") or b"#"
    if comment == b"auto":
        comment = b"#"
    if environ.get("GIT_EDITOR") == ":":
        # git's sign that no editor was opened (`-m`): then it keeps lines that look like comments.
        comment = b""
    return Draft(text, comment, _read_template(settings.get(b"commit.template", b""), root))


def _read_template(setting: bytes, root: Path) -> bytes:
    if not setting:
        return b""
    try:
        return (root / Path(os.fsdecode(setting)).expanduser()).read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: unknown home
        return b""


def _run_git(
    folder: Path, environ: Mapping[str, str], *arguments: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ("git", "-C", os.fspath(folder), *arguments), env={**environ, "LC_ALL": "C"}, input=stdin,
            capture_output=True, check=False, timeout=_TIMEOUT_S,
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError("git is not on PATH", hint="install git") from None
