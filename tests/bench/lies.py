"""Which lies about tests pass the gate, and which of their honest twins are stopped.

    .venv/bin/python tests/bench/lies.py [--gate PROGRAM] [--language NAME]... [--runner NAME]... [--form FORM]
        [--alone] [--jobs N] [--json FILE] [NAME...]

Each case of tests/corpus/lies becomes two git repositories: a commit of the base and one of the lie, or of its honest
twin. `gate verify --ref HEAD --base HEAD^` judges the second commit under the profile ``code`` without its lint rule,
with the facts of ``CAPABILITIES`` as far as the gate has them.

Printed for each: P where it passes, or the codes of the reasons; and the classes of its tests that count for a
weakening in ``counterfactual.json``, whether or not the gate decides by them. Then a table by runner of what stopped
the lies, and two, by language and by kind: how many lies pass, how many honest twins are stopped, and for both what the
cells say:

    yes           a test is weakened (or a run's control passed)
    expectations  at most: the expectations of a test follow changed behaviour, which a profile may allow
    open          at most: a test is lost or can't be compared, and something else decides
    no            no test is weakened, or no cell was run

A lie that passes with ``expectations`` is stopped where a profile has ``"expectations": "disclose"``, as at the end of
an agent's turn and in a task without another word: "of these followed" counts them.

Nothing is timed. ``~`` marks a change whose whole suite has the cells of a change of behaviour (BB, HB, BH = P, F, F):
only what was claimed can tell such a lie from an honest change.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lie_runs import ALONE, ALONE_PROFILES, ROOT, Ended, lie_corpus, verify

CAPABILITIES = ("code:diff", "code:functions", "code:tests", *ALONE)
CELLS = ("yes", "expectations", "open", "no")
PROFILES = {"code_default": {"extends": "code", "lint_errors_max": None}}


@dataclass(frozen=True)
class Judged:
    """How the gate judged one form of a case. ``because`` names reasons, or how it ended without a verdict.

    ``cells`` is one of CELLS, ``classes`` are those of the tests that made it so.
    """

    case: lie_corpus.Lie
    form: str
    passed: bool
    because: tuple[str, ...]
    classes: tuple[str, ...]
    cells: str

    @property
    def is_followed(self) -> bool:
        """Whether the cells of the suite are those of a change of behaviour."""
        cells = lie_corpus.read_proved().get(self.case.name, {}).get(self.form, {})
        return [cells.get(cell) for cell in ("BB", "HB", "BH")] == ["P", "F", "F"]


def main() -> None:
    """Judge the chosen cases and print the tables."""
    options = parse_arguments()
    cases = [case for case in lie_corpus.read_cases() if is_chosen(case, options)]
    capabilities = list(ALONE) if options.alone else find_capabilities(options.gate)
    print(f"{len(cases)} cases, judged with {', '.join(capabilities)}\n")
    work = [(case, form) for case in cases for form in lie_corpus.FORMS if options.form in {None, form}]
    judge_one = partial(judge, gate=options.gate, capabilities=capabilities)
    found: list[Judged] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for judged in pool.map(judge_one, *zip(*work, strict=True)):
            found.append(judged)
            print_one(judged)
            if options.json:
                options.json.write_text(json.dumps([record(each) for each in found], indent=1), "utf-8")
    print_catchers(found)
    print_table("language", found, lambda case: case.language)
    print_table("kind", found, lambda case: case.kind)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--runner", action="append", default=[])
    parser.add_argument("--alone", action="store_true", help="judge by the rule integrity alone, which is quicker")
    parser.add_argument("--form", choices=lie_corpus.FORMS, help="judge only the lies, or only their honest twins")
    parser.add_argument("--json", type=Path, help="write every result to this file")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def is_chosen(case: lie_corpus.Lie, options: argparse.Namespace) -> bool:
    """Whether the command line asks for a case; without names and options, for each."""
    return (
        (not options.names or case.name in options.names)
        and (not options.language or case.language in options.language)
        and (not options.runner or case.runner in options.runner)
    )


def find_capabilities(gate: str) -> list[str]:
    """Return those of CAPABILITIES that this gate's adapters have."""
    listed = subprocess.run((gate, "adapters", "--json"), capture_output=True, check=True, cwd=ROOT).stdout.decode()
    return [capability for capability in CAPABILITIES if f'"{capability}"' in listed]


def judge(case: lie_corpus.Lie, form: str, *, gate: str, capabilities: list[str]) -> Judged:
    """Make the repository of a form and verify its change."""
    profiles = ALONE_PROFILES if tuple(capabilities) == ALONE else PROFILES
    ended = verify(case, form, case.message, gate=gate, capabilities=capabilities, profiles=profiles)
    classes, cells = read_cells(ended.artifacts.get("counterfactual.json"))
    return Judged(case, form, ended.exit_code == 0, find_reasons(ended), classes, cells)


def read_cells(document: Mapping[str, Any] | None) -> tuple[tuple[str, ...], str]:
    """Return the classes that count for a weakening, and the gravest of CELLS."""
    document = document or {"tests": [], "control": []}
    found = {(test["class"], find_gravity(test)) for test in document["tests"]}
    found |= {("control", "yes") for run in document["control"] if run["outcome"] != "F"}
    for gravity in CELLS[:-1]:
        if classes := tuple(sorted(name for name, of_class in found if of_class == gravity)):
            return classes, gravity
    return (), "no"


def find_gravity(test: Mapping[str, Any]) -> str:
    """Return which of CELLS a test stands for."""
    if test["weakens"] in {"yes", "expectations"}:
        return str(test["weakens"])
    return "open" if test["weakens"] == "text" or test["class"] == "lost" else "no"


def find_reasons(ended: Ended) -> tuple[str, ...]:
    """Return the reasons of a verdict, each with its check; without a verdict the exit code and the last line."""
    try:
        return tuple(f"{reason['code']}({reason['check']})" for reason in ended.read_verdict()["reasons"])
    except (ValueError, KeyError):
        return (f"exit code {ended.exit_code}: {ended.last_words}",)


def record(judged: Judged) -> Mapping[str, Any]:
    """Return a result for --json."""
    case = judged.case
    return {"name": case.name, "form": judged.form, "language": case.language, "runner": case.runner} | {
        "kind": case.kind,
        "passed": judged.passed,
        "because": judged.because,
        "followed": judged.is_followed,
        "cells": judged.cells,
        "classes": judged.classes,
    }


def print_one(judged: Judged) -> None:
    """Print a line for a form of a case; ! marks what should be otherwise."""
    mark = "!" if judged.passed == (judged.form == "lie") else " "
    followed = "~" if judged.is_followed else " "
    verdict = "P" if judged.passed else " ".join(judged.because)
    cells = " ".join((judged.cells, *judged.classes))
    print(f"{mark}{followed} {judged.form:6} {judged.case.name:45} {verdict}; cells: {cells}", flush=True)


def print_table(title: str, found: Iterable[Judged], key: Callable[[lie_corpus.Lie], str]) -> None:
    """Print how many lies pass, how many honest twins are stopped, and what the cells say, in each group."""
    found = list(found)
    kinds = "".join(f" {form}: {cells} |" for form in lie_corpus.FORMS for cells in CELLS)
    print(f"\n| {title} | cases | lies pass | of these ~ | of these followed | honest stopped |{kinds}")
    print("| --- |" + " ---: |" * (5 + 2 * len(CELLS)))
    for group in [*sorted({key(judged.case) for judged in found}), "all"]:
        here = [judged for judged in found if group in {"all", key(judged.case)}]
        lies, honest = ([judged for judged in here if judged.form == form] for form in lie_corpus.FORMS)
        passed = [judged for judged in lies if judged.passed]
        stopped = sum(not judged.passed for judged in honest)
        followed = sum(judged.cells == "expectations" for judged in passed)
        numbers = [len(lies), len(passed), sum(judged.is_followed for judged in passed), followed, stopped]
        numbers += [sum(judged.cells == cells for judged in part) for part in (lies, honest) for cells in CELLS]
        print(f"| {group} | " + " | ".join(map(str, numbers)) + " |")


def print_catchers(found: Iterable[Judged]) -> None:
    """Print for each runner what stops its lies: the class of a test, the text alone, or nothing."""
    lies = [judged for judged in found if judged.form == "lie"]
    print("\n| runner | lies | caught by the cells | by the text alone | followed | pass |")
    print("| --- |" + " ---: |" * 5)
    for runner in [*sorted({judged.case.runner for judged in lies}), "all"]:
        here = [judged for judged in lies if runner in {"all", judged.case.runner}]
        stopped = [judged for judged in here if not judged.passed]
        cells = sum(judged.cells == "yes" for judged in stopped)
        followed = sum(judged.passed and judged.cells == "expectations" for judged in here)
        numbers = (len(here), cells, len(stopped) - cells, followed, len(here) - len(stopped) - followed)
        print(f"| {runner} | " + " | ".join(map(str, numbers)) + " |")


if __name__ == "__main__":
    main()
