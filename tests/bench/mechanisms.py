"""Run the attempts on each mechanism, and print by mechanism how many are stopped and how many legitimate twins pass.

    .venv/bin/python tests/bench/mechanisms.py [--jobs N] [--attempts-only] [--part K/N]
                                               [--json FILE | --resume FILE] [NAME...]

NAME is ``bases/05`` or the beginning of it. A line is printed as each attempt ends, and ``--json`` adds one to FILE, so
that ``--resume`` goes on where a run was cut off: it takes the results in FILE as they are, runs what is missing there,
and adds it. A FILE is for one state of the code; start a new one after a change. ``--part 2/3`` is every third attempt
from the second on.

An attempt that passes without standing in ``limits.json``, one that stands there and is stopped, one that is stopped
otherwise than expected, and a legitimate twin that doesn't pass are marked in their lines and make the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from mechanism_attempts import Attempt, judge_attempt, read_attempts, read_limits, run_attempt


class Result(NamedTuple):
    """How an attempt ended, the exit code of its legitimate twin (None: not run), and how long both took in seconds."""

    name: str
    ended: str
    honest: int | None
    took: float


def read_results(path: Path) -> dict[str, Result]:
    """Read a file of results, by name. A last line that was cut off is left out; raises ValueError for another one."""
    found = {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            break
        try:
            result = Result(*json.loads(line))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}:{number}: not a result of this bench ({error}); start a new file") from error
        found[result.name] = result
    return found


def describe_fault(result: Result, limits: Mapping[str, str]) -> str:
    """Say what is wrong with a result; empty if it is as expected."""
    expected = "passed" if result.name in limits else "stopped"
    faults = [f"expected {expected}"] if result.ended != expected else []
    faults += [f"exit code of the legitimate twin: {result.honest}"] if result.honest else []
    return "; ".join(faults)


def choose_part(attempts: list[Attempt], part: str) -> list[Attempt]:
    """Choose the attempts of part ``K/N``. Raises ValueError for another form."""
    try:
        number, of = (int(word) for word in part.split("/"))
    except ValueError:
        raise ValueError(f"--part {part}: write it as 2/3") from None
    if not 1 <= number <= of:
        raise ValueError(f"--part {part}: the first number is one of 1 to {of}")
    return attempts[number - 1 :: of]


def print_table(attempts: list[Attempt], results: Mapping[str, Result], *, twins: bool) -> None:
    """Print one line by mechanism, of the attempts that have a result."""
    table: dict[str, Counter[str]] = {}
    for attempt in attempts:
        if attempt.name not in results:
            continue
        result = results[attempt.name]
        row = table.setdefault(attempt.path.parent.name, Counter())
        row[f"{attempt.rights} {result.ended.split(',')[0].split(' ')[0]}"] += 1
        row["honest"] += result.honest == 0
        row["all"] += 1
    for mechanism, row in table.items():
        parts = [
            f"rights {who}: {row[f'{who} stopped']} stopped, {row[f'{who} passed']} passed" for who in ("user", "none")
        ]
        passing = f"; legitimate twins: {row['honest']} of {row['all']}" if twins else ""
        print(f"{mechanism:<11} {'; '.join(parts)}{passing}")


def main() -> int:
    """Run what was asked for, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--attempts-only", action="store_true", help="leave the legitimate twins out")
    parser.add_argument("--part", default="1/1", metavar="K/N")
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--json", type=Path, metavar="FILE", help="write results, a line each, to a new file")
    files.add_argument("--resume", type=Path, metavar="FILE", help="go on where this file ends")
    wanted = parser.parse_args()
    limits = read_limits()
    chosen = [each for each in read_attempts() if not wanted.names or each.name.startswith(tuple(wanted.names))]
    path: Path | None = wanted.resume or wanted.json
    if wanted.json and wanted.json.exists():
        parser.error(f"{wanted.json} exists; --resume goes on where it ends")
    try:
        chosen = choose_part(chosen, wanted.part)
        known = read_results(wanted.resume) if wanted.resume else {}
    except ValueError as error:
        parser.error(str(error))
    if path is not None:
        path.write_text("".join(json.dumps(each) + "\n" for each in known.values()), encoding="utf-8")
    known = {each.name: known[each.name] for each in chosen if each.name in known}
    if not wanted.attempts_only:
        known = {name: each for name, each in known.items() if each.honest is not None}
    left = [each for each in chosen if each.name not in known]
    print(f"{len(chosen)} attempts, {len(known)} of them known", flush=True)
    stopping = threading.Event()

    def run(attempt: Attempt) -> Result | None:
        if stopping.is_set():
            return None
        begun = time.monotonic()
        ended = judge_attempt(attempt)
        honest = None if wanted.attempts_only else run_attempt(attempt, honest=True)[0]
        return Result(attempt.name, ended, honest, round(time.monotonic() - begun, 1))

    results = dict(known)
    with ThreadPoolExecutor(wanted.jobs) as pool:
        try:
            for future in as_completed([pool.submit(run, each) for each in left]):
                result = future.result()
                if result is None:
                    continue
                results[result.name] = result
                if path is not None:
                    with path.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(result) + "\n")
                fault = describe_fault(result, limits)
                line = f"{len(results)}/{len(chosen)} {result.name}: {result.ended}, {result.took} s"
                print(f"{line}  << {fault}" if fault else line, flush=True)
        except KeyboardInterrupt:
            stopping.set()
            raise
    print_table(chosen, results, twins=not wanted.attempts_only)
    return int(any(describe_fault(each, limits) for each in results.values()))


if __name__ == "__main__":
    sys.exit(main())
