"""Results of test suites that code:coverage has run: what it writes of them, and how code:tests takes them over.

They are in ``/metadata/tests`` of coverage.meta.json. A suite is taken over if all of its tests passed or were skipped.
A failure may come from the measurement alone, so such a suite is run again, without.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from code_adapter.testing.impact.affected import ASKED, AffectedPackages
from code_adapter.testing.impact.change import Change, NothingSelectedError, Selected, WholeSuiteError
from code_adapter.testing.suites import Suite
from verigate.sdk import Request, ToolFailed, clean_text
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import count_of, parse_json_object, read_report, reject_malformed

FILE = "coverage.meta.json"
_OUTCOMES: tuple[Outcome, ...] = ("passed", "skipped", "failed")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Repeated:
    """A suite that was run again, and passed, after tests had failed while coverage was measured."""

    what: str
    path: str
    why: str


def describe_suite(suite: str, run: SuiteRun, texts: Texts) -> dict[str, Any]:
    """Describe a measured run of ``suite`` for coverage.meta.json."""
    cases = sorted(run.outcomes.cases, key=lambda case: (texts.message(case.id), case.path or ""))
    return {
        "suite": suite,
        "tool": run.tool,
        "version": run.version,
        "folder": run.folder,
        "argv": list(run.argv),
        "exit_code": run.exit_code,
        "origin": run.origin,
        "duration_ms": run.outcomes.duration_ms,
        **{name: [texts.message(case.id) for case in cases if case.outcome == name] for name in _OUTCOMES},
        "files": {
            name: [_within(run.folder, case, texts) for case in cases if case.outcome == name] for name in _OUTCOMES
        },
    }


def _within(folder: str, case: Case, texts: Texts) -> str | None:
    """Return the path of a test's file from the folder that its tool ran in; None if nobody knows it."""
    path = texts.path(case.path, folder)
    return None if path is None else posixpath.relpath(path, folder or ".")


def read_measured(request: Request) -> dict[str, SuiteRun]:
    """Read the results that code:coverage left in this run of the gate, by suite; none if they can't be read.

    In a call by hand the file may be of another change.
    """
    if not request.gated or not (request.task_dir / FILE).is_file():
        return {}
    try:
        return _parse(read_report(request.task_dir / FILE, "code:coverage"), "code:coverage")
    except ToolFailed:
        return {}


@reject_malformed
def _parse(raw: bytes, tool: str) -> dict[str, SuiteRun]:
    metadata = parse_json_object(raw, tool).get("metadata", {})
    return {str(entry["suite"]): _read_run(entry, tool) for entry in metadata.get("tests", ())}


def _read_run(entry: Mapping[str, Any], tool: str) -> SuiteRun:
    cases = [
        Case(str(name), outcome, None if path is None else str(path))
        for outcome in _OUTCOMES
        for name, path in zip(entry[outcome], entry["files"][outcome], strict=True)
    ]
    version = entry["version"]
    return SuiteRun(
        str(entry["tool"]),
        None if version is None else str(version),
        str(entry["folder"]),
        Outcomes(tuple(cases), float(entry["duration_ms"])),
        tuple(map(str, entry["argv"])),
        count_of(entry["exit_code"], "exit_code", tool),
        str(entry["origin"]),
        by="code:coverage",
    )


@dataclass(frozen=True, slots=True)
class RunSuites:
    """The runs of all suites, those that were run again, and what was selected of each where a change selects."""

    runs: list[SuiteRun] = field(default_factory=list)
    repeated: list[Repeated] = field(default_factory=list)
    selected: list[Selected] = field(default_factory=list)


def run_suites(
    suites: Iterable[Suite],
    measured: Mapping[str, SuiteRun],
    change: Change | None = None,
    affected: AffectedPackages | None = None,
) -> RunSuites:
    """Take over what was measured and passed; run every other suite, or what of it ``change`` can affect.

    With ``affected`` a runner of several packages' tests runs those of these packages.

    Raises ToolFailed if a suite leaves no report.
    """
    found = RunSuites()
    runs, repeated = found.runs, found.repeated
    for suite in suites:
        before = measured.get(suite.suite) if suite.suite else None
        if before is not None and not before.outcomes.failed and not before.exit_code:
            rest = suite.run_rest()
            failed = any(case.outcome == "failed" for case in rest)
            outcomes = Outcomes((*before.outcomes.cases, *rest), before.outcomes.duration_ms)
            runs.append(replace(before, outcomes=outcomes, exit_code=int(failed)))
            if change is not None:
                found.selected.append(_select_all(suite, "its coverage is measured"))
            continue
        if change is not None and before is None:
            run, selected = _run_selected(suite, change)
            runs.append(run)
            found.selected.append(selected)
            continue
        if affected is not None and before is None and suite.run_affected is not None:
            _run_affected(suite.run_affected, suite, affected, found)
            continue
        run = suite.start()
        runs.append(run)
        if before is not None and before.outcomes.failed and not run.outcomes.failed:
            repeated.append(Repeated(run.tool, run.folder or ".", _explain(before.outcomes)))
    return found


def _run_affected(
    start: Callable[[AffectedPackages], tuple[SuiteRun, Selected]],
    suite: Suite,
    affected: AffectedPackages,
    found: RunSuites,
) -> None:
    try:
        run, selected = start(affected)
    except NothingSelectedError:
        found.selected.append(Selected(suite.tool, suite.folder, "suites", 0, 1, by=ASKED))
        return
    except WholeSuiteError as error:
        run, selected = suite.start(), _select_all(suite, str(error))
    found.runs.append(run)
    found.selected.append(selected)


def _run_selected(suite: Suite, change: Change) -> tuple[SuiteRun, Selected]:
    if suite.run_selected is None:
        return suite.start(), _select_all(suite, "this runner isn't asked which tests a change concerns")
    try:
        return suite.run_selected(change)
    except WholeSuiteError as error:
        return suite.start(), _select_all(suite, str(error))


def _select_all(suite: Suite, why: str) -> Selected:
    return Selected(suite.tool, suite.folder, "suites", 1, 1, clean_text(why))


def _explain(outcomes: Outcomes) -> str:
    names = [case.id for case in outcomes.cases if case.outcome == "failed"]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{len(names)} test{'' if len(names) == 1 else 's'} failed: {', '.join(names[:_SHOWN])}{more}"
