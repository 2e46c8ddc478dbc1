"""What git is about to commit, read as its hook commit-msg finds it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from sample_repository import IDENTITY, SampleRepository, clean_environ

from verigate.errors import ExecutionError
from verigate.integrations.git.landing import Landing, list_differing, read_landing


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a", "1\n")
    sample.write("b", "1\n")
    return sample


def read(repository: SampleRepository, **environ: str) -> Landing:
    return read_landing(repository.path, variables(**environ))


def variables(**more: str) -> Mapping[str, str]:
    return {**clean_environ(), **IDENTITY, **more}


def test_a_first_commit_has_no_parents(repository: SampleRepository) -> None:
    repository.git("add", "a")
    tree = repository.git("write-tree")
    assert read(repository) == Landing(tree, None)
    assert read(repository).parents == ()


def test_a_commit_stands_on_head(repository: SampleRepository) -> None:
    first, second = repository.commit(), repository.commit("again")
    repository.write("a", "2\n")
    repository.git("add", "a")
    found = read(repository)
    assert found == Landing(repository.git("write-tree"), second, (), (first,))
    assert found.parents == (second,)


def test_the_tree_is_that_of_git_s_index_file(repository: SampleRepository) -> None:
    repository.commit()
    repository.write("a", "2\n")
    own = {"GIT_INDEX_FILE": str(repository.path / ".git/next-index")}
    repository.git("read-tree", "HEAD", environ=own)
    repository.git("add", "a", environ=own)
    assert read(repository).keeps_tree
    found = read(repository, **own)
    assert not found.keeps_tree
    assert found.tree == repository.git("write-tree", environ=own)


def test_the_tree_of_head_is_another_message(repository: SampleRepository) -> None:
    first = repository.commit()
    repository.write("a", "2\n")
    head = repository.commit()
    found = read(repository)
    assert (found.keeps_tree, found.head, found.head_parents) == (True, head, (first,))
    assert (found.amends, found.parents) == (True, (first,))


@pytest.mark.parametrize("name", ["side", "v1"])
def test_a_merge_has_more_parents(name: str, repository: SampleRepository) -> None:
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.write("b", "side\n")
    side = repository.commit("side")
    repository.git("tag", "--annotate", "--message", "v1", "v1")
    repository.git("checkout", "--quiet", "main")
    repository.write("a", "main\n")
    head = repository.commit("main")
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", name)
    found = read(repository)
    assert (found.parents, found.keeps_tree) == ((head, side), False)
    assert list_differing(repository.path, variables(), found.tree, found.parents) == frozenset()
    repository.write("a", "both\n")
    repository.write("n\u00e4u\n", "new\n")
    repository.git("add", "--all")
    tree = read(repository).tree
    assert list_differing(repository.path, variables(), tree, found.parents) == {"a", "n\u00e4u\n"}


def test_a_merge_that_keeps_every_file_is_no_other_message(repository: SampleRepository) -> None:
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.write("b", "side\n")
    repository.commit("side")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "--strategy", "ours", "side")
    assert not read(repository).keeps_tree


def test_what_can_t_be_a_tree_is_an_error(repository: SampleRepository, tmp_path: Path) -> None:
    repository.commit()
    with pytest.raises(ExecutionError, match="write-tree"):
        read(repository, GIT_INDEX_FILE=str(tmp_path))
    with pytest.raises(ExecutionError, match="what is about to be committed"):
        read_landing(tmp_path, variables(GIT_CEILING_DIRECTORIES=str(tmp_path.parent)))
