from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.errors import SubjectError
from verigate.subject.git import Git, decode_path, escape_bytes, find_git, is_git, list_object_stores, open_repository


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a", "1\n")
    sample.commit()
    return sample


def test_a_git_of_the_repository_is_never_used(repository: SampleRepository) -> None:
    repository.write("bin/git", "#!/bin/sh\nexit 0\n", executable=True)
    path = f"{repository.path}/bin:bin:.:{os.environ['PATH']}"
    assert not find_git(path, str(repository.path)).startswith(str(repository.path))


def test_a_link_elsewhere_to_a_git_of_the_repository_is_not_used(repository: SampleRepository, tmp_path: Path) -> None:
    own = repository.write("bin/git", "#!/bin/sh\nexit 0\n", executable=True)
    (tmp_path / "links").mkdir()
    (tmp_path / "links/git").symlink_to(own)
    with pytest.raises(SubjectError, match="no git on PATH"):
        find_git(str(tmp_path / "links"), str(repository.path))


def test_git_variables_of_the_caller_do_not_reach_git(repository: SampleRepository, tmp_path: Path) -> None:
    other = SampleRepository.create(tmp_path / "other")
    environ = clean_environ(GIT_DIR=f"{other.path}/.git", GIT_WORK_TREE=str(other.path), GIT_CONFIG_COUNT="nonsense")
    opened = open_repository(Git.from_root(str(repository.path), environ))
    assert opened.git_dir == f"{repository.path}/.git"
    assert opened.head == repository.git("rev-parse", "HEAD")


def test_unborn_branch_has_no_head(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "u")
    opened = open_repository(Git.from_root(str(sample.path), clean_environ()))
    assert opened.head is None
    assert opened.object_format == "sha1"


def test_a_failure_names_command_reason_and_hint(repository: SampleRepository) -> None:
    git = Git.from_root(str(repository.path), clean_environ())
    with pytest.raises(SubjectError) as caught:
        git.run("cat-file", "blob", "0123456789012345678901234567890123456789")
    assert "git cat-file blob" in caught.value.message
    assert "128" in caught.value.message
    assert caught.value.where == str(repository.path)
    with pytest.raises(SubjectError, match=r"^git add -- none failed"):
        git.run("-c", "lfs.storage=/private/control", "add", "--", "none")


def test_a_working_tree_elsewhere_is_refused(repository: SampleRepository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    repository.git("config", "core.worktree", str(tmp_path / "elsewhere"))
    with pytest.raises(SubjectError):
        open_repository(Git.from_root(str(repository.path), clean_environ()))


def test_a_git_folder_that_is_none_does_not_fall_back_to_a_parent_repository(repository: SampleRepository) -> None:
    inner = repository.path / "inner"
    (inner / ".git").mkdir(parents=True)
    assert is_git(inner)
    with pytest.raises(SubjectError):
        open_repository(Git.from_root(str(inner), clean_environ()))


def test_a_line_break_in_the_path_is_refused(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "a\nb")
    with pytest.raises(SubjectError, match="line break"):
        open_repository(Git.from_root(str(sample.path), clean_environ()))


def test_alternates_are_followed_also_relative_ones_and_circles(repository: SampleRepository, tmp_path: Path) -> None:
    first = SampleRepository.create(tmp_path / "first")
    second = SampleRepository.create(tmp_path / "second")
    (first.path / ".git/objects/info/alternates").write_text(f"{second.path}/.git/objects\n# a remark\n")
    (second.path / ".git/objects/info/alternates").write_text("../../../r/.git/objects\n../../../first/.git/objects\n")
    assert list_object_stores(f"{first.path}/.git/objects") == (
        f"{first.path}/.git/objects",
        f"{second.path}/.git/objects",
        f"{repository.path}/.git/objects",
    )


def test_texts_from_hostile_names_are_printable_json() -> None:
    assert escape_bytes(b"a\x1b[2J\n\xff") == "a\\x1b[2J\\n\\xff"
    assert decode_path(b"\xff/\xc3\xa4").encode("utf-8") == b"\\xff/\xc3\xa4"
