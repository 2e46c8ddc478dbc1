"""The subject of a call, in real git repositories whose configuration, environment and names are hostile."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verigate.sdk import AdapterError, Request, ToolFailed
from verigate.sdk.subject import (
    DIFF,
    Change,
    Paths,
    Repository,
    UnreadableFileError,
    changed_paths,
    find_repository,
    find_subject,
    list_files,
    list_paths,
    open_repository,
    read_changes,
    read_file,
    repository,
    resolve_base,
)
from verigate.sdk.subject.changes import parse_changes
from verigate.sdk.tools import limit_tools, run_tool

ODD = ("-a", "b\n.txt", "d/ü", os.fsdecode(b"e\xff"))
OIDS = ("0" * 40, "1" * 40)
SHA = " ".join(OIDS).encode()


def git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e")
    return subprocess.run(("git", *who, *words), cwd=root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one commit of files with odd names, a link and a submodule."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    for name in ODD:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("1\n")
    (folder / "link").symlink_to("-a")
    git(folder, "add", "--all")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    git(folder, "commit", "-q", "-m", "x")
    return folder


def request(root: Path, **more: Any) -> Request:
    environ = {"PATH": os.environ["PATH"], "HOME": str(root.parent), **more.pop("environ", {})}
    return Request("t:a", root, repo_root=root, environ=environ, **more)


def test_names_are_bytes_and_links_and_submodules_are_no_files(root: Path) -> None:
    for gated in (False, True):
        asked = request(root, gated=gated)
        found = find_repository(asked)
        assert tuple(list_paths(asked, found)) == (*ODD, "link", "sub")
        assert tuple(list_files(asked, found)) == ODD
    assert find_subject(request(root)).known == set(ODD)


def test_the_index_is_the_subject_under_the_gate_and_the_working_tree_by_hand(root: Path) -> None:
    (root / "new").write_text("2\n")
    (root / "-a").write_text("2\n")
    (root / "d" / "ü").unlink()
    (root / ".gitignore").write_text("ignored\n")
    for name in ("ignored", ".artifacts/t/verdict.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    by_hand = find_subject(request(root, base="HEAD"))
    assert set(by_hand.paths) == {*ODD, "new", ".gitignore"} - {"d/ü"}
    assert by_hand.changed == {"-a", "new", ".gitignore"}
    git(root, "add", "new")
    gated = find_subject(request(root, base="HEAD", gated=True))
    assert gated.changed == {"new"}
    assert find_subject(request(root)).changed is None


def test_a_renamed_file_is_changed_and_a_deleted_one_is_not_of_the_subject(root: Path) -> None:
    (root / "large").write_text("line\n" * 100)
    git(root, "add", "large")
    git(root, "commit", "-q", "-m", "y")
    git(root, "mv", "large", "larger\n")
    git(root, "rm", "-q", "-f", "--", "-a")
    asked = request(root, base="HEAD", gated=True)
    with open_repository(asked) as found:
        assert changed_paths(asked, found) == {"larger\n"}
        changes = read_changes(found, resolve_base(asked, found))
    assert [(c.status, c.path, c.source, c.similarity) for c in changes] == [
        ("D", "-a", None, 0),
        ("R", "larger\n", "large", 100),
    ]


def test_by_hand_the_subject_is_in_an_index_of_its_own(root: Path) -> None:
    (root / "new").write_text("2\n")
    before = git(root, "status", "--porcelain")
    with open_repository(request(root)) as found:
        assert b"new" in found.indexed_files()
        assert b"sub" not in found.indexed_files()
        assert [change.path for change in read_changes(found, "HEAD") if change.status == "A"] == ["new"]
    assert git(root, "status", "--porcelain") == before


HOSTILE_CONFIG = {
    "core.fsmonitor": "{trap}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{trap}",
    "pager.diff": "{trap}",
    "pager.ls-files": "{trap}",
    "diff.external": "{trap}",
    "diff.evil.command": "{trap}",
    "diff.evil.textconv": "{trap}",
    "core.sshCommand": "{trap}",
    "core.quotePath": "true",
    "color.ui": "always",
    "color.diff": "always",
    "diff.noprefix": "true",
    "diff.relative": "true",
    "diff.renames": "false",
    "diff.submodule": "log",
    "diff.ignoreSubmodules": "all",
    "diff.orderFile": "{order}",
    "core.ignoreStat": "true",
    "core.untrackedCache": "true",
    "submodule.recurse": "true",
}
"""Settings of the repository that start a program, hide a change, or change what is printed."""


def _poison(root: Path) -> Path:
    """Make ``root`` hostile; returns the file that every program it names would make."""
    mark = root.parent / "started"
    trap = root.parent / "trap"
    trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {mark}\n')
    trap.chmod(0o755)
    hooks = root.parent / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction"):
        (hooks / name).symlink_to(trap)
    order = root.parent / "order"
    order.write_text("new*\n")
    for key, value in HOSTILE_CONFIG.items():
        git(root, "config", key, value.format(trap=trap, hooks=hooks, order=order))
    (root / ".git" / "info" / "attributes").write_text("* diff=evil\n")
    return mark


def _everything(asked: Request) -> tuple[Any, ...]:
    subject = find_subject(asked)
    with open_repository(asked) as found:
        base = resolve_base(asked, found)
        patch = found.git(*DIFF, "--cached", "--patch", base).stdout
        return tuple(subject.paths), subject.changed, read_changes(found, base), found.indexed_files(), patch


@pytest.mark.parametrize("gated", [True, False])
def test_no_setting_of_the_repository_starts_a_program_or_changes_an_answer(root: Path, gated: bool) -> None:
    (root / "-a").write_text("2\n")
    (root / "new").write_text("new\n")
    git(root, "add", "--", "-a", "new")
    asked = request(root, base="HEAD", gated=gated)
    expected = _everything(asked)
    mark = _poison(root)
    assert _everything(asked) == expected
    assert not mark.exists()
    git(root, "diff", "HEAD")
    assert mark.exists()  # the traps work


def test_no_variable_of_the_environment_reaches_git(root: Path, tmp_path: Path) -> None:
    (root / "new").write_text("new\n")
    git(root, "add", "new")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    trap.chmod(0o755)
    hostile = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(tmp_path / "none"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap),
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={trap}'",
        "GIT_EXTERNAL_DIFF": str(trap),
        "GIT_PAGER": str(trap),
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_TRACE": str(tmp_path / "traced"),
        "GIT_DIFF_OPTS": "-u0",
    }
    for gated in (True, False):
        expected = _everything(request(root, base="HEAD", gated=gated))
        assert _everything(request(root, base="HEAD", gated=gated, environ=hostile)) == expected
    assert not (tmp_path / "started").exists()
    assert not (tmp_path / "traced").exists()


def test_replaced_objects_and_grafts_do_not_change_the_base(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    (root / "-a").write_text("2\n")
    git(root, "commit", "-q", "-a", "-m", "y")
    git(root, "replace", base, git(root, "rev-parse", "HEAD"))
    asked = request(root, base=base, gated=True)
    assert find_subject(asked).changed == {"-a"}


def test_a_truncated_listing_is_an_error_and_never_a_shorter_list(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Repository.git

    def bounded(self: Repository, *arguments: str, **more: Any) -> Any:
        return full(self, *arguments, **{"max_bytes": 8, **more})

    asked = request(root, base="HEAD")
    found = find_repository(asked)
    assert found is not None
    monkeypatch.setattr(Repository, "git", bounded)
    lists: tuple[Callable[[], object], ...] = (
        lambda: list_paths(asked, found),
        lambda: list_files(asked, found),
        lambda: read_changes(found, "HEAD~0"),
        found.indexed_files,
    )
    for listing in lists[:2] + lists[3:]:
        with pytest.raises(ToolFailed, match="git ls-files wrote more than 8 bytes"):
            listing()
    (root / "-a").write_text("2\n")
    git(root, "add", "--all")
    with pytest.raises(ToolFailed, match="git diff wrote more than 8 bytes"):
        lists[2]()


def test_a_listing_that_ends_in_the_middle_of_an_entry_is_an_error(root: Path) -> None:
    found = find_repository(request(root))
    assert found is not None
    with pytest.raises(ToolFailed, match="in the middle"):
        list(found.entries("ls-files"))


def test_a_failed_listing_is_an_error(root: Path) -> None:
    (root / ".git" / "index").write_bytes(b"no index")
    asked = request(root, gated=True)
    with pytest.raises(ToolFailed, match="git ls-files ended with exit code 128"):
        find_subject(asked)


def test_a_repository_that_git_cannot_use_is_not_outside_git(root: Path) -> None:
    (root / ".git" / "HEAD").unlink()
    with pytest.raises(ToolFailed, match="git can't use this repository"):
        find_subject(request(root))


@pytest.mark.parametrize("base", ["--output=x", "nothing", "HEAD..HEAD", "HEAD:-a"])
def test_a_base_that_is_no_commit_or_tree_is_an_error(root: Path, base: str) -> None:
    with pytest.raises(AdapterError):
        find_subject(request(root, base=base))


def test_without_a_commit_the_base_is_the_empty_tree(tmp_path: Path) -> None:
    for form, empty in (("sha1", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"), ("sha256", "6ef19b41225c5369f1c1")):
        folder = tmp_path / form
        folder.mkdir()
        git(folder, "init", "-q", f"--object-format={form}")
        (folder / "a").write_text("1\n")
        asked = request(folder)
        found = find_repository(asked)
        assert found is not None
        assert resolve_base(asked, found).startswith(empty)
        assert changed_paths(asked, found) == {"a"}


def test_outside_git_the_subject_is_the_folder(tmp_path: Path) -> None:
    for name in ("b\n.txt", "sub/c", "sub.x", "node_modules/m", ".artifacts/a", ".venv/v"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    (tmp_path / "link").symlink_to("sub")
    os.mkfifo(tmp_path / "pipe")
    asked = request(tmp_path, base="HEAD")
    assert find_repository(asked) is None
    assert tuple(list_paths(asked, None)) == ("b\n.txt", "link", "pipe", "sub.x", "sub/c")
    subject = find_subject(asked)
    assert (tuple(subject.paths), subject.changed) == (("b\n.txt", "sub.x", "sub/c"), None)
    with pytest.raises(AdapterError, match="not a git repository"), open_repository(asked):
        pass


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    scan = os.scandir

    def refusing(path: str) -> Any:
        if path.endswith("closed/"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(AdapterError, match="can't be read: Permission denied"):
        find_subject(request(tmp_path))


def test_only_a_regular_file_inside_the_subject_and_within_the_bound_is_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "inside").mkdir(parents=True)
    (tmp_path / "secret").write_text("s")
    (root / "a").write_text("1234")
    (root / "inside" / "b").write_text("b")
    (root / "link").symlink_to("a")
    (root / "out").symlink_to(tmp_path)
    (root / "within").symlink_to("inside")
    os.mkfifo(root / "pipe")
    assert read_file(root, "a", 4) == b"1234"
    assert read_file(root, "within/b", 4) == b"b"
    refused = {
        "a": "larger than 3 bytes",
        "link": "can't be read",
        "out/secret": "outside the repository",
        "../secret": "outside the repository",
        "pipe": "not a regular file",
        "inside": "not a regular file",
        "missing": "can't be read",
        "missing/a": "can't be read",
        "nul\0": "can't be read",
    }
    for path, why in refused.items():
        with pytest.raises(UnreadableFileError, match=why):
            read_file(root, path, 3)


def test_raw_entries() -> None:
    raw = [b":100644 100644 " + SHA + b" R096", b"a", b"b\xff", b":000000 160000 " + SHA + b" A", b"m"]
    assert list(parse_changes(raw)) == [
        Change("R", "b\udcff", ("100644", "100644"), OIDS, "a", 96),
        Change("A", "m", ("000000", "160000"), OIDS),
    ]
    assert list(parse_changes([])) == []


@pytest.mark.parametrize(
    "raw", [[b"nonsense"], [b":100644 100644 " + SHA + b" U", b"a"], [b":100644 100644 " + SHA + b" M"]]
)
def test_raw_entries_that_cannot_be_read_are_an_error(raw: list[bytes]) -> None:
    with pytest.raises(AdapterError):
        list(parse_changes(raw))


def test_packed_paths_are_a_collection() -> None:
    paths = Paths(ODD)
    assert (tuple(paths), len(paths), ODD[3] in paths, "b" in paths, 1 in paths) == (ODD, 4, True, False, False)


def test_git_gets_what_is_on_stdin(root: Path) -> None:
    found = find_repository(request(root))
    assert found is not None
    many = b"refs/heads/main\n" * 5_000  # more than a pipe holds
    assert found.git("cat-file", "--batch-check", stdin=many).stdout.count(b"\n") == 5_000


def test_no_diff_begins_otherwise() -> None:
    """Without these words a diff starts the programs that the configuration names."""
    assert repository.DIFF is DIFF
    assert {"--no-ext-diff", "--no-textconv"} <= set(DIFF)


def test_a_limit_of_tools_is_none_of_git(root: Path) -> None:
    slow = ("-c", "alias.slow=!sleep 1", "slow")
    with limit_tools(0.1):
        assert Repository(root, os.environ).git(*slow).exit_code == 0
        assert run_tool(("git", *slow), cwd=root, timeout_s=60).timed_out
