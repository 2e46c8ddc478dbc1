"""Judge the weakenings of a change: what accounts for each is evidence, a disclosure, or the profile.

Findings of ``integrity.json`` compare texts, classes of ``counterfactual.json`` were measured. What was measured of a
test stands before what its text seems to say: a class that acquits it acquits the findings about it, and where it is
weakened by its class, the disclosure of that covers them. What wasn't compared leaves the text its vote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import (
    COUNTERFACTUAL,
    INTEGRITY,
    LOST_POWER,
    UNFAILING,
    depends_on_condition,
    ends_test,
    find_false_reports,
    is_unread,
    is_weakening_class,
    keeps_words,
    list_gone,
    list_measured,
    read_entry,
    read_finding,
    read_weight,
    reads_source,
)
from verigate.domain.facts import Facts
from verigate.domain.judged_weakenings import JudgedWeakening, JudgedWeakenings
from verigate.domain.standard_artifacts import BY_PATH
from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, shorten_cited
from verigate.domain.weakening import (
    COUNTING,
    DISCLOSED,
    EXPECTATIONS_KEY,
    OF_TESTS,
    PROFILE_KEY,
    REPINNED,
    Accounted,
    AccountedBy,
    Disclosure,
    DisclosureFacts,
    Policy,
    Stage,
    Weakening,
    choose_policy,
    choose_strictest,
    shorten_reference,
)
from verigate.domain.weight import Weight
from verigate.formats import pointer
from verigate.gate.approvals import find_weakening_approval
from verigate.gate.noticed_powers import Powers, read_powers
from verigate.gate.titles import name_test, split_name

_CHECK = "weakening:"
_ACQUITTING = frozenset({"proven", "fixed"})
"""Classes that show by runs that a test checks what it checked, or more: its base form holds on the code of head, and
its head form fails on the code of base. ``kept`` doesn't: a test without assertions passes everywhere."""

_LOST = "lost"
_NEW = frozenset({"added", "unproven"})
"""Classes of tests that base doesn't have, and of which no run shows what they check."""

_FOCUSED = "test_focused"
"""The kind of finding that is named for a test, and is about all others."""

_LEFT_TO_POWER = "sensitivity"
"""What cells say of a test that only what it still notices can decide."""

_FAILED = "F"


class _Cell(Struct, frozen=True):
    """One test of ``counterfactual.json`` with its place there.

    ``names`` are path and name in subject and base. ``acquits``: its runs show that it checks what it checked.
    ``weakening`` is None unless its class is one. ``gone`` is what a lost test used, if nothing refers to it any more.
    ``unchanged``: it passes everywhere, and is the same text but for its name.
    """

    names: tuple[tuple[str, tuple[str, ...]], ...]
    acquits: bool
    place: str
    weakening: Weakening | None
    gone: tuple[str, ...] = ()
    kind: str = ""
    """The class."""

    unchanged: bool = False

    def has_name(self, path: str, name: tuple[str, ...]) -> bool:
        """Whether it is the test of this name, or one whose name ends with it.

        Runners of JavaScript report suites and test as one title: "cart adds" for ``cart > adds``.
        """
        title = " ".join(name)
        return any(
            path == own_path and (own[-len(name) :] == name or " ".join(own) == title) for own_path, own in self.names
        )


Cells = Mapping[str, Sequence[_Cell]]
"""The cells of the tests of each file."""


def judge_weakenings(facts: Facts) -> JudgedWeakenings:
    """Judge every weakening that the evidence has, in the order of the evidence."""
    disclosed = facts.disclosed or DisclosureFacts()
    said = _Said(facts, disclosed)
    by_weakening: dict[Weakening, list[EvidenceRef]] = {}
    cells: dict[str, list[_Cell]] = {}
    removed: dict[Weakening, _Cell] = {}
    for cell, ref in _list_cells(facts):
        for path in dict.fromkeys(path for path, _ in cell.names):
            cells.setdefault(path, []).append(cell)
        if cell.weakening is not None and cell.gone and all(name in disclosed.removals for name in cell.gone):
            removed[cell.weakening] = cell
        if cell.weakening is not None and cell.weakening.kind != LOST_POWER:
            by_weakening.setdefault(cell.weakening, []).append(ref)
    of_text: dict[Weakening, bool] = {}  # and whether runs of the test can acquit it
    for weakening, artifact, key, index in list_measured(facts.evidence):
        by_weakening.setdefault(weakening, []).append(_cite_member(artifact, key, index))
        if key == UNFAILING:
            of_text[weakening] = True  # one assertion says nothing of what the whole test notices
    tampering = [
        _cite_member(artifact, "control", index)
        for artifact in facts.evidence.by_spec(COUNTERFACTUAL)
        for index in find_false_reports(artifact.value)
    ]
    tampering += [
        _cite_member(artifact, "tests", index)
        for artifact in facts.evidence.by_spec(COUNTERFACTUAL)
        for index, entry in enumerate(artifact.value["tests"])
        if reads_source(entry)
    ]
    tampering += [ref for finding, ref in _list_findings(facts) if read_weight(finding) is Weight.TAMPERING]
    unread: set[Weakening] = set()
    for finding, ref in _list_findings(facts):
        if read_weight(finding) is Weight.WEAKENING:
            weakening = read_finding(finding)
            of_text[weakening] = of_text.get(weakening, True) and not depends_on_condition(finding)
            unread |= {weakening} if is_unread(finding) else set()
            by_weakening.setdefault(weakening, []).append(ref)
    ended = {name_test(each): each for each in by_weakening if ends_test(each)}
    judged: dict[Weakening, JudgedWeakening] = {}
    items = []
    for weakening, refs in by_weakening.items():
        # Those that were measured come first: findings about the text of their tests rest on them.
        find = _find_cells_of_file if weakening in unread else _find_cells
        measured = find(weakening, cells) if weakening in of_text else ()
        if weakening in removed:
            judged[weakening] = _judge_removed(removed[weakening], tuple(refs), said, disclosed.removals)
            items.append(judged[weakening])
            continue
        own = _judge(weakening, tuple(refs), measured, judged, said, by_runs=of_text.get(weakening, True))
        if weakening.kind == LOST_POWER and own.accounted is None:
            own = _judge_ended(own, ended.get(name_test(weakening)), said)
        judged[weakening] = own
        items.append(own)
    return JudgedWeakenings(disclosed.stage, tuple(items), tuple(tampering), said.agent_marks, disclosed.faults)


def check_weakenings(judged: JudgedWeakenings) -> Iterator[Check]:
    """Check each weakening that something accounts for; the rule ``integrity`` refutes the others.

    What an agent disclosed is for a person to accept, so its turn ends undecided.
    """
    seen: set[str] = set()
    for item in judged.accounted:
        own = item.weakening
        # An adapter may give two weakenings one id.
        names = (f"{_CHECK}{own.id}", f"{_CHECK}{own.kind} {own.target}")
        numbered = (f"{names[1]} {number}" for number in count(2))
        check_id = next(name for name in chain(names, numbered) if name not in seen)
        seen.add(check_id)
        undecided = judged.stage is Stage.AGENT and item.is_disclosed
        yield Check(
            check_id,
            CheckOutcome.UNKNOWN if undecided else CheckOutcome.HOLDS,
            "accounted for",
            None if item.accounted is None else item.accounted.by.value,
            DISCLOSED if undecided else None,
            _explain_accounted(item),
            item.evidence,
            accounted=item.accounted,
        )


def _explain_accounted(item: JudgedWeakening) -> str:
    own, accounted = item.weakening, item.accounted
    if accounted is None:
        return ""
    what = f"{own.kind} in {own.target}"
    if accounted.by is AccountedBy.EVIDENCE:
        return f"{what}: {item.reason or 'the runs of the test acquit it'}"
    if accounted.by is AccountedBy.PROFILE:
        return f"{what}: the profile allows it ({accounted.reference})"
    if accounted.by is AccountedBy.APPROVAL:
        return f"{what}: approved ({accounted.reference}){f': {item.reason}' if item.reason else ''}"
    return f"{what}: disclosed in {shorten_reference(accounted.reference)}: {item.reason}"


class _Said:
    """The disclosures that count in a run, and what is taken of each kind of weakening."""

    def __init__(self, facts: Facts, disclosed: DisclosureFacts) -> None:
        claim = facts.task.claim
        every = (*disclosed.disclosures, *(claim.disclosures if claim is not None else ()))
        counting = COUNTING[disclosed.stage]
        self._counting: dict[tuple[str, str, str], Disclosure] = {}
        self._not_counting: dict[tuple[str, str, str], Disclosure] = {}
        self._of_place: dict[tuple[str, str], Disclosure] = {}
        for each in every:
            counts = each.source in counting
            (self._counting if counts else self._not_counting).setdefault((each.id, each.kind, each.target), each)
            if counts:
                self._of_place.setdefault((each.kind, each.target), each)
        self.agent_marks = disclosed.agent_marks if disclosed.stage is Stage.CI else ()
        self._setting = facts.profile.rules.get(PROFILE_KEY)
        self._expectations = facts.profile.rules.get(EXPECTATIONS_KEY)
        self._is_task = not facts.task.implicit
        self._stage = disclosed.stage
        self.find_approval = partial(find_weakening_approval, facts)

    def choose_policy(self, weakening: Weakening) -> Policy:
        """Choose what is taken of a weakening. A change by an agent is held to what is strict."""
        by_agent = bool(self.agent_marks)
        if not weakening.follows:
            own = choose_policy(self._setting, weakening.kind)
            return Policy.REFUSE if by_agent else Policy.ALLOW if self._is_let_pass(weakening) else own
        default = Policy.DISCLOSE if self._is_task else Policy.ALLOW
        own = choose_policy(self._expectations, weakening.kind) if self._expectations is not None else default
        return choose_strictest(own, Policy.DISCLOSE) if by_agent or self._stage is Stage.AGENT else own

    def _is_let_pass(self, weakening: Weakening) -> bool:
        """Whether it is hooks from another commit, in no task, for people who read what is disclosed."""
        are_read = choose_policy(self._setting, REPINNED) is Policy.DISCLOSE and self._stage is not Stage.AGENT
        return weakening.kind == REPINNED and are_read and not self._is_task

    def describe_key(self, weakening: Weakening) -> str:
        """Name the setting that allows it."""
        if not weakening.follows:
            word = f"{Policy.DISCLOSE}, without a task" if self._is_let_pass(weakening) else f"{Policy.ALLOW}"
            return f"{PROFILE_KEY}: {word}"
        return f"{EXPECTATIONS_KEY}: {Policy.ALLOW}" + ("" if self._expectations is not None else ", without a task")

    def find(self, weakening: Weakening) -> Disclosure | None:
        """Find the first disclosure that counts and names this weakening: kind, place and id are all the same."""
        return self._counting.get((weakening.id, weakening.kind, weakening.target))

    def explain_miss(self, weakening: Weakening) -> str:
        """Explain why a line that is about this place doesn't count; "" if there is none."""
        other = self._not_counting.get((weakening.id, weakening.kind, weakening.target))
        if other is not None:
            return f"{shorten_reference(other.reference)} alone doesn't count here"
        if (old := self._of_place.get((weakening.kind, weakening.target))) is not None:
            return f"{shorten_reference(old.reference)} discloses it as {old.id}: it changed since"
        return ""


def _judge(
    weakening: Weakening,
    refs: tuple[EvidenceRef, ...],
    cells: Sequence[_Cell],
    judged: Mapping[Weakening, JudgedWeakening],
    said: _Said,
    *,
    by_runs: bool,
) -> JudgedWeakening:
    """Judge one weakening; ``cells`` are those of the test that a finding about its text is about.

    ``by_runs``: whether runs of the test can acquit it.
    """
    policy = said.choose_policy(weakening)
    if by_runs and cells and all(cell.acquits for cell in cells):
        return JudgedWeakening(weakening, refs, policy, Accounted(AccountedBy.EVIDENCE, cells[0].place))
    found = said.find(weakening)
    if policy is not Policy.REFUSE and found is not None:
        accounted = Accounted(AccountedBy.DISCLOSURE, found.reference)
        return JudgedWeakening(weakening, refs, policy, accounted, reason=found.reason)
    # What is said of a whole file says nothing of what one of its tests checks.
    own = (cell.weakening for cell in cells if cell.weakening is not None)
    measured = [judged[each] for each in own if each.test is not None]
    # An approval stands for what it names, and for nothing else.
    covered = bool(measured) and len(measured) == len(cells) and not any(each.is_approved for each in measured)
    if covered and all(each.accounted is not None for each in measured):
        # What was measured of the test accounts for what its text seems to say.
        first = measured[0]
        return JudgedWeakening(weakening, refs, policy, first.accounted, first.reason)
    if policy is Policy.ALLOW:
        accounted = Accounted(AccountedBy.PROFILE, said.describe_key(weakening))
        return JudgedWeakening(weakening, refs, policy, accounted)
    if (approval := said.find_approval(weakening)) is not None:
        accounted = Accounted(AccountedBy.APPROVAL, approval.reference)
        return JudgedWeakening(weakening, refs, policy, accounted, reason=approval.reason)
    note = said.explain_miss(weakening) if policy is Policy.DISCLOSE else ""
    if covered and not note:
        note = f"what is said of {measured[0].weakening.kind} covers it"
    return JudgedWeakening(weakening, refs, policy, note=note, covered=covered)


def _judge_ended(own: JudgedWeakening, ended: Weakening | None, said: _Said) -> JudgedWeakening:
    """Judge lost power of a test that is skipped or gone, if ``ended`` says so: who discloses that, discloses both."""
    found = said.find(ended) if ended is not None else None
    if ended is None or found is None or Policy.REFUSE in {own.policy, said.choose_policy(ended)}:
        return own
    return replace(own, accounted=Accounted(AccountedBy.DISCLOSURE, found.reference), reason=found.reason, note="")


def _judge_removed(
    cell: _Cell, refs: tuple[EvidenceRef, ...], said: _Said, removals: Mapping[str, str]
) -> JudgedWeakening:
    """Judge a lost test of what is gone, whose removal is said."""
    assert cell.weakening is not None  # noqa: S101 - chosen by it
    by = ", ".join(dict.fromkeys(shorten_reference(removals[name]) for name in cell.gone))
    reason = f"{', '.join(cell.gone)} is removed, as {by} says"
    accounted = Accounted(AccountedBy.EVIDENCE, cell.place)
    return JudgedWeakening(cell.weakening, refs, said.choose_policy(cell.weakening), accounted, reason)


def _list_findings(facts: Facts) -> Iterator[tuple[Mapping[str, Any], EvidenceRef]]:
    for artifact in facts.evidence.by_spec(INTEGRITY):
        for index, finding in enumerate(artifact.value["findings"]):
            yield finding, _cite_member(artifact, "findings", index)


def _cite_member(artifact: Artifact, key: str, index: int) -> EvidenceRef:
    """Cite one of many members, without a copy of the artifact for each."""
    return EvidenceRef(
        artifact.path, pointer.join(key, index), shorten_cited(artifact.value[key][index]), artifact.digest
    )


def _list_cells(facts: Facts) -> Iterator[tuple[_Cell, EvidenceRef]]:
    powers = read_powers(facts)
    for artifact in facts.evidence.by_spec(COUNTERFACTUAL):
        # Another adapter may report more weakenings, but acquits nothing.
        believed = artifact.path in BY_PATH and all(each["outcome"] == _FAILED for each in artifact.value["control"])
        # With other support or data a base form may hold, and a head form fail, for another reason than the code.
        alone = set(artifact.value["changed"]) <= set(artifact.value["files"])
        for index, entry in enumerate(artifact.value["tests"]):
            ref = _cite_member(artifact, "tests", index)
            yield _read_cell(entry, f"{ref.artifact}#{ref.pointer}", powers, believed=believed, alone=alone), ref


def _read_cell(entry: Mapping[str, Any], place: str, powers: Powers, *, believed: bool, alone: bool) -> _Cell:
    was = entry.get("was") or entry
    names = ((each["path"], split_name(each["test"])) for each in (entry, was))
    name = (entry["path"], entry["test"])
    weakening = read_entry(entry) if is_weakening_class(entry) else powers.lost.get(name)
    held = powers.held.get(name) if believed and entry.get("weakens") == _LEFT_TO_POWER else None
    return _Cell(
        tuple(dict.fromkeys(names)),
        weakening is None and (held is not None or (entry["class"] in _ACQUITTING and believed and alone)),
        held or place,
        weakening,
        list_gone(entry) if believed else (),
        entry["class"],
        believed and weakening is None and keeps_words(entry),
    )


def _find_cells(weakening: Weakening, cells: Cells) -> Sequence[_Cell]:
    """Find the cells of the test that a finding is about; none for a finding about anything but a test.

    A new test checks less than those that it stands for: all that are gone from its file.
    """
    if weakening.test is None or not weakening.kind.startswith(OF_TESTS) or weakening.kind == _FOCUSED:
        return ()
    name = split_name(weakening.test)
    there = cells.get(weakening.path, ())
    found = [cell for cell in there if cell.has_name(weakening.path, name)]
    return (
        [cell for cell in there if cell.kind == _LOST] if found and all(each.kind in _NEW for each in found) else found
    )


def _find_cells_of_file(weakening: Weakening, cells: Cells) -> Sequence[_Cell]:
    """Find what decides about a file whose tests nothing reads: its tests, those that changed if any did.

    A test that passes with other words than before may ask less: it acquits nothing.
    """
    there = cells.get(weakening.path, ())
    changed = [cell for cell in there if not cell.unchanged and not cell.acquits]
    return changed or [replace(cell, acquits=True) for cell in there]
