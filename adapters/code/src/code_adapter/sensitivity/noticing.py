"""Try mutants in the lines of the code that the change wrote: whether any test notices them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import islice

from code_adapter.changes.kinds import classify
from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.sides import Sides
from code_adapter.counterfactual.test_tree import MIXED, is_settings
from code_adapter.functions.matching import is_exact
from code_adapter.sensitivity.changed_parts import Cell
from code_adapter.sensitivity.choice import is_of_code
from code_adapter.sensitivity.mutants import MUTATED, Mutant, is_valid, list_mutants
from code_adapter.sensitivity.stages import list_stages
from code_adapter.sensitivity.trials import Bench, OutOfTimeError
from code_adapter.syntax.changes import read_blobs
from code_adapter.syntax.symbols import Symbol, extract
from verigate.sdk import path_text
from verigate.sdk.languages import language_of
from verigate.sdk.subject import Repository
from verigate.sdk.units import Unit

_MOST_FILES = 300
_MOST_NAMED = 3
_MOST_LINES = 20_000


@dataclass(frozen=True)
class ChangedFile:
    """A file of the code of the subject, with the lines that the change wrote, from 1."""

    path: str
    source: bytes
    lines: frozenset[int]

    @cached_property
    def _symbols(self) -> Sequence[Symbol]:
        return extract(self.source, self.path).symbols

    def name_unit(self, line: int) -> str | None:
        """Name the innermost function around a line, with its class."""
        around = [each for each in self._symbols if each.route is None and each.line <= line <= each.end_line]
        return max(around, key=lambda each: each.line).qualified if around else None

    def keep_little(self, units: Sequence[Unit]) -> ChangedFile:
        """Keep the lines of functions that units name, and that do next to nothing."""
        named = [each for each in self._symbols if each.only and any(is_exact(unit, each) for unit in units)]
        lines = {line for each in named for line in range(each.line, each.end_line + 1)}
        return replace(self, lines=self.lines & lines)


@dataclass(frozen=True)
class Trial:
    """A mutant of changed code. ``head`` are tests that notice it; None if time was up before all had run."""

    mutant: Mutant
    unit: str | None
    head: frozenset[TestName] | None


@dataclass
class Noticing:
    """What was found. ``files`` is how many changed files of code there are that can be mutated."""

    files: int = 0
    trials: list[Trial] = field(default_factory=list)
    unusable: int = 0
    why: dict[str, str] = field(default_factory=dict)


def read_changed_files(repository: Repository, sides: Sides) -> list[ChangedFile]:
    """Read the code that the change wrote. Raises ToolFailed, or AdapterError for too many bytes."""
    changed = [path for path in sides.code if _is_mutated(path) and _differs(sides, path)]
    blobs = read_blobs(
        repository,
        {
            version.files[path].oid
            for version in (sides.base, sides.head)
            for path in changed[:_MOST_FILES]
            if path in version.files
        },
    )
    found = (_read_file(path, sides, blobs) for path in changed[:_MOST_FILES])
    return [file for file in found if file is not None and file.lines]


def list_unmutated(sides: Sides) -> Iterator[str]:
    """List the changed files of code in which no mutants are made."""
    return (path for path in sides.code if classify(path) == "code" and not _is_mutated(path) and _differs(sides, path))


def _is_mutated(path: str) -> bool:
    return language_of(path) in MUTATED and not is_settings(path) and path.rpartition("/")[2] not in MIXED


def _differs(sides: Sides, path: str) -> bool:
    return path in sides.head.files and sides.base.files.get(path) != sides.head.files[path]


def _read_file(path: str, sides: Sides, blobs: Mapping[str, bytes | int]) -> ChangedFile | None:
    before, after = (
        blobs.get(version.files[path].oid) if path in version.files else b"" for version in (sides.base, sides.head)
    )
    if not isinstance(before, bytes) or not isinstance(after, bytes):
        return None
    old, new = before.split(b"\n"), after.split(b"\n")
    return ChangedFile(path, after, frozenset(_list_lines(old, new))) if max(len(old), len(new)) < _MOST_LINES else None


def _list_lines(old: list[bytes], new: list[bytes]) -> Iterator[int]:
    for kind, _, _, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in {"replace", "insert"}:
            yield from range(start + 1, end + 1)


def find_noticing(
    bench: Bench, files: Sequence[ChangedFile], first: Iterable[str], wanted: int, found: Noticing
) -> None:
    """Try ``wanted`` mutants in the changed lines below the runner's folder; ``first`` are the changed test files."""
    folder = bench.runner.folder
    own = [file for file in files if file.path.startswith(f"{folder}/" if folder else "")]
    found.files += len(own)
    chosen = list(islice(_choose(own, bench.calls.sides), wanted))
    units = {file.path: file for file in own}
    asked = ask_tests(bench, "HH", chosen, first)
    if asked.timed_out:
        found.why[folder] = bench.time_up
    elif asked.unasked:
        found.why[folder] = f"the tests don't run as they are: {', '.join(map(path_text, asked.unasked[:_MOST_NAMED]))}"
    found.unusable += len(asked.unusable)
    found.trials += [
        Trial(mutant, units[mutant.path].name_unit(mutant.line), asked.decided.get(mutant))
        for mutant in chosen
        if mutant not in asked.unusable
    ]


@dataclass
class Answers:
    """What tests say of mutants. ``decided`` has the tests that notice a mutant; ``unusable`` ones can't run.

    ``unasked`` are files whose tests say nothing: who else might notice a mutant isn't known then.
    """

    decided: dict[Mutant, frozenset[TestName]] = field(default_factory=dict)
    unusable: set[Mutant] = field(default_factory=set)
    unasked: list[str] = field(default_factory=list)
    timed_out: bool = False


def ask_tests(bench: Bench, cell: Cell, mutants: Sequence[Mutant], first: Iterable[str]) -> Answers:
    """Ask the tests of a version which of the mutants they notice, until one does; ``first`` are asked first."""
    found = Answers()
    left = list(mutants)
    stages = list_stages(bench, frozenset(first), {mutant.path for mutant in left}, cell) if left else ()
    try:
        budget = None
        for paths in stages:
            if not paths or not left:
                continue
            most_s = math.inf if budget is None else budget.stage_s
            trials = bench.begin(cell, paths, {}, budget, most_s=most_s, some_pass=False)
            if trials is None:
                found.unasked += paths
            if trials is None or not trials.passing:
                continue
            budget = trials.budget
            answers = trials.find_all_noticing(left, bench.stage_runs)
            found.timed_out |= len(answers) < len(left)
            for mutant, failing in answers.items():
                if failing is None:
                    found.unusable.add(mutant)
                elif failing:
                    found.decided[mutant] = failing
            left = [mutant for mutant, failing in answers.items() if failing == frozenset()]
        if not found.unasked:
            found.decided |= dict.fromkeys(left, frozenset())
    except OutOfTimeError:
        found.timed_out = True
    return found


def _choose(files: Sequence[ChangedFile], sides: Sides) -> Iterator[Mutant]:
    """Choose mutants, of each function and line one before the second of any, in the order of the change's digest."""
    seed = f"{sides.base.tree} {sides.head.tree}"
    turns: dict[tuple[str, str | None], int] = {}
    lines: dict[tuple[str, int], int] = {}
    ordered: list[tuple[int, int, int, Mutant]] = []
    sources = {file.path: file for file in files}
    every = [mutant for file in files for mutant in list_mutants(file.path, file.source, file.lines)]
    for mutant in sorted(every, key=lambda each: _digest(seed, each)):
        unit = (mutant.path, sources[mutant.path].name_unit(mutant.line))
        line = (mutant.path, mutant.line)
        ordered.append((lines.get(line, 0), turns.get(unit, 0), len(ordered), mutant))
        turns[unit] = turns.get(unit, 0) + 1
        lines[line] = lines.get(line, 0) + 1
    for *_, mutant in sorted(ordered):
        source = sources[mutant.path].source
        if is_of_code(mutant, source) and is_valid(mutant, source):
            yield mutant


def _digest(seed: str, mutant: Mutant) -> str:
    place = f"{seed} {mutant.path} {mutant.start} {mutant.end} {mutant.describe()}"
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()
