"""The lines that a commit takes out which undoes another one exactly, and none of any other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample_repository import SampleRepository

from verigate.statements.removals import find_defined
from verigate.subject.commit_messages import read_commits
from verigate.subject.git import Git
from verigate.subject.reverts import read_reverted_lines

HALF = "def half(a):\n    return a / 2\n"


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    found = SampleRepository.create(tmp_path / "repository")
    write(found, "shop.py", "RATE = 1\n")
    write(found, "half.py", HALF)
    return found


def write(repository: SampleRepository, path: str, text: str) -> None:
    (repository.path / path).write_text(text)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message", f"Write {path}")


def read(repository: SampleRepository) -> tuple[str, ...] | None:
    git = Git.from_root(str(repository.path), os.environ)
    return read_reverted_lines(git, read_commits(git, None, repository.git("rev-parse", "HEAD"))[0])


def test_a_revert_takes_out_what_the_other_commit_put_in(repository: SampleRepository) -> None:
    write(repository, "shop.py", "RATE = 1\nMORE = 2\n")
    repository.git("revert", "--no-edit", "HEAD~1")
    assert read(repository) == ("def half(a):", "    return a / 2")


def test_more_or_less_than_that_is_none(repository: SampleRepository) -> None:
    repository.git("revert", "--no-edit", "HEAD")
    (repository.path / "shop.py").write_text("RATE = 2\n")
    repository.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    assert read(repository) is None


def test_a_commit_that_says_nothing_of_it_is_none(repository: SampleRepository) -> None:
    repository.git("revert", "--no-edit", "HEAD")
    repository.git("commit", "--quiet", "--amend", "--message", "Tidy up")
    assert read(repository) is None


def test_a_commit_that_is_no_earlier_one_can_not_be_undone(repository: SampleRepository) -> None:
    """Somebody may have made it so that it fits."""
    begun = repository.git("rev-parse", "HEAD")
    repository.git("rm", "--quiet", "half.py")
    repository.git("commit", "--quiet", "--message", "Remove it")
    write(repository, "half.py", HALF)
    forged = repository.git("rev-parse", "HEAD")
    repository.git("reset", "--quiet", "--hard", begun)
    repository.git("rm", "--quiet", "half.py")
    repository.git("commit", "--quiet", "--message", f'Revert "Half"\n\nThis reverts commit {forged}.')
    assert read(repository) is None


def test_an_unknown_commit_is_none(repository: SampleRepository) -> None:
    repository.git("rm", "--quiet", "half.py")
    repository.git("commit", "--quiet", "--message", f"Revert\n\nThis reverts commit {'0' * 40}.")
    assert read(repository) is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("def half(a):", ["shop.half"]),
        ("export const half = (a) => a / 2", ["shop.half"]),
        ("func (s Shop) half(a int) int {", ["shop.half"]),
        ("pub fn half(a: f64) -> f64 {", ["shop.half"]),
        ("    print(half(3))", []),
        ("from shop import half", []),
        ("rest = half", []),
        ("def halves(a):", []),
    ],
)
def test_what_a_line_defines(line: str, found: list[str]) -> None:
    assert list(find_defined(["x = 1", line], ["shop.half", "shop.third"])) == found
    assert list(find_defined([], ["shop.half"])) == []
