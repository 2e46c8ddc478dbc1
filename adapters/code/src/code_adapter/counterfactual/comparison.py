"""Compare the cells of each test: which tests there are, their forms, and their classes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from code_adapter.counterfactual.cell_runs import CellRun, TestName
from code_adapter.counterfactual.classes import Cells, Class, Classified, Outcome, Weakens, classify
from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.new_names import choose_used
from code_adapter.counterfactual.pairing import pair_renamed
from code_adapter.counterfactual.selection import Selection

CELLS = ("BB", "HB", "BH", "HH")
Runs = Mapping[str, Sequence[CellRun]]
"""The runs of each cell."""


@dataclass(frozen=True)
class Compared:
    """A test with its cells. ``base`` and ``head`` are its names in both versions; None where it has no form."""

    base: TestName | None
    head: TestName | None
    cells: Cells
    found: Classified
    gone: tuple[str, ...] = ()
    """What the base form uses and the code of the subject doesn't have."""
    new: tuple[str, ...] = ()
    """What the form of the subject uses and the code of base doesn't have, where it fails on that."""

    @property
    def name(self) -> TestName:
        """The name in the subject, in the base if it has none there."""
        name = self.head or self.base
        assert name is not None  # noqa: S101 - it is made from one of them
        return name


def compare(
    runs: Runs,
    base: Forms,
    head: Forms,
    files: Iterable[str],
    chosen: Mapping[str, Selection],
    *,
    changed_dependencies: bool,
    new_names: Collection[str] = frozenset(),
) -> list[Compared]:
    """Compare every test of ``files`` that a run of base or subject reports, sorted by name.

    Of files in ``chosen`` only those tests count; more of them may have run. Where base leaves no report and the
    subject does, the tests of base are those that are written there.
    Failures in base may come from missing dependencies where these changed.
    """
    of_base = (*runs["BB"], *runs["HB"])
    before = _list_names(base, of_base)
    after = _list_names(head, (*runs["BH"], *runs["HH"]))
    if after and all(run.why for run in of_base):
        before |= {name for path in files for name in base.list_tests(path)}
    before = {test for test in before if test.path not in chosen or test.name in chosen[test.path].base}
    after = {test for test in after if test.path not in chosen or test.name in chosen[test.path].head}
    both = before & after
    lost, added = before - both, after - both
    pairs = pair_renamed(_list_sources(lost, base), _list_sources(added, head))
    renamed = frozenset(pairs.values())
    tests: list[tuple[TestName | None, TestName | None]] = [(name, name) for name in both]
    tests += [(name, pairs.get(name)) for name in lost]
    tests += [(None, name) for name in added - renamed]
    compared = [_add_new(_compare_one(runs, pair, base, head, changed_dependencies), head, new_names) for pair in tests]
    return sorted(compared, key=lambda item: (item.name, item.base or item.name))


def _list_names(forms: Forms, runs: Iterable[CellRun]) -> set[TestName]:
    """List the tests of one form: those that are reported, and those written in files that couldn't be imported."""
    listed = tuple(runs)
    broken = {path for run in listed for path in run.broken}
    return {name for run in listed for name in run.outcomes} | {
        name for path in broken for name in forms.list_tests(path)
    }


def _list_sources(names: set[TestName], forms: Forms) -> dict[TestName, str]:
    """Map the names of tests to their sources; of those whose first line may be all of them without the name."""
    written = [name for name in sorted(names) if forms.is_written(name)]
    learnt = {name: forms.find_unnamed(name) for name in written}
    return {name: found[0] if (found := learnt[name]) is not None else forms.find(name) or "" for name in written}


def _compare_one(
    runs: Runs, names: tuple[TestName | None, TestName | None], base: Forms, head: Forms, changed: bool
) -> Compared:
    was, now = names
    forms = (base.find(was) if was else None, head.find(now) if now else None)
    gone = _find_gone(runs["HB"], was, forms[0] or "")
    cells = Cells(
        bb=tuple(_read(run, was) for run in runs["BB"]),
        hb=tuple(_read(run, was) for run in runs["HB"]),
        bh=tuple(_read(run, now) for run in runs["BH"]),
        hh=tuple(_read(run, now) for run in runs["HH"]),
        same_form=forms[0] is not None and forms[0] == forms[1],
        subject_gone=bool(gone),
    )
    found = classify(cells)
    if changed and found.name in _OF_BASE_FAILURES and cells.bb[0] is not Outcome.PASSED:
        why = "it fails in base with the dependencies of the subject, which the change changed"
        # Whether it failed before isn't known, but it fails now: that isn't accepted for a weakening, nor excused.
        still = found.name is Class.BROKEN_BEFORE
        found = (
            Classified(Class.BROKEN, Weakens.TESTS, why) if still else Classified(Class.NOT_COMPARABLE, cells.vote, why)
        )
    return Compared(was, now, cells, found, gone)


def _add_new(item: Compared, head: Forms, new_names: Collection[str]) -> Compared:
    """Add the new names that a test uses which fails without them."""
    fails = Outcome.FAILED in item.cells.bh and set(item.cells.hh) == {Outcome.PASSED}
    if item.head is None or not fails:
        return item
    return replace(item, new=choose_used(head.find(item.head), item.head.path, new_names))


_OF_BASE_FAILURES = frozenset({Class.FIXED, Class.BLINDED, Class.GREENED, Class.LOST, Class.BROKEN_BEFORE})


def _find_gone(runs: Sequence[CellRun], name: TestName | None, form: str) -> tuple[str, ...]:
    """Find which of the names that are gone a test uses."""
    missing = runs[0].gone.get(name.path, {}) if name is not None else {}
    words = frozenset(re.findall(r"\w+", form)) if missing else frozenset()
    return tuple(sorted(full for written, full in missing.items() if written in words))


def _read(run: CellRun, name: TestName | None) -> Outcome:
    return Outcome.ABSENT if name is None else run.get(name)


def list_decisive(compared: Sequence[Compared]) -> Iterator[str]:
    """List the files of tests whose class decides something: these run again before it does."""
    decisive = {Weakens.YES, Weakens.EXPECTATIONS}
    for item in compared:
        if item.found.weakens in decisive or item.found.name in {Class.PROVEN, Class.FIXED}:
            yield from {name.path for name in (item.base, item.head) if name is not None}
