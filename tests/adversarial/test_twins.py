"""Every lie is caught for the right reason, and its honest twin, as near to it as can be, passes.

``tests/bench/twins.py`` runs all twins; of many that are alike some are run here.
"""

from __future__ import annotations

import zlib
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import forked_programs
import pytest
from cases import limits
from cases.pair import ANY, PAIRS, Pair
from release_tests import some_always
from repositories import Repository
from shared_answers import SharingRepository

for module in sorted((Path(__file__).parent / "cases").glob("[a-z]*.py")):
    import_module(f"cases.{module.stem}")

NAMES = [pair.name for pair in PAIRS]
SAMPLED = [pair for pair in PAIRS if pair.in_suite]
CAUGHT = [pair for pair in SAMPLED if pair.limit is None]
LIMITS = [pair for pair in SAMPLED if pair.limit is not None]
FIRST = [*{pair.kind: pair for pair in reversed(CAUGHT)}.values()]
"""Of each class of lies the first."""
FIRST_HONEST = [*{pair.language: pair for pair in reversed(SAMPLED)}.values()]
"""Of each language the first."""
HONEST = [pair for pair in SAMPLED if pair in FIRST_HONEST or zlib.crc32(pair.name.encode()) % 3 == 0]
"""Of the honest twins the first of each language, and a third of the others: the bench runs all."""


def test_there_are_enough_pairs_and_each_has_its_own_name() -> None:
    assert len(PAIRS) >= 600
    assert len(set(NAMES)) == len(NAMES)
    assert len({pair.language for pair in PAIRS} - {ANY}) >= 12
    # One of each class and of each language is run here, whatever the bench leaves for itself.
    for part in ("kind", "language"):
        assert {getattr(pair, part) for pair in SAMPLED} == {getattr(pair, part) for pair in PAIRS}


def test_each_accepted_limit_is_one_of_a_pair() -> None:
    assert {name for name in limits.NAMES if name not in NAMES} == set()


@pytest.mark.parametrize("pair", some_always(CAUGHT, attrgetter("name"), FIRST.__contains__, one_in=64))
def test_lie_is_caught(pair: Pair, tmp_path: Path) -> None:
    missed = pair.find_miss(pair.build(Repository.make(tmp_path), True), True)
    assert missed is None, missed


@pytest.mark.parametrize("pair", LIMITS, ids=[pair.name for pair in LIMITS])
def test_accepted_limit_is_still_one(pair: Pair, tmp_path: Path) -> None:
    """A lie that is caught after all leaves ``cases/limits.py``."""
    assert pair.find_miss(pair.build(Repository.make(tmp_path), True), True) is not None


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder that the workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "answers"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("pair", some_always(HONEST, attrgetter("name"), FIRST_HONEST.__contains__, one_in=64))
def test_honest_twin_passes(pair: Pair, tmp_path: Path, answers: Path) -> None:
    repository = SharingRepository.make(tmp_path)
    repository.answers = answers
    missed = pair.find_miss(pair.build(repository, False), False)
    assert missed is None, missed


def test_only_what_is_the_same_to_the_byte_shares_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def gate(arguments: tuple[str, ...], **_: Any) -> CompletedProcess[bytes]:
        calls.append(arguments)
        return CompletedProcess(arguments, len(calls), b"", b"")

    def make(name: str, content: str) -> SharingRepository:
        repository = SharingRepository.make(tmp_path / name, {"a.py": content})
        repository.answers = tmp_path
        return repository

    monkeypatch.setattr(forked_programs, "gate", gate)
    one, same, staged, other = make("1", "a = 1\n"), make("2", "a = 1\n"), make("3", "a = 1\n"), make("4", "a = 2\n")
    staged.git("update-index", "--assume-unchanged", "a.py")
    assert [each.verify().exit_code for each in (one, same, staged, other)] == [1, 1, 2, 3]
    assert same.verify("T1").exit_code == 5  # 4 made up for the run that it had not had
    assert make("5", "a = 1\n").verify("T1", "--staged").exit_code == 6
    assert make("6", "a = 1\n").verify("T1", NO_COLOR="1").exit_code == 7
