"""Simulate a fleet that verifies a million changes a day: workers, waiting, what is reused, storage, cost.

    .venv/bin/python tests/bench/simulate.py [--per-day N] [--history CLONE ...] [--price DOLLARS] [--task-bytes N]

Nothing is run. Durations are the seconds that the gate took for the repositories in docs/first-hour.md, drawn at random
with a fixed seed. What changes touch is counted over the newest commits of each CLONE (500 each), without one by the
shares that the same command printed for four repositories. Arrivals are Poisson at the rate of the busiest hours, twice
the mean, for two hours; each verification takes one worker, and the queue is first come, first served. A worker is a
spot machine of two processors, which is taken away once in ``--lost-every`` hours on average: its work is done again.

A tree is verified several times (end of an agent's turn, commit, push, then CI). The scenarios say what is reused:
nothing; evidence on the same machine, by sending a repository's verifications to where the last one was; that, and
tests by impact outside of CI.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
HOURS = 2.0
PEAK = 2.0
WAIT_S = 60.0
"""At most one in twenty may wait for longer."""

TIMES = ("turn", "commit", "push", "CI")
"""When one tree is verified."""

OVERHEAD_S = 0.3
"""A verification that runs nothing of the project: `run.py five` and `unchanged` in docs/performance.md."""

BOOT_S = 30.0
"""What is lost with a machine besides its work."""

SHARES = {"prose": 0.32, "settings": 0.22, "tests": 0.06, "code": 0.40}
"""As ``--history`` printed them for click, flask, attrs and httpx."""

PROSE = {".md", ".rst", ".txt", ".adoc"}
SETTINGS = re.compile(r"\.github/|\.(?:toml|ya?ml|cfg|ini|lock|json)$|requirements|(?:^|/)\.[^/]+$")
TESTS = re.compile(r"(?:^|/)(?:tests?|testing|spec)/|(?:^|/)test_[^/]*$|_test\.\w+$|\.(?:test|spec)\.\w+$")


@dataclass(frozen=True)
class Scenario:
    """What is reused. ``impacted`` is the share of the tests' time that tests by impact take, 1 for all tests."""

    name: str
    sticky: bool
    impacted: float = 1.0

    def seconds(self, kind: str, when: str, suite: float) -> float:
        """Return how long one verification takes."""
        if kind == "prose" and when != "CI":
            return OVERHEAD_S  # hooks run no tests for documents alone
        if self.sticky and when in {"commit", "push"}:
            return OVERHEAD_S  # the turn's evidence, or that of the commit
        share = self.impacted if when != "CI" and kind in {"code", "tests"} else 1.0
        return OVERHEAD_S + suite * share


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--per-day", type=int, default=1_000_000)
    parser.add_argument("--history", type=Path, nargs="*", default=[])
    parser.add_argument("--price", type=float, default=0.03, help="dollars an hour of a spot machine")
    parser.add_argument("--lost-every", type=float, default=20.0, help="hours until a machine is taken away")
    parser.add_argument(
        "--impacted", type=float, default=0.4, help="share of a suite that tests by impact run, assumed"
    )
    parser.add_argument("--task-bytes", type=int, default=120_000, help="bytes of one published task")
    asked = parser.parse_args()
    shares = count_shapes(asked.history) if asked.history else SHARES
    print("shapes of changes: " + ", ".join(f"{kind} {share:.0%}" for kind, share in shares.items()))
    suites = read_suites()
    mean = sum(suites) / len(suites)
    print(f"suites: {len(suites)}, median {sorted(suites)[len(suites) // 2]:.1f} s, mean {mean:.1f} s")
    print(f"{asked.per_day:,} verifications a day, {asked.per_day / 86400 * PEAK:.1f} a second when it is busiest\n")
    print("| reused | without running tests | mean seconds | workers | 95 % wait | busy | dollars for 1,000 |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for scenario in (
        Scenario("nothing", sticky=False),
        Scenario("evidence on the same machine", sticky=True),
        Scenario("that, and tests by impact", sticky=True, impacted=asked.impacted),
    ):
        print(describe(scenario, asked, shares, suites))
    print()
    print_limits(asked)


def describe(scenario: Scenario, asked: argparse.Namespace, shares: dict[str, float], suites: Sequence[float]) -> str:
    """Find how many workers it takes, and make the scenario's row."""
    work, short = draw(scenario, asked, shares, suites)
    workers = find_workers(work)
    waits, busy = run_queue(work, workers)
    mean = sum(seconds for _, seconds in work) / len(work)
    # Workers follow the load: outside of the busiest hours half as many are paid.
    dollars = workers / PEAK * 24 * asked.price / asked.per_day * 1000
    cells = (
        scenario.name,
        f"{short / len(work):.0%}",
        f"{mean:.1f}",
        f"{workers:,}",
        f"{quantile(waits, 0.95):.0f} s",
        f"{busy:.0%}",
        f"{dollars:.3f}",
    )
    return f"| {' | '.join(cells)} |"


def draw(
    scenario: Scenario, asked: argparse.Namespace, shares: dict[str, float], suites: Sequence[float]
) -> tuple[list[tuple[float, float]], int]:
    """Draw arrivals and durations of the busiest hours; also how many run no tests."""
    chance = random.Random(1)  # noqa: S311 - a simulation
    rate = asked.per_day / 86400 * PEAK
    at, work, short = 0.0, [], 0
    while (at := at + chance.expovariate(rate)) < HOURS * 3600:
        kind = chance.choices(list(shares), list(shares.values()))[0]
        seconds = scenario.seconds(kind, chance.choice(TIMES), chance.choice(suites))
        short += seconds == OVERHEAD_S
        # A machine that is taken away: on average half of the work was done.
        while chance.random() < 1 - math.exp(-seconds / 3600 / asked.lost_every):
            seconds += chance.random() * seconds + BOOT_S
        work.append((at, seconds))
    return work, short


def find_workers(work: Sequence[tuple[float, float]]) -> int:
    """Find the fewest workers with which at most one in twenty waits for longer than WAIT_S."""
    low = max(1, int(sum(seconds for _, seconds in work) / (HOURS * 3600)))
    high = low * 2 + 4
    while low < high:
        middle = (low + high) // 2
        if quantile(run_queue(work, middle)[0], 0.95) <= WAIT_S:
            high = middle
        else:
            low = middle + 1
    return low


def run_queue(work: Sequence[tuple[float, float]], workers: int) -> tuple[list[float], float]:
    """Return how long each waits for one of the workers, and the share of their time that these work."""
    free = [0.0] * workers
    waits = []
    for at, seconds in work:
        start = max(at, free[0])
        heapq.heapreplace(free, start + seconds)
        waits.append(start - at)
    return waits, sum(seconds for _, seconds in work) / (workers * max(*free, HOURS * 3600))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the values doesn't exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def print_limits(asked: argparse.Namespace) -> None:
    """Print what else a day needs, and at how many a day each part is as far as it was measured."""
    day, second = asked.per_day, asked.per_day / 86400 * PEAK
    rows = (
        ("published tasks", f"{day * asked.task_bytes / 1e9:,.0f} GB a day", "storage: grows with what is kept"),
        ("publishing, one repository", f"{second:.1f} a second", "55 a second: one at a time, 18 ms each"),
        (
            "remote cache, 5 capabilities",
            f"{second * 5 * 4:,.0f} requests a second",
            "4 a capability, if all are found",
        ),
        ("`gate serve`, seven days", f"{day * 7:,} tasks", "10,000 tasks in 41 s: measured up to there"),
    )
    print("| part | what it needs | what is known |")
    print("| --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def read_suites() -> list[float]:
    """Read the seconds that the gate took for each repository of docs/first-hour.md, in ascending order."""
    rows = re.findall(
        r"^\| \S+/\S+ \|.*\| [\d.]+, ([\d.]+) \| [\d.]+ \|$", (ROOT / "docs/first-hour.md").read_text(), re.MULTILINE
    )
    return sorted(float(row) for row in rows)


def count_shapes(clones: Sequence[Path]) -> dict[str, float]:
    """Count what the newest commits of ``clones`` touch, merges left out."""
    counted: Counter[str] = Counter()
    for clone in clones:
        argv = ("git", "-C", str(clone), "log", "--no-merges", "-500", "--name-only", "--format=%x00")
        printed = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
        for commit in printed.split("\0")[1:]:
            if paths := commit.split():
                counted[classify(paths)] += 1
    return {kind: counted[kind] / counted.total() for kind in ("prose", "settings", "tests", "code")}


def classify(paths: Sequence[str]) -> str:
    """Name a change by what has the most to run: code, tests, settings, prose."""
    kinds = {
        "prose" if PurePosixPath(path).suffix in PROSE
        else "tests" if TESTS.search(path)
        else "settings" if SETTINGS.search(path)
        else "code"
        for path in paths
    }  # fmt: skip
    return next(kind for kind in ("code", "tests", "settings", "prose") if kind in kinds)


if __name__ == "__main__":
    main()
