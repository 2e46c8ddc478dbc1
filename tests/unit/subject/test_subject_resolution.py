from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from sample_repository import SampleRepository, clean_environ, contents, fingerprint

from verigate.domain.subject import Change, ChangeKind, SubjectKind
from verigate.errors import SubjectError
from verigate.subject.git import Git
from verigate.subject.git_side import GitSide
from verigate.subject.resolve_subject import empty_tree_id
from verigate.subject.workspace import RunWorkspace, open_workspace

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""git's id of the tree without entries."""

ADDED, MODIFIED, DELETED = ChangeKind.ADDED, ChangeKind.MODIFIED, ChangeKind.DELETED


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("kept", "1\n")
    sample.write("gone", "1\n")
    sample.write("changed", "1\n")
    sample.write(".gitignore", "*.log\n")
    sample.commit()
    return sample


@contextmanager
def opened(
    repository: SampleRepository,
    kind: SubjectKind = SubjectKind.WORKTREE,
    *,
    ref: str | None = None,
    base: str | None = None,
    **environ: str,
) -> Iterator[RunWorkspace]:
    with open_workspace(repository.path, kind=kind, ref=ref, base=base, environ=clean_environ(**environ)) as workspace:
        yield workspace


def test_worktree_holds_untracked_but_not_ignored_files(repository: SampleRepository) -> None:
    repository.write("new", "2\n")
    repository.write("noise.log", "2\n")
    repository.write("changed", "2\n")
    (repository.path / "gone").unlink()
    with opened(repository) as workspace:
        assert workspace.subject.kind is SubjectKind.WORKTREE
        assert workspace.subject.base == repository.git("rev-parse", "HEAD")
        assert workspace.subject.changes == (
            Change("changed", MODIFIED),
            Change("gone", DELETED),
            Change("new", ADDED),
        )
        assert sorted(contents(Path(workspace.checkout(0).path))) == [".gitignore", "changed", "kept", "new"]
        assert workspace.has_path("gone")
        assert workspace.has_path("new")
        assert not workspace.has_path("noise.log")
        assert workspace.read_base_file("changed") == b"1\n"
        assert workspace.read_base_file("kept") == b"1\n"
        assert workspace.read_base_file("new") is None


def test_the_tree_is_the_one_that_git_would_commit(repository: SampleRepository) -> None:
    repository.write("new", "2\n", executable=True)
    with opened(repository) as workspace:
        tree = workspace.subject.tree
    repository.git("add", "--all")
    assert repository.git("write-tree") == tree


def test_an_unchanged_worktree_is_empty(repository: SampleRepository) -> None:
    with opened(repository) as workspace:
        assert workspace.subject.is_empty
        assert workspace.subject.tree == repository.git("rev-parse", "HEAD^{tree}")


@pytest.mark.parametrize("kind", [SubjectKind.WORKTREE, SubjectKind.INDEX, SubjectKind.COMMIT])
def test_the_users_tree_and_git_folder_are_not_written(repository: SampleRepository, kind: SubjectKind) -> None:
    repository.write("new", "2\n")
    repository.git("add", "--intent-to-add", "new")
    repository.write("changed", "3\n")
    before = fingerprint(repository.path)
    with opened(repository, kind, ref="HEAD" if kind is SubjectKind.COMMIT else None) as workspace:
        Path(workspace.checkout(0).path, "stray").write_text("x")
        workspace.checkout(0).restore()
    assert fingerprint(repository.path) == before


def test_index_holds_what_is_staged_and_no_intent_to_add(repository: SampleRepository) -> None:
    repository.write("changed", "staged\n")
    repository.git("add", "changed")
    repository.write("changed", "not staged\n")
    repository.write("intended", "x\n")
    repository.git("add", "--intent-to-add", "intended")
    repository.write("untracked", "x\n")
    with opened(repository, SubjectKind.INDEX) as workspace:
        assert workspace.subject.changes == (Change("changed", MODIFIED),)
        assert Path(workspace.checkout(0).path, "changed").read_text() == "staged\n"
    with opened(repository) as workspace:
        assert [change.path for change in workspace.subject.changes] == ["changed", "intended", "untracked"]


def test_only_the_index_subject_obeys_git_index_file(repository: SampleRepository) -> None:
    other = str(repository.path / ".git/other-index")
    repository.git("read-tree", "HEAD", environ={"GIT_INDEX_FILE": other})
    repository.write("partial", "x\n")
    repository.git("add", "partial", environ={"GIT_INDEX_FILE": other})
    (repository.path / "partial").unlink()
    for name in (other, ".git/other-index"):
        with opened(repository, SubjectKind.INDEX, GIT_INDEX_FILE=name) as workspace:
            assert workspace.subject.changes == (Change("partial", ADDED),)
        with opened(repository, GIT_INDEX_FILE=name) as workspace:
            assert workspace.subject.is_empty
    with (
        pytest.raises(SubjectError, match="GIT_INDEX_FILE"),
        opened(repository, SubjectKind.INDEX, GIT_INDEX_FILE="no"),
    ):
        pass


def test_commit_is_compared_with_its_first_parent(repository: SampleRepository) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.write("second", "x\n")
    second = repository.commit()
    repository.write("dirty", "x\n")
    with opened(repository, SubjectKind.COMMIT, ref="HEAD") as workspace:
        assert (workspace.subject.base, workspace.subject.changes) == (first, (Change("second", ADDED),))
        assert not Path(workspace.checkout(0).path, "dirty").exists()
    with opened(repository, SubjectKind.COMMIT, ref=first) as workspace:
        assert workspace.subject.base == EMPTY_TREE
        assert len(workspace.subject.changes) == 4
    with opened(repository, SubjectKind.COMMIT, ref=second, base=first) as workspace:
        assert workspace.subject.base == first


@pytest.mark.parametrize("name", ["-rf", "--output=x", "", "no-such-branch", "HEAD..HEAD", "a\nb", "HEAD:kept", "a\0b"])
def test_a_ref_that_is_no_commit_is_refused(repository: SampleRepository, name: str) -> None:
    with pytest.raises(SubjectError), opened(repository, SubjectKind.COMMIT, ref=name):
        pass
    with pytest.raises(SubjectError), opened(repository, base=name):
        pass


def test_a_base_of_earlier_holds_all_work_since(repository: SampleRepository) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.write("second", "x\n")
    repository.commit()
    repository.write("third", "x\n")
    with opened(repository, base=first) as workspace:
        assert workspace.subject.base == first
        assert [change.path for change in workspace.subject.changes] == ["second", "third"]


def test_a_stale_base_is_refused_and_named(repository: SampleRepository) -> None:
    repository.git("checkout", "--quiet", "-b", "side")
    repository.write("side", "x\n")
    stale = repository.commit()
    repository.git("checkout", "--quiet", "main")
    with pytest.raises(SubjectError, match=stale) as caught, opened(repository, base=stale):
        pass
    assert "merge-base" in str(caught.value.hint)
    assert caught.value.exit_code == 2


def test_unborn_head_is_compared_with_the_empty_tree(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "u")
    with opened(sample) as workspace:
        assert workspace.subject.is_empty
        assert workspace.subject.base == EMPTY_TREE
    sample.write("a", "1\n")
    for _ in range(2):
        with opened(sample) as workspace:
            assert workspace.subject.changes == (Change("a", ADDED),)
            place = SampleRepository(Path(workspace.checkout(0).path))
            assert place.git("status", "--porcelain") == "A  a"
    with opened(sample, base=EMPTY_TREE) as workspace:
        assert workspace.subject.base == EMPTY_TREE
    with opened(sample, SubjectKind.INDEX) as workspace:
        assert workspace.subject.is_empty


def test_unmerged_files_are_named(repository: SampleRepository) -> None:
    repository.git("checkout", "--quiet", "-b", "side")
    repository.write("changed", "side\n")
    repository.commit()
    repository.git("checkout", "--quiet", "main")
    repository.write("changed", "main\n")
    repository.commit()
    with pytest.raises(AssertionError):
        repository.git("merge", "side")
    for kind in (SubjectKind.WORKTREE, SubjectKind.INDEX):
        with pytest.raises(SubjectError, match="unmerged changes: changed"), opened(repository, kind):
            pass


@pytest.mark.parametrize("kind", [SubjectKind.WORKTREE, SubjectKind.INDEX, SubjectKind.COMMIT])
@pytest.mark.parametrize("ignored", [False, True])
def test_artifacts_are_never_part_of_it(repository: SampleRepository, kind: SubjectKind, ignored: bool) -> None:
    clean = repository.git("rev-parse", "HEAD^{tree}")
    repository.write(".artifacts/T1/commitment.json", "{}")
    repository.write("deeper/.artifacts/x", "{}")
    repository.commit()
    repository.write(".artifacts/T1/claim.json", "{}")
    if ignored:
        (repository.path / ".git/info/exclude").write_text(".artifacts\n")
    ref = "HEAD" if kind is SubjectKind.COMMIT else None
    with opened(repository, kind, ref=ref, base=repository.git("rev-parse", "HEAD^")) as workspace:
        assert workspace.subject.changes == (Change("deeper/.artifacts/x", ADDED),)
        assert not Path(workspace.checkout(0).path, ".artifacts").exists()
        assert Path(workspace.checkout(0).path, "deeper/.artifacts/x").exists()
        assert workspace.subject.tree != clean
        assert not workspace.has_path(".artifacts/T1/commitment.json")


def count_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Return a list to which each call of git is added."""
    calls: list[tuple[str, ...]] = []
    begin = Git.begin

    def count(git: Git, *arguments: str, stdin: bytes = b"") -> Callable[[], CompletedProcess[bytes]]:
        calls.append(arguments)
        return begin(git, *arguments, stdin=stdin)

    monkeypatch.setattr(Git, "begin", count)
    return calls


def test_ignored_artifacts_are_left_out_in_one_call_of_git(
    repository: SampleRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count_calls(monkeypatch)
    (repository.path / ".git/info/exclude").write_text(".artifacts/\n")
    repository.write(".artifacts/T1/claim.json", "{}")
    repository.write(".artifactz", "1\n")
    repository.write("changed", "2\n")
    with opened(repository) as workspace:
        assert [change.path for change in workspace.subject.changes] == [".artifactz", "changed"]
    assert sum("add" in arguments for arguments in calls) == 1


def test_what_appears_in_artifacts_meanwhile_is_left_out(
    repository: SampleRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = Git.begin

    def begin_late(git: Git, *arguments: str, stdin: bytes = b"") -> Callable[[], CompletedProcess[bytes]]:
        if "add" in arguments:
            repository.write(".artifacts/..gitignore.part", "*\n")
        return begin(git, *arguments, stdin=stdin)

    monkeypatch.setattr(Git, "begin", begin_late)
    with opened(repository) as workspace:
        assert workspace.subject.changes == ()


@pytest.mark.parametrize("ignored", [True, False])
@pytest.mark.parametrize("version", ["2", "4"])
@pytest.mark.parametrize("neighbour", [".artifact", "x/.artifacts/y"])
def test_committed_artifacts_are_read_where_git_would_add_them(
    repository: SampleRepository, ignored: bool, version: str, neighbour: str
) -> None:
    repository.git("update-index", "--index-version", version)
    repository.write(neighbour, "1")
    repository.write(".artifacts/T1/claim.json", "1")
    repository.git("add", "--force", ".artifacts")
    repository.commit("with a claim")
    if ignored:
        (repository.path / ".git/info/exclude").write_text(".artifacts/\n")
    repository.write(".artifacts/T1/claim.json", "2")
    repository.write("changed", "2\n")
    with opened(repository) as workspace:
        assert [change.path for change in workspace.subject.changes] == ["changed"]
        assert isinstance(workspace._source, GitSide)
        entry = workspace._source.found.artifacts[b".artifacts/T1/claim.json"]
        assert entry.oid == repository.git("hash-object", "--stdin", stdin=b"2" if ignored else b"1")


def test_a_path_that_ends_like_artifacts_is_another(repository: SampleRepository) -> None:
    repository.write("x/.artifacts/y", "1")
    repository.commit("with a path of that name")
    (repository.path / ".git/info/exclude").write_text(".artifacts/\n")
    repository.write(".artifacts/T1/claim.json", "2")
    repository.write("x/.artifacts/y", "2")
    with opened(repository) as workspace:
        assert [change.path for change in workspace.subject.changes] == ["x/.artifacts/y"]
        assert isinstance(workspace._source, GitSide)
        assert workspace._source.found.artifacts == {}


def test_without_hard_links_it_is_the_same(repository: SampleRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    with opened(repository) as workspace:
        expected = workspace.subject
    monkeypatch.setattr("verigate.subject.worktree_index.os.link", refuse)
    with opened(repository) as workspace:
        assert workspace.subject == expected


def test_a_git_that_was_killed_says_so(repository: SampleRepository, tmp_path: Path) -> None:
    killer = tmp_path / "killer"
    killer.write_text("#!/bin/sh\nkill -9 $PPID\n")
    killer.chmod(0o755)
    repository.git("config", "filter.k.clean", str(killer))
    repository.write(".gitattributes", "*.k filter=k\n")
    repository.write("z.k", "1\n")
    with pytest.raises(SubjectError, match=r"git add .* failed with exit code -9"), opened(repository):
        pass


def test_a_sparse_checkout_is_listed_first(repository: SampleRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write("left/out", "1\n")
    repository.write("inside/file", "1\n")
    repository.commit("with folders")
    repository.git("sparse-checkout", "set", "inside")
    repository.write("inside/file", "2\n")
    calls = count_calls(monkeypatch)
    with opened(repository) as workspace:
        assert [change.path for change in workspace.subject.changes] == ["inside/file"]
    assert sum("add" in arguments for arguments in calls) == 1


def test_an_index_that_is_no_index_is_an_error(repository: SampleRepository) -> None:
    (repository.path / ".git/index").write_bytes(b"")
    with pytest.raises(SubjectError, match="index"), opened(repository):
        pass


def test_a_tree_of_artifacts_alone_is_empty(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "u")
    sample.write(".artifacts/T/claim.json", "{}")
    sample.git("add", "--all")
    for kind in (SubjectKind.WORKTREE, SubjectKind.INDEX):
        with opened(sample, kind) as workspace:
            assert (workspace.subject.tree, workspace.subject.changes) == (EMPTY_TREE, ())
            assert contents(Path(workspace.checkout(0).path)) == {}


def test_a_replaced_base_object_does_not_count(repository: SampleRepository) -> None:
    honest = repository.git("rev-parse", "HEAD")
    repository.write("smuggled", "x\n")
    tree = repository.git("rev-parse", "HEAD^{tree}")
    repository.git("add", "smuggled")
    forged = repository.git("commit-tree", "-m", "forged", repository.git("write-tree"))
    repository.git("replace", honest, forged)
    assert repository.git("rev-parse", "HEAD^{tree}") != tree
    with opened(repository) as workspace:
        assert workspace.subject.changes == (Change("smuggled", ADDED),)


def test_a_change_of_the_same_size_with_its_time_put_back_is_seen(repository: SampleRepository) -> None:
    path = repository.path / "changed"
    repository.git("status")
    before = path.stat()
    path.write_text("2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    repository.git("config", "core.trustctime", "false")
    with opened(repository) as workspace:
        assert workspace.subject.changes == (Change("changed", MODIFIED),)


def test_files_left_out_by_a_sparse_checkout_are_not_deleted(repository: SampleRepository) -> None:
    repository.write("inside/a", "1\n")
    repository.write("outside/b", "1\n")
    repository.commit()
    repository.git("sparse-checkout", "set", "inside")
    assert not (repository.path / "outside").exists()
    repository.write("inside/new", "1\n")
    repository.write("outside/new", "1\n")
    with opened(repository) as workspace:
        assert [change.path for change in workspace.subject.changes] == ["inside/new", "outside/new"]
        assert Path(workspace.checkout(0).path, "outside/b").read_text() == "1\n"


def test_a_linked_worktree_is_a_repository_of_its_own(repository: SampleRepository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "linked")
    linked = SampleRepository(tmp_path / "linked")
    linked.write("new", "1\n")
    before = fingerprint(repository.path)
    with opened(linked) as workspace:
        assert workspace.subject.changes == (Change("new", ADDED),)
        assert workspace.subject.root == str(linked.path)
        assert SampleRepository(Path(workspace.checkout(0).path)).git("diff", "--cached", "--name-only") == "new"
    assert fingerprint(repository.path) == before


def test_a_shallow_clone_says_how_to_get_its_base(repository: SampleRepository, tmp_path: Path) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.write("second", "x\n")
    repository.commit()
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.path}", str(tmp_path / "shallow"))
    shallow = SampleRepository(tmp_path / "shallow")
    with opened(shallow) as workspace:
        assert workspace.subject.is_empty
        assert SampleRepository(Path(workspace.checkout(0).path)).git("log", "--oneline").count("\n") == 0
    for arguments in ({"base": first}, {"kind": SubjectKind.COMMIT, "ref": "HEAD"}):
        with pytest.raises(SubjectError) as caught, opened(shallow, **arguments):  # type: ignore[arg-type]
            pass
        assert "git fetch" in str(caught.value.hint)


def test_sha256_repositories_work(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "s", "--object-format=sha256")
    sample.write("a", "1\n")
    with opened(sample) as workspace:
        assert workspace.subject.base == empty_tree_id("sha256")
        assert len(workspace.subject.tree) == 64
    sample.commit()
    sample.write("b", "1\n")
    with opened(sample) as workspace:
        assert workspace.subject.changes == (Change("b", ADDED),)
        place = SampleRepository(Path(workspace.checkout(0).path))
        assert place.git("status", "--porcelain") == "A  b"


def test_objects_of_alternates_are_found(repository: SampleRepository, tmp_path: Path) -> None:
    repository.git("clone", "--quiet", "--shared", str(repository.path), str(tmp_path / "clone"))
    clone = SampleRepository(tmp_path / "clone")
    clone.write("new", "1\n")
    with opened(clone) as workspace:
        assert workspace.subject.changes == (Change("new", ADDED),)
        assert SampleRepository(Path(workspace.checkout(0).path)).git("status", "--porcelain") == "A  new"


def test_line_endings_are_what_git_keeps(repository: SampleRepository) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.git("config", "core.safecrlf", "true")
    repository.write("windows", b"one\r\ntwo\r\n")
    with opened(repository) as workspace:
        assert Path(workspace.checkout(0).path, "windows").read_bytes() == b"one\ntwo\n"


def test_filters_clean_on_the_way_in_and_nothing_runs_on_the_way_out(repository: SampleRepository) -> None:
    mark = repository.path.parent / "smudged"
    repository.git("config", "filter.fold.clean", "tr a-z A-Z")
    repository.git("config", "filter.fold.smudge", f"touch {mark}; cat")
    repository.write(".gitattributes", "*.up filter=fold\n")
    repository.write("x.up", "loud\n")
    with opened(repository) as workspace:
        assert Path(workspace.checkout(0).path, "x.up").read_text() == "LOUD\n"
    assert not mark.exists()


def test_hooks_and_file_system_monitors_do_not_run(repository: SampleRepository) -> None:
    mark = repository.path.parent / "ran"
    script = repository.write(".git/hooks/post-index-change", f"#!/bin/sh\ntouch {mark}\n", executable=True)
    repository.git("config", "core.fsmonitor", str(script))
    mark.unlink(missing_ok=True)
    repository.write("new", "1\n")
    with opened(repository) as workspace:
        assert workspace.subject.changes == (Change("new", ADDED),)
        workspace.checkout(0)
    assert not mark.exists()


def test_a_nested_repository_is_a_link_and_one_without_commits_an_error(repository: SampleRepository) -> None:
    nested = SampleRepository.create(repository.path / "nested")
    with pytest.raises(SubjectError) as caught, opened(repository):
        pass
    assert "nested" in caught.value.message
    assert caught.value.hint
    nested.write("a", "1\n")
    nested.commit()
    with opened(repository) as workspace:
        assert workspace.subject.changes == (Change("nested", ADDED, plain=False),)
        assert Path(workspace.checkout(0).path, "nested/a").read_text() == "1\n"


def test_outside_git_the_subject_is_a_digest(tmp_path: Path) -> None:
    folder = SampleRepository(tmp_path / "plain")
    folder.write("b/x", "1\n")
    folder.write("run", "#!/bin/sh\n", executable=True)
    folder.write(".artifacts/T/claim.json", "{}")
    (folder.path / "link").symlink_to("/nowhere")
    os.mkfifo(folder.path / "pipe")
    with opened(folder) as workspace:
        first = workspace.subject
        assert (first.kind, first.base, first.changes, first.is_empty) == (SubjectKind.FOLDER, None, (), False)
        assert first.tree.startswith("sha256:")
        assert sorted(contents(Path(workspace.checkout(0).path))) == ["b", "b/x", "link", "run"]
        assert workspace.read_base_file("run") is None
        assert workspace.has_path("b/x")
        assert workspace.changed_policy_files == ()
    folder.write(".artifacts/T/verdict.json", "{}")
    with opened(folder) as workspace:
        assert workspace.subject.tree == first.tree
    (folder.path / "run").chmod(0o644)
    with opened(folder) as workspace:
        assert workspace.subject.tree != first.tree
    for kind in (SubjectKind.INDEX, SubjectKind.COMMIT):
        with pytest.raises(SubjectError, match="not a git repository"), opened(folder, kind, ref=None):
            pass


def test_a_slip_in_a_branch_or_tag_is_answered_with_the_nearest(repository: SampleRepository) -> None:
    repository.git("branch", "feature/login")
    repository.git("tag", "v1.0.0")
    for name, meant in (("feature/logni", "'feature/login'"), ("v1.0.1", "'v1.0.0'")):
        with pytest.raises(SubjectError) as caught, opened(repository, SubjectKind.COMMIT, ref=name):
            pass
        assert caught.value.hint == f"did you mean {meant}?"
    with pytest.raises(SubjectError) as caught, opened(repository, base="entirely-different"):
        pass
    assert caught.value.hint == "run git log --oneline"


def test_an_index_may_be_compared_with_what_is_merged(repository: SampleRepository) -> None:
    repository.git("checkout", "--quiet", "-b", "side")
    repository.write("changed", "side\n")
    side = repository.commit("side")
    repository.git("tag", "--annotate", "--message", "v1", "v1")
    repository.git("checkout", "--quiet", "main")
    repository.write("kept", "main\n")
    head = repository.commit("main")
    with pytest.raises(SubjectError, match="stale"), opened(repository, SubjectKind.INDEX, base=side):
        pass
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "v1")
    with opened(repository, SubjectKind.INDEX, base=side) as workspace:
        assert workspace.subject.changes == (Change("kept", MODIFIED),)
        assert workspace.landing == (repository.git("write-tree"), head)
    with pytest.raises(SubjectError, match="stale"), opened(repository, base=side):
        pass


def test_only_an_index_is_about_to_land(repository: SampleRepository) -> None:
    repository.write(".artifacts/T1/claim.json", "{}")
    repository.git("add", "--force", ".artifacts")
    with opened(repository, SubjectKind.INDEX) as workspace:
        # What git commits has the task's files, the subject hasn't.
        assert workspace.landing == (repository.git("write-tree"), repository.git("rev-parse", "HEAD"))
        assert workspace.landing[0] != workspace.subject.tree
    with opened(repository) as workspace:
        assert workspace.landing is None
    with opened(repository, SubjectKind.COMMIT, ref="HEAD") as workspace:
        assert workspace.landing is None


@pytest.mark.parametrize(
    "path", ["plugins/prices.py", "T1/run.json", "T1/deep/claim.json", ".approvals/a.py", "x.json"]
)
def test_nothing_lands_below_artifacts_that_no_verdict_is_about(repository: SampleRepository, path: str) -> None:
    repository.write(".artifacts/T1/claim.json", "{}")
    repository.write(".artifacts/.approvals/a.json", "{}")
    repository.write(f".artifacts/{path}", "price = 1\n")
    repository.git("add", "--force", ".artifacts")
    with pytest.raises(SubjectError, match=re.escape(path)), opened(repository, SubjectKind.INDEX):
        pass
    repository.commit("work")
    with pytest.raises(SubjectError, match=re.escape(path)), opened(repository, SubjectKind.COMMIT, ref="HEAD"):
        pass
    repository.git("rm", "--quiet", "--cached", f".artifacts/{path}")
    for kind in (SubjectKind.INDEX, SubjectKind.WORKTREE):
        with opened(repository, kind) as workspace:
            assert workspace.subject.is_empty
    # What has landed is nobody's doing here.
    repository.git("checkout", "--quiet", "HEAD", "--", ".")
    repository.write("work", "x\n")
    repository.commit("more")
    with opened(repository, SubjectKind.COMMIT, ref="HEAD") as workspace:
        assert workspace.subject.changes == (Change("work", ADDED),)


def test_a_claim_that_is_a_program_does_not_travel(repository: SampleRepository) -> None:
    repository.write(".artifacts/T1/claim.json", "{}")
    (repository.path / ".artifacts/T1/claim.json").chmod(0o755)
    repository.git("add", "--force", ".artifacts")
    with pytest.raises(SubjectError, match=re.escape("T1/claim.json")), opened(repository, SubjectKind.INDEX):
        pass
