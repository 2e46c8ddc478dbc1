"""Kill workers, server, scheduler and client (SIGKILL) while commits are verified by remote execution.

    .venv/bin/python tests/bench/killed_grid.py [--kills N] [--minutes N] [--commits N] [--seed N]

A real BuildGrid with PostgreSQL, which is its scheduler's queue, and two workers of the gate on loopback. Each run
verifies a range of commits, two at once, whose capabilities no cache knows, and of which every third must fail. While
workers execute, one victim after the other is killed and started again; a killed client's command is given again. At
the end each commit must be in the report once, with the verdict that a run without any server gives, byte for byte
outside of its metadata; and no process of a killed client may be left. Exit code 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import gated_repository as gr
from remote_repository import ADAPTER, Machines
from worker_grid import WorkerGrid

SHARES = {"worker": 5, "server": 1, "scheduler": 1, "client": 2}
"""How often each is the victim."""
_WORKERS = 2
_LONGEST_RUN_S = 600
_PATIENCE_S = 40
"""Seconds after which something is killed though no worker has anything to do."""


class Kills:
    """The servers, and what was killed so far."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self._folder = folder
        self._most: int = options.kills
        self._commits: int = options.commits
        self._chance = random.Random(options.seed)  # noqa: S311 - moments, not secrets
        self._until = time.monotonic() + options.minutes * 60
        self.grid = WorkerGrid(folder / "grid", "team", keepalive=8)
        # Long enough to be killed while it runs.
        adapter = ADAPTER.replace("set -e\n", "set -e\nsleep 0.5\n", 1)
        self._machines = Machines(folder / "machines", self.grid.address, adapter=adapter)
        for _ in range(_WORKERS):
            self._start_worker()
        self.killed: Counter[str] = Counter()
        self.problems: list[str] = []
        self.runs = 0

    @property
    def is_over(self) -> bool:
        return self.killed.total() >= self._most or time.monotonic() > self._until

    @property
    def executed(self) -> int:
        """How many actions the workers ended."""
        return sum(worker.log.read_text().count(": my:check\n") for worker in self.grid.workers)

    def run(self) -> None:
        """Verify one range to its end, and kill meanwhile."""
        self.runs += 1
        place = self._folder / f"run{self.runs}"
        machine = self._make_range(place / "remote")
        known = read_verdicts(machine.copy(place / "here").gate("verify", *self._span(machine), "--json").out)
        end = time.monotonic() + _LONGEST_RUN_S
        out = None
        while out is None:
            out = self._try(machine)
            if time.monotonic() > end:
                self.problems.append(f"run {self.runs}: it doesn't come to its end")
                return
        found = read_verdicts(out)
        for number, (expected, each) in enumerate(zip(known, found, strict=False)):
            if expected != each:
                self.problems.append(f"run {self.runs}, verdict {number}: {each} instead of {expected}")
        if len(known) != len(found):
            self.problems.append(f"run {self.runs}: {len(found)} verdicts instead of {len(known)}")

    def _try(self, machine: gr.GatedRepository) -> str | None:
        """Give the command once; None if the client was killed."""
        environ = machine.environ(GATE_REMOTE_EXECUTOR=self.grid.address, GATE_REMOTE_EXECUTOR_WAIT="30")
        argv = (*gr.GATE, "verify", *self._span(machine), "--json", "--executor", "local:2")
        log = machine.home / "err"
        with (
            log.open("ab") as err,
            subprocess.Popen(argv, cwd=machine.root, env=environ, stdout=subprocess.PIPE, stderr=err) as client,
        ):
            while True:
                try:
                    out, _ = client.communicate(timeout=self._wait_for_lease(client))
                    if client.returncode not in {0, 1}:
                        self.problems.append(f"run {self.runs}: exit {client.returncode}: {log.read_text()[-400:]}")
                    return out.decode()
                except subprocess.TimeoutExpired:
                    if self.is_over:
                        continue
                if self._kill(client):
                    return None

    def _wait_for_lease(self, client: subprocess.Popen[bytes]) -> float:
        """Wait until a worker has an action, or the run has ended; return for how many seconds it may run on."""
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until and client.poll() is None:
            living = (worker for worker in self.grid.workers if worker.process.poll() is None)
            if any(any(worker.log.parent.glob("tmp/verigate-lease-*")) for worker in living):
                break
            time.sleep(0.05)
        return self._chance.uniform(0, 3)

    def _kill(self, client: subprocess.Popen[bytes]) -> bool:
        """Kill one of them, and start it again; return whether it was the client."""
        (victim,) = self._chance.choices(list(SHARES), list(SHARES.values()))
        self.killed[victim] += 1
        if victim == "worker":
            self._chance.choice(self.grid.workers[-_WORKERS:]).kill()
            self._start_worker()
        elif victim == "server":
            self.grid.kill()
            time.sleep(self._chance.uniform(0, 1))
            self.grid.start()
        elif victim == "scheduler":
            self.grid.postgres.kill()
            time.sleep(self._chance.uniform(0, 1))
            self.grid.postgres.start()
        else:
            below = psutil.Process(client.pid).children(recursive=True)
            client.kill()
            _, left = psutil.wait_procs(below, timeout=20)
            if left:
                self.problems.append(f"run {self.runs}: {len(left)} processes outlive the client")
        return victim == "client"

    def _start_worker(self) -> None:
        """Start one, in the place of one that is dead; the last ones are those that live."""
        alive = [worker for worker in self.grid.workers if worker.process.poll() is None]
        dead = [worker for worker in self.grid.workers if worker.process.poll() is not None]
        self.grid.workers[:] = dead + alive
        self.grid.worker(self._machines.keys["developer"])

    def _make_range(self, folder: Path) -> gr.GatedRepository:
        machine = self._machines.origin.copy(folder)
        rule = {"id": "fine", "expr": 'artifacts["words.json"].words.startsWith("fine")', "message": "it isn't fine"}
        machine.put("config/verification.profiles.json", {"code_default": {"rules": [rule]}})
        machine.sample.commit("the base of a run")
        machine.sample.git("branch", "begin")
        for number in range(self._commits):
            word = "bad" if number % 3 == 2 else "fine"
            machine.put("work.txt", f"{word} {self.runs}.{number}")
            machine.sample.commit(f"commit {number}")
        return machine

    def _span(self, machine: gr.GatedRepository) -> Sequence[str]:
        return "--range", "begin..HEAD", "--policy-ref", machine.sample.git("rev-parse", "begin")


def read_verdicts(out: str) -> list[Any]:
    """Commit, status and digest of each verdict, and the whole's without its metadata."""
    report = json.loads(out)
    whole = {key: value for key, value in report["whole"].items() if key != "metadata"}
    return [*((each["commit"], each["status"], each["verdict_sha256"]) for each in report["commits"]), whole]


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, help="how many processes are killed")
    parser.add_argument("--minutes", type=float, default=600, help="kill no more after so long")
    parser.add_argument("--commits", type=int, default=8, help="how many commits each run verifies")
    parser.add_argument("--seed", type=int, default=20261127, help="decides victims and moments")
    options = parser.parse_args(argv)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="killed-grid-") as folder:
        kills = Kills(Path(folder), options)
        try:
            while not kills.is_over:
                kills.run()
                print(f"run {kills.runs}: {kills.killed.total()} killed, {len(kills.problems)} wrong", file=sys.stderr)
            executed = kills.executed
        finally:
            kills.grid.close()
    victims = ", ".join(f"{name} {count}" for name, count in sorted(kills.killed.items()))
    print(
        f"{kills.killed.total()} killed ({victims}) in {kills.runs} runs of {options.commits} commits, "
        f"{time.monotonic() - begun:.0f} s, seed {options.seed}"
    )
    print(f"{executed} actions were executed by workers; {len(kills.problems)} verdicts lost, doubled or wrong")
    for problem in kills.problems:
        print(problem)
    return 1 if kills.problems else 0


if __name__ == "__main__":
    sys.exit(main())
