"""The tree that is verified of a commit is computed as the resolution of a subject makes it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample_repository import SampleRepository

from verigate.domain.subject import SubjectKind
from verigate.errors import SubjectError
from verigate.subject.git import Git
from verigate.subject.judged_tree import find_judged_trees
from verigate.subject.workspace import open_workspace


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_it_is_the_tree_of_the_subject(tmp_path: Path, algorithm: str) -> None:
    sample = SampleRepository.create(tmp_path / "repository", f"--object-format={algorithm}")
    commits = []
    for number, path in enumerate(("a", ".artifacts/.gitignore", ".artifactz", "x/.artifacts/y", ".artifact", "b c")):
        sample.write(path, f"{number}\n")
        sample.git("add", "--force", "--all")
        sample.commit(f"Add {path}")
        commits.append(sample.git("rev-parse", "HEAD"))
    before = sorted((tmp_path / "repository/.git/objects").rglob("*"))
    found = find_judged_trees(Git.from_root(str(sample.path), dict(os.environ)), commits)
    assert sorted((tmp_path / "repository/.git/objects").rglob("*")) == before
    assert found[0] == found[1] != sample.git("rev-parse", f"{commits[1]}^{{tree}}")
    for commit, tree in zip(commits, found, strict=True):
        with open_workspace(sample.path, kind=SubjectKind.COMMIT, ref=commit, environ=os.environ) as workspace:
            assert workspace.subject.tree == tree


def test_a_commit_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "repository")
    sample.commit("begin")
    git = Git.from_root(str(sample.path), dict(os.environ))
    assert find_judged_trees(git, []) == ()
    with pytest.raises(SubjectError, match="has no tree here"):
        find_judged_trees(git, [sample.git("rev-parse", "HEAD"), "1" * 40])
