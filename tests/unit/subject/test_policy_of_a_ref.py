"""What the name of a policy ref means, and what is read from there: real repositories, no working tree."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest
from sample_repository import IDENTITY, SampleRepository, clean_environ

from verigate.domain.policy_source import PolicyRef, PolicyUse, PolicyWanted
from verigate.errors import GateError, SubjectError, UsageError
from verigate.subject.workspace import RunWorkspace, open_workspace

PROFILES = "config/verification.profiles.json"


@pytest.fixture
def clone(tmp_path: Path) -> SampleRepository:
    """A clone of a remote whose ``main`` says ``remote`` in its profiles; the local branch says ``local``."""
    remote = SampleRepository.create(tmp_path / "remote")
    remote.write(PROFILES, "remote")
    remote.write("adapters/mine/manifest.json", "{}")
    remote.write("adapters/mine/run", "#!/bin/sh\n", executable=True)
    remote.write("config/unread.js", "1")
    remote.commit("policy")
    remote.git("clone", "--quiet", str(remote.path), str(tmp_path / "clone"))
    found = SampleRepository(tmp_path / "clone")
    found.write(PROFILES, "local")
    found.commit("local")
    return found


def names_in(folder: str) -> list[str]:
    return sorted(entry.name for entry in Path(folder).iterdir())


def read(repository: SampleRepository, name: str, **more: object) -> str:
    """The profiles that judge under this ref."""
    return opened(repository, name, lambda workspace: Path(workspace.policy_root, PROFILES).read_text(), **more)


def opened(repository: SampleRepository, name: str, look, **more):  # type: ignore[no-untyped-def]
    wanted = PolicyWanted(PolicyRef(name, "--policy-ref"), more.pop("use", PolicyUse.JUDGE))
    environ = clean_environ(**IDENTITY)
    with open_workspace(repository.path, environ=environ, policy=wanted, **more) as workspace:
        return look(workspace)


def refused(repository: SampleRepository, name: str) -> GateError:
    with pytest.raises(GateError) as raised:
        read(repository, name)
    assert raised.value.exit_code == 2
    return raised.value


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("origin/main", "remote"),
        ("refs/remotes/origin/main", "remote"),
        ("main", "local"),
        ("refs/heads/main", "local"),
        ("HEAD", "local"),
    ],
)
def test_what_a_name_means(clone: SampleRepository, name: str, expected: str) -> None:
    assert read(clone, name) == expected
    warnings = opened(clone, name, lambda workspace: workspace.policy_warnings)
    assert bool(warnings) is (expected == "local")
    if warnings:
        assert "every commit here can move" in warnings[0]


def test_ids_and_tags(clone: SampleRepository) -> None:
    commit = clone.git("rev-parse", "origin/main")
    clone.git("tag", "-a", "-m", "policy", "policy-1", commit)
    for name in (commit, "policy-1", "refs/tags/policy-1"):
        assert read(clone, name) == "remote"
        source = opened(clone, name, lambda workspace: workspace.policy_source)
        assert (source.name, source.commit) == (name, commit)


@pytest.mark.parametrize(
    "name",
    [
        "--upload-pack=touch x", "-n", "--", "", " ", "HEAD~1", "origin/main^", "main@{1}", "@{u}", "main..topic",
        "a\nb", "a\0b", ":/fix", "main:config", "*", "refs/heads/*", "../x", "/etc/passwd", ".git", "x.lock", "a//b",
        "a/", "deadbee^{commit}", "\x1b[31m",
    ],
)  # fmt: skip
def test_what_is_no_name_of_a_ref(clone: SampleRepository, name: str) -> None:
    problem = refused(clone, name)
    assert isinstance(problem, UsageError)
    assert "origin/main" in str(problem.hint)
    assert not any(char in problem.message for char in "\n\0\x1b")
    assert not (clone.path / "x").exists()


def test_moving_a_local_branch_of_that_name_changes_nothing(clone: SampleRepository) -> None:
    clone.git("branch", "--force", "elsewhere", "HEAD")
    assert read(clone, "origin/main") == "remote"
    # A branch, then a tag, that take the remote's name: git would take the tag.
    clone.git("update-ref", "refs/heads/origin/main", "HEAD")
    problem = refused(clone, "origin/main")
    assert problem.message == "origin/main is ambiguous: refs/heads/origin/main, refs/remotes/origin/main"
    assert problem.hint == "write the full name, such as refs/remotes/origin/main"
    clone.git("update-ref", "-d", "refs/heads/origin/main")
    clone.git("tag", "origin/main", "HEAD")
    assert "refs/tags/origin/main" in refused(clone, "origin/main").message
    assert read(clone, "refs/remotes/origin/main") == "remote"
    # A full name is that ref, not a branch whose name is the full name.
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    clone.git("update-ref", "refs/heads/refs/remotes/origin/main", "HEAD")
    assert "not in this repository" in refused(clone, "refs/remotes/origin/main").message


def test_a_tag_and_a_branch_of_one_name(clone: SampleRepository) -> None:
    clone.git("branch", "release", "HEAD")
    clone.git("tag", "release", "origin/main")
    assert "ambiguous: refs/heads/release, refs/tags/release" in refused(clone, "release").message
    assert (read(clone, "refs/tags/release"), read(clone, "refs/heads/release")) == ("remote", "local")


def test_a_remote_tracking_branch_that_was_moved_by_hand_is_believed(clone: SampleRepository) -> None:
    """The limit that docs/limits.md names: locally nobody can tell; the commit stands in the verdict."""
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert read(clone, "origin/main") == "local"
    clone.git("fetch", "--quiet", "origin", "+refs/heads/main:refs/remotes/origin/main")
    assert read(clone, "origin/main") == "remote"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("origin/gone", "git fetch origin gone"),
        ("refs/remotes/origin/a/b", "git fetch origin a/b"),
        ("gone", "git fetch origin, or name the remote's branch: origin/gone"),
        ("a" * 40, f"git fetch origin {'a' * 40}"),
    ],
)
def test_a_ref_that_is_missing_says_how_to_get_it(clone: SampleRepository, name: str, hint: str) -> None:
    problem = refused(clone, name)
    assert isinstance(problem, SubjectError)
    assert f"the policy is to be read from {name}, which is not in this repository" in problem.message
    assert problem.hint == hint


def test_a_ref_to_no_commit(clone: SampleRepository) -> None:
    clone.git("update-ref", "refs/tags/blob", clone.git("rev-parse", f"HEAD:{PROFILES}"))
    refused(clone, "blob")
    (clone.path / ".git/refs/heads/broken").write_text(f"{'b' * 40}\n")
    refused(clone, "refs/heads/broken")
    assert "git for-each-ref" in str(refused(SampleRepository.create(clone.path / "alone"), "x/y").hint)


def test_a_shallow_clone_and_one_with_the_merge_commit_only(clone: SampleRepository, tmp_path: Path) -> None:
    remote = tmp_path / "remote"
    SampleRepository(remote).git("switch", "--quiet", "-c", "topic")
    SampleRepository(remote).write("work.py", "1")
    SampleRepository(remote).commit("work")
    bare = SampleRepository(tmp_path / "shallow")
    bare.path.mkdir()
    bare.git("clone", "--quiet", "--depth=1", "--branch=topic", f"file://{remote}", ".")
    problem = refused(bare, "origin/main")
    assert problem.hint == "git fetch origin main:refs/remotes/origin/main"
    bare.git(*str(problem.hint).split()[1:])
    empty = bare.git("hash-object", "-t", "tree", "/dev/null")
    assert opened(bare, "origin/main", lambda workspace: Path(workspace.policy_root, PROFILES).read_text(), base=empty)
    # What actions/checkout leaves: no branch, HEAD at a commit that has no name.
    bare.git("update-ref", "-d", "refs/remotes/origin/main")
    bare.git("checkout", "--quiet", "--detach")
    bare.git("branch", "--quiet", "-D", "topic")
    refused(bare, "origin/main")


def test_a_worktree_and_a_submodule_are_repositories_of_their_own(clone: SampleRepository, tmp_path: Path) -> None:
    clone.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "apart"))
    assert read(SampleRepository(tmp_path / "apart"), "origin/main") == "remote"
    top = SampleRepository.create(tmp_path / "top")
    top.write(PROFILES, "top")
    top.commit("top")
    top.git("submodule", "add", "--quiet", str(tmp_path / "remote"), "lib")
    top.commit("with a submodule")
    inner = SampleRepository(top.path / "lib")
    inner.write(PROFILES, "changed")
    assert read(inner, "origin/main") == "remote"
    assert read(top, "main") == "top"


def test_a_policy_on_an_orphan_branch(clone: SampleRepository) -> None:
    clone.git("switch", "--quiet", "--orphan", "policy")
    clone.write(PROFILES, "orphan")
    clone.git("add", "--all")
    clone.git("commit", "--quiet", "-m", "policy alone")
    clone.git("switch", "--quiet", "main")
    assert read(clone, "policy") == "orphan"
    clone.write("adapters/mine/run", "#!/bin/sh\nexit 0\n", executable=True)
    folder = opened(clone, "policy", lambda workspace: names_in(workspace.policy_root))
    assert folder == ["config"]


def test_the_working_tree_the_index_and_replaced_objects_are_not_read(clone: SampleRepository) -> None:
    clone.write(PROFILES, "evil")
    clone.git("add", "--all")
    good, evil = clone.git("rev-parse", f"origin/main:{PROFILES}"), clone.git("rev-parse", f":{PROFILES}")
    clone.git("replace", good, evil)
    assert read(clone, "origin/main") == "remote"
    run = opened(clone, "origin/main", lambda workspace: Path(workspace.policy_root, "adapters/mine/run").stat())
    assert run.st_mode & 0o777 == 0o755


def test_an_object_that_was_forged_is_noticed(clone: SampleRepository) -> None:
    oid = clone.git("rev-parse", f"origin/main:{PROFILES}")
    place = clone.path / ".git/objects" / oid[:2] / oid[2:]
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.write_bytes(zlib.compress(b"blob 4\0evil"))
    assert f"the object {oid} can't be trusted" in refused(clone, "origin/main").message


def test_folders_of_the_policy_that_lead_elsewhere_are_refused(clone: SampleRepository, tmp_path: Path) -> None:
    clone.git("switch", "--quiet", "--orphan", "linked")
    (clone.path / "config").symlink_to("elsewhere")
    clone.write("elsewhere/verification.profiles.json", "{}")
    clone.git("add", "--all")
    clone.git("commit", "--quiet", "-m", "a link")
    clone.git("switch", "--quiet", "main")
    assert "config is a symbolic link there" in refused(clone, "linked").message
    # A link of the ref that leads out of its policy isn't followed.
    clone.git("switch", "--quiet", "-c", "out")
    (clone.path / "adapters/mine/data").symlink_to("../../../../../etc")
    clone.commit("leads out")
    names = opened(clone, "out", lambda workspace: names_in(f"{workspace.policy_root}/adapters/mine"))
    assert names == ["manifest.json", "run"]
    clone.git("switch", "--quiet", "-c", "nested", "main")
    clone.git("submodule", "add", "--quiet", str(tmp_path / "remote"), "adapters/theirs")
    clone.commit("an adapter in a submodule")
    assert "adapters/theirs is a submodule there" in refused(clone, "nested").message


def test_the_digest_is_that_of_the_policy_alone(clone: SampleRepository) -> None:
    def digest(name: str) -> str:
        return str(opened(clone, name, lambda workspace: workspace.policy_source.digest))

    first = digest("origin/main")
    clone.git("switch", "--quiet", "-c", "more", "origin/main")
    clone.write("config/unread.js", "2")
    clone.write("package.json", "{}")
    clone.commit("no policy")
    assert digest("more") == first
    clone.write("adapters/mine/run", "#!/bin/sh\n")
    (clone.path / "adapters/mine/run").chmod(0o644)
    clone.commit("a mode")
    assert digest("more") != first


def test_dependencies_of_an_adapter_are_used_if_the_adapter_is_that_of_the_ref(clone: SampleRepository) -> None:
    clone.git("switch", "--quiet", "-c", "dependent")
    clone.write(".gitignore", "node_modules/\n")
    clone.write("adapters/mine/package.json", "{}")
    clone.commit("an adapter with dependencies")
    clone.write("adapters/mine/node_modules/dep/index.js", "1")

    def look(workspace: RunWorkspace) -> tuple[bool, tuple[str, ...]]:
        there = os.path.lexists(f"{workspace.policy_root}/adapters/mine/node_modules/dep")
        return there, workspace.notes

    assert opened(clone, "dependent", look)[0]
    clone.write("adapters/mine/package-lock.json", "{}")
    there, notes = opened(clone, "dependent", look)
    assert not there
    assert "adapters/mine/node_modules isn't used: its adapter differs from the one of dependent" in notes
