"""Measure ``gate serve`` on many tasks: making its index, the first page, memory.

Usage: ``.venv/bin/python tests/bench/serve_scale.py [--tasks 10000] [--keep FOLDER]``. Prints a line for
each goal, and ends with 1 if one is missed. The tasks are sealed folders of 20 checks each, one in ten of them refuted,
in a temporary folder.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import literal_facts as literal
import psutil
import published_tasks as published
import served

RULES = {
    key: literal.THRESHOLDS[key]
    for key in ("lint_clean", "tests_pass", "tests_min", "skipped_max", "coverage_min", "integrity")
}
PATHS = ("diff.json", "diff_names.json", "tests.json", "lint.json", "coverage.json", "integrity.json")
CHECKS = 20
GOALS = {"rebuild_s": 60.0, "first_page_ms": 300.0, "memory_mb": 300.0}


def make_tasks(root: Path, number: int) -> int:
    """Publish so many tasks; return the number of their checks."""
    seed = random.Random(24)  # noqa: S311 - the same tasks each time
    checks = 0
    first = datetime(2026, 11, 20, tzinfo=UTC)
    for index in range(number):
        state = literal.BAD if index % 10 == 3 else literal.GOOD
        moment = first - timedelta(minutes=7 * index)
        verdict = published.publish_task(
            root,
            f"task-{index:05}",
            {path: state[path] for path in PATHS},
            RULES,
            units=("file:a.py", *(f"func:f{n}" for n in range(5))),
            statements=(f"All {seed.randint(1, 99)} tests pass in module {seed.randint(1, 500)}.",),
            actor=seed.choice(("hook:claude", "hook:codex", "alice", "bob")),
            task_type=seed.choice(("code", "docs", "release")),
            finished=moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            duration_s=seed.random() * 30,
        )
        checks += len(verdict.checks)
    return checks


def fetch_s(server: served.Server, path: str) -> float:
    """Seconds until the answer to one request is read, on a connection of its own."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, (path, response.status, body[:500])
    connection.close()
    return time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--keep", type=Path, help="make the tasks here, or use those that are there")
    chosen = parser.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="verigate-serve-scale-"))
    root = folder / "many"
    try:
        if not root.exists():
            checks = make_tasks(root, chosen.tasks)
            print(f"tasks {chosen.tasks:,}, checks {checks:,}")
        home = folder / "home"
        home.mkdir(exist_ok=True)
        with served.start(root, home=home, arguments=("--rebuild",)) as server:
            process = psutil.Process(server.pid)
            began, peak = time.monotonic(), 0
            while server.json("/tasks.json")["notice"]:
                peak = max(peak, process.memory_info().rss)
                time.sleep(1)  # to ask costs what the index would have
            rebuild_s, rebuild_cpu = time.monotonic() - began, sum(process.cpu_times()[:2])
            peak = max(peak, process.memory_info().rss)
        with served.start(root, home=home) as server:
            process = psutil.Process(server.pid)
            server.wait_for("/tasks.json", "notice", "")  # the first look at the folders is over
            before = sum(process.cpu_times()[:2])
            first = fetch_s(server, "/tasks")
            first_cpu = sum(process.cpu_times()[:2]) - before
            times = {}
            for path in (
                "/tasks",
                "/tasks?status=fail",
                "/tasks?q=module+17",
                "/tasks?page=150",
                "/history",
                "/t/many/task-00003",
            ):
                times[path] = statistics.median(fetch_s(server, path) for _ in range(9))
            peak = max(peak, process.memory_info().rss)
        measured = {"rebuild_s": rebuild_s, "first_page_ms": 1000 * first, "memory_mb": peak / 1e6}
        for name, value in measured.items():
            print(f"{name} {value:.1f} (goal {GOALS[name]:g}) {'reached' if value < GOALS[name] else 'MISSED'}")
        print(
            f"of the processor's time: {rebuild_cpu:.1f} s for the index, {1000 * first_cpu:.0f} ms for the first page"
        )
        load, cores = os.getloadavg()[0], os.cpu_count()
        print(f"load of the machine: {load:.1f} on {cores} cores")
        for path, seconds in times.items():
            print(f"median of 9, {path}: {1000 * seconds:.1f} ms")
        return 0 if all(value < GOALS[name] for name, value in measured.items()) else 1
    finally:
        if chosen.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
