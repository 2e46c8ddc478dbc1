"""Record what was sent in one call: an engine may be third-party code, so what it reports is bounded first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from verigate.domain.engine import ExecutionResult, InvocationMeta
from verigate.domain.sent_request import NOT_REPORTED, NOT_SETTABLE, SentRequest, SentSkill
from verigate.domain.task_folder import VERIFIER_FOLDER

_WORDS = frozenset({NOT_REPORTED, NOT_SETTABLE})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_FILES = 4
_LONGEST_ID = 200
_LONGEST_WORD = 300
_MOST_WORDS = 64


def sanitize_sent(document: Mapping[str, Any]) -> SentRequest:
    """Sanitize what an engine reports as sent, given as strict JSON. Raises msgspec.ValidationError.

    Names become names of files in the record: any other than a plain name is dropped.
    """
    said = msgspec.convert({name: value for name, value in document.items() if value is not None}, SentRequest)
    names = sorted(name for name in said.files if _NAME.fullmatch(name))[:_MAX_FILES]
    skill = said.skill if said.skill is not None and _SHA256.fullmatch(said.skill.sha256) else None
    return msgspec.structs.replace(
        said,
        temperature=_keep_known(said.temperature),
        seed=_keep_known(said.seed),
        skill=None if skill is None else SentSkill(skill.id[:_LONGEST_ID], skill.sha256),
        files={name: said.files[name] for name in names},
        resumed=None if said.resumed is None else said.resumed[:_LONGEST_ID],
    )


def _keep_known(value: Any) -> Any:
    return value if not isinstance(value, str) or value in _WORDS else NOT_REPORTED


def build_sent(
    number: int, given: str, system_prompt: str, result: ExecutionResult
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return a call's members in the record about what was sent, and their files by path.

    ``given`` is the prompt that the engine was given. It stands in for the sent one where the engine doesn't report
    that, and the record says so. ``system_prompt`` is the gate's own.
    """
    sent = result.sent or SentRequest()
    prompt = f"{VERIFIER_FOLDER}/{number}.prompt.txt"
    files = {prompt: _encode_text(given if sent.text is None else sent.text)}
    files |= {f"{VERIFIER_FOLDER}/{number}.{name}": _encode_text(text) for name, text in sorted(sent.files.items())}
    members = {
        "seed": sent.seed,
        "temperature": sent.temperature,
        "prompt": {
            **describe_file(prompt, files[prompt]),
            "source": "given" if sent.text is None else "sent",
            "system_prompt": sent.system_prompt == system_prompt,
        },
        "files": [describe_file(path, content) for path, content in files.items() if path != prompt],
        "skill": None if sent.skill is None else {"id": sent.skill.id, "sha256": sent.skill.sha256},
        "session": {"id": result.session_id, "shown_as": result.session_display_id, "resumed": sent.resumed},
        "usage": None if result.usage is None else msgspec.to_builtins(result.usage),
        "cost_usd": result.cost_usd,
    }
    return members, files


def sanitize_invocation(started: Sequence[InvocationMeta]) -> dict[str, Any] | None:
    """Return what an engine says that it started, bounded; None if it says nothing. The last one counts."""
    if not started or not isinstance(started[-1], InvocationMeta):
        return None
    meta = started[-1]
    command = str(meta.command)[:_LONGEST_WORD] if meta.command is not None else None
    words, notes = (
        [str(word)[:_LONGEST_WORD] for word in said[:_MOST_WORDS]] for said in (meta.command_args, meta.notes)
    )
    return {"command": command, "arguments": words, "notes": notes}


def describe_file(path: str, content: bytes) -> dict[str, str]:
    """Describe a file of the record: its path and its digest."""
    return {"path": path, "sha256": hashlib.sha256(content).hexdigest()}


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
