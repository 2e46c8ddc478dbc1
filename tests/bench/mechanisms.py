"""Run the attempts on each mechanism, and print by mechanism how many are stopped and how many honest twins pass.

    .venv/bin/python tests/bench/mechanisms.py [--jobs N] [--attempts-only] [--json FILE] [NAME...]

NAME is ``bases/05`` or the beginning of it. An attempt that passes without standing in ``limits.json``, one that stands
there and is stopped, one that is stopped otherwise than expected, and an honest twin that doesn't pass are printed and
make the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from mechanism_attempts import Attempt, judge_attempt, read_attempts, read_limits, run_attempt


def main() -> int:
    """Run what was asked for, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--attempts-only", action="store_true", help="leave the honest twins out")
    parser.add_argument("--json", type=Path)
    wanted = parser.parse_args()
    limits = read_limits()
    chosen = [each for each in read_attempts() if not wanted.names or each.name.startswith(tuple(wanted.names))]

    def run(attempt: Attempt) -> tuple[Attempt, str, int | None]:
        ended = judge_attempt(attempt)
        honest = None if wanted.attempts_only else run_attempt(attempt, honest=True)[0]
        expected = "passed" if attempt.name in limits else "stopped"
        if ended != expected or honest:
            print(f"{attempt.name}: {ended}, expected {expected}; honest twin: {honest}", flush=True)
        return attempt, ended, honest

    with ThreadPoolExecutor(wanted.jobs) as pool:
        results = list(pool.map(run, chosen))
    table: dict[str, Counter[str]] = {}
    wrong = 0
    for attempt, ended, honest in results:
        row = table.setdefault(attempt.path.parent.name, Counter())
        row[f"{attempt.rights} {ended.split(',')[0].split(' ')[0]}"] += 1
        row["honest"] += honest == 0
        row["all"] += 1
        wrong += bool(honest) or (ended == "passed") != (attempt.name in limits) or ended not in {"passed", "stopped"}
    for mechanism, row in table.items():
        parts = [
            f"rights {who}: {row[f'{who} stopped']} stopped, {row[f'{who} passed']} passed" for who in ("user", "none")
        ]
        honest_ones = "" if wanted.attempts_only else f"; honest twins: {row['honest']} of {row['all']}"
        print(f"{mechanism:<11} {'; '.join(parts)}{honest_ones}")
    if wanted.json:
        wanted.json.write_text(json.dumps([[each.name, ended, honest] for each, ended, honest in results], indent=1))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
