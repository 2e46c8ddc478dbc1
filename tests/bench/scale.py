"""Verify the newest commits of a repository by each executor, and print how long it takes and what it moves.

    .venv/bin/python tests/bench/scale.py REPOSITORY [--commits N] [--capabilities NAME...] [--only PART...]
        [--places N...] [--workers N...] [--noops N] [--waiting N...] [--wait SECONDS] [--rounds N] [--kills N]

REPOSITORY is a git folder, also a bare one; it is cloned and not written to. Each commit is judged by a policy of
``code:diff`` and ``code:integrity``, or of ``--capabilities``, without the kept evidence. The parts:

    local    seconds and efficiency with so many processes (``--places``)
    dask     the same with so many workers of Dask, the time of a bare no-op of it, and bytes for each commit with a
             cold and a warm mirror
    waiting  more processes than there are processors, for commits whose only capability waits ``--wait`` seconds, as
             the gate does for a machine elsewhere: each process gets ``--rounds`` commits, and one process as many
    kills    workers are killed (SIGKILL), each commit's first, until there were so many kills

Efficiency is the time of one process or worker for the same commits, divided by their number and by the time that they
took. The exit code is 1 if any verdict differs from that of one process, is missing or is there twice.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import psutil  # noqa: E402 - the folder is known now
from dask_cluster import cluster  # noqa: E402
from shell_adapter import shell_adapter  # noqa: E402

from verigate.composition.dask_fleet import prepare_dask  # noqa: E402
from verigate.domain.verification_job import Job, JobSettings  # noqa: E402
from verigate.usecases.fleet.scheduler import Scheduler  # noqa: E402

GATE = (sys.executable, "-I", "-m", "verigate")
PARTS = ("local", "dask", "waiting", "kills")
_INTEGRITY = "code:integrity"
_WAIT = "wait:elsewhere"
_RULES = {
    "code:diff": {"id": "one-file", "expr": 'artifacts["diff.json"].total_changes <= 1', "message": "several files"},
    _WAIT: {"id": "waited", "expr": 'artifacts["waited.json"].waited', "message": "it didn't wait"},
}
_WAITER = shell_adapter("sleep %g", """printf '{"waited": true}' > "$folder/waited.json\"""")


class Bench:
    """A clone with its own HOME, and the range that is verified in it by a policy of these capabilities."""

    def __init__(
        self, repository: Path, folder: Path, commits: int, capabilities: Sequence[str], *, wait: float = 0
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.root, self.home = folder / "repo", folder / "home"
        self.home.mkdir()
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "CI": "true"}
        self._run("git", "clone", "--quiet", "--no-checkout", str(repository), str(self.root), cwd=folder)
        self.policy = self._make_policy(folder, capabilities, wait)
        self.span, self.commits = self._find_range(commits)

    def git(self, *arguments: str) -> str:
        return self._run("git", *arguments, cwd=self.root)

    def _run(self, *argv: str, cwd: Path) -> str:
        return subprocess.run(
            argv, cwd=cwd, env=self.environ, check=True, capture_output=True, text=True
        ).stdout.strip()

    def _find_range(self, commits: int) -> tuple[str, list[str]]:
        """Find the shortest range up to HEAD with so many commits, or with all of the first parents' history."""
        for base in self.git("rev-list", "--first-parent", "HEAD").split()[1:]:
            span = f"{base}..HEAD"
            found = self.git("rev-list", "--reverse", "--no-merges", span).split()
            if len(found) >= commits:
                break
        return span, found

    def _make_policy(self, folder: Path, capabilities: Sequence[str], wait: float) -> str:
        """Commit a plan and a profile that any repository can be judged by, and what waits; return the commit."""
        place = folder / "policy"
        required = [name for name in capabilities if name != _INTEGRITY]
        optional = [name for name in capabilities if name == _INTEGRITY]
        plan = {"code": {"order": list(capabilities), "required": required, "optional": optional}}
        rules = [_RULES[name] for name in capabilities if name in _RULES]
        profile = {"integrity": bool(optional), "rules": rules}
        write(place / "config" / "adapter-plan.json", json.dumps(plan))
        write(place / "config" / "verification.profiles.json", json.dumps({"code_default": profile}))
        made = {"name": _WAIT, "outputs": [{"path": "waited.json", "volatile": []}], "needs": [], "sees": []}
        manifest: dict[str, Any] = {"name": "wait", "version": "1.0.0", "entry": "run", "capabilities": [made]}
        manifest["sandbox"] = {"tools": ["sleep"], "timeout": int(wait) + 60}
        write(place / "adapters" / "wait" / "manifest.json", json.dumps(manifest))
        write(place / "adapters" / "wait" / "run", _WAITER % wait).chmod(0o755)
        own = {"GIT_INDEX_FILE": str(folder / "index"), "GIT_WORK_TREE": str(place)}
        names = {f"GIT_{who}_{what}": "bench" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        self.environ |= {**own, **names}
        self.git("add", "--all")
        commit = self.git("commit-tree", "-m", "Policy", self.git("write-tree"))
        self.environ = {name: value for name, value in self.environ.items() if name not in {*own, *names}}
        self.git("update-ref", "refs/heads/gate-policy", commit)
        return commit

    def command(self, *options: str) -> tuple[str, ...]:
        return (*GATE, "verify", "--range", self.span, "--policy-ref", self.policy, "--no-cache", "--json", *options)

    def verify(self, *options: str) -> tuple[float, dict[str, Any]]:
        """Verify the range; return the seconds and the report."""
        begun = time.monotonic()
        argv = self.command(*options)
        done = subprocess.run(argv, cwd=self.root, env=self.environ, capture_output=True, check=False)
        if not done.stdout:
            sys.exit(done.stderr.decode())
        return time.monotonic() - begun, json.loads(done.stdout)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def read_verdicts(report: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(each["commit"], each["status"], each["verdict_sha256"]) for each in report["commits"]]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--capabilities", nargs="+", default=["code:diff", _INTEGRITY])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--places", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--noops", type=int, default=500)
    parser.add_argument("--waiting", nargs="+", type=int, default=[8, 16, 32])
    parser.add_argument("--wait", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--kills", type=int, default=200)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="scale-") as place:
        wrong = measure(options, Path(place))
        print(f"load {os.getloadavg()[0]:.1f} after; {wrong} verdicts differ, are missing or are there twice")
    return 1 if wrong else 0


def measure(options: argparse.Namespace, place: Path) -> int:
    """Measure the parts that were asked for; return how many verdicts are wrong."""
    print(f"{options.repository.name}: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before")
    wrong = 0
    if set(options.only) != {"waiting"}:
        bench = Bench(options.repository.resolve(), place / "all", options.commits, options.capabilities)
        print(
            f"{len(bench.commits)} commits up to {bench.commits[-1][:9]} by {', '.join(options.capabilities)}",
            flush=True,
        )
        first, *others = options.places
        alone, report = bench.verify("--executor", f"local:{first}")
        known = read_verdicts(report)
        print(f"verdicts: {dict(Counter(status for _, status, _ in known))}")
        print_line(f"local:{first}", alone, len(known), 1.0)
        for places in others if "local" in options.only else ():
            seconds, report = bench.verify("--executor", f"local:{places}")
            wrong += count_wrong(known, read_verdicts(report))
            print_line(f"local:{places}", seconds, len(known), alone * first / places / seconds)
        if "dask" in options.only:
            wrong += measure_dask(bench, place, options, known)
        if "kills" in options.only:
            wrong += kill_workers(bench, options.kills, known)
    if "waiting" in options.only:
        wrong += measure_waiting(options, place)
    return wrong


def measure_waiting(options: argparse.Namespace, place: Path) -> int:
    """Let processes verify commits whose capability waits; return how many verdicts aren't a pass."""
    wrong, alone = 0, 0.0
    for places in (1, *options.waiting):
        folder = place / f"waiting-{places}"
        commits = places * options.rounds
        bench = Bench(options.repository.resolve(), folder, commits, [_WAIT], wait=options.wait)
        seconds, report = bench.verify("--executor", f"local:{places}")
        found = read_verdicts(report)
        wrong += abs(len(found) - len(bench.commits)) + sum(status != "pass" for _, status, _ in found)
        each = seconds * places / len(found)
        alone = alone or each
        print_line(f"local:{places}, waits {options.wait:g} s", seconds, len(found), alone / each)
    return wrong


def print_line(name: str, seconds: float, count: int, efficiency: float) -> None:
    print(
        f"{name:<24} {seconds:8.1f} s  {seconds / count * 1000:7.0f} ms a commit  efficiency {efficiency:.2f}",
        flush=True,
    )


def count_wrong(known: list[Any], found: list[Any]) -> int:
    differ = [one != other for one, other in zip(known, found, strict=False)]
    return abs(len(known) - len(found)) + differ.count(True)


def measure_dask(bench: Bench, place: Path, options: argparse.Namespace, known: list[Any]) -> int:
    """Measure a bare no-op, one worker cold and warm, and more workers; return how many verdicts are wrong."""
    wrong = 0
    noops: int = options.noops
    with cluster(place / "dask", 1) as made:
        import distributed

        start: Any = distributed.Client
        client = start(made.address, set_as_default=False)
        begun = time.monotonic()
        for number in range(noops):
            client.submit(abs, number, pure=False).result()
        print(f"{'a no-op of Dask':<24} {(time.monotonic() - begun) / noops * 1000:18.1f} ms, one after the other")
        client.close()
        count = len(bench.commits)
        for name in ("cold", "warm"):
            sent, received = count_bytes(bench, made.address)
            moved = f"{sent / count:12.0f} to and {received / count:.0f} from a worker for a commit"
            print(f"{f'bytes, {name} mirror':<24} {moved}")
        alone = 0.0
        for workers in options.workers:
            while len(made.workers) < workers:
                made.add_worker()
            seconds, report = bench.verify("--executor", made.executor)
            alone = alone or seconds * workers
            wrong += count_wrong(known, read_verdicts(report))
            print_line(f"dask, workers: {workers}", seconds, count, alone / workers / seconds)
    return wrong


def count_bytes(bench: Bench, address: str) -> tuple[int, int]:
    """Run the commits by the executor itself; return the bytes that it sent and received."""
    jobs = [Job(each, ref=each, alone=True) for each in bench.commits]
    settings = JobSettings(policy_ref=bench.policy, use_cache=False)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        make, _ = prepare_dask(
            address,
            jobs,
            settings,
            bench.root,
            environ=bench.environ,
            folder=Path(folder),
            find_tree=lambda commit: bench.git("rev-parse", f"{commit}^{{tree}}"),
            stack=stack,
        )
        executor = make(jobs)
        for _ in Scheduler(len(jobs), executor, time.monotonic).run():
            pass
        executor.close()
        return executor.bytes_sent, executor.bytes_received


def kill_workers(bench: Bench, kills: int, known: list[Any]) -> int:
    """Kill the first worker of each commit until there were so many kills; return how many verdicts are wrong."""
    done, wrong, runs = 0, 0, 0
    begun = time.monotonic()
    while done < kills:
        argv = bench.command("--executor", "local:2")
        with (
            subprocess.Popen(argv, cwd=bench.root, env=bench.environ, stdout=subprocess.PIPE) as gate,
            _killing(gate.pid, kills - done) as killed,
        ):
            out, _ = gate.communicate()
        runs += 1
        done += len(killed)
        wrong += count_wrong(known, read_verdicts(json.loads(out)))
        if not killed:
            break
    print(
        f"{done} workers killed in {runs} runs of {len(known)} commits, {time.monotonic() - begun:.0f} s: {wrong} wrong"
    )
    return wrong


@contextmanager
def _killing(gate: int, most: int) -> Iterator[set[str]]:
    """Kill the first worker of each commit meanwhile, at most so many; yields the names of their jobs."""
    killed: set[str] = set()
    stop = threading.Event()

    def kill() -> None:
        while not stop.wait(0.02) and len(killed) < most:
            try:
                for worker in psutil.Process(gate).children():
                    job = Path(worker.cmdline()[-1], "job.json")
                    name = str(json.loads(job.read_bytes())["job"]["name"])
                    if name not in killed and len(killed) < most:
                        worker.send_signal(signal.SIGKILL)
                        killed.add(name)
            except (psutil.Error, OSError, ValueError, IndexError):
                continue

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        stop.set()
        killer.join()


if __name__ == "__main__":
    sys.exit(main())
