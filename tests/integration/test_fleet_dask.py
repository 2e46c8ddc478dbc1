"""gate verify --executor dask://HOST:PORT: a scheduler and workers of Dask as real processes on loopback."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import Cluster, cluster
from forked_programs import GATE
from repositories import Repository

_TEST = "def test_total():\n    assert 1 + 1 == 2\n\n\ndef test_rate():\n    assert 2 * 3 == 6\n"
_ORDER = ["code:diff", "code:integrity"]
_PLAN = json.dumps({"code": {"order": _ORDER, "required": _ORDER, "optional": []}})
_RULES = {
    "rules": [{"id": "few", "expr": 'artifacts["diff.json"].total_changes <= 2', "message": "too many files"}],
    "integrity": True,
}

pytestmark = pytest.mark.slow


def make(folder: Path, kinds: list[str]) -> Repository:
    """A repository with a commit of each kind after ``begin``."""
    repository = Repository.make(folder)
    profiles = json.dumps({"code_default": _RULES})
    begin = {"config/adapter-plan.json": _PLAN, "config/verification.profiles.json": profiles, "test_cart.py": _TEST}
    repository.commit(begin, "Begin")
    repository.git("branch", "begin")
    for number, kind in enumerate(kinds):
        if kind == "page":
            repository.commit({f"page{number}.md": f"# {number}\n"}, f"Add page {number}")
        elif kind == "many":
            repository.commit({f"{name}{number}.md": "# Many\n" for name in "abc"}, f"Add pages {number}")
        elif kind == "weaken":
            there = (repository.root / "test_cart.py").read_text()
            shorter = there.partition("\n\n\ndef test_rate")[0] + "\n"
            repository.commit({"test_cart.py": shorter if "test_rate" in there else _TEST}, f"Change tests {number}")
        elif kind == "policy":
            repository.commit({"config/adapter-plan.json": _PLAN + "\n" * (number + 1)}, f"Touch the plan {number}")
        else:
            repository.git("commit", "--quiet", "--allow-empty", "--message", f"Say nothing {number}")
    return repository


def verify(repository: Repository, *options: str) -> tuple[int, dict[str, Any]]:
    ended = repository.gate("verify", "--range", "begin..HEAD", "--json", *options)
    assert ended.stdout, ended
    return ended.exit_code, json.loads(ended.stdout)


def facts(report: dict[str, Any]) -> Any:
    """What a report says but when it was found, and whether this machine knew of it."""
    whole = {key: value for key, value in report["whole"].items() if key != "metadata"}
    commits = [{key: value for key, value in each.items() if key != "never_verified"} for each in report["commits"]]
    return {**report, "whole": whole, "commits": commits}


@pytest.fixture(scope="module", name="dask")
def _dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("dask"), 2) as made:
        yield made


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.release)])
def test_every_executor_gives_the_same_verdicts(dask: Cluster, tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)  # noqa: S311 - which history is tried
    kinds = [*chosen.sample(["many", "weaken", "policy"], 2), "nothing"]
    repository = make(tmp_path, kinds)
    more = ("--policy-ref", repository.git("rev-parse", "begin")) if seed == 1 else ()
    code, here = verify(repository, *more)
    assert {each["status"] for each in here["commits"]} > {"pass"}, "a history on which verdicts differ"
    local_code, local = verify(repository, "--executor", "local:2", "--no-cache", *more)
    dask_code, there = verify(repository, "--executor", dask.executor, *more)
    shards = tmp_path / "shards"
    for number in ("1", "2"):
        output = str(shards / f"{number}.json")
        repository.gate("verify", "--range", "begin..HEAD", "--shard", f"{number}/2", "--output", output, *more)
    merged = repository.gate("merge", str(shards), "--json")
    assert code == local_code == dask_code == merged.exit_code
    assert facts(here) == facts(local)
    assert facts(here) == facts(there)
    assert facts(here) == facts(json.loads(merged.stdout))
    assert not list(dask.home.glob(".cache/verigate/mirrors/*/worktrees/*"))


def _started(repository: Repository, executor: str) -> subprocess.Popen[bytes]:
    argv = (*GATE, "verify", "--range", "begin..HEAD", "--json", "--executor", executor)
    return subprocess.Popen(
        argv, cwd=repository.root, env=repository._environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _wait_for_results(repository: Repository, count: int) -> None:
    kept = Path(repository.home, ".cache", "verigate", "fleet")
    until = time.monotonic() + 90
    while len(list(kept.glob("*/*"))) < count:
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.release
def test_a_worker_that_is_killed_and_a_scheduler_that_is_gone(tmp_path: Path) -> None:
    repository = make(tmp_path / "repository", ["page"] * 5)
    with cluster(tmp_path / "dask", 2) as own:
        with _started(repository, own.executor) as gate:
            _wait_for_results(repository, 1)
            own.workers[0].send_signal(signal.SIGKILL)
            _wait_for_results(repository, 2)
            own.scheduler.send_signal(signal.SIGKILL)
            _, err = gate.communicate(timeout=100)
        said = " ".join(err.decode().split())
        assert gate.returncode == 3, said
        assert "the scheduler is gone" in said
        assert "Traceback" not in said
        assert "of 5 are finished and kept for an hour" in said
        assert "run the same command again: what is kept isn't run again" in said
    found = len(list(Path(repository.home, ".cache", "verigate", "fleet").glob("*/*")))
    assert found >= 2
    # Whatever goes on with it: here there is no scheduler any more.
    code, report = verify(repository, "--executor", "local:2")
    assert [each["status"] for each in report["commits"]] == ["pass"] * 5
    assert code == 1, "five pages are too many for one change"


@pytest.mark.release
def test_a_scheduler_that_never_answered_is_an_error(tmp_path: Path) -> None:
    repository = make(tmp_path, ["page"])
    ended = repository.gate("verify", "--range", "begin..HEAD", "--executor", "dask://127.0.0.1:9")
    assert ended.exit_code == 3, ended
    assert b"no scheduler answers at 127.0.0.1:9" in ended.stderr


def test_tasks_of_a_working_tree_are_refused(tmp_path: Path) -> None:
    repository = make(tmp_path, ["page"])
    assert repository.gate("start", "one", "--type", "code").exit_code == 0
    ended = repository.gate("verify", "--all", "--executor", "dask://127.0.0.1:9")
    assert ended.exit_code == 2, ended
    assert b"workers don't have" in ended.stderr
