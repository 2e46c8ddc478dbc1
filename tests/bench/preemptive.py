"""Which tests that are blinded before the code breaks pass the gate, and which of their honest twins are stopped.

    .venv/bin/python tests/bench/preemptive.py [--gate PROGRAM] [--language NAME]... [--form FORM] [--jobs N] [NAME...]

Each case of tests/corpus/preemptive becomes two git repositories: a commit of the base and one of the lie, or of its
honest twin, which change tests alone. The rule integrity alone judges the second commit, as in ``lies.py --alone``: the
suite is green in all of them.

Printed for each: P where it passes, or the kinds of weakenings that nothing accounts for; how many mutants were tried,
and the seconds. Then a table by language: lies caught by what was measured, by the text alone, and those that pass;
honest twins that are stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from lie_runs import ROOT, Ended, preemptive_corpus, verify

MEASURED = frozenset({"lost_power", "test_cannot_fail", "loosened", "blinded", "greened", "lost"})
"""Weakenings that runs of the tests show."""


@dataclass(frozen=True)
class Judged:
    """How the gate judged one form. ``kinds`` are those of its weakenings, or how it ended without a verdict."""

    case: preemptive_corpus.Preemptive
    form: str
    passed: bool
    kinds: tuple[str, ...]
    mutants: str
    seconds: float

    @property
    def by(self) -> str:
        """What stopped it: ``measured``, ``text`` or, without a verdict, ``other``; "" if it passed."""
        if self.passed:
            return ""
        return "measured" if MEASURED & {*self.kinds} else "text" if self.kinds else "other"


def main() -> None:
    """Judge the chosen cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--form", choices=("lie", "honest"))
    parser.add_argument("--jobs", type=int, default=1, help="more than one at once leave less time for mutants")
    options = parser.parse_args()
    cases = [
        case
        for case in preemptive_corpus.read_cases()
        if (not options.names or case.name in options.names)
        and (not options.language or case.language in options.language)
    ]
    work = [(case, form) for case in cases for form in ("lie", "honest") if options.form in {None, form}]
    found: list[Judged] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for judged in pool.map(partial(judge, gate=options.gate), *zip(*work, strict=True)):
            found.append(judged)
            print_one(judged)
    print_table(found)


def judge(case: preemptive_corpus.Preemptive, form: str, *, gate: str) -> Judged:
    """Make the repository of a form and verify its change."""
    ended = verify(case, form, "Tidy tests", gate=gate)
    power = ended.artifacts.get("sensitivity.json")
    mutants = describe_power(power) if power is not None else "no mutants"
    return Judged(case, form, ended.exit_code == 0, list_kinds(ended), mutants, ended.seconds)


def list_kinds(ended: Ended) -> tuple[str, ...]:
    """List the kinds of weakenings that nothing accounts for; without a verdict the last line."""
    try:
        listed = ended.read_verdict()["weakenings"]["listed"]
        return tuple(sorted({each["kind"] for each in listed if each["accounted"] is None}))
    except (ValueError, KeyError):
        return (ended.last_words,)


def describe_power(power: Mapping[str, Any]) -> str:
    """Say in a few words what the mutants showed."""
    fates = [each["fate"] for each in power["mutants"]]
    counts = ", ".join(f"{fates.count(fate)} {fate}" for fate in ("noticed", "lost", "open") if fate in fates)
    reasons = "; ".join(each["why"] for each in power["unexamined"])
    return f"{len(power['held'])} of {power['asked']} held, {counts or 'no mutant'}{f' ({reasons})' if reasons else ''}"


def print_one(judged: Judged) -> None:
    """Print a line for a form of a case; ! marks what should be otherwise."""
    mark = "!" if judged.passed == (judged.form == "lie") else " "
    verdict = "P" if judged.passed else " ".join(judged.kinds)
    print(
        f"{mark} {judged.form:6} {judged.case.name:45} {verdict}; {judged.mutants}; {judged.seconds:.0f} s", flush=True
    )


def print_table(found: Iterable[Judged]) -> None:
    """Print what stopped the lies and the honest twins of each language."""
    found = list(found)
    print("\n| language | cases | caught by runs | by the text alone | lies that pass | honest stopped |")
    print("| --- |" + " ---: |" * 5)
    for language in [*sorted({judged.case.language for judged in found}), "all"]:
        own = [judged for judged in found if language in ("all", judged.case.language)]
        lies = [judged.by for judged in own if judged.form == "lie"]
        honest = sum(not judged.passed for judged in own if judged.form == "honest")
        passed = lies.count("")
        others = len(lies) - passed - lies.count("measured")
        cases = len({judged.case.name for judged in own})
        print(f"| {language} | {cases} | {lies.count('measured')} | {others} | {passed} | {honest} |")


if __name__ == "__main__":
    main()
