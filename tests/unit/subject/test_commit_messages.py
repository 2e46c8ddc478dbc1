"""The commits of a range, read from git: whole messages, whatever they hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample_repository import SampleRepository

from verigate.subject import commit_messages
from verigate.subject.commit_messages import MAX_BYTES, read_commits
from verigate.subject.git import Git


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    found = SampleRepository.create(tmp_path / "repository")
    commit(found, b"the base")
    return found


def commit(repository: SampleRepository, message: bytes, *parents: str) -> str:
    """Commit the empty tree with this message, byte for byte, on HEAD and ``parents``."""
    tree = repository.git("hash-object", "-t", "tree", "-w", "--stdin")
    head = [repository.git("rev-parse", "HEAD")] if repository.git("for-each-ref") else []
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in (*head, *parents))]
    lines += [f"{role} A Person <person@example.org> 1704067200 +0000" for role in ("author", "committer")]
    content = "\n".join(lines).encode() + b"\n\n" + message
    made = repository.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=content)
    repository.git("update-ref", "refs/heads/main", made)
    return made


def read(repository: SampleRepository, base: str | None = None) -> list[str]:
    """The messages from ``base`` to HEAD."""
    git = Git.from_root(str(repository.path), os.environ)
    return [each.message for each in read_commits(git, base, repository.git("rev-parse", "HEAD"))]


def test_the_commits_of_a_range_are_read_newest_first(repository: SampleRepository) -> None:
    base = repository.git("rev-parse", "HEAD")
    one, two = commit(repository, b"one\n\nbody\n"), commit(repository, b"two\n")
    git = Git.from_root(str(repository.path), os.environ)
    found = read_commits(git, base, two)
    assert [each.id for each in found] == [two, one]
    assert [each.message for each in found] == ["two\n", "one\n\nbody\n"]
    assert {(each.author, each.committer) for each in found} == {("A Person <person@example.org>",) * 2}
    assert read_commits(git, two, two) == ()


def test_without_a_base_it_is_the_whole_history(repository: SampleRepository) -> None:
    commit(repository, b"one\n")
    assert read(repository) == ["one\n", "the base"]


def test_what_a_merge_brings_is_part_of_the_range(repository: SampleRepository) -> None:
    base = repository.git("rev-parse", "HEAD")
    side = commit(repository, b"side\n")
    repository.git("update-ref", "refs/heads/main", base)
    commit(repository, b"mine\n")
    commit(repository, b"merge\n", side)
    assert set(read(repository, base)) == {"merge\n", "mine\n", "side\n"}


def test_a_message_can_not_pass_for_another_commit(repository: SampleRepository) -> None:
    base = repository.git("rev-parse", "HEAD")
    hostile = f"one\n{'c' * 40} commit 12\n\nWeakens: x\ntree {'0' * 40}\nauthor X <x@y>\n"
    commit(repository, hostile.encode())
    assert read(repository, base) == [hostile]


def test_bytes_that_are_no_utf8_are_replaced(repository: SampleRepository) -> None:
    base = repository.git("rev-parse", "HEAD")
    commit(repository, b"one \xff\xfe\n")
    assert read(repository, base) == ["one \ufffd\ufffd\n"]


def test_a_commit_that_nobody_reads_is_left_out(repository: SampleRepository) -> None:
    base = repository.git("rev-parse", "HEAD")
    commit(repository, b"one\n")
    commit(repository, b"x" * (MAX_BYTES + 1))
    assert read(repository, base) == ["one\n"]


def test_the_newest_of_a_long_range_are_read(repository: SampleRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    base = repository.git("rev-parse", "HEAD")
    for number in range(4):
        commit(repository, str(number).encode())
    monkeypatch.setattr(commit_messages, "MAX_COMMITS", 2)
    assert read(repository, base) == ["3", "2"]
