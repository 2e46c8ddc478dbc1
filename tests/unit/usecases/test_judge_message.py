"""A commit that is being made, judged against each of its parents: by literal evidence of each comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.facts import Facts
from verigate.domain.subject import SubjectKind
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage
from verigate.gate.decision import decide_verdict
from verigate.usecases import judge_message as module
from verigate.usecases.judge_message import MessageJudged, judge_message
from verigate.usecases.request import Request
from verigate.usecases.verify import Verified

RULES = {"integrity": True, "weakening": "disclose"}
LINE = Disclosure("test_skipped", "t.py::test_a", "0123456789ab", "gone", Source.COMMIT, "commit message")


def finding(test: str = "test_a", path: str = "t.py", **more: Any) -> dict[str, Any]:
    return {
        "kind": "test_skipped", "path": path, "test": test, "id": "0123456789ab", "weight": "weakening", "message": "m",
        **more,
    }  # fmt: skip


def compared(
    *findings: Mapping[str, Any], said: bool = False, control: str = "", rules: Mapping[str, Any] = RULES, **more: Any
) -> Verified:
    """What one comparison finds."""
    artifacts: dict[str, Any] = {
        "integrity.json": {"findings": list(findings), "files_examined": 1, "total": 1, "checks": ["tests"]}
    }
    if control:
        artifacts["counterfactual.json"] = lf.counterfactual(lf.cell("test_a"), control=control)
    made: Facts = lf.facts(rules, artifacts, implicit=True, changed=("t.py",), **more)
    facts = replace(made, disclosed=DisclosureFacts(Stage.COMMIT, (LINE,) if said else ()))
    return Verified(decide_verdict(facts), facts.runs, warnings=("one",))


class Verify:
    """Stands for the pipeline: returns what is found against each base, in order."""

    def __init__(self, found: Sequence[Verified]) -> None:
        self.found = list(found)
        self.requests: list[Request] = []

    def __call__(self, request: Request, _services: Any) -> Verified:
        self.requests.append(request)
        return self.found.pop(0)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Any:
    def judge(*found: Verified, **options: Any) -> MessageJudged:
        verify = Verify(found)
        monkeypatch.setattr(module, "verify", verify)
        bases: tuple[str | None, ...] = tuple(f"base-{number}" for number in range(len(found)))
        services: Any = None
        result = judge_message("Skip", bases, services, **options)
        judge.requests = verify.requests  # type: ignore[attr-defined] # for the tests that look at them
        return result

    return judge


def test_only_what_compares_tests_is_asked_for(judged: Any) -> None:
    assert judged(compared(), task_id="T1").exit_code == 0
    (request,) = judged.requests
    assert (request.only, request.only_planned) == (("code:integrity", "code:counterfactual"), True)
    assert (request.kind, request.stage, request.message) == (SubjectKind.INDEX, Stage.COMMIT, "Skip")
    assert judged(compared(), ref="HEAD").exit_code == 0
    (request,) = judged.requests
    assert (request.kind, request.ref, request.base) == (SubjectKind.COMMIT, "HEAD", "base-0")


def test_one_parent(judged: Any) -> None:
    assert judged(Verified(None)) == MessageJudged(0)
    assert judged(compared(finding())).exit_code == 1
    assert judged(compared(finding(), said=True)).exit_code == 0
    assert judged(compared(finding(weight="tampering"), said=True)).exit_code == 1
    assert judged(compared(finding(weight="note"))).exit_code == 0
    assert judged(compared(control="FFFP")).exit_code == 1
    assert judged(compared(finding())).warnings == ("one",)


def test_nothing_but_weakenings_is_judged(judged: Any) -> None:
    failing = compared(rules={**RULES, "tests_pass": True}, changed_policy_files=("config/x.json",))
    assert failing.verdict is not None
    assert failing.verdict.status.exit_code == 1
    assert judged(failing).exit_code == 0
    assert judged(compared(finding(), rules={"files_min": 1})).exit_code == 0


def test_what_can_t_be_compared_never_passes(judged: Any) -> None:
    crashed = {"code:integrity": ("ADAPTER_FAILED", True)}
    assert judged(compared(failures=crashed)).exit_code == 3
    lacking = lf.facts(RULES, {"diff.json": lf.GOOD["diff.json"]}, implicit=True, changed=("t.py",))
    assert judged(Verified(decide_verdict(lacking), lacking.runs)).exit_code == 4


def test_a_merge_is_weakened_only_against_every_parent(judged: Any) -> None:
    both = frozenset({"t.py", "u.py"})
    assert judged(compared(finding()), compared(finding("test_b")), paths=both).exit_code == 0
    assert judged(compared(finding()), compared(), paths=both).exit_code == 0
    # Nothing runs for the second parent once the first has nothing against it.
    assert judged(compared(), compared(finding()), paths=both).exit_code == 0
    assert len(judged.requests) == 1
    # The id differs with the form in the parent; the test is the same.
    found = judged(
        compared(finding(), finding("test_b")), compared(finding(id="ba9876543210"), finding("test_c")), paths=both
    )
    assert (found.exit_code, found.places) == (1, {("test_skipped", "t.py", "test_a")})
    assert judged(compared(finding()), compared(finding()), paths=frozenset({"u.py"})).exit_code == 0


def test_a_line_for_one_parent_is_enough(judged: Any) -> None:
    paths = frozenset({"t.py"})
    assert judged(compared(finding(id="ba9876543210")), compared(finding(), said=True), paths=paths).exit_code == 0


def test_a_merge_that_tampers(judged: Any) -> None:
    paths = frozenset({"t.py"})
    hook = finding(weight="tampering")
    assert judged(compared(hook), compared(hook), paths=paths).exit_code == 1
    assert judged(compared(hook), compared(finding("test_b")), paths=paths).exit_code == 0
    assert judged(compared(control="FFFP"), compared(control="FFFP"), paths=paths).exit_code == 1


def test_of_a_merge_that_weakens_more_than_is_listed_nothing_passes(judged: Any) -> None:
    many = [finding(f"test_{number}", id=f"{number:012x}") for number in range(1001)]
    assert judged(compared(*many), compared(finding("test_x")), paths=frozenset()).exit_code == 1


def test_a_merge_whose_comparison_fails_never_passes(judged: Any) -> None:
    crashed = compared(failures={"code:integrity": ("ADAPTER_FAILED", True)})
    assert judged(compared(finding()), crashed, paths=frozenset({"t.py"})).exit_code == 3
