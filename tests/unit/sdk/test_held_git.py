"""The git folder of the gate's checkout answers as git left it; that of a user is never touched."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from verigate.sdk.errors import ToolFailed
from verigate.sdk.subject import Repository, held_git


@pytest.fixture
def checkout(tmp_path: Path) -> Repository:
    """A folder as the gate writes it: the objects are elsewhere."""
    source, root = tmp_path / "source", tmp_path / "checkout"
    subprocess.run(("git", "init", "-q", source), check=True)
    (source / "a.txt").write_text("1\n")
    subprocess.run(("git", "-C", source, "add", "a.txt"), check=True)
    (root / ".git/objects/info").mkdir(parents=True)
    (root / ".git/refs").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git/config").write_text("[core]\n\tbare = false\n\trepositoryformatversion = 0\n")
    (root / ".git/objects/info/alternates").write_text(f"{source}/.git/objects\n")
    shutil.copy2(source / ".git/index", root / ".git/index")
    return Repository(root, {"PATH": os.environ["PATH"], "GATE_REPO_ROOT": str(root)})


def listed(repository: Repository) -> bytes:
    return repository.git("ls-files").stdout


def link_objects(git: Path) -> None:
    shutil.rmtree(git / "objects")
    (git / "objects").symlink_to("/elsewhere")


def replace_by_file(git: Path) -> None:
    shutil.rmtree(git)
    git.write_text("gitdir: /elsewhere\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda git: (git / "index").unlink(),
        lambda git: (git / "config").write_text("[core]\n\tbare = true\n"),
        lambda git: (git / "HEAD").unlink(),
        lambda git: (git / "info").mkdir(),
        lambda git: os.mkfifo(git / "packed-refs"),
        link_objects,
        shutil.rmtree,
        replace_by_file,
    ],
)
def test_what_changed_since_gits_last_call_is_put_back(checkout: Repository, change: Callable[[Path], object]) -> None:
    git = checkout.root / ".git"
    assert listed(checkout) == b"a.txt\n"
    before = sorted(path.relative_to(git) for path in git.rglob("*"))
    for _ in range(2):
        change(git)
        assert listed(checkout) == b"a.txt\n"
        assert sorted(path.relative_to(git) for path in git.rglob("*")) == before
    assert not git.is_symlink()


def test_what_git_itself_wrote_stays(checkout: Repository) -> None:
    (checkout.root / "b.txt").write_text("2\n")
    checkout.git("update-index", "--add", "b.txt")
    (checkout.root / ".git/index").write_bytes(b"")
    assert listed(checkout) == b"a.txt\nb.txt\n"
    oid = checkout.git("hash-object", "b.txt").stdout.decode().strip()
    assert checkout.git("cat-file", "blob", oid).stdout == b"2\n"


def test_what_the_caller_wrote_stays_if_it_is_accepted(checkout: Repository) -> None:
    listed(checkout)
    (checkout.root / ".git/index").unlink()
    held_git.accept_git(checkout.root, checkout.environ)
    assert listed(checkout) == b""


def test_git_is_asked_once_of_what_stays_in_the_gates_checkout(
    checkout: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("rev-parse", "--is-inside-work-tree")
    assert checkout.ask("rev-parse", "--verify", "--quiet", "HEAD").exit_code == 1
    assert checkout.ask(*asked).stdout == b"true\n"
    monkeypatch.setattr(held_git, "_starts_git", None)  # what starts git fails
    assert checkout.ask(*asked).stdout == b"true\n"
    for other in (("rev-parse", "--verify", "--quiet", "HEAD"), ("rev-parse", "--show-prefix")):
        with pytest.raises(AttributeError):
            checkout.ask(*other)
    held_git.accept_git(checkout.root, checkout.environ)
    with pytest.raises(AttributeError):
        checkout.ask(*asked)
    users = Repository(checkout.root, {"PATH": os.environ["PATH"]})
    with pytest.raises(AttributeError):
        users.ask(*asked)


def test_a_large_file_that_changed_is_an_error(checkout: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_git, "MAX_HELD_BYTES", 10)
    listed(checkout)
    (checkout.root / ".git/index").write_bytes(b"")
    with pytest.raises(ToolFailed, match="large file"):
        listed(checkout)


@pytest.mark.parametrize("gated", [True, False])
def test_a_repository_of_a_user_is_never_touched(tmp_path: Path, gated: bool) -> None:
    subprocess.run(("git", "init", "-q", tmp_path), check=True)
    (tmp_path / ".git/objects/info").mkdir(exist_ok=True)
    (tmp_path / ".git/objects/info/alternates").write_text(f"{tmp_path}\n")
    environ = {"PATH": os.environ["PATH"], **({"GATE_REPO_ROOT": str(tmp_path)} if gated else {})}
    repository = Repository(tmp_path, environ)
    assert not held_git.is_gates_checkout(tmp_path, environ)
    listed(repository)
    (tmp_path / ".git/mine").write_text("1")
    listed(repository)
    assert (tmp_path / ".git/mine").read_text() == "1"


def test_the_folder_is_read_before_the_first_program_starts(
    checkout: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_git._Starts, "seen", False)
    monkeypatch.setattr(held_git, "_held", {})
    index = checkout.root / ".git/index"
    assert listed(checkout) == b"a.txt\n"
    assert not held_git._Starts.seen
    subprocess.run(("rm", "-f", index), check=True)
    assert held_git._Starts.seen
    assert not index.exists()
    assert listed(checkout) == b"a.txt\n"


def test_a_folder_that_cant_be_read_lets_no_program_start(
    checkout: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_git._Starts, "seen", False)
    monkeypatch.setattr(held_git, "_held", {})
    listed(checkout)
    shutil.rmtree(checkout.root / ".git")
    with pytest.raises(ToolFailed, match="can't be read"):
        subprocess.run(("true",), check=True)
    assert not held_git._Starts.seen
