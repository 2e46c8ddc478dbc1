"""Plant a violation of each active rule in a commit that nothing refers to, and see whether the gate stops it.

The plants lie in loose objects of the repository, which git removes in time; no file, branch or task is written. A rule
that doesn't hold without its plant proves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from verigate.domain.profile import Profile
from verigate.domain.proof import Proof, State
from verigate.domain.rules import RULES, is_active
from verigate.domain.subject import SubjectKind
from verigate.domain.task import IMPLICIT_TASK_TYPE
from verigate.domain.verdict import Check, CheckOutcome, Status
from verigate.errors import GateError, Interrupted
from verigate.integrations.setup.commit_with_files import make_present_commit
from verigate.integrations.setup.repository_scan import Scan
from verigate.planning.demand import FIXES_KEY, list_demands
from verigate.usecases.prove.made_up import make_task, make_word
from verigate.usecases.prove.plants import Plant, Unplantable, list_fixed_plants, make_plants
from verigate.usecases.prove.results_of_tests import describe_left_out, find_failure, leaves_out_most
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.verify import Verified, verify

_JUDGES = "gate.judges"
_CHEAPEST = ("code:diff",)
_TESTS_PASS = "tests_pass"  # noqa: S105 - a rule, not a password
_MOST_NAMED = 5
_WORST = (State.MISSED, State.OPEN, State.UNPROVEN)


def prove_rules(
    scan: Scan, services: Services, profile: Profile, report: Callable[[str], None], *, task_type: str, head: str
) -> Iterator[Proof]:
    """Try each active rule of ``profile``, and what no profile can leave out. ``report`` gets what runs.

    ``head`` is the id of the present commit, ``scan`` its files. Raises GateError where it can't be verified at all.
    """
    active = _list_active(profile)
    trial = _Trial(services, profile, task_type, head)
    for rule, plant in list_fixed_plants():
        if rule == _JUDGES and profile.rules.get("allow_policy_change"):
            yield Proof(rule, State.UNPROVEN, message="the profile has allow_policy_change")
            continue
        report(f"{rule}: {plant.what}")
        yield trial.plant(rule, plant, _CHEAPEST)
    held = trial.find_unheld(tuple(active), report)
    for key, threshold in active.items():
        rule = f"{RULES[key].domain}.{key}"
        try:
            plants = make_plants(key, threshold, scan)
        except Unplantable as why:
            yield Proof(rule, State.UNPROVEN, message=str(why))
            continue
        if key in held:
            yield Proof(rule, State.UNPROVEN, plants[0].what, f"it doesn't hold without the plant: {held[key]}")
            continue
        proofs = []
        for plant in plants:
            report(f"{rule}: {plant.what}")
            proofs.append(trial.plant(rule, plant, trial.list_capabilities((key,))))
        yield trial.look_at_left_out(_join(proofs)) if key == _TESTS_PASS else _join(proofs)


def list_out_of_force(here: Profile, counts: Profile) -> Iterator[Proof]:
    """List the rules that ``here``, the profile of the working tree, has and the one that counts hasn't, as missed.

    Whoever reads the file takes them for rules that are in force, and nothing of them was planted.
    """
    for key, rule in _list_active(here).items():
        if counts.rules.get(key) != rule:
            message = "the working tree asks for this, and the profile that counts doesn't: commit it, and let it land"
            yield Proof(f"{RULES[key].domain}.{key}", State.MISSED, message=message)


def _list_active(profile: Profile) -> dict[str, Any]:
    return {key: rule for key, rule in sorted(profile.rules.items()) if is_active(key, rule) and key in RULES}


def _join(proofs: Sequence[Proof]) -> Proof:
    """Join the proofs of one rule: each plant has to be stopped."""
    if len(proofs) == 1:
        return proofs[0]
    first = proofs[0]
    state = next((state for state in _WORST if any(each.state is state for each in proofs)), State.STOPPED)
    shown = [each for each in proofs if each.state is state]
    stopped = [each.what for each in proofs if each.state is State.STOPPED]
    message = "; ".join(f"{each.what}: {each.message}" for each in shown)
    if state is not State.STOPPED:
        message += f"; stopped: {', '.join(stopped) or 'nothing'}"
    seconds = round(sum(each.seconds for each in proofs), 3)
    return Proof(first.rule, state, "; ".join(each.what for each in proofs), message, seconds)


class _Trial:
    def __init__(self, services: Services, profile: Profile, task_type: str, head: str) -> None:
        self._services = services
        self._profile = profile
        self._type = task_type
        self._head = head
        self._left_out: tuple[str, bool] = ("", False)

    def list_capabilities(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """List the capabilities whose facts these rules read."""
        rules = {key: self._profile.rules[key] for key in keys}
        asked = list_demands(replace(self._profile, rules=rules), (), fixes=FIXES_KEY in keys)
        return tuple(asked) or _CHEAPEST

    def find_unheld(self, keys: tuple[str, ...], report: Callable[[str], None]) -> dict[str, str]:
        """Map the rules that the present commit breaks already to why."""
        report("the present commit, without a plant")
        only = self.list_capabilities(tuple(key for key in keys if key != FIXES_KEY))
        present = self._commit({}, None)
        verified = self._verify(present, present, only, None, whole=True)
        verdict = verified.verdict
        if verdict is None:
            return {}
        self._left_out = describe_left_out(verified.runs), leaves_out_most(verified.runs)
        return {
            key: check.message or check.outcome.value
            for key in keys
            for check in verdict.checks
            if check.id == f"{RULES[key].domain}.{key}" and check.outcome in {CheckOutcome.REFUTED, CheckOutcome.ERROR}
        }

    def plant(self, rule: str, plant: Plant, only: tuple[str, ...]) -> Proof:
        """Verify a commit with the plant. It is stopped if a check of the rule refutes it, and there is no pass.

        An error and no answer are no finding of the rule, and a test that was planted has to be the one that failed.
        """
        start = self._services.clock.monotonic()
        planted = self._commit(plant.laid_over, f"Update the {make_word()}")
        try:
            verified = self._verify(planted, self._head, only, plant)
        except Interrupted:
            raise
        except GateError as problem:
            # Something was stopped, but nobody knows by what.
            return Proof(rule, State.OPEN, plant.what, f"no verdict: {problem.message}", self._since(start))
        state, message = _judge(verified, plant)
        return Proof(rule, state, plant.what, message, self._since(start))

    def look_at_left_out(self, proof: Proof) -> Proof:
        """Add which tests may fail: where they are most of all, a fault that they would find is missed."""
        note, most = self._left_out
        if not note or proof.state is not State.STOPPED:
            return proof
        return replace(proof, state=State.MISSED if most else proof.state, message=f"{proof.message}; {note}")

    def _commit(self, files: Mapping[str, bytes | None], message: str | None) -> str:
        root, environ = self._services.root, self._services.environ
        return str(make_present_commit(root, files, environ, message=message, head=self._head))

    def _since(self, start: float) -> float:
        return round(self._services.clock.monotonic() - start, 3)

    def _verify(
        self, commit: str, base: str, only: tuple[str, ...], plant: Plant | None, *, whole: bool = False
    ) -> Verified:
        claims = plant is not None and plant.claim is not None
        typed = claims or self._type != IMPLICIT_TASK_TYPE
        commitment, task = None, plant.task if plant is not None else make_task()
        if typed:
            asked = {} if plant is None else plant.commitment
            commitment = json.dumps({"task_id": task, "type": self._type, "base": base, **asked}).encode()
        request = Request(
            task if typed else None, SubjectKind.COMMIT, commit, base, self._profile.name, only, use_cache=False,
            llm=False, whole=whole, commitment=commitment,
        )  # fmt: skip
        return verify(request, self._services)


def _judge(verified: Verified, plant: Plant) -> tuple[State, str]:
    """Say what became of a plant, and why."""
    verdict = verified.verdict
    concerned = [] if verdict is None else [each for each in verdict.checks if each.id.startswith(plant.checks)]
    found = ", ".join(f"{each.id} {each.outcome.value}" for each in concerned[:3]) or "it wasn't judged"
    if verdict is None or verdict.status is Status.PASS:
        return State.MISSED, found
    refuted = _find(concerned, CheckOutcome.REFUTED)
    if refuted is None:
        left = _find(concerned, CheckOutcome.ERROR, CheckOutcome.UNKNOWN)
        if left is None:
            return State.MISSED, found
        return State.OPEN, f"{left.outcome.value}, which is no finding of the rule: {left.message or left.id}"
    message = refuted.message or refuted.outcome.value
    unseen = [path for name, path in plant.failing.items() if not find_failure(verified.runs, name)]
    if unseen and len(unseen) == len(plant.failing):
        return State.MISSED, f"{message}; the planted test isn't among those that failed"
    if unseen:
        number = f"{len(unseen)} of {len(plant.failing)} files of tests"
        return State.UNPROVEN, f"a failing test isn't noticed in {number}: {_list_some(unseen)}"
    return State.STOPPED, f"{message}; {plant.limits}" if plant.limits else message


def _list_some(paths: Sequence[str]) -> str:
    return ", ".join(paths[:_MOST_NAMED]) + (", …" if len(paths) > _MOST_NAMED else "")


def _find(checks: Sequence[Check], *outcomes: CheckOutcome) -> Check | None:
    return next((each for each in checks if each.outcome in outcomes and each.holds_back), None)
