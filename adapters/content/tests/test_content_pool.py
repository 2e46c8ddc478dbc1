"""The workers: order doesn't matter, and what happens to one of them names the file."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from content_adapter.pool import each
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
    found = dict(each(paths, work))
    assert {path: answer[0] for path, answer in found.items()} == {path: len(path) for path in paths}
    assert os.getpid() not in {answer[1] for answer in found.values()}
    assert dict(each([], work)) == {}


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
        list(each(["a", path, "b"], work, deadline_s=0.5))
    assert caught.value.where == path


def test_no_worker_outlives_the_call() -> None:
    with pytest.raises(AdapterError):
        list(each(["loops", "fails", "loops"], work, deadline_s=30))
    assert not [pid for pid in _children() if Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"]


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
