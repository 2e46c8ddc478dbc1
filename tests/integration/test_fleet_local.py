"""gate verify --executor local: several verifications at once, killed, interrupted, gone on with; real processes."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from forked_programs import GATE
from repositories import Repository

from verigate.domain.task_folder import GITIGNORE

_PLAN = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
_SMALL = {
    "small": {
        "rules": [
            {"id": "few", "expr": 'artifacts["diff.json"].total_changes <= 1', "message": "more than one file"},
        ]
    }
}
_KILLS = 20


def make(folder: Path, commits: int) -> Repository:
    """A repository with that many commits after ``begin``; every fifth changes two files, which is refused."""
    repository = Repository.make(folder)
    config = {
        ".artifacts/.gitignore": GITIGNORE,
        "config/adapter-plan.json": json.dumps(_PLAN),
        "config/verification.profiles.json": json.dumps(_SMALL),
    }
    repository.commit(config, "Begin")
    repository.git("branch", "begin")
    for number in range(commits):
        files = {f"page{number}.md": f"# {number}\n"}
        if number % 5 == 4:
            files[f"other{number}.md"] = "# Other\n"
        repository.commit(files, f"Add page {number}")
    return repository


def expect(commits: int) -> list[tuple[str, str]]:
    return [(f"Add page {number}", "fail" if number % 5 == 4 else "pass") for number in range(commits)]


def command(*options: str) -> tuple[str, ...]:
    return ("verify", "--range", "begin..HEAD", "--profile", "small", "--json", *options)


def told(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["subject"], each["status"]) for each in report["commits"]]


def list_workers(gate: int) -> list[psutil.Process]:
    """The workers of a gate, by their command line."""
    found = []
    for process in psutil.Process(gate).children():
        try:
            if any("fleet_worker" in word for word in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def read_job(worker: psutil.Process) -> str:
    return str(json.loads(Path(worker.cmdline()[-1], "job.json").read_bytes())["job"]["name"])


@contextmanager
def started(repository: Repository, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    argv = (*GATE, *command(*options))
    with subprocess.Popen(
        argv, cwd=repository.root, env=repository._environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as gate:
        try:
            yield gate
        finally:
            gate.kill()


@pytest.mark.slow
def test_forty_at_once_say_what_one_after_the_other_says(tmp_path: Path) -> None:
    repository = make(tmp_path, 40)
    many = repository.gate(*command("--executor", "local:40", "--no-cache"))
    assert many.exit_code == 1, many
    report = json.loads(many.stdout)
    assert told(report) == expect(40)
    # The chain has one entry for each commit and one for the whole, in their order.
    chain = repository.git("log", "--reverse", "--format=%s", "refs/verigate/verdicts/implicit").splitlines()
    assert [line.rpartition(" ")[2] for line in chain] == [status for _, status in expect(40)] + ["fail"]
    replayed = repository.gate("replay", "implicit")
    assert replayed.exit_code == 1
    assert b"clock" not in replayed.stderr, "the whole, which was added last, may have been finished first"
    repository.git("branch", "--force", "begin", "HEAD~6")
    one = json.loads(repository.gate(*command()).stdout)
    assert [each["verdict_sha256"] for each in one["commits"]] == [
        each["verdict_sha256"] for each in report["commits"][-6:]
    ]


@pytest.mark.release
@pytest.mark.slow
def test_workers_that_are_killed_lose_double_and_change_nothing(tmp_path: Path) -> None:
    repository = make(tmp_path, _KILLS)
    killed: set[str] = set()

    def kill_each_once(gate: int, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                for worker in list_workers(gate):
                    name = read_job(worker)
                    if name not in killed:
                        worker.send_signal(signal.SIGKILL)
                        killed.add(name)
            except (psutil.Error, OSError, ValueError, IndexError):
                continue
            time.sleep(0.01)

    stop = threading.Event()
    with started(repository, "--executor", "local:2", "--no-cache") as gate:
        killer = threading.Thread(target=kill_each_once, args=(gate.pid, stop))
        killer.start()
        out, err = gate.communicate(timeout=110)
        stop.set()
        killer.join()
    assert gate.returncode == 1, err
    assert len(killed) >= _KILLS
    assert told(json.loads(out)) == expect(_KILLS)


def _wait(is_true: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_job_whose_workers_always_die_is_set_aside(tmp_path: Path) -> None:
    repository = make(tmp_path, 3)
    poison = repository.git("rev-parse", "HEAD~1")
    stop = threading.Event()

    def kill_poison(gate: int) -> None:
        while not stop.is_set():
            try:
                for worker in list_workers(gate):
                    if read_job(worker) == poison:
                        worker.send_signal(signal.SIGKILL)
            except (psutil.Error, OSError, ValueError, IndexError):
                continue
            time.sleep(0.005)

    with started(repository, "--executor", "local:2") as gate:
        killer = threading.Thread(target=kill_poison, args=(gate.pid,))
        killer.start()
        out, err = gate.communicate(timeout=110)
        stop.set()
        killer.join()
    assert gate.returncode == 3, err
    report = json.loads(out)
    assert [each["status"] for each in report["commits"]] == ["pass", "error", "pass"]
    assert report["commits"][1]["reasons"] == ["set aside after 2 tries: its process was killed by signal 9"]
    assert report["whole"]["status"] == "fail"


@pytest.mark.release
def test_an_interrupted_run_leaves_no_worker_and_is_gone_on_with(tmp_path: Path) -> None:
    repository = make(tmp_path, 6)
    kept = Path(repository.home, ".cache", "verigate", "fleet")
    with started(repository, "--executor", "local:2") as gate:
        _wait(lambda: len(list(kept.glob("*/*"))) >= 3)
        workers = list_workers(gate.pid)
        gate.send_signal(signal.SIGINT)
        _, err = gate.communicate(timeout=60)
    assert gate.returncode == 130, err
    assert b"the same command within an hour doesn't verify again what has finished" in err
    assert not [each for each in workers if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
    # What is published is whole, and so is what the next run goes on with.
    assert repository.gate("replay", "implicit").exit_code in {0, 1}
    found = len(list(kept.glob("*/*")))
    assert found >= 3
    seen: set[str] = set()
    with started(repository, "--executor", "local:2") as gate:
        stop = threading.Event()

        def watch() -> None:
            while not stop.is_set():
                try:
                    seen.update(read_job(worker) for worker in list_workers(gate.pid))
                except (psutil.Error, OSError, ValueError, IndexError):
                    continue
                time.sleep(0.005)

        watcher = threading.Thread(target=watch)
        watcher.start()
        out, err = gate.communicate(timeout=110)
        stop.set()
        watcher.join()
    assert gate.returncode == 1, err
    assert told(json.loads(out)) == expect(6)
    assert len(seen) <= 6 + 1 - found, "what was found isn't run again"
    assert list(kept.glob("*/*")) == [], "a run that came to its end is forgotten"
    chain = repository.git("log", "--format=%s", "refs/verigate/verdicts/implicit").splitlines()
    # What was found is published again: it may not have been when the run was interrupted.
    assert 7 <= len(chain) <= 7 + found


@pytest.mark.release
def test_a_gate_that_is_killed_takes_its_workers_along(tmp_path: Path) -> None:
    repository = make(tmp_path, 4)
    with started(repository, "--executor", "local:2") as gate:
        _wait(lambda: len(list_workers(gate.pid)) == 2)
        workers = list_workers(gate.pid)
        gate.kill()
        gate.wait()
        _wait(lambda: not any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in workers))
    again = repository.gate(*command("--executor", "local:2"))
    assert told(json.loads(again.stdout)) == expect(4)


def test_what_was_kept_and_edited_is_run_again(tmp_path: Path) -> None:
    repository = make(tmp_path, 3)
    kept = Path(repository.home, ".cache", "verigate", "fleet")
    with started(repository, "--executor", "local:1") as gate:
        _wait(lambda: len(list(kept.glob("*/*"))) >= 1)
        gate.send_signal(signal.SIGINT)
        gate.communicate(timeout=60)
    entries = list(kept.glob("*/*"))
    assert entries
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-10] + b"0123456789")
    again = repository.gate(*command("--executor", "local:1"))
    assert told(json.loads(again.stdout)) == expect(3)


@pytest.mark.release
def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    repository = make(tmp_path, 4)
    leader, follower = pty.openpty()
    argv = (*GATE, "verify", "--range", "begin..HEAD", "--profile", "small", "--executor", "local:2")
    environ = repository._environment() | {"TERM": "xterm-256color"}
    with subprocess.Popen(argv, cwd=repository.root, env=environ, stdout=follower, stderr=follower) as gate:
        os.close(follower)
        written = b""
        try:
            while chunk := os.read(leader, 65536):
                written += chunk
        except OSError:
            pass  # the other side is closed
        os.close(leader)
        assert gate.wait(60) == 1, "four pages are too many for one change"
    text = written.decode()
    assert "verify  0 of 5, 2 running" in text
    assert re.search(r"verify  [1-4] of 5, .* (a second|a minute), about \d+ s left", text), text
    assert re.findall(r"Add page \d", text)[:4] == [subject for subject, _ in expect(4)]
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l"), "the cursor is shown at the end"


@pytest.mark.release
def test_every_open_task_is_verified_by_itself(tmp_path: Path) -> None:
    repository = make(tmp_path, 1)
    assert repository.gate("verify", "--ref", "HEAD", "--profile", "small").exit_code == 0, "of no task"
    for name in ("one", "two", "three"):
        assert repository.gate("start", name, "--type", "code").exit_code == 0
    assert repository.gate("end", "three").exit_code == 0
    repository.write({"new.md": "# New\n"})
    by_hand = {name: repository.gate("verify", name, "--profile", "small", "--json") for name in ("one", "two")}
    ended = repository.gate("verify", "--all", "--profile", "small", "--executor", "local:2", "--json")
    report = json.loads(ended.stdout)
    assert ended.exit_code == max(each.exit_code for each in by_hand.values()), ended
    assert {each["task_id"]: each["status"] for each in report["tasks"]} == {
        name: each.verdict and each.verdict["status"] for name, each in by_hand.items()
    }
    assert repository.gate("replay", "one").exit_code == by_hand["one"].exit_code
    listed = tmp_path / "tasks"
    listed.write_text("two  # the second\n\none\n")
    here = repository.gate("verify", "--tasks", str(listed), "--profile", "small", "--json")
    report_here = json.loads(here.stdout)
    assert [each["task_id"] for each in report_here["tasks"]] == ["two", "one"]
    assert {each["task_id"]: each["verdict_sha256"] for each in report_here["tasks"]} == {
        each["task_id"]: each["verdict_sha256"] for each in report["tasks"]
    }
    text = repository.gate("verify", "--tasks", str(listed), "--profile", "small")
    assert [line.split()[1] for line in text.stdout.decode().splitlines() if line[:1].isupper()] == ["two", "one"]


@pytest.mark.parametrize(
    ("content", "said"), [("one\none\n", "listed twice"), ("../x\n", "is no id of a task"), (None, "no such file")]
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, content: str | None, said: str) -> None:
    repository = make(tmp_path, 1)
    listed = tmp_path / "tasks"
    if content is not None:
        listed.write_text(content)
    ended = repository.gate("verify", "--tasks", str(listed))
    assert ended.exit_code == 2
    assert said in " ".join(ended.stderr.decode().split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--executor", "local"),
        ("--range", "begin..HEAD", "--executor", "local:0"),
        ("--range", "begin..HEAD", "--executor", "local:999"),
        ("--range", "begin..HEAD", "--executor", "cloud"),
        ("--range", "begin..HEAD", "--all"),
        ("--all", "--shard", "1/2"),
        ("--all", "--staged"),
        ("T1", "--all"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    repository = make(tmp_path, 1)
    ended = repository.gate("verify", *arguments)
    assert ended.exit_code == 2, ended


def test_nothing_of_it_is_loaded_by_a_plain_verify(tmp_path: Path) -> None:
    repository = make(tmp_path, 1)
    done = subprocess.run(
        (*GATE[:1], "-X", "importtime", *GATE[1:], "verify", "--ref", "HEAD"),
        cwd=repository.root,
        env=repository._environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    loaded = done.stderr.decode()
    assert "verigate.usecases.verify" in loaded
    for name in ("verigate.usecases.fleet", "verigate.cli.fleet", "verigate.domain.range_shard", "distributed"):
        assert name not in loaded, name
