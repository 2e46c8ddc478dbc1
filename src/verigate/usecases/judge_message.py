"""Judge the weakenings of a commit that is being made by its message, and nothing else of the change.

A commit that the hook pre-commit didn't see is compared here: one whose message alone changes, one of a rebase or a
merge, one whose files another hook changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from verigate.domain.artifact import Evidence
from verigate.domain.evidence_weakenings import COUNTERFACTUAL, INTEGRITY, find_false_reports, read_weight
from verigate.domain.judged_weakenings import MAX_LISTED
from verigate.domain.rules import RULES
from verigate.domain.standard_artifacts import BY_SPEC
from verigate.domain.subject import SubjectKind
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict
from verigate.domain.weakening import Stage
from verigate.domain.weight import Weight
from verigate.planning.test_changes import COMPARES_TESTS
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.verify import Verified, verify

_RULE = "integrity"
_CHECK = f"{RULES[_RULE].domain}.{_RULE}"
_COMPARING = (BY_SPEC[INTEGRITY].capability, COMPARES_TESTS)
_FALSE_REPORT = "false report"

Place = tuple[str, str, str | None]
"""Kind, path and test of something that nothing accounts for."""


class MessageJudged(Struct, frozen=True):
    """Whether the commit may be made, as an exit code of ``gate verify``, and the verdict that says why.

    ``verdict`` is None where nothing is to be judged. Of a merge only what is at ``places`` counts; None: everything.
    """

    exit_code: int
    verdict: Verdict | None = None
    warnings: tuple[str, ...] = ()
    places: frozenset[Place] | None = None


def judge_message(
    message: str,
    bases: Sequence[str | None],
    services: Services,
    *,
    task_id: str | None = None,
    ref: str | None = None,
    amends: bool = False,
    paths: Collection[str] | None = None,
) -> MessageJudged:
    """Judge the commit that is made from the index, or of the files of the commit ``ref``, against each of ``bases``.

    ``amends``: it takes the place of HEAD, whose message is gone.

    These are its parents; None is what the task is compared with, else the first parent. Of a merge only that counts
    which is weakened against each parent, in ``paths``, which differ from all of them. Raises GateError where it can't
    be judged.
    """
    compared: list[Verified] = []
    for base in bases:
        each = verify(_make_request(message, base, task_id=task_id, ref=ref, amends=amends), services)
        compared.append(each)
        warnings = tuple(dict.fromkeys(text for one in compared for text in one.warnings))
        check = _find_check(each.verdict)
        if each.verdict is None or check is None or check.outcome in {CheckOutcome.HOLDS, CheckOutcome.NOT_APPLICABLE}:
            return MessageJudged(0, each.verdict, warnings)
        if check.outcome is not CheckOutcome.REFUTED:
            return MessageJudged(each.verdict.status.exit_code or Status.ERROR.exit_code, each.verdict, warnings)
    if paths is None:
        return MessageJudged(Status.FAIL.exit_code, compared[0].verdict, warnings)
    places = frozenset.intersection(*(frozenset(_list_open(each)) for each in compared))
    places = frozenset(place for place in places if place[1] in paths or place[0] == _FALSE_REPORT)
    if places or any(_has_unlisted(each.verdict) for each in compared):
        return MessageJudged(Status.FAIL.exit_code, compared[0].verdict, warnings, places)
    return MessageJudged(0, None, warnings)


def _make_request(message: str, base: str | None, *, task_id: str | None, ref: str | None, amends: bool) -> Request:
    return Request(
        task_id,
        SubjectKind.COMMIT if ref is not None else SubjectKind.INDEX,
        ref,
        base,
        only=_COMPARING,
        only_planned=True,
        marks_count=False,
        llm=False,
        touched=True,
        stage=Stage.COMMIT,
        message=message,
        amends=amends or ref is not None,
    )


def _find_check(verdict: Verdict | None) -> Check | None:
    """Find the check of weakenings; an error of what it reads comes before it."""
    if verdict is None:
        return None
    of_facts = {f"capability:{name}" for name in _COMPARING}
    broken = (check for check in verdict.checks if check.id in of_facts and check.outcome is CheckOutcome.ERROR)
    own = (check for check in verdict.checks if check.id == _CHECK)
    return next(broken, None) or next(own, None)


def _list_open(verified: Verified) -> Iterator[Place]:
    """List what nothing accounts for: weakenings, and what tampers."""
    found = (verified.verdict.weakenings if verified.verdict is not None else None) or {}
    for each in found.get("listed") or ():
        if each["accounted"] is None:
            yield each["kind"], each["path"], each["test"]
    evidence = Evidence({artifact.path: artifact for run in verified.runs for artifact in run.artifacts})
    for artifact in evidence.by_spec(INTEGRITY):
        for finding in artifact.value["findings"]:
            if read_weight(finding) is Weight.TAMPERING:
                yield finding["kind"], finding["path"], finding["test"]
    if any(find_false_reports(artifact.value) for artifact in evidence.by_spec(COUNTERFACTUAL)):
        yield _FALSE_REPORT, "", None


def _has_unlisted(verdict: Verdict | None) -> bool:
    found = (verdict.weakenings if verdict is not None else None) or {}
    return len(found.get("listed") or ()) >= MAX_LISTED
