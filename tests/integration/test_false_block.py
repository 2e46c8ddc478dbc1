"""``gate false-block``: a report about a verdict that blocked, which stays as it is.

Starts git, sh and the gate.
"""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import literal_facts as literal
import published_tasks as published


def test_a_verdict_is_reported_listed_and_stays(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True})
    published.publish_task(repository.root, "T2", {"tests.json": literal.BAD["tests.json"]}, {"tests_pass": True})
    published.publish_task(repository.root, "T3", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True})
    before = repository.gate("show", "T2")
    done = repository.gate("false-block", "T2", "--reason", "The clock of CI was wrong.", "--by", "alice", "--json")
    assert done.code == 0, done.output
    (report,) = json.loads(done.out)["reports"]
    assert (report["task_id"], report["status"], report["findings"], report["reasons"]) == (
        "T2", "fail", ["code.tests_pass"], ["TEST_FAIL"],
    )  # fmt: skip
    # It opens nothing: neither the verdict nor what replays it is another.
    after = repository.gate("show", "T2")
    assert (after.code, after.out) == (before.code, before.out)
    assert repository.gate("replay", "T2").code == 1
    listed = repository.gate("false-block", "--list")
    assert (listed.code, "The clock of CI was wrong." in listed.out, "alice" in listed.out) == (0, True, True)
    again = repository.gate("false-block", "T2", "--reason", "The clock of CI was wrong.")
    assert again.out.startswith("reported before:")
    for words in (
        ("T3", "--reason", "why"), ("T2",), ("T2", "--reason", " "), ("T2", "--reason", "why", "--finding", "none"),
    ):  # fmt: skip
        assert repository.gate("false-block", *words).code == 2, words
