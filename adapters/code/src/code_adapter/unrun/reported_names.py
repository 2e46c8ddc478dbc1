"""Which of the written tests a report has: as run, as skipped, or not at all.

Runners name tests in their own ways, so this errs to one side: what isn't clearly run is looked at again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePosixPath

from code_adapter.counterfactual.cell_runs import TestName
from verigate.sdk.languages import language_of
from verigate.sdk.reports.outcomes import Case
from verigate.sdk.reports.tests import SuiteRun

_TOOLS: Mapping[str, frozenset[str]] = {
    "python": frozenset({"pytest", "unittest"}),
    "go": frozenset({"go test"}),
    "rust": frozenset({"cargo test"}),
    "javascript": frozenset({"jest", "vitest", "mocha", "ava", "node:test"}),
}
_KNOWN = frozenset({"maven", "gradle", "rspec", "minitest", "phpunit", "dotnet test"}).union(*_TOOLS.values())
_GO_TEST = re.compile(r"(?P<package>.+?)\.(?P<name>(?:Test|Fuzz|Example)[^./]*)(?:/.*)?", re.DOTALL)
_PLACEHOLDER = re.compile(r"%[sdifjoOpc#$%]|\$\{|\$\w")


class Seen(Enum):
    """What a report has of a test."""

    RUN = auto()
    SKIPPED = auto()
    NEVER = auto()


@dataclass(frozen=True)
class ReportedNames:
    """The names in the reports of one language's runners: of tests that passed or failed, and of skipped ones."""

    run: Counter[str]
    skipped: frozenset[str]


def look_up(tests: Sequence[TestName], runs: Iterable[SuiteRun]) -> dict[TestName, Seen]:
    """Look up the written ``tests`` in the reports; those of a language without a report are left out.

    The report of a declared command may be about any language: it counts for one of which it names a test.
    """
    listed = tuple(runs)
    by_family: dict[str, list[TestName]] = defaultdict(list)
    for test in tests:
        family = _family_of(test.path)
        if family is not None:
            by_family[family].append(test)
    found: dict[TestName, Seen] = {}
    for family, own in by_family.items():
        tools = [run for run in listed if run.tool in _TOOLS[family]]
        declared = [run for run in listed if run.tool not in _KNOWN]
        cases = [case for run in (*tools, *declared) for case in run.outcomes.cases]
        seen = _LOOK_UP[family](own, cases) if cases else {}
        if tools or Seen.RUN in seen.values():
            found |= seen
    return found


def _family_of(path: str) -> str | None:
    language = language_of(path)
    return "javascript" if language == "typescript" else language if language in _TOOLS else None


def _read_names(cases: Iterable[Case], read: Callable[[str], str]) -> ReportedNames:
    run: Counter[str] = Counter()
    skipped = set()
    for case in cases:
        if case.outcome == "skipped":
            skipped.add(read(case.id))
        else:
            run[read(case.id)] += 1
    return ReportedNames(run, frozenset(skipped) - run.keys())


def _look_up_python(tests: Sequence[TestName], cases: Iterable[Case]) -> dict[TestName, Seen]:
    names = _read_names(cases, lambda name: name.partition("[")[0])
    of_others = Counter(name.rpartition(".")[2] for name in names.run)
    found = {}
    for test in tests:
        modules = _list_modules(test.path)
        ids = {f"{module}.{test.name}" for module in modules}
        if not ids.isdisjoint(names.run):
            found[test] = Seen.RUN
            of_others[test.name.rpartition(".")[2]] -= 1
        else:
            found[test] = Seen.NEVER if names.skipped.isdisjoint({*ids, *modules}) else Seen.SKIPPED
    for test, seen in found.items():
        # A class whose tests others inherit is reported under the names of these.
        last = test.name.rpartition(".")[2]
        if seen is Seen.NEVER and "." in test.name and of_others[last] > 0:
            found[test] = Seen.RUN
            of_others[last] -= 1
    return found


def _list_modules(path: str) -> list[str]:
    """List the names that the module may have, by where its project or its root of imports begins."""
    parts = PurePosixPath(path).with_suffix("").parts
    return [".".join(parts[start:]) for start in range(len(parts))]


def _look_up_go(tests: Sequence[TestName], cases: Iterable[Case]) -> dict[TestName, Seen]:
    run: dict[str, set[str]] = defaultdict(set)
    skipped: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        if (read := _GO_TEST.fullmatch(case.id)) is not None:
            (skipped if case.outcome == "skipped" else run)[read["name"]].add(read["package"])
    written: Counter[str] = Counter(test.name for test in tests)
    found = {}
    for test in tests:
        folder = PurePosixPath(test.path).parent.name
        if len(run[test.name]) >= written[test.name] or folder in {_last(package) for package in run[test.name]}:
            found[test] = Seen.RUN
        else:
            found[test] = Seen.SKIPPED if skipped[test.name] else Seen.NEVER
    return found


def _last(package: str) -> str:
    return package.rpartition("/")[2]


def _look_up_counted(tests: Sequence[TestName], cases: Iterable[Case]) -> dict[TestName, Seen]:
    """Look up tests whose names don't say in which file they are: all of a name ran if it is reported as often."""
    names = _read_names(cases, lambda name: " ".join(name.partition(" - ")[0].split(" > ")))
    tails = Counter(name.rpartition("::")[2] for name in names.run.elements())
    written = Counter(test.name for test in tests)
    written_tails = Counter(test.name.rpartition("::")[2] for test in tests)
    found = {}
    for test in tests:
        tail = test.name.rpartition("::")[2]
        if names.run[test.name] >= written[test.name] or tails[tail] >= written_tails[tail]:
            found[test] = Seen.RUN
        elif _PLACEHOLDER.search(test.name):
            start = _PLACEHOLDER.split(test.name)[0]
            found[test] = Seen.RUN if any(name.startswith(start) for name in names.run) else Seen.NEVER
        else:
            found[test] = Seen.SKIPPED if test.name in names.skipped else Seen.NEVER
    return found


_LOOK_UP: Mapping[str, Callable[[Sequence[TestName], Iterable[Case]], dict[TestName, Seen]]] = {
    "python": _look_up_python,
    "go": _look_up_go,
    "rust": _look_up_counted,
    "javascript": _look_up_counted,
}
