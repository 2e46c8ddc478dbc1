"""Kill the gate (SIGKILL) at random moments of its calls, and print what that left.

    .venv/bin/python tests/bench/killed.py [--times N] [--seed N] [--lanes N] [--only COMMAND]... [--minutes N]
        [--folder FOLDER]

Each moment is a part of the time that such a call takes, spread evenly over it and a tenth more. The seed decides the
order of the commands and all moments, so that a finding can be looked at again with ``--only``. After each kill:
processes of the call, git's objects, index and working tree, locks, half-written files, the verdict that is shown, and
the next call, whose verdict must be the right one. The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from killed_calls import COMMANDS, Killed, Lane  # noqa: E402 - the folder is known now

SHARES = {"verify": 26, "commit": 10, "start": 14, "claim": 14, "approve": 4, "attest": 12, "end": 12, "install": 8}
"""Of a hundred kills so many are of each command."""


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=1000, help="how many calls are killed")
    parser.add_argument("--seed", type=int, default=20261126, help="decides the moments")
    parser.add_argument("--lanes", type=int, default=2, help="repositories in which calls run at the same time")
    parser.add_argument("--only", action="append", choices=sorted(COMMANDS), help="kill this command only")
    parser.add_argument("--folder", type=Path, help="where the repositories are made, and stay")
    parser.add_argument("--minutes", type=float, default=600, help="kill no more after so long, and say how many were")
    options = parser.parse_args(argv)
    moments = draw_moments(options.times, options.seed, options.only or list(SHARES))
    folder = options.folder or Path(tempfile.mkdtemp(prefix="killed-"))
    begun = time.monotonic()
    with ThreadPoolExecutor(options.lanes) as pool:
        parts = [moments[lane :: options.lanes] for lane in range(options.lanes)]
        until = begun + options.minutes * 60
        done = pool.map(lambda part: run_lane(folder / f"lane{part[0]}", part[0], part[1], until), enumerate(parts))
        found = [killed for lane in done for killed in lane]
    print(f"{len(found)} calls killed with seed {options.seed} in {time.monotonic() - begun:.0f} s")
    print_table(found)
    return 1 if any(killed.problems for killed in found) else 0


def draw_moments(times: int, seed: int, commands: Sequence[str]) -> list[tuple[str, float]]:
    """Command and moment of each kill: of each command the moments are spread over 1.1 times its duration."""
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    total = sum(SHARES[name] for name in commands)
    counts = {name: times * SHARES[name] // total for name in commands}
    counts[commands[0]] += times - sum(counts.values())
    moments = [
        (name, (number + chance.random()) / count * 1.1) for name, count in counts.items() for number in range(count)
    ]
    chance.shuffle(moments)
    return moments


def run_lane(folder: Path, number: int, moments: Sequence[tuple[str, float]], until: float) -> list[Killed]:
    """Kill all of them in one repository, one after the other, until a moment of the monotonic clock."""
    lane = Lane.create(folder, number)
    found = []
    for count, (command, fraction) in enumerate(moments, start=1):
        if time.monotonic() > until:
            break
        try:
            killed = lane.kill(command, fraction)
        except Exception as problem:  # noqa: BLE001 - whatever goes wrong is a finding, and the others go on
            killed = Killed(command, fraction, "stopped", False, 0.0, (f"{type(problem).__name__}: {problem}",))
            lane = Lane.create(folder / f"after{count}", number)
        found.append(killed)
        for wrong in killed.problems:
            print(f"lane {number}, {count}: {command} killed at {fraction:.3f}: {wrong}", flush=True)
        if count % 25 == 0:
            print(f"lane {number}: {count} of {len(moments)}", file=sys.stderr, flush=True)
    return found


def print_table(found: Sequence[Killed]) -> None:
    """A row for each command: kills, what they left, the longest that a process lived on, and what was wrong."""
    rows: dict[str, list[Killed]] = defaultdict(list)
    for killed in found:
        rows[killed.command].append(killed)
    for name, group in rows.items():
        states = ", ".join(f"{state} {count}" for state, count in sorted(Counter(one.state for one in group).items()))
        print(
            f"{name:8} {len(group):4} killed, {sum(one.ended for one in group)} of them at their end; "
            f"wrong {sum(bool(one.problems) for one in group)}; "
            f"gone after {max(one.outlived_s for one in group):.2f} s; left: {states}"
        )


if __name__ == "__main__":
    sys.exit(main())
