"""Whether tests that are proven or fixed test the change by its behaviour.

They execute a changed line, and pass where these lines are written in another way that does the same: a test that fails
there reads the source. Both cost runs, so only what something asks for is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from code_adapter.counterfactual.cell_runs import CellRunner, TestName
from code_adapter.counterfactual.changed_lines import ChangedCode
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.executed_lines import Executed, measure_lines
from code_adapter.counterfactual.noop_variants import write_variant
from code_adapter.counterfactual.planted_failures import NO_PLACE, plant_failures
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, path_text
from verigate.sdk.normalised_texts import Texts

_MOST_LISTED = 10
_NO_VARIANT = "there is no other way to write the changed lines that certainly does the same"


@dataclass(frozen=True)
class Proof:
    """``executes``: whether the test executes a changed line, None if that isn't known. ``lines`` are those, shortened.

    ``control`` is what it did with other code that does the same, a letter a run; None without such code.
    """

    executes: bool | None
    lines: tuple[str, ...]
    control: str | None
    why: str = ""

    def describe(self, texts: Texts) -> dict[str, Any]:
        """Return it as the artifact holds it."""
        return {
            "executes": self.executes,
            "lines": list(self.lines),
            "control": self.control,
            "why": texts.message(self.why),
        }


def prove(
    request: Request,
    runner: CellRunner,
    here: SubjectFiles,
    tests: Sequence[TestName],
    code: ChangedCode,
    *,
    runs: int,
) -> dict[TestName, Proof]:
    """Look at tests of the subject, which is checked out; ``runs`` is how often a failure has to happen."""
    executed = _see_lines(request, runner, here, tests, code) if code.files else {}
    control = _run_variant(request, runner, here, tests, code, runs=runs)
    return {test: _make_proof(executed.get(test, Executed()), control.get(test), code) for test in tests}


def _see_lines(
    request: Request, runner: CellRunner, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode
) -> dict[TestName, Executed]:
    """See which changed lines the tests execute: by a report of lines, else by failures that are planted in them."""
    found = measure_lines(request, runner, here, tests, code)
    left = [test for test in tests if found[test].why and not _list_hits(found[test], code)]
    planted = plant_failures(request.repo_root, runner, here, left, code) if left else {}
    return found | {test: each for test, each in planted.items() if each.lines or each.why != NO_PLACE}


def _list_hits(executed: Executed, code: ChangedCode) -> list[str]:
    return [
        f"{path_text(file.path)}:{line}"
        for file in code.files
        for statement in file.statements
        for line in range(statement.first, statement.last + 1)
        if line in executed.lines.get(file.path, frozenset())
    ]


def _run_variant(
    request: Request, runner: CellRunner, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode, *, runs: int
) -> Mapping[TestName, str]:
    with write_variant(request.repo_root, code) as differs:
        if not differs:
            return {}
        letters = dict.fromkeys(tests, "")
        for _ in range(max(runs, 2)):
            run = runner.run(here, sorted({test.path for test in tests}), _choose(tests))
            for test in tests:
                true = run.canary is Outcome.FAILED
                letters[test] += (run.get(test) if true else Outcome.BROKEN).value
            if all(set(found) == {Outcome.PASSED.value} for found in letters.values()):
                break
        return letters


def _make_proof(executed: Executed, control: str | None, code: ChangedCode) -> Proof:
    hit = _list_hits(executed, code)
    why = executed.why
    if not hit and not why and code.others:
        why = "what the change changed isn't all code of which is seen whether it runs"
    one_of = f"it runs one of {len(hit)} changed lines" if executed.is_one_of else ""
    whys = [one_of if hit else why, _NO_VARIANT if control is None else ""]
    executes = True if hit else None if why else False
    lines = () if executed.is_one_of else tuple(dict.fromkeys(hit))[:_MOST_LISTED]
    return Proof(executes, lines, control, "; ".join(filter(None, whys)))


def _choose(tests: Sequence[TestName]) -> dict[str, frozenset[str]]:
    paths = {test.path for test in tests}
    return {path: frozenset(test.name for test in tests if test.path == path) for path in paths}
