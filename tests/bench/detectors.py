"""Which detectors of code:integrity are needed beside what runs of the tests show.

    .venv/bin/python tests/bench/detectors.py [--gate PROGRAM] [--jobs N] [--results FILE]

Each lie of tests/corpus/lies and tests/corpus/preemptive is verified with code:integrity, code:counterfactual and
code:sensitivity. Printed is a row for each kind of finding:

    texts    changes of tests/support (integrity_*.py) that this kind refutes, where no suite runs
    lies     lies of the two corpora that the text finds by this kind
    by runs  of these, those that the cells or the mutants stop too
    alone    of these, those that nothing else stops: neither runs nor another kind

``--results`` is appended to, and what it has is not verified again.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from history_tables import read_lines
from lie_runs import ROOT, Case, Ended, lie_corpus, preemptive_corpus, verify

COUNTING = frozenset({"weakening", "tampering"})
MODULES = (
    "integrity_cases",
    "integrity_evasions",
    "integrity_imports",
    "integrity_moves",
    "integrity_replays",
    "integrity_rewrites",
)


def main() -> None:
    """Verify what has no result, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", type=Path, required=True)
    options = parser.parse_args()
    rows = read_lines(options.results)
    known = {row["name"] for row in rows}
    cases: list[tuple[Case, str]] = [(case, case.message) for case in lie_corpus.read_cases()]
    work = [*cases, *((case, "Tidy tests") for case in preemptive_corpus.read_cases())]
    missing = [(case, message) for case, message in work if case.name not in known]
    with ThreadPoolExecutor(options.jobs) as pool, options.results.open("a", encoding="utf-8") as file:
        for row in pool.map(partial(examine, gate=options.gate), *zip(*missing, strict=True)) if missing else ():
            rows.append(row)
            file.write(json.dumps(row) + "\n")
            file.flush()
            print(row["name"], *row["kinds"], "|", *row["measured"], "" if row["stopped"] else "passes", flush=True)
    print_table(rows)


def examine(case: Case, message: str, *, gate: str) -> dict[str, Any]:
    """Verify a lie, and list what its text and its runs show."""
    ended = verify(case, "lie", message, gate=gate)
    findings = ended.artifacts.get("integrity.json", {"findings": []})["findings"]
    return {
        "name": case.name,
        "stopped": ended.exit_code != 0,
        "kinds": sorted({each["kind"] for each in findings if each["weight"] in COUNTING}),
        "measured": sorted(set(list_measured(ended))),
    }


def list_measured(ended: Ended) -> Iterable[str]:
    """List what runs show: classes of tests that weaken, mutants that nothing notices, values that may be anything."""
    cells = ended.artifacts.get("counterfactual.json", {"tests": [], "control": []})
    yield from (test["class"] for test in cells["tests"] if test["weakens"] in {"yes", "open"})
    yield from ("control" for each in cells["control"] if each["outcome"] != "F")
    power = ended.artifacts.get("sensitivity.json", {"lost_power": [], "unfailing": []})
    yield from ("lost_power" for _ in power["lost_power"])
    yield from ("test_cannot_fail" for each in power["unfailing"] if not each["new"])


def print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a row for each kind of finding, and how many lies runs alone stop."""
    changes = {id(change): change for module in MODULES for change in list_changes(module)}
    texts = Counter(kind for change in changes.values() for kind in set(change.kinds))
    print("\n| kind | texts | lies | by runs | alone |\n| --- | ---: | ---: | ---: | ---: |")
    for kind in sorted(texts.keys() | {kind for row in rows for kind in row["kinds"]}):
        own = [row for row in rows if kind in row["kinds"]]
        measured = sum(bool(row["measured"]) for row in own)
        alone = sum(not row["measured"] and row["kinds"] == [kind] for row in own)
        print(f"| `{kind}` | {texts[kind]} | {len(own)} | {measured} | {alone} |")
    by_runs = sum(bool(row["measured"]) for row in rows)
    by_text = sum(bool(row["kinds"]) and not row["measured"] for row in rows)
    print(f"\n{len(rows)} lies: {by_runs} by runs, {by_text} by text alone, {len(rows) - by_runs - by_text} by neither")


def list_changes(module: str) -> Iterable[Any]:
    """List the changes that a module of tests/support makes, with the kinds that refute each."""
    found = __import__(module)
    for value in vars(found).values():
        yield from (each for each in value if hasattr(each, "kinds")) if isinstance(value, tuple) else ()


if __name__ == "__main__":
    main()
