"""Plant a violation of each active rule in a commit that nothing refers to, and see whether the gate stops it.

The plants lie in loose objects of the repository, which git removes in time; no file, branch or task is written. A rule
that doesn't hold without its plant proves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from verigate.domain.profile import Profile
from verigate.domain.proof import Proof, State
from verigate.domain.rules import RULES, is_active
from verigate.domain.subject import SubjectKind
from verigate.domain.task import IMPLICIT_TASK_TYPE
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict
from verigate.errors import GateError, UsageError
from verigate.integrations.setup.commit_with_files import make_present_commit
from verigate.integrations.setup.repository_scan import Scan
from verigate.planning.demand import FIXES_KEY, list_demands
from verigate.subject.git_query import read_git_line
from verigate.usecases.prove.plants import TASK, Plant, Unplantable, list_fixed_plants, plant_for
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.verify import verify

_JUDGES = "gate.judges"
_CHEAPEST = ("code:diff",)


def prove_rules(
    scan: Scan, services: Services, profile: Profile, task_type: str, report: Callable[[str], None]
) -> Iterator[Proof]:
    """Try each active rule of ``profile``, and what no profile can leave out. ``report`` gets what runs.

    Raises GateError where the present commit can't be verified at all, UsageError without a commit.
    """
    present = make_present_commit(scan.root, {}, services.environ)
    if present is None:
        raise UsageError("there is no commit yet", where=str(scan.root), hint="commit, then try again")
    active = {key: rule for key, rule in sorted(profile.rules.items()) if is_active(key, rule) and key in RULES}
    trial = _Trial(scan, services, profile, task_type, present)
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
            plant = plant_for(key, threshold, scan)
        except Unplantable as why:
            yield Proof(rule, State.UNPROVEN, message=str(why))
            continue
        if key in held:
            yield Proof(rule, State.UNPROVEN, plant.what, f"it doesn't hold without the plant: {held[key]}")
            continue
        report(f"{rule}: {plant.what}")
        yield trial.plant(rule, plant, trial.list_capabilities((key,)))


class _Trial:
    def __init__(self, scan: Scan, services: Services, profile: Profile, task_type: str, present: str) -> None:
        self._scan = scan
        self._services = services
        self._profile = profile
        self._type = task_type
        self._present = present
        self._head = read_git_line(scan.root, services.environ, "rev-parse", f"{present}^") or present

    def list_capabilities(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """List the capabilities whose facts these rules read."""
        rules = {key: self._profile.rules[key] for key in keys}
        asked = list_demands(replace(self._profile, rules=rules), (), fixes=FIXES_KEY in keys)
        return tuple(asked) or _CHEAPEST

    def find_unheld(self, keys: tuple[str, ...], report: Callable[[str], None]) -> dict[str, str]:
        """Map the rules that the present commit breaks already to why."""
        report("the present commit, without a plant")
        only = self.list_capabilities(tuple(key for key in keys if key != FIXES_KEY))
        verdict = self._verify(self._present, self._present, only, None, whole=True)
        if verdict is None:
            return {}
        return {
            key: check.message or check.outcome.value
            for key in keys
            for check in verdict.checks
            if check.id == f"{RULES[key].domain}.{key}" and check.outcome in {CheckOutcome.REFUTED, CheckOutcome.ERROR}
        }

    def plant(self, rule: str, plant: Plant, only: tuple[str, ...]) -> Proof:
        """Verify a commit with the plant. It is stopped if a check of the rule doesn't hold, and there is no pass."""
        start = self._services.clock.monotonic()
        planted = make_present_commit(self._scan.root, plant.laid_over, self._services.environ)
        try:
            verdict = self._verify(str(planted), self._head, only, plant)
        except GateError as problem:
            # Something was stopped, but nobody knows by what.
            return Proof(rule, State.UNPROVEN, plant.what, f"no verdict: {problem.message}", self._since(start))
        concerned = [] if verdict is None else [each for each in verdict.checks if each.id.startswith(plant.checks)]
        against = next((each for each in concerned if _is_against(each)), None)
        if verdict is not None and verdict.status is not Status.PASS and against is not None:
            return Proof(rule, State.STOPPED, plant.what, against.message or against.outcome.value, self._since(start))
        found = ", ".join(f"{each.id} {each.outcome.value}" for each in concerned[:3]) or "it wasn't judged"
        return Proof(rule, State.MISSED, plant.what, found, self._since(start))

    def _since(self, start: float) -> float:
        return round(self._services.clock.monotonic() - start, 3)

    def _verify(
        self, commit: str, base: str, only: tuple[str, ...], plant: Plant | None, *, whole: bool = False
    ) -> Verdict | None:
        claims = plant is not None and plant.claim is not None
        typed = claims or self._type != IMPLICIT_TASK_TYPE
        commitment = None
        if typed:
            asked = {} if plant is None else plant.commitment
            commitment = json.dumps({"task_id": TASK, "type": self._type, "base": base, **asked}).encode()
        request = Request(
            TASK if typed else None, SubjectKind.COMMIT, commit, base, self._profile.name, only, use_cache=False,
            llm=False, whole=whole, commitment=commitment,
        )  # fmt: skip
        return verify(request, self._services).verdict


def _is_against(check: Check) -> bool:
    return check.outcome in {CheckOutcome.REFUTED, CheckOutcome.UNKNOWN, CheckOutcome.ERROR} and check.holds_back
