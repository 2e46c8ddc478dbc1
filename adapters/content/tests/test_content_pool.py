"""The workers: answers come in the order of the paths, and what happens to one of them names the file."""

from __future__ import annotations

import mmap
import os
import signal
import time
from pathlib import Path

import pytest

from content_adapter import worker_pool
from content_adapter.worker_pool import map_paths
from verigate.sdk import AdapterError


def work(path: str) -> object:
    if path == "crashes":
        os.kill(os.getpid(), signal.SIGKILL)
    if path == "loops":
        time.sleep(60)
    if path == "fails":
        raise AdapterError("no such thing", where=path)
    if path == "nested":
        return work(path)
    if path == "large":
        return len(b"x" * (64 << 30))
    return len(path), os.getpid()


def test_every_path_has_its_answer() -> None:
    paths = [f"{'x' * (number % 7)}{number}" for number in range(200)]
    found = dict(map_paths(paths, work))
    assert {path: answer[0] for path, answer in found.items()} == {path: len(path) for path in paths}
    assert os.getpid() not in {answer[1] for answer in found.values()}
    assert dict(map_paths([], work)) == {}


def test_answers_keep_the_order_of_the_paths_and_nobody_runs_far_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_MAX_BATCHES_AHEAD", 2)
    started = mmap.mmap(-1, 2000)

    def slow_at_first(path: str) -> int:
        if path == "0":
            time.sleep(0.3)
            return sum(started[1:])
        started[int(path)] = 1
        return 0

    paths = [str(number) for number in range(2000)]
    found = list(map_paths(paths, slow_at_first))
    assert [path for path, _ in found] == paths
    # While the first one took its time the others read on, and then waited for it.
    assert found[0][1] <= 2 * 64 * len(os.sched_getaffinity(0))
    assert all(started[1:])


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("crashes", "ended with signal 9"),
        ("loops", "longer than 0.5 s"),
        ("fails", "no such thing"),
        ("nested", "nested too deeply"),
        ("large", "too much memory"),
    ],
)
def test_what_befalls_a_worker_names_the_file(path: str, said: str) -> None:
    with pytest.raises(AdapterError, match=said) as caught:
        list(map_paths(["a", path, "b"], work, deadline_s=0.5))
    assert caught.value.where == path


def test_no_worker_outlives_the_call() -> None:
    before = _children()  # of tests in the same process
    with pytest.raises(AdapterError):
        list(map_paths(["loops", "fails", "loops"], work, deadline_s=30))
    left = set(_children()).difference(before)
    assert not [pid for pid in left if Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"]


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
