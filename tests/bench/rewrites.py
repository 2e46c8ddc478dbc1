"""Honest rewrites of tests that the gate stops: each case of the corpus as a repository of two commits.

    .venv/bin/python tests/bench/rewrites.py [--json FILE] [--plan CAPABILITY...] [CASE...]

For each case: its base tree as one commit, its head tree as the next one with the case's message, and
``gate verify --ref HEAD --base HEAD^ --json`` with a plan of code:diff, code:functions, code:integrity and, where an
adapter offers them, code:counterfactual and code:sensitivity. The only rule is ``integrity``. Prints the verdict of
each case, the classes of its tests, what the gate cites where it is stopped, and the tests that the cells don't acquit;
then how many of each language, kind and change of the product pass. A rewrite that is stopped is a fault of the gate.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import npm_tools
from lean_environment import lean_environment
from repositories import Content, Ended, Repository
from rewrite_corpus import RewriteCase, read_cases

MUTANTS = "code:sensitivity"
ALWAYS = ("code:diff", "code:functions", "code:integrity")
RUNS = ("code:counterfactual", "code:sensitivity")
MODULES = {
    "node:test": npm_tools.node_modules,
    "jest": npm_tools.node_modules,
    "vitest": npm_tools.node_modules,
    "mocha": npm_tools.runners,
}


@dataclass(frozen=True)
class Row:
    """What the gate made of one case.

    ``reasons`` say what stops it. ``classes`` counts tests by their class; ``weakened`` are those whose class doesn't
    acquit them. Both are empty without code:counterfactual.
    """

    case: RewriteCase
    status: str
    seconds: float
    reasons: tuple[str, ...]
    classes: Mapping[str, int]
    weakened: tuple[str, ...]


def main() -> None:
    """Verify the named cases, or all, and print what became of them."""
    options = parse_arguments()
    cases = [case for case in read_cases() if not options.cases or case.name in options.cases]
    with tempfile.TemporaryDirectory(prefix="rewrites-") as scratch:
        plan = options.plan or choose_plan(Path(scratch))
        print(f"plan: {', '.join(plan)}\n")
        rows = []
        for case in cases:
            rows.append(verify_case(case, plan, Path(scratch) / case.name))
            print_row(rows[-1])
            if options.json:
                options.json.write_text(json.dumps([to_json(row) for row in rows], indent=1) + "\n", "utf-8")
    print_sums(rows)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--plan", nargs="+", metavar="CAPABILITY", help="run these instead")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    return parser.parse_args()


def choose_plan(scratch: Path) -> tuple[str, ...]:
    """The capabilities that are offered here."""
    listed = Repository.make(scratch / "adapters", {"README.md": "none\n"}).gate("adapters", "--json").stdout
    return (*ALWAYS, *(name for name in RUNS if name.encode() in listed))


def verify_case(case: RewriteCase, plan: Sequence[str], folder: Path) -> Row:
    """Make a repository of the case and let the gate verify its head."""
    repository = build(case, plan, folder)
    started = time.perf_counter()
    ended = repository.gate("verify", "--ref", "HEAD", "--base", "HEAD^", "--json", "--quiet", timeout=600)
    seconds = time.perf_counter() - started
    return Row(case, read_status(ended), seconds, tuple(read_reasons(ended)), *read_cells(repository))


def build(case: RewriteCase, plan: Sequence[str], folder: Path) -> Repository:
    """A repository with base and head as its two commits; the gate's configuration is in both."""
    repository = Repository.make(folder)
    base, head = case.files("base"), case.files("head")
    repository.policy(plan, {"integrity": True}, type_="code")
    if MUTANTS in plan:
        repository.write({"config/adapters.json": "{}\n"})  # with the usual time
    repository.commit(base, "base")
    gone: dict[str, Content] = dict.fromkeys(base.keys() - head.keys())
    repository.commit(gone | head, case.message)
    (repository.root / ".git" / "info").mkdir(exist_ok=True)
    (repository.root / ".git" / "info" / "exclude").write_text("node_modules\n")
    if case.runner in MODULES:
        (repository.root / "node_modules").symlink_to(MODULES[case.runner]())
    repository.environ["VIRTUAL_ENV"] = str(lean_environment())
    for name in ("CARGO_HOME", "RUSTUP_HOME"):
        if name in os.environ:
            repository.environ[name] = os.environ[name]
    return repository


def read_status(ended: Ended) -> str:
    """The verdict's status, or the exit code where there is none."""
    return str(ended.verdict["status"]) if ended.verdict else f"exit {ended.exit_code}"


def read_reasons(ended: Ended) -> Iterator[str]:
    """Each reason that it isn't a pass, and each finding that its check cites."""
    if ended.verdict is None:
        yield " ".join(ended.stderr.decode("utf-8", "replace").split())[-400:]
        return
    for reason in ended.verdict["reasons"]:
        yield f"{reason['code']} ({reason['check']}): {reason['message']}"
        check = ended.check(reason["check"]) or {}
        for evidence in check.get("evidence", []):
            if isinstance(evidence["value"], dict):
                yield describe(evidence["value"])


def describe(finding: Mapping[str, Any]) -> str:
    """A finding in one line."""
    weight = finding.get("weight") or finding.get("severity")
    return f"  {weight} {finding.get('kind')} {finding.get('path')}:{finding.get('line')} {finding.get('message')}"


def read_cells(repository: Repository) -> tuple[Mapping[str, int], tuple[str, ...]]:
    """How many tests have which class, and the tests that are weakened."""
    path = repository.artifact("counterfactual.json", "implicit")
    if not path.exists():
        return {}, ()
    document = json.loads(path.read_bytes())
    weakened = (test for test in document["tests"] if test["weakens"] not in {"no", "sensitivity"})
    names = (f"{test['class']} {test['path']}::{test['test']} {test['cells']} {test['why']}" for test in weakened)
    return document["counts"], tuple(names)


def print_row(row: Row) -> None:
    """Print one case, and why it is stopped."""
    classes = ", ".join(f"{count} {name}" for name, count in row.classes.items())
    print(f"{row.status:<13}{row.seconds:6.1f} s  {row.case.name:<34}{classes}", flush=True)
    for line in (*row.reasons, *row.weakened):
        print(f"    {line[:300]}", flush=True)


def print_sums(rows: Sequence[Row]) -> None:
    """Print how many pass, by what a case is."""
    for field in ("language", "kind", "product"):
        total = Counter(getattr(row.case, field) for row in rows)
        passed = Counter(getattr(row.case, field) for row in rows if row.status == "pass")
        print(f"\n| {field} | rewrites | pass |\n| --- | ---: | ---: |")
        for value, count in [*sorted(total.items()), ("all", len(rows))]:
            print(f"| {value} | {count} | {passed[value] if value != 'all' else passed.total()} |")
    print()
    classes: Counter[str] = Counter()
    for row in rows:
        classes.update(row.classes)
    for name, count in classes.most_common():
        print(f"class     {name:<30} {count:3} tests")
    print(f"{sum(bool(row.weakened) for row in rows)} cases have tests that the cells don't acquit")
    stopped = sum(row.status != "pass" for row in rows)
    print(f"\n{stopped} of {len(rows)} honest rewrites are stopped, {sum(row.seconds for row in rows):.0f} s")


def to_json(row: Row) -> dict[str, Any]:
    """A row as JSON."""
    return {
        "case": row.case.name,
        "language": row.case.language,
        "kind": row.case.kind,
        "product": row.case.product,
        "status": row.status,
        "seconds": round(row.seconds, 2),
        "reasons": list(row.reasons),
        "classes": dict(row.classes),
        "weakened": list(row.weakened),
    }


if __name__ == "__main__":
    main()
