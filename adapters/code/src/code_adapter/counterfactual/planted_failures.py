"""Which tests run changed lines, where no report of lines is to be had: a failure is planted in them.

A test that passes on the code of the subject, and fails where each changed line fails, runs one of them, if it passes
where the same text is written and does nothing. One that doesn't fail may expect a failure: nothing follows from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from code_adapter.counterfactual.cell_runs import CellRunner, TestName
from code_adapter.counterfactual.changed_lines import ChangedCode, ChangedFile
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.executed_lines import Executed
from code_adapter.counterfactual.plantable_code import PLANTABLE, Place, find_place
from code_adapter.subject_files import SubjectFiles
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse

_MOST_ALONE = 6
"""Most places that get a failure by themselves, where all of them together don't compile."""

_MOST_TESTS = 6
"""Most tests that run with planted failures, each without the others: what one of them does could make others fail."""

_CAUGHT = "it passes with a failure in the changed lines: it doesn't run them, or expects to fail there"
NO_PLACE = "no failure can be planted in the changed lines"
_UNCOMPILED = "a failure in the changed lines doesn't compile"
_READS = "it fails by the text of the changed lines, not by what they do"
_TOO_MANY = f"more than {_MOST_TESTS} tests would have to run alone"


@dataclass(frozen=True)
class _Planted:
    """Where a failure goes in a file: the line, from 1, and the place."""

    file: ChangedFile
    line: int
    place: Place


def plant_failures(
    root: Path, runner: CellRunner, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode
) -> dict[TestName, Executed]:
    """Run tests of the subject, checked out in ``root``, with failures in its changed lines."""
    places = _find_places(code)
    if not places or len(tests) > _MOST_TESTS:
        return dict.fromkeys(tests, Executed(why=_TOO_MANY if places else NO_PLACE))
    trial = _Trial(root, runner, here)
    return {test: _see(trial, test, places) for test in tests}


def _see(trial: _Trial, test: TestName, places: Sequence[_Planted]) -> Executed:
    outcome = trial.run(test, places, fails=True)
    if outcome is Outcome.BROKEN and 1 < len(places) <= _MOST_ALONE:
        # One that doesn't compile would hide the others.
        alone = ([place] for place in places if trial.run(test, [place], fails=True) is Outcome.FAILED)
        if (places := next(alone, [])) != []:
            outcome = Outcome.FAILED
    if outcome is not Outcome.FAILED:
        return Executed(why=_UNCOMPILED if outcome is Outcome.BROKEN else _CAUGHT)
    if trial.run(test, places, fails=False) is not Outcome.PASSED:
        return Executed(why=_READS)
    lines: dict[str, frozenset[int]] = {}
    for each in places:
        lines[each.file.path] = lines.get(each.file.path, frozenset()) | {each.line}
    return Executed(lines, is_one_of=len(places) > 1)


def _find_places(code: ChangedCode) -> list[_Planted]:
    found: dict[tuple[str, int], _Planted] = {}
    for file in code.files:
        if file.language not in PLANTABLE:
            continue
        tree = parse(file.source, grammar_of(file.path) or "")
        for statement in file.statements:
            node = tree.root.descendant_for_byte_range(statement.start, statement.start)
            place = find_place(node, file.language, statement.first - 1)
            if place is not None:
                found.setdefault((file.path, place.start), _Planted(file, statement.first, place))
    return list(found.values())


@dataclass(frozen=True)
class _Trial:
    """Runs a test in ``root``, where the subject is checked out."""

    root: Path
    runner: CellRunner
    here: SubjectFiles

    def run(self, test: TestName, places: Sequence[_Planted], *, fails: bool) -> Outcome:
        """Run it with what is planted. What the test that must fail doesn't confirm is as good as broken."""
        with _write(self.root, places, fails=fails) as is_written:
            if not is_written:
                return Outcome.BROKEN
            run = self.runner.run(self.here, [test.path], {test.path: frozenset({test.name})})
        return run.get(test) if run.canary is Outcome.FAILED else Outcome.BROKEN


@contextmanager
def _write(root: Path, places: Sequence[_Planted], *, fails: bool) -> Iterator[bool]:
    """Write the files with their failures, and put them back at the end; yields whether all could be written."""
    by_file: dict[str, list[_Planted]] = {}
    for each in places:
        by_file.setdefault(each.file.path, []).append(each)
    originals: dict[Path, bytes] = {}
    try:
        for path, planted in by_file.items():
            place, source = root / path, planted[0].file.source
            if place.is_symlink() or not place.is_file() or place.read_bytes() != source:
                yield False
                return
            originals[place] = source
            place.write_bytes(_insert(source, [each.place for each in planted], fails=fails))
        yield True
    finally:
        for place, content in originals.items():
            place.write_bytes(content)


def _insert(source: bytes, places: Sequence[Place], *, fails: bool) -> bytes:
    edits = [edit for place in places for edit in place.edit(source, fails=fails)]
    for offset, text in sorted(edits, reverse=True):
        source = source[:offset] + text + source[offset:]
    return source
