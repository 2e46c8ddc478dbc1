"""What a subject is called in reports: never with credentials."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.subject import SubjectKind
from verigate.subject.names import name_remote
from verigate.subject.workspace import open_workspace


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/pallets/click.git", "pallets/click"),
        ("https://user:t0ken@github.com/pallets/click", "pallets/click"),
        ("https://t0ken@github.com/pallets/click.git/", "pallets/click"),
        ("https://gitlab.example/group/sub/project.git?private_token=t0ken#t0ken", "sub/project"),
        ("ssh://git@github.com:22/pallets/click.git", "pallets/click"),
        ("git@github.com:pallets/click.git", "pallets/click"),
        ("github.com:click.git", "click"),
        ("/srv/git/click.git", None),
        ("../click", None),
        ("file:///srv/git/click.git", None),
        ("https://t0ken@github.com", None),
        ("https://github.com/x:t0ken@y/click", "y/click"),
        ("https://[bad", None),
        ("", None),
    ],
)
def test_a_remote_is_named_without_host_and_credentials(address: str, name: str | None) -> None:
    assert name_remote(address) == name


@given(st.text(st.sampled_from("abz0-._~!@:"), min_size=1, max_size=30))
def test_no_part_before_an_at_sign_is_shown(user: str) -> None:
    for address in (f"https://{user}:s3cret@host.example/owner/name.git", f"{user.replace('/', '')}@host:owner/name"):
        assert name_remote(address) in {"owner/name", None}


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e@x.example", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(root), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_the_commit_that_is_verified_is_named_with_its_title(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q")
    with open_workspace(root, environ=os.environ) as workspace:
        assert (workspace.names.repository, workspace.names.commit, workspace.names.title) == ("shop", None, None)
    (root / "a.py").write_text("a = 1\n")
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "Add \x1b[31ma\x1b[0m\n\nA body.")
    git(root, "remote", "add", "origin", "https://me:t0ken@example.com/owner/shop.git")
    head = git(root, "rev-parse", "HEAD")
    for kind, ref in ((SubjectKind.WORKTREE, None), (SubjectKind.INDEX, None), (SubjectKind.COMMIT, "HEAD")):
        with open_workspace(root, kind=kind, ref=ref, environ=os.environ) as workspace:
            names = workspace.names
        assert (names.repository, names.commit, names.title) == ("owner/shop", head, "Add \x1b[31ma\x1b[0m")


def test_a_plain_folder_has_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.md").write_text("# A\n")
    with open_workspace(tmp_path / "texts", kind=SubjectKind.FOLDER, environ=os.environ) as workspace:
        assert (workspace.names.repository, workspace.names.commit) == ("texts", None)
