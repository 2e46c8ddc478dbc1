"""The class of a test: what its four cells say about the change.

A cell is code x form of the test: BB (base code, base form), HB (head code, base form), BH (base code, head form), HH.
FAIL_TO_PASS and PASS_TO_PASS of SWE-bench (https://arxiv.org/abs/2310.06770) are ``proven`` and ``kept``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product


class Outcome(StrEnum):
    """What a test did in one run."""

    PASSED = "P"
    FAILED = "F"
    """It failed in its body."""
    BROKEN = "X"
    """It could not be imported, compiled or set up."""
    ABSENT = "N"
    """There is no such test, or it was skipped, deselected or expected to fail."""


class Class(StrEnum):
    """What the cells of a test say."""

    FLAKY = "flaky"
    BROKEN = "broken"
    BROKEN_BEFORE = "broken_before"
    NOT_RUN = "not_run"
    PROVEN = "proven"
    ADDED = "added"
    UNPROVEN = "unproven"
    LOST = "lost"
    NOT_COMPARABLE = "not_comparable"
    KEPT = "kept"
    BLINDED = "blinded"
    FIXED = "fixed"
    GREENED = "greened"
    LOOSENED = "loosened"
    FOLLOWED = "followed"


class Weakens(StrEnum):
    """Whether less is checked than before, or who decides that."""

    NO = "no"
    YES = "yes"
    EXPECTATIONS = "expectations"
    """The change of behaviour is on purpose or not: the profile says what it takes."""
    SENSITIVITY = "sensitivity"
    """Whether the tests still notice what they noticed."""
    TESTS = "tests"
    """The test doesn't pass: ``tests_pass`` decides."""
    TEXT = "text"
    """The cells decide nothing: what the comparison of the texts found keeps its vote."""
    OPEN = "open"
    """As ``TEXT``, and base has the test: it must be accounted for."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The outcomes of one test in the runs of each cell, at least one each.

    ``same_form`` is whether the test is the same text in base and head. ``subject_gone`` is whether a symbol that the
    base form needs is shown to be absent from the code of head.
    """

    bb: tuple[Outcome, ...]
    hb: tuple[Outcome, ...]
    bh: tuple[Outcome, ...]
    hh: tuple[Outcome, ...]
    same_form: bool = False
    subject_gone: bool = False

    @property
    def vote(self) -> Weakens:
        """Who decides where the cells can't: the text alone where base has no such test, or one that was flaky.

        That the test is the same text excuses nothing: what differs for it may be its data or support.
        """
        if set(self.bb) == {Outcome.ABSENT} or len(set(self.bb)) > 1:
            return Weakens.TEXT
        return Weakens.EXPECTATIONS if self.changed_interface else Weakens.OPEN

    @property
    def changed_interface(self) -> bool:
        """Whether each form holds on its own code, and can't even be tried on the other, or fails there."""
        hold = {*self.bb, *self.hh} == {Outcome.PASSED}
        return hold and set(self.hb) <= {Outcome.BROKEN} and set(self.bh) <= {Outcome.BROKEN, Outcome.FAILED}

    @property
    def flipping(self) -> tuple[str, ...]:
        """The names of cells whose outcome isn't the same in every run."""
        return tuple(name for name in ("BB", "HB", "BH", "HH") if len(set(getattr(self, name.lower()))) > 1)

    def list_settled(self) -> Iterator[Cells]:
        """List the cells of one run each that could have been, by each outcome that a cell had."""
        for bb, hb, bh, hh in product(*(dict.fromkeys(runs) for runs in (self.bb, self.hb, self.bh, self.hh))):
            yield replace(self, bb=(bb,), hb=(hb,), bh=(bh,), hh=(hh,))

    def describe(self) -> dict[str, str]:
        """The outcomes as the artifact holds them: a letter a run."""
        return {name: "".join(getattr(self, name.lower())) for name in ("BB", "HB", "BH", "HH")}


@dataclass(frozen=True, slots=True)
class Classified:
    """The class of a test, whether it weakens, and the reason where no comparison was possible."""

    name: Class
    weakens: Weakens
    why: str = ""


def classify(cells: Cells) -> Classified:
    """Classify a test by the first condition that matches. What flips is flaky if its runs say more than one thing."""
    if not (flipping := cells.flipping):
        return next(_classify(cells))
    first, *others = (next(_classify(each)) for each in cells.list_settled())
    if all((each.name, each.weakens) == (first.name, first.weakens) for each in others):
        return first
    blinding = "BB" not in flipping and "HH" in flipping
    why = f"{', '.join(flipping)}: not the same in every run"
    return Classified(Class.FLAKY, Weakens.YES if blinding else cells.vote, why)


def _classify(cells: Cells) -> Iterator[Classified]:
    passed, failed, broken, absent = Outcome.PASSED, Outcome.FAILED, Outcome.BROKEN, Outcome.ABSENT
    bb, hb, bh, hh = cells.bb[0], cells.hb[0], cells.bh[0], cells.hh[0]
    if hb is broken and cells.subject_gone:
        hb = failed
    if hh in {failed, broken}:
        before = cells.same_form and bb is not passed
        yield Classified(Class.BROKEN_BEFORE if before else Class.BROKEN, Weakens.TESTS)
    if bb is absent and hh is absent:
        yield Classified(Class.NOT_RUN, Weakens.NO)
    if bb is absent:
        yield _classify_new(bh)
    if hh is absent:
        yield Classified(Class.LOST, Weakens.SENSITIVITY if hb is passed else Weakens.YES)
    if bb is broken or hb in {broken, absent}:
        yield Classified(Class.NOT_COMPARABLE, cells.vote, _explain(bb, hb))
    if bb is passed and hb is passed:
        yield Classified(Class.PROVEN if bh is failed else Class.KEPT, Weakens.SENSITIVITY)
    if hb is passed:
        yield Classified(Class.BLINDED, Weakens.YES) if bh is passed else Classified(Class.FIXED, Weakens.NO)
    if bb is failed:
        yield Classified(Class.GREENED, Weakens.YES)
    if bh is passed:
        yield Classified(Class.LOOSENED, Weakens.YES)
    yield Classified(Class.FOLLOWED, Weakens.EXPECTATIONS)


def _classify_new(bh: Outcome) -> Classified:
    """Classify a test that base doesn't have, and that passes on head."""
    if bh is Outcome.ABSENT:
        return Classified(Class.NOT_COMPARABLE, Weakens.TEXT, "the new test doesn't run on the code of base")
    names = {Outcome.FAILED: Class.PROVEN, Outcome.BROKEN: Class.ADDED, Outcome.PASSED: Class.UNPROVEN}
    return Classified(names[bh], Weakens.NO)


def _explain(bb: Outcome, hb: Outcome) -> str:
    if bb is Outcome.BROKEN:
        return "the test can't be imported, compiled or set up in base"
    how = "isn't run" if hb is Outcome.ABSENT else "can't be imported, compiled or set up"
    return f"the test of base {how} with the code of head"
