"""A clock that is wrong or jumps, and twenty runs at once with commits between them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from sealed_task import STATEMENTS, make_sealed

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
CLOCKS = ("-20y", "-1d", "+40d", "+20y")


def at(repository: gr.GatedRepository, clock: str, *arguments: str) -> gr.Done:
    """One call of the gate whose clock is wrong by so much, and so is that of all that it starts."""
    done = subprocess.run(
        ("faketime", "-f", clock, *gr.GATE, *arguments), cwd=repository.root, env=repository.environ(),
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return gr.Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.release
@pytest.mark.slow
def test_an_approval_counts_in_its_time_alone_whatever_the_clock_was_before(tmp_path: Path) -> None:
    repository = make_sealed(tmp_path)
    statements = repository.root / ".artifacts/T1" / STATEMENTS
    kept = statements.read_bytes()
    for clock, why, attested in (
        ("-20y", "later than now", "was made later than now"),
        ("+20y", "expired", "expired on"),
    ):
        statements.write_bytes(kept)
        checked = at(
            repository, clock, "attest", "verify", str(statements), "--key", str(repository.home / "signing.pub")
        )
        assert (checked.code, attested in " ".join(checked.err.split())) == (3, True), checked.output
        done = at(repository, clock, "verify", "T1", "--quiet")
        assert done.code == 1, done.output
        faults = " ".join(repository.verdict()["approvals"]["faults"])
        assert why in faults or "signed" in faults or "expired" in faults, faults
        assert at(repository, clock, "replay", "T1", "--json").json["agrees"]
    assert repository.verify().code == 0, "by the right clock it counts again"
    assert "the clock, by which approvals and baselines expire, went back" in repository.gate("show", "T1").err


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    found = gr.make(tmp_path, CODE, {"tests_pass": True})
    found.put("a.py", "answer = 42\n")
    return found


@pytest.mark.slow
def test_a_clock_that_jumps_between_calls_changes_no_verdict(repository: gr.GatedRepository) -> None:
    for number, clock in enumerate(CLOCKS):
        task = f"T{number}"
        assert at(repository, CLOCKS[-1 - number], "start", task, "--type", "facts").code == 0
        assert at(repository, clock, "claim", task, "file:a.py").code == 0
        assert repository.verify(task).code == 0
        assert at(repository, clock, "claim", task, "file:a.py", "file:gone.py").code == 0
        assert at(repository, CLOCKS[-1 - number], "verify", task, "--quiet").code == 1
        shown = at(repository, clock, "show", task, "--json")
        assert shown.json["status"] == "fail"
    assert list(repository.tmp.iterdir()) == []


@pytest.mark.release
@pytest.mark.slow
def test_twenty_runs_at_once_and_commits_between_them(tmp_path: Path) -> None:
    """Of two runs of one task one may find it locked; each verdict is right and in its chain, and nothing is left."""
    repository = gr.make(tmp_path, CODE, {"tests_pass": True})
    repository.put("a.py", "answer = 42\n")
    honest = {f"T{number}": number % 2 == 0 for number in range(10)}
    for task, is_honest in honest.items():
        repository.begin(task)
        repository.claim("file:a.py", *([] if is_honest else ["file:gone.py"]), task_id=task)
    environ = {**repository.environ(), "GIT_CONFIG_GLOBAL": os.devnull}
    runs = [
        (task, subprocess.Popen(
            (*gr.GATE, "verify", task, "--quiet"), cwd=repository.root, env=environ, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
        ))
        for task in (*honest, *honest)
    ]  # fmt: skip
    commits = 0
    while any(process.poll() is None for _, process in runs):
        repository.sample.git("commit", "--quiet", "--allow-empty", "-m", f"commit {commits}")
        commits += 1
        time.sleep(0.05)
    ended: dict[str, list[int]] = {task: [] for task in honest}
    for task, process in runs:
        _, err = process.communicate()
        ended[task].append(process.returncode)
        assert process.returncode in {0 if honest[task] else 1, 3}
        if process.returncode == 3:
            assert "is being verified by another run" in err
            assert "try: wait for that run to end" in err
        else:
            assert "no chain" not in err
    assert commits > 1
    for task, codes in ended.items():
        assert min(codes) < 3, f"{task} was verified by neither"
        shown = repository.gate("show", task, "--json")
        assert json.loads(shown.out)["status"] == ("pass" if honest[task] else "fail")
        assert "chain" not in shown.err
        entries = repository.sample.git("rev-list", "--count", f"refs/verigate/verdicts/{task}")
        assert int(entries) == sum(code != 3 for code in codes)
    assert repository.sample.git("rev-list", "--count", "HEAD") == str(commits + 1)
    assert list(repository.tmp.iterdir()) == []
    assert [*(repository.root / ".git").rglob("*.lock"), *(repository.root / ".artifacts").rglob("*.part")] == []
    repository.sample.git("fsck", "--full", "--strict")
    for task, is_honest in honest.items():
        assert repository.verify(task).code == (0 if is_honest else 1), "no lock is left"
