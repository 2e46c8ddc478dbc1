"""Whether a change touches code: what git says of a file counts more than what it is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.domain.subject import Change, SubjectKind
from verigate.subject.workspace import open_workspace

Act = Callable[[SampleRepository], object]


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("README.md", "one\n")
    sample.write("run.md", "#!/bin/sh\n", executable=True)
    sample.write("calc.py", "one = 1\n")
    (sample.path / "link.md").symlink_to("calc.py")
    sample.commit()
    return sample


def touched(repository: SampleRepository, kind: SubjectKind = SubjectKind.WORKTREE) -> str | None:
    ref = "HEAD" if kind is SubjectKind.COMMIT else None
    with open_workspace(repository.path, kind=kind, ref=ref, environ=clean_environ()) as workspace:
        return workspace.code_touched


def nested(repository: SampleRepository) -> None:
    inner = SampleRepository.create(repository.path / "inner.md")
    inner.write("a", "1\n")
    inner.commit()


def linked(repository: SampleRepository) -> None:
    (repository.path / "README.md").unlink()
    (repository.path / "README.md").symlink_to("calc.py")


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda _: None, None),
        (lambda r: r.write("README.md", "two\n"), None),
        (lambda r: (r.path / "README.md").unlink(), None),
        (lambda r: r.write("notes.txt", "two\n"), None),
        (lambda r: r.write("calc.py", "one = 2\n"), "calc.py"),
        (lambda r: (r.path / "calc.py").unlink(), "calc.py"),
        (lambda r: (r.path / "calc.py").rename(r.path / "calc.md"), "calc.py"),
        (lambda r: (r.path / "README.md").chmod(0o755), "README.md"),
        (lambda r: (r.path / "run.md").chmod(0o644), "run.md"),
        (lambda r: (r.path / "run.md").unlink(), "run.md"),
        (lambda r: (r.path / "link.md").unlink(), "link.md"),
        (linked, "README.md"),
        (nested, "inner.md"),
        (lambda r: r.write(b"caf\xe9.md", "two\n"), "caf\\xe9.md"),
    ],
)
def test_in_every_kind_of_subject(repository: SampleRepository, act: Act, expected: str | None) -> None:
    act(repository)
    assert touched(repository) == expected
    repository.git("add", "--all")
    assert touched(repository, SubjectKind.INDEX) == expected
    repository.git("commit", "--quiet", "--allow-empty", "-m", "the change")
    assert touched(repository, SubjectKind.COMMIT) == expected


def test_a_plain_folder_is_a_change_as_a_whole(tmp_path: Path) -> None:
    folder = SampleRepository(tmp_path / "plain")
    folder.write("README.md", "one\n")
    assert touched(folder) is None
    (folder.path / "README.md").chmod(0o755)
    assert touched(folder) == "README.md"
    folder.write("a.py", "one = 1\n")
    assert touched(folder) == "README.md"
    (folder.path / "README.md").chmod(0o644)
    assert touched(folder) == "a.py"


def test_a_change_says_whether_it_is_a_plain_file(repository: SampleRepository) -> None:
    (repository.path / "link.md").unlink()
    repository.write("README.md", "two\n")
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        changes: tuple[Change, ...] = workspace.subject.changes
    assert [(change.path, change.plain) for change in changes] == [("README.md", True), ("link.md", False)]
