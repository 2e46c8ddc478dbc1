"""Compare what the tests of one project notice: mutants are tried on those of base, then of the subject."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.changed_lines import ChangedCode, read_changed_file
from code_adapter.counterfactual.executed_lines import measure_lines
from code_adapter.counterfactual.sides import Sides
from code_adapter.sensitivity.asked_mutants import read_asked, read_needed
from code_adapter.sensitivity.asked_tests import Asked
from code_adapter.sensitivity.choice import Choice, read_words
from code_adapter.sensitivity.mutants import Mutant, Operator
from code_adapter.sensitivity.powers import LEAST, Fate, Tried
from code_adapter.sensitivity.shared_code import MOST_FILES, SharedFile, list_shared_paths, read_shared_files
from code_adapter.sensitivity.stages import list_stages
from code_adapter.sensitivity.trials import Bench, OutOfTimeError, Trials, choose_only
from code_adapter.sensitivity.turns import Turns
from verigate.sdk.subject import Repository

_MOST_TRIED = 5
"""Base may try so many times the wanted mutants to find enough that its tests notice."""

_USUALLY_TRIED, _LEAST_TRIED = 1.25, 12
"""So many times the wanted ones it tries where the configuration doesn't set the time, and so many of few."""

_SLOWER = 1.5
"""The subject's tests may take this much longer than those of base: other files have to run."""

_OTHER_TRIALS = 5

_MOST_CONFIRMED = 5
"""So many mutants that nothing notices any more are tried on base again; of the others nothing is known."""

_LEAST_RUNS = 12
"""Fewer runs than these show nothing: tests as they are and on controls, in base and subject, and three mutants."""

Noticed = tuple[Mutant, frozenset[TestName]]
"""A mutant of base, and the tests of base that notice it."""


@dataclass
class Found:
    """What was found so far. ``unnoticed`` mutants are those that no asked test of base notices.

    ``unusable`` ones don't compile, or a test with them doesn't end. ``why`` says by folder why a project says nothing,
    or less than it could.
    """

    tried: list[Tried] = field(default_factory=list)
    unnoticed: int = 0
    unusable: int = 0
    complete: bool = True
    """Whether there was time for all; of mutants for which there wasn't nothing is known."""

    why: dict[str, str] = field(default_factory=dict)

    needed: dict[TestName, frozenset[Operator]] = field(default_factory=dict)
    """The kinds of mutants of which tests of base have to notice one, by how their forms changed."""


@dataclass(frozen=True)
class Project:
    """The asked tests that one runner may run, and ``wanted``, how many mutants are looked at."""

    bench: Bench
    repository: Repository
    asked: Sequence[Asked]
    wanted: int

    def compare(self, found: Found) -> None:
        """Find mutants that the tests of base notice, and whether those of the subject do.

        First by tests that are gone or have another form: a change of support puts any number of others in question.
        """
        paths = sorted({each.base.path for each in self.asked})
        chosen = frozenset(self.bench.runner.choose(paths, sorted(self._sides.mixed)))
        own = [each for each in self.asked if each.base.path in chosen]
        shared = list_shared_paths(self._sides, self.bench.runner.folder) if own else []
        if len(shared) > MOST_FILES:
            found.why[self.bench.runner.folder] = f"the project has more than {MOST_FILES} files of code"
        elif own and not shared:
            found.why[self.bench.runner.folder] = "no code that can be mutated is in base and subject"
        elif shared:
            files = read_shared_files(self.repository, self._sides, shared)
            until = time.monotonic() + self.bench.most_s
            changed = [each for each in own if self._is_changed(each)]
            for tests in (changed, [each for each in own if each not in changed]):
                try:
                    if tests:
                        self._compare(tests, files, found, until)
                except OutOfTimeError:
                    found.complete = False
            if not found.complete:
                found.why[self.bench.runner.folder] = self.bench.time_up

    def _is_changed(self, test: Asked) -> bool:
        sides = self._sides
        return test.head is None or sides.base_forms.find(test.base) != sides.head_forms.find(test.head)

    @property
    def _sides(self) -> Sides:
        return self.bench.calls.sides

    def _compare(self, own: Sequence[Asked], files: Mapping[str, SharedFile], found: Found, until: float) -> None:
        """Compare what the ``own`` tests notice, up to a moment of the monotonic clock. Raises OutOfTimeError."""
        tests = frozenset(each.base for each in own)
        base = self.bench.begin("BB", sorted({test.path for test in tests}), choose_only(tests), least=_LEAST_RUNS)
        if base is None:
            found.why[self.bench.runner.folder] = "the tests of base don't pass by themselves"
            return
        base = replace(base, passing=base.passing & tests)
        base.budget.until = min(base.budget.until, until)
        if not base.budget.has_room(_LEAST_RUNS * base.normal_s):
            raise OutOfTimeError
        for each in own:
            found.needed[each.base] = read_needed(each.base.path, *self._read_forms(each))
        turns = self._choose(own, files, self._measure(base, files))
        if not turns.left:
            found.why[self.bench.runner.folder] = "no code was found to mutate that the tests of base run, or name"
            return
        noticed = self._try_base(base, turns, found)
        decided = dict(self._try_head(base, own, files, noticed)) if noticed else {}
        lost = [each for each in noticed if decided.get(each[0]) == frozenset()]
        confirmed = self._confirm(base, lost[:_MOST_CONFIRMED], found) if lost else frozenset()
        for mutant, failing in noticed:
            if mutant in decided and (head := decided[mutant]) is None:
                found.unusable += 1
                continue
            head = decided.get(mutant)
            if head:
                fate = Fate.NOTICED
            elif head is None or mutant not in confirmed:
                fate = Fate.OPEN
            else:
                fate = Fate.LOST
            moved = files[mutant.path].move(mutant) or mutant
            found.tried.append(Tried(mutant, moved.line, failing, head or frozenset(), fate))
            found.complete &= mutant in decided

    def _measure(self, base: Trials, files: Mapping[str, SharedFile]) -> dict[str, frozenset[int]] | None:
        """See which lines of the code the tests of base execute; None if nobody knows."""
        found = (read_changed_file(path, b"", file.base) for path, file in files.items())
        code = ChangedCode(tuple(each[0] for each in found if each is not None), others=False)
        tests = sorted(base.passing)
        measured = measure_lines(self.bench.request, self.bench.runner, base.here, tests, code, together=True)
        lines: dict[str, set[int]] = {}
        for executed in measured.values():
            for path, ran in executed.lines.items():
                lines.setdefault(path, set()).update(ran)
        return {path: frozenset(ran) for path, ran in lines.items() if ran and path in files} or None

    def _choose(
        self, own: Sequence[Asked], files: Mapping[str, SharedFile], executed: Mapping[str, frozenset[int]] | None
    ) -> Turns:
        forms = [(each.base.path, *self._read_forms(each)) for each in own]
        words = read_words((before, after) for _, before, after in forms)
        seed = hashlib.sha256(f"{self._sides.base.tree} {self._sides.head.tree}".encode()).hexdigest()
        choice = Choice(files, executed, words, seed, read_asked(forms, self.wanted))
        shared = (each for each in choice.list_mutants() if files[each.path].move(each))
        chosen = islice(shared, self.wanted * _MOST_TRIED)
        return Turns(chosen, choice.find_function, [each.base for each in own], choice.list_asked())

    def _read_forms(self, test: Asked) -> tuple[str, str]:
        before, after = self._sides.find_forms(test.base, test.head)
        return before or "", after or ""

    def _try_base(self, base: Trials, turns: Turns, found: Found) -> list[Noticed]:
        """Find the mutants that base's tests notice, until there are enough, or no more runs than the subject needs.

        The order is that of a digest: those that there are runs for are a sample that nobody chose.
        """
        noticed: list[Noticed] = []
        if turns.left:
            base.find_reading(turns.left)
        most = self.choose_number(min([base.normal_s, *base.efforts]))
        for number, mutant in enumerate(turns):
            if len(noticed) == self.wanted or number + base.ended_early >= most:
                break
            # The subject's tests run as they are, twice on controls, and with each of these; what is lost runs again.
            runs = len(noticed) + min(len(noticed), _MOST_CONFIRMED) + _OTHER_TRIALS
            if not base.budget.has_room(_SLOWER * base.typical_s * runs):
                break
            failing = base.find_noticing(mutant)
            turns.note(mutant, failing or ())
            if failing is None:
                found.unusable += 1
            elif failing:
                noticed.append((mutant, failing))
            else:
                found.unnoticed += 1
        return noticed

    def choose_number(self, run_s: float) -> int:
        """Choose how many mutants base tries where a run takes so long, in steps: a busy machine tries as many."""
        if self.bench.seconds is not None:
            return self.wanted * _MOST_TRIED
        number = max(round(self.wanted * _USUALLY_TRIED), _LEAST_TRIED)
        while number > LEAST and _SLOWER * (2 * number + 2 * _OTHER_TRIALS) * run_s > self.bench.most_s:
            number = max(number * 3 // 4, LEAST)
        return number

    def _try_head(
        self, base: Trials, own: Sequence[Asked], files: Mapping[str, SharedFile], noticed: Sequence[Noticed]
    ) -> Iterator[tuple[Mutant, frozenset[TestName] | None]]:
        """Yield the mutants that are decided, with the subject's tests that notice them; None for one that can't run.

        The files of the tests come first, then those that name the code, then all others. Where some of them don't run
        as they are, nobody knows that a mutant isn't noticed.
        """
        left = [mutant for mutant, _ in noticed]
        is_whole = True
        named = {each.base.path for each in own} | {each.head.path for each in own if each.head is not None}
        try:
            for paths in list_stages(self.bench, named, {mutant.path for mutant in left}):
                trials = self.bench.begin("HH", paths, {}, base.budget, some_pass=False) if paths else None
                if trials is None or not trials.passing:
                    is_whole = is_whole and (not paths or trials is not None)
                    continue
                moved = {mutant: files[mutant.path].move(mutant) for mutant in left}
                found = trials.find_all_noticing([each for each in moved.values() if each is not None])
                tried = {mutant: each for mutant, each in moved.items() if each is None or each in found}
                answers = {mutant: None if each is None else found[each] for mutant, each in tried.items()}
                yield from ((mutant, failing) for mutant, failing in answers.items() if failing != frozenset())
                left = [mutant for mutant, failing in answers.items() if failing == frozenset()]
                if not left:
                    return
        except OutOfTimeError:
            return
        if is_whole:
            yield from ((mutant, frozenset()) for mutant in left)

    def _confirm(self, base: Trials, lost: Sequence[Noticed], found: Found) -> frozenset[Mutant]:
        """Return the mutants that the tests of base notice once more; ``found`` is incomplete if time is up before.

        The subject's tests may have taken longer than the tests of base, and have used up what was left for this.
        """
        self.bench.calls.check_out("BB")
        again: set[Mutant] = set()
        try:
            for mutant, failing in lost:
                noticing = base.find_noticing(mutant)
                if noticing is not None and failing <= noticing:
                    again.add(mutant)
        except OutOfTimeError:
            found.complete = False
        return frozenset(again)
