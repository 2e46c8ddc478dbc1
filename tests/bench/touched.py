"""Count the commits of the measured sets of docs/false-blocks.md, and those that touch tests. Verifies nothing.

    .venv/bin/python tests/bench/touched.py --set SET

SET has the clones, as for ``history.py``. ``history/measured.jsonl`` has a line for each set: ``records``, ``half``,
``skip`` and ``commits`` are the options of ``history.py`` with which it was measured, and ``others`` the number of
commits of repositories that were measured to another one. Prints two tables, by set and by repository. A commit touches
tests if it changes a file that today's gate takes for one by its path.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from history import DATA, list_commits, touches_tests
from history_tables import read_lines


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=Path, required=True, help="the folder of the clones")
    parser.add_argument("--measured", type=Path, default=DATA / "measured.jsonl")
    options = parser.parse_args()
    by_set, by_repository = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    for measured in read_lines(options.measured):
        for name, touches in count(measured, options.set.resolve()):
            by_set[measured["set"], touches] += 1
            by_repository[name, touches] += 1
    print_table("set", by_set)
    print()
    print_table("repository", by_repository)


def count(measured: dict[str, Any], clones: Path) -> Iterable[tuple[str, bool]]:
    """Yield for each commit of a set the repository's name, and whether it touches tests."""
    for record in read_lines(DATA / measured["records"]):
        if record["half"] == measured["half"]:
            name = record["name"]
            most = measured.get("others", {}).get(name, measured["commits"])
            os.chdir(clones / name)
            for commit in list_commits(clones / name, record["commit"], most)[measured["skip"] :]:
                yield name, touches_tests(commit)


def print_table(head: str, counts: Counter[tuple[str, bool]]) -> None:
    """Print commits and those that touch tests, in the order in which they were counted, and the sums."""
    print(f"| {head} | commits | touch tests |\n| --- | ---: | ---: |")
    for name in dict.fromkeys(name for name, _ in counts):
        print(f"| {name} | {counts[name, True] + counts[name, False]} | {counts[name, True]} |")
    touching = sum(number for (_, touches), number in counts.items() if touches)
    print(f"| **all** | {counts.total()} | {touching} |")


if __name__ == "__main__":
    main()
