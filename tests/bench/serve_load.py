"""Measure ``gate serve`` under load: readers of pages and of events, while tasks are verified.

Usage: ``.venv/bin/python tests/bench/serve_load.py [--readers 50] [--seconds 60] [--verifications 20]``.
Half of the readers ask for pages again and again, half follow events and come back each few seconds from where they
were. Prints what happened, and ends with 1 if an answer was an error, an event was lost, or memory grew by more than a
fifth after the first third.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import gated_repository as gr
import psutil
import served
import served_sample as sample

PATHS = ("/tasks", "/tasks.json?status=fail", "/t/repository/T1", "/t/repository/refuted", "/history")


class Reader(threading.Thread):
    """Asks for pages until it is over."""

    def __init__(self, server: served.Server, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.times: list[float] = []
        self.problems: list[str] = []
        self._server, self._over = server, over

    def run(self) -> None:
        while not self._over.is_set():
            for path in PATHS:
                began = time.monotonic()
                try:
                    found = self._server.ask(path)
                    if found.status != 200:
                        self.problems.append(f"{path}: {found.status}")
                except OSError as problem:
                    self.problems.append(f"{path}: {problem}")
                self.times.append(time.monotonic() - began)
                time.sleep(0.2)


class Follower(threading.Thread):
    """Follows events, goes away each few seconds without a word, and comes back from the last that it saw."""

    def __init__(self, server: served.Server, over: threading.Event, after: str, stays_s: float) -> None:
        super().__init__(daemon=True)
        self.ids: list[str] = []
        self.kinds: set[str] = set()
        self._server, self._over, self._after, self._stays_s = server, over, after, stays_s

    def run(self) -> None:
        last = ""
        while True:
            ended = self._over.wait(0)
            with contextlib.closing(self._server.events("tasks", self._after, last)) as events:
                # The last visit is of one who comes back when all is over.
                self._over.wait(self._stays_s) if not ended else time.sleep(2)
            self.ids += [identity for identity, _, _ in events.seen]
            self.kinds |= {kind for _, kind, _ in events.seen}
            last = self.ids[-1] if self.ids else last
            if ended:
                return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--verifications", type=int, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="verigate-serve-load-") as folder:
        repository = sample.make_sample(Path(folder))
        with served.start(repository.root, home=repository.home, environ=repository.environ()) as server:
            server.wait_for("/tasks.json", "notice", "")
            server.log_in()
            return measure(server, repository, chosen)


def measure(server: served.Server, repository: gr.GatedRepository, chosen: argparse.Namespace) -> int:
    page = server.ask("/tasks").text
    after = page.partition('data-after="')[2].partition('"')[0]
    over = threading.Event()
    readers = [Reader(server, over) for _ in range(chosen.readers // 2)]
    followers = [Follower(server, over, after, 2 + number % 5) for number in range(chosen.readers - len(readers))]
    for thread in (*readers, *followers):
        thread.start()
    process, began = psutil.Process(server.pid), time.monotonic()
    memory: list[tuple[float, int]] = []
    verified, failed = 0, 0
    while time.monotonic() - began < chosen.seconds or verified < chosen.verifications:
        if verified < chosen.verifications:
            repository.put("a.py", f"answer = {verified}\n")
            moved = server.post("/t/repository/T1/verify", "/t/repository/T1")
            run = moved.headers["location"]
            done = server.wait_for(f"{run}.json", "state", "ended", within_s=120)
            verified += 1
            failed += done["exit_code"] != 0
        else:
            time.sleep(0.2)
        memory.append((time.monotonic() - began, process.memory_info().rss))
    took = time.monotonic() - began
    over.set()
    for thread in (*readers, *followers):
        thread.join(120)
    times = sorted(each for reader in readers for each in reader.times)
    problems = [problem for reader in readers for problem in reader.problems]
    seen = {tuple(follower.ids) for follower in followers}
    lost = len(seen) != 1 or any(follower.kinds - {"tasks"} for follower in followers)
    events = max(map(len, seen))
    settled = next((size for at, size in memory if at > took / 3), memory[-1][1])
    growth = memory[-1][1] / settled - 1
    ran = f"{took:.0f} s, {verified} verifications ({failed} did not pass)"
    print(f"{len(readers)} readers of pages, {len(followers)} followers of events, {ran}")
    slow = f"median {1000 * statistics.median(times):.0f} ms, 95 % within {1000 * times[int(0.95 * len(times))]:.0f} ms"
    print(f"{len(times):,} pages, {len(problems)} errors; {slow}")
    print(f"{events} events, seen by all in one order: {'no' if lost else 'yes'}")
    print(f"memory {memory[-1][1] / 1e6:.0f} MB at the end, {100 * growth:+.1f} % since a third of the time")
    for problem in problems[:10]:
        print(problem)
    return int(bool(problems) or lost or growth > 0.2 or failed > 0)


if __name__ == "__main__":
    sys.exit(main())
