"""Probe whether the installed hook of a coding agent blocks: end an honest turn and a false one with it.

Both in a private clone with a small policy of its own. No agent is started: the host's own command runs with the input
that the host would send.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verigate.doctor.hook_probe import TIMEOUT_S, HookProbe, PrivateClone, make_private_clone
from verigate.errors import ExecutionError
from verigate.formats import jsonc
from verigate.integrations.agents.command import commands, is_call
from verigate.integrations.agents.host import Event, Host
from verigate.integrations.launchers import quote
from verigate.integrations.launchers.machine_gate import record_gate
from verigate.user_folders import STATE

_LIMIT = 'artifacts["diff.json"].total_changes <= 1'
_POLICY = {
    "config/adapter-plan.json": {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}},
    "config/verification.profiles.json": {"code_default": {"rules": [{"id": "one-file", "expr": _LIMIT}]}},
}
_MOST_ATTEMPTS = 20
_BLOCKED = "verigate: FAIL"
_HEAD = "const COMMANDS = "


def find_stop_command(settings: bytes, host: Host) -> str | None:
    """Find the command in a host's settings that ends a turn, if ``gate install`` wrote it.

    Settings come with the repository: any other command there is somebody's, and is not run.
    """
    text = settings.decode("utf-8", "replace")
    if _HEAD in text:
        try:
            document, _ = json.JSONDecoder().raw_decode(text, text.index(_HEAD) + len(_HEAD))
        except (ValueError, RecursionError):
            return None
    else:
        document = jsonc.read_value(settings, host.settings)
    event = f" {quote(Event.STOP.value)}"
    found = next((text for text in _find_texts(document) if is_call(text) and event in text), None)
    known = {commands(host.name, attempts)[Event.STOP] for attempts in range(1, _MOST_ATTEMPTS)}
    return found if found in known else None


def probe_agent_hook(
    root: Path, host: Host, command: str, environ: Mapping[str, str], launcher: Sequence[str]
) -> HookProbe:
    """End an honest turn and a false one with ``command``, which starts ``launcher``.

    Raises ExecutionError where git fails or nothing answers.
    """
    began = time.monotonic()
    files = {name: json.dumps(document).encode() for name, document in _POLICY.items()}
    with make_private_clone(root, environ, files) as place:
        record_gate(launcher, place.top, {STATE: _state_folder(place)})
        place.write("one.txt", b"one\n")
        honest = _end_turn(place, command, "honest")
        place.write("two.txt", b"two\n")
        lie = _end_turn(place, command, "lie")
    answer = (lie if _BLOCKED not in honest else honest).strip()
    last = answer.splitlines()[-1] if answer else "it printed nothing"
    passed = host.allow(Event.STOP).stdout.strip() == honest.strip()
    return HookProbe(passed, _BLOCKED in lie, last, time.monotonic() - began)


def _end_turn(place: PrivateClone, command: str, session: str) -> str:
    """Return the command's answer to the end of a turn, sent in the fields of every host: each reads its own."""
    named = dict.fromkeys(("session_id", "conversation_id", "sessionId", "session"), session)
    folders = {"cwd": str(place.top), "folder": str(place.top), "workspace_roots": [str(place.top)]}
    final = dict.fromkeys(("last_assistant_message", "prompt_response", "message", "text"), "Done: one file.")
    own = {name: value for name, value in place.environ.items() if not name.endswith("_PROJECT_DIR")}
    own[STATE] = _state_folder(place)
    sent = json.dumps({**named, **folders, **final}).encode()
    try:
        done = subprocess.run(
            ("/bin/sh", "-c", command), cwd=place.top, env=own, input=sent, capture_output=True, check=False,
            timeout=TIMEOUT_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ExecutionError(f"the hook took more than {TIMEOUT_S:.0f} s in a private clone") from None
    return (done.stdout if done.returncode == 0 else done.stderr).decode("utf-8", "replace")


def _state_folder(place: PrivateClone) -> str:
    return str(place.top.with_name("state"))


def _find_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _find_texts(item)
