"""kill -9 of ``gate verify`` at fifty random moments: the state is whole, the lock is free, nothing lives on."""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from release_tests import left_for_a_release

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
ACTS = {
    # Several artifacts, written slowly.
    "my:many": 'mkdir "$TASK_DIR/many"; for i in 1 2 3 4 5 6 7 8; do echo "{\\"i\\": $i}" >"$TASK_DIR/many/$i.json"; '
    "sleep 0.01; done",
    # Children, one of which leaves its session and its parent.
    "my:forks": 'sleep 30 & (setsid sleep 30 &) ; (setsid sh -c "trap \\"\\" TERM HUP INT; sleep 30" &) ; sleep 0.05; '
    'echo "{}" >"$TASK_DIR/forked.json"',
}
KILLS = 25
"""In each of the two ways to run adapters: fifty in all."""


def prepare(folder: Path, sandbox: str) -> gr.GatedRepository:
    repository = gr.make(folder, CODE, {"tests_pass": True, "sandbox": sandbox}, acts=ACTS)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py")
    return repository


def start(repository: gr.GatedRepository, marker: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (*gr.GATE, "verify", "T1", "--quiet"),
        cwd=repository.root,
        # One of the few variables that adapters inherit: their processes can be told by it.
        env=repository.environ(GOFLAGS=marker),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["prefer", *left_for_a_release("off")])
def test_a_killed_run_leaves_the_old_whole_or_not_verified(tmp_path: Path, sandbox: str) -> None:
    repository = prepare(tmp_path, sandbox)
    first = repository.verify()
    assert first.code == 0, first.output
    mechanism = {item["sandbox"]["mechanism"] for item in repository.published("run.json")["invocations"]}
    assert mechanism == ({"bubblewrap"} if sandbox == "prefer" else {"process-group"})
    begun = time.monotonic()
    assert repository.verify().code == 0
    duration = time.monotonic() - begun
    # Seeded: a failure can be looked at again.
    moments = random.Random(20240101)  # noqa: S311 - moments, not secrets
    ended: dict[str, int] = {"finished": 0, "old or new": 0, "not verified": 0}
    for number in range(KILLS):
        marker = f"verigate-crash-{os.getpid()}-{sandbox}-{number}"
        # Spread over the run, with some around its end, where publication happens.
        moment = duration * (number + moments.random()) / KILLS * 1.1
        process = start(repository, marker)
        time.sleep(moment)
        process.kill()
        finished = process.wait(30) == 0
        left = gr.wait_until_gone(marker, 10)
        assert left == [], f"kill {number} at {moment:.3f} s of {duration:.3f} s left {left}"
        shown = repository.gate("show", "T1", "--json")
        assert shown.code in {0, 3}, shown.output
        if shown.code == 0:
            assert shown.json["status"] == "pass"
            assert repository.gate("replay", "T1").code == 0
            ended["finished" if finished else "old or new"] += 1
        else:
            assert shown.json["code"] == "EVIDENCE"
            assert "not verified" in shown.json["faults"][0]["message"]
            ended["not verified"] += 1
        again = repository.verify()
        assert again.code == 0, f"after kill {number} at {moment:.3f} s: {again.output}"
        # A folder without a lock of its own, killed in its first moment, is empty and goes when it is old.
        left_over = [
            path for path in repository.tmp.iterdir() if {entry.name for entry in path.iterdir()} - {"lock.new"}
        ]
        assert left_over == [], "the next run sweeps what the killed one left"
        leftovers = [path.name for path in (repository.root / ".artifacts/T1").rglob("*.part")]
        assert leftovers == []
    print(f"killed {KILLS} runs of {duration:.2f} s ({sandbox}): {ended}")
    assert ended["old or new"] + ended["not verified"] >= KILLS // 2, "most runs were killed before their end"


@pytest.mark.release
@pytest.mark.slow
def test_publication_killed_at_every_step_is_never_a_false_pass(tmp_path: Path) -> None:
    """Between two verdicts that differ: after any kill it is the old one, the new one, or none at all."""
    repository = prepare(tmp_path, "prefer")
    assert repository.verify().code == 0
    begun = time.monotonic()
    assert repository.verify().code == 0
    duration = time.monotonic() - begun
    repository.claim("file:a.py", "file:never.py")
    moments = random.Random(7)  # noqa: S311 - moments, not secrets
    seen = set()
    for number in range(12):
        process = start(repository, f"verigate-publish-{os.getpid()}-{number}")
        time.sleep(duration * (0.75 + 0.35 * moments.random()))
        process.kill()
        process.wait(30)
        shown = repository.gate("show", "T1", "--json")
        if shown.code == 0:
            verdict = shown.json
            claimed = [unit["id"] for unit in verdict["units"]["per_unit"]]
            expected = ["file:a.py"] if verdict["status"] == "pass" else ["file:a.py", "file:never.py"]
            assert claimed == expected
            seen.add(verdict["status"])
        else:
            assert shown.code == 3, shown.output
            seen.add("not verified")
        repository.claim("file:a.py")
        assert repository.verify().code == 0
        repository.claim("file:a.py", "file:never.py")
    assert seen <= {"pass", "fail", "not verified"}
