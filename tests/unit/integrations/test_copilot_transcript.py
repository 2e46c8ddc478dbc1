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


def called(moment: int) -> str:
    return json.dumps({"type": "hook.start", "data": {"hookType": "agentStop", "input": {"timestamp": moment}}}) + "\n"


def test_the_message_of_an_earlier_turn_is_not_taken_for_the_last_one(tmp_path: Path) -> None:
    transcript = tmp_path / "events.jsonl"
    transcript.write_text(line("All tests pass.") + called(1))

    def write() -> None:
        time.sleep(0.2)
        with transcript.open("a") as stream:
            stream.write(line("One test fails.") + called(2))

    thread = threading.Thread(target=write)
    thread.start()
    document = {"sessionId": "s", "transcriptPath": str(transcript), "stopReason": "end_turn", "timestamp": 2}
    turn = HOST.turn(document, {})
    thread.join()
    assert turn.message == "One test fails."


def test_a_transcript_without_the_call_is_read_as_it_is(tmp_path: Path) -> None:
    transcript = tmp_path / "events.jsonl"
    transcript.write_text(line("All tests pass.") + called(1))
    document = {"sessionId": "s", "transcriptPath": str(transcript), "stopReason": "end_turn", "timestamp": 2}
    assert HOST.turn(document, {}).message == "All tests pass."
