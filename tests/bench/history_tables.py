"""The tables of ``history.py``: verdicts, and the labels that a person gave to the commits that were stopped."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

LABELS = {
    "unsaid": "really weakened, and not said",
    "said": "really weakened, and said in the message",
    "debatable": "debatable",
    "fault": "the gate's fault",
}
KINDS = tuple(LABELS)
UNREAD = "not read yet"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines; one that doesn't exist is empty. A last line that was cut off is left out."""
    if not path.exists():
        return []
    lines = path.read_text("utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.strip() and line.endswith("\n")]


def print_tables(
    repositories: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], labels: Sequence[Mapping[str, Any]]
) -> None:
    """Print a row for each repository, what stopped commits, and the commits that were stopped."""
    print(
        f"{'repository':<18}{'language':<12}{'commits':>8}{'of tests':>9}{'stopped':>8}{'of tests':>9}{'%':>6}{'s':>7}"
    )
    for record in repositories:
        own = [row for row in rows if row["name"] == record["name"]]
        if own:
            print_counts(record["name"], record["language"], own)
    if not rows:
        return
    print_counts("all", "", rows)
    screened = sum(1 for row in rows if row.get("screened"))
    if screened:
        print(f"{screened} of these by code:integrity alone: it said nothing that counts")
    compared = [row for row in rows if row.get("cells")]
    if compared:
        print_cells(repositories, compared)
    tried = [row for row in rows if row.get("power")]
    if tried:
        print_power(repositories, tried)
    print_times(rows)
    stopped = [row for row in rows if is_stopped(row)]
    print_counter("\nstopped by", Counter(cause for row in stopped for cause in name_causes(row)))
    known = {(label["name"], label["commit"]): label for label in labels}
    labelled = [(row, find_label(row, known)) for row in stopped]
    kinds = Counter(LABELS.get(label["label"], label["label"]) if label else UNREAD for _, label in labelled)
    print_counter("\nread as", kinds)
    faults = [label for _, label in labelled if label and label["label"] == "fault"]
    print_counter("\ncauses of the gate's faults", Counter(cause for label in faults for cause in label["causes"]))
    print(f"\nthe gate's fault: {len(faults)} of {len(rows)} ({len(faults) / len(rows):.2%})")
    print("\nstopped")
    for row, label in labelled:
        print_stopped(row, label)


def print_markdown(
    repositories: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], labels: Sequence[Mapping[str, Any]]
) -> None:
    """Print a row for each repository and one for all: commits, stopped ones, and the labels of these, as Markdown."""
    known = {(label["name"], label["commit"]): label for label in labels}
    heads = ("repository", "language", "commits", "touch tests", "stopped", *KINDS, UNREAD)
    print(f"| {' | '.join(heads)} |\n|{' --- |' * 2}{' ---: |' * (len(heads) - 2)}")
    named = [(record["name"], record["language"]) for record in repositories]
    for name, language in [*named, ("**all**", "")]:
        own = [row for row in rows if name in ("**all**", row["name"])]
        found = [find_label(row, known) for row in own if is_stopped(row)]
        kinds = Counter(label["label"] if label else UNREAD for label in found)
        counts = (
            len(own),
            sum(bool(row["tests"]) for row in own),
            len(found),
            *(kinds[kind] for kind in (*KINDS, UNREAD)),
        )
        if own:
            print(f"| {name} | {language} | {' | '.join(map(str, counts))} |")


def print_counts(name: str, language: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print how many commits there are, and how many of them were stopped."""
    tests = [row for row in rows if row["tests"]]
    stopped = [row for row in rows if is_stopped(row)]
    of_tests = sum(1 for row in stopped if row["tests"])
    seconds = sum(row["seconds"] for row in rows)
    print(
        f"{name:<18}{language:<12}{len(rows):>8}{len(tests):>9}{len(stopped):>8}{of_tests:>9}"
        f"{100 * len(stopped) / len(rows):>6.1f}{seconds:>7.0f}"
    )


def print_cells(repositories: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print for each repository how many tests were compared, and how many are of each class."""
    total = sum((Counter(row["cells"]["counts"]) for row in rows), Counter[str]())
    classes = sorted(total, key=lambda name: (-total[name], name))
    print(f"\n{'cells':<18}{'commits':>8}{'none':>6}{'tests':>7}", *(f"{name:>{_width(name)}}" for name in classes))
    for name in [*(record["name"] for record in repositories), "all"]:
        own = [row for row in rows if name in ("all", row["name"])]
        counts = sum((Counter(row["cells"]["counts"]) for row in own), Counter[str]())
        without = sum(1 for row in own if not row["cells"]["counts"])
        if own:
            figures = (f"{counts[each]:>{_width(each)}}" for each in classes)
            print(f"{name:<18}{len(own):>8}{without:>6}{counts.total():>7}", *figures)
    reasons = Counter(
        test["why"] for row in rows for test in row["cells"]["tests"] if test["class"] == "not_comparable"
    )
    print_counter("\nnot comparable, of those that are listed", reasons)
    files = sum((Counter(row["cells"]["unexamined"]) for row in rows), Counter[str]())
    print_counter("\nfiles that were not compared", files)
    print("\nto read")
    for row in rows:
        for test in row["cells"]["tests"]:
            cells = " ".join(f"{cell}={outcome}" for cell, outcome in sorted(test["cells"].items()))
            said = f"{test['class']} {cells} {test['path']} {test['test']} {test['why']}"
            print(f"{row['name']} {row['commit'][:12]} {said}")


def print_power(repositories: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print for each repository what mutants said of the tests that the cells left to them."""
    print(
        f"\n{'sensitivity':<18}{'commits':>8}{'asking':>7}{'asked':>7}{'held':>6}{'lost':>6}{'unfailing':>10}{'mutants':>8}"
    )
    for name in [*(record["name"] for record in repositories), "all"]:
        own = [row["power"] for row in rows if name in ("all", row["name"])]
        if own:
            asking = sum(1 for each in own if each["asked"])
            sums = [sum(each[key] for each in own) for key in ("asked", "held", "mutants")]
            lost, unfailing = (sum(len(each[key]) for each in own) for key in ("lost_power", "unfailing"))
            print(f"{name:<18}{len(own):>8}{asking:>7}{sums[0]:>7}{sums[1]:>6}{lost:>6}{unfailing:>10}{sums[2]:>8}")
    print_counter("\nnot tried", sum((Counter(row["power"]["unexamined"]) for row in rows), Counter[str]()))
    for row in rows:
        for each in row["power"]["lost_power"]:
            said = f"{each['path']} {each['test']}: {'; '.join(each['mutants'][:3])}"
            print(f"{row['name']} {row['commit'][:12]} lost_power {said}")
        for each in row["power"]["unfailing"]:
            said = (
                f"{each['path']}:{each['line']} {each['test']}: {each['change']}{' (new test)' if each['new'] else ''}"
            )
            print(f"{row['name']} {row['commit'][:12]} unfailing {said}")


def print_times(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print for each capability the seconds that it took: median and most."""
    spent: dict[str, list[float]] = {}
    for row in rows:
        for name, seconds in row.get("spent", {}).items():
            spent.setdefault(name, []).append(seconds)
    for name, seconds in sorted(spent.items()):
        print(
            f"{name:<22}{len(seconds):>6} times, median {statistics.median(seconds):6.1f} s, most {max(seconds):6.1f} s"
        )


def _width(name: str) -> int:
    return max(len(name), 6)


def is_stopped(row: Mapping[str, Any]) -> bool:
    """Whether the commit didn't pass."""
    return bool(row["status"] != "pass")


def name_causes(row: Mapping[str, Any]) -> list[str]:
    """Name what stopped a commit, each once: check, outcome unless refuted, kind of finding or class of test."""
    causes: set[str] = set()
    for check in row["checks"]:
        head = check["id"] if check["outcome"] == "refuted" else f"{check['id']} {check['outcome']}"
        kinds = {finding.get("kind") or finding["class"] for finding in check["findings"]}
        causes |= {f"{head} {kind}" for kind in kinds} or {head}
    return sorted(causes) or [row["status"]]


def find_label(row: Mapping[str, Any], labels: Mapping[tuple[str, str], Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Find the label of a commit. One that was read when less stopped the commit doesn't count."""
    label = labels.get((row["name"], row["commit"]))
    return label if label is not None and set(name_causes(row)) <= set(label["stopped_by"]) else None


def print_counter(title: str, counter: Counter[str]) -> None:
    """Print counts, the greatest first."""
    print(f"{title}:" if counter else f"{title}: none")
    for name, count in sorted(counter.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:>6}  {name}")


def print_stopped(row: Mapping[str, Any], label: Mapping[str, Any] | None) -> None:
    """Print a commit that was stopped, its label, and the findings."""
    said = f"{label['label']}: {', '.join(label['causes'])}" if label else UNREAD
    print(f"{row['name']} {row['commit'][:12]} {'tests ' if row['tests'] else ''}[{said}]")
    for line in dict.fromkeys(describe_findings(row)):
        print(f"    {line}")


def describe_findings(row: Mapping[str, Any]) -> Iterable[str]:
    """Describe each finding that decided: place, kind, message."""
    for check in row["checks"]:
        if not check["findings"]:
            yield f"{check['id']} {check['outcome']}: {check.get('message', '')[:200]}"
        for finding in check["findings"]:
            place = f"{finding.get('path', '')}:{finding.get('line') or ''}"
            yield f"{check['id']} {finding.get('kind') or finding['class']} {place} {finding.get('message', '')[:200]}"
    if not row["checks"]:
        yield row.get("stderr", row["status"])[:300]
