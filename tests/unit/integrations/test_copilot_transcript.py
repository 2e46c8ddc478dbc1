"""Copilot writes the last message of a turn a moment after it has called the hook."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

from verigate.integrations.agents.copilot import HOST


def line(text: str) -> str:
    return json.dumps({"type": "assistant.message", "data": {"content": text}}) + "\n"


def test_a_message_that_comes_a_moment_later_is_read(tmp_path: Path) -> None:
    transcript = tmp_path / "events.jsonl"
    transcript.write_text(line("I will write it.") + line(""))

    def write() -> None:
        time.sleep(0.2)
        with transcript.open("a") as stream:
            stream.write(line("Done."))

    thread = threading.Thread(target=write)
    thread.start()
    turn = HOST.turn({"sessionId": "s", "transcriptPath": str(transcript), "stopReason": "end_turn"}, {})
    thread.join()
    assert turn.message == "Done."


def test_nothing_is_waited_for_within_a_turn(tmp_path: Path) -> None:
    transcript = tmp_path / "events.jsonl"
    transcript.write_text(line(""))
    started = time.monotonic()
    assert not HOST.turn({"sessionId": "s", "transcriptPath": str(transcript)}, {}).message
    assert time.monotonic() - started < 1
