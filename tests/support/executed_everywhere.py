"""Make small repositories, and verify their commits with every executor there is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gated_repository as gr
import worker_grid
from dask_cluster import Cluster
from remote_repository import Machines

ADAPTER = """#!/bin/sh
set -e
name=${1#my:}
shift
while [ "$#" -gt 0 ]; do
    case $1 in --task-dir) folder=$2;; esac
    shift 2
done
seen=$(cat *.txt parts/*.txt | cksum)
echo "$name saw $seen"
"""
ENDS = {
    "holds": """exec > "$folder/$name.json"
    printf '{{"ok": true, "seen": "%s", "fill": "' "$seen"; head -c {size} /dev/zero | tr '\\0' x; printf '"}}'\n""",
    "refuted": """printf '{{"ok": false, "seen": "%s"}}' "$seen" > "$folder/$name.json"\n""",
    "crashes": """echo "it can't go on" >&2\nexit 7\n""",
    "writes nothing": ":\n",
    "writes no JSON": """echo "{{" > "$folder/$name.json"\n""",
}
COLD = "cold"
"""The instance of the server whose action cache no worker writes to."""

_CACHE = """\
  - name: '{cold}'
    services:
      - !cas
        storage: *cas
      - !bytestream
        storage: *cas
      - !action-cache
        cache: *cold
thread-pool-size"""
CONFIGURATION = worker_grid.CONFIGURATION.replace("thread-pool-size", _CACHE.replace("{cold}", COLD)).replace(
    "schedulers:\n",
    "  - !lru-action-cache &cold\n    storage: *cas\n    max-cached-refs: 1000\n    allow-updates: true\nschedulers:\n",
)


@dataclass(frozen=True)
class MadeCapability:
    """One capability: how it ends, how large its artifact is, and whether it declares its inputs and is required."""

    end: str
    size: int = 10
    declares: bool = True
    required: bool = True


@dataclass(frozen=True)
class MadeCommit:
    """What a commit writes: file names with texts, of the subject's."""

    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MadeRepository:
    """The capabilities of the plan, and the commits after the base."""

    capabilities: tuple[MadeCapability, ...]
    commits: tuple[MadeCommit, ...]

    def list_shared(self, *ends: str) -> set[str]:
        """The capabilities with declared inputs that end in one of these ways."""
        numbered = enumerate(self.capabilities)
        return {f"my:c{number}" for number, made in numbered if made.declares and made.end in ends}


class Everywhere:
    """The servers and clusters of one test module, and the repositories that are verified on them."""

    def __init__(self, folder: Path, grid: worker_grid.WorkerGrid, dask: Cluster, *, workers: int = 1) -> None:
        self._folder = folder
        self._grid = grid
        self._dask = dask
        self._count = 0
        self._machines = Machines(folder / "machines", "")
        for _ in range(workers):
            grid.worker(self._machines.keys["ci"])

    def verify(self, made: MadeRepository) -> dict[str, dict[str, Any]]:
        """The report of each executor by its name, without what says when and by whom it was found."""
        self._count += 1
        folder = self._folder / str(self._count)
        repository = self._make(folder / "origin", made)
        execution = {
            "GATE_REMOTE_CACHE": f"{self._grid.address.rpartition('/')[0]}/{COLD}",
            "GATE_REMOTE_EXECUTOR": self._grid.address,
            "GATE_REMOTE_EXECUTOR_WAIT": "240",
        }
        # The executors' runs have a repository of their own each, and run at the same time.
        with ThreadPoolExecutor(3) as pool:
            runs = {
                "workers": pool.submit(self._range, repository.copy(folder / "workers"), **execution),
                "plain": pool.submit(self._range, repository.copy(folder / "plain")),
                "dask": pool.submit(self._range, repository.copy(folder / "dask"), "--executor", self._dask.executor),
                "processes": pool.submit(self._range, repository.copy(folder / "processes"), "--executor", "local:2"),
                "shards": pool.submit(self._shards, repository.copy(folder / "shards")),
            }
            found = {name: run.result() for name, run in runs.items()}
        remote = {"GATE_REMOTE_CACHE": execution["GATE_REMOTE_CACHE"]}
        writes = {"GATE_REMOTE_CACHE_MODE": "read-write", "GATE_REMOTE_CACHE_KEY": str(self._machines.keys["ci"])}
        for name, more in (("cold cache", writes), ("warm cache", {})):
            found[name] = self._range(repository.copy(folder / name), **remote, **more)
        executed, taken = (found[name]["remote"] for name in ("workers", "warm cache"))
        assert set(executed.get("executor", {}).get("executed", ())) == made.list_shared("holds", "refuted"), found[
            "workers"
        ]
        # What a check refused isn't stored, and of an error nothing is.
        stored = set() if found["plain"]["facts"]["whole"]["status"] == "error" else made.list_shared("holds")
        assert set(taken.get("taken", ())) == stored, found["warm cache"]
        shutil.rmtree(folder)
        return {name: report["facts"] for name, report in found.items()}

    def _make(self, folder: Path, made: MadeRepository) -> gr.GatedRepository:
        origin = self._machines.origin.copy(folder)
        names = [f"my:c{number}" for number in range(len(made.capabilities))]
        declared: list[dict[str, Any]] = []
        for name, each in zip(names, made.capabilities, strict=True):
            outputs = [{"path": f"{name[3:]}.json", "volatile": []}]
            capability: dict[str, Any] = {"name": name, "needs": [], "sees": [], "outputs": outputs}
            declared.append(capability | ({"inputs": ["**/*.txt"]} if each.declares else {}))
        manifest = {"name": "my", "version": "1.0.0", "entry": "run", "capabilities": declared}
        origin.put(
            "adapters/my/manifest.json",
            {**manifest, "sandbox": {"tools": ["cat", "head", "tr", "cksum"], "timeout": 60}},
        )
        cases = "".join(
            f"{name[3:]}) {ENDS[each.end].format(size=each.size)};;\n"
            for name, each in zip(names, made.capabilities, strict=True)
        ).replace("\n;;", "\n    ;;")
        # No two examples share a result.
        text = f"{ADAPTER}# example {self._count}\ncase $name in\n{cases}esac\n"
        origin.sample.write("adapters/my/run", text, executable=True)
        required = [name for name, each in zip(names, made.capabilities, strict=True) if each.required]
        entry = {"order": names, "required": required, "optional": [name for name in names if name not in required]}
        rules = [
            {"id": f"ok-{name[3:]}", "expr": f'artifacts["{name[3:]}.json"].ok', "message": f"{name} found something"}
            for name in names
        ]
        origin.put("config/adapter-plan.json", {"code": entry})
        origin.put("config/verification.profiles.json", {"code_default": {"rules": rules}})
        origin.put("parts/first.txt", "first\n")
        origin.sample.commit("the example's base")
        origin.sample.git("branch", "begin")
        for number, commit in enumerate(made.commits):
            for path, content in commit.files:
                origin.put(path, content)
            origin.put("number.txt", f"{number}\n")
            origin.sample.commit(f"commit {number}")
        return origin

    def _range(self, repository: gr.GatedRepository, *options: str, **environ: Any) -> dict[str, Any]:
        done = repository.gate("verify", *_span(repository), "--json", *options, CI="1", **environ)
        run = repository.published("run.json", "implicit") if environ else {}
        return {"facts": read_facts(done), "remote": run.get("remote", {}), "warnings": run.get("warnings")}

    def _shards(self, repository: gr.GatedRepository) -> dict[str, Any]:
        place = repository.home / "shards"
        for number in ("1", "2"):
            output = ("--output", str(place / f"{number}.json"))
            done = repository.gate("verify", *_span(repository), "--shard", f"{number}/2", *output, CI="1")
            assert done.code in {0, 1, 3, 4}, done.output
        return {"facts": read_facts(repository.gate("merge", str(place), "--json", CI="1"))}


def _span(repository: gr.GatedRepository) -> Sequence[str]:
    return "--range", "begin..HEAD", "--policy-ref", repository.sample.git("rev-parse", "begin")


def read_facts(done: gr.Done) -> dict[str, Any]:
    """Read a report without what says when it was found, and whether this machine knew of it."""
    assert done.code in {0, 1, 3, 4}, done.output
    report = json.loads(done.out)
    whole = {key: value for key, value in report["whole"].items() if key != "metadata"}
    commits = [{key: value for key, value in each.items() if key != "never_verified"} for each in report["commits"]]
    return {**report, "whole": whole, "commits": commits, "code": done.code}
