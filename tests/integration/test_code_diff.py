"""code:diff on real git repositories."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from code_repo import make_repo

if TYPE_CHECKING:
    from pathlib import Path

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
BODY = "".join(f"line {number}\n" for number in range(20))


@pytest.mark.parametrize("gated", [True, False], ids=["gated", "by hand"])
def test_every_kind_of_change(tmp_path: Path, gated: bool) -> None:
    repo = make_repo(tmp_path, {"kept": "k\n", "changed": "a\nb\n", "gone": "g\n", "old/name": BODY, "bin": b"\0\1"})
    base = repo.git("rev-parse", "HEAD").decode().strip()
    repo.write({"changed": "a\nc\nd\n", "new file": "n\n", "new/name": BODY + "more\n", "bin": b"\0\2"})
    (repo.root / "gone").unlink()
    (repo.root / "old" / "name").unlink()
    answer = repo.run("code:diff", gated=gated)
    assert answer.json("diff.json") == {
        "base": base,
        "files_modified": ["bin", "changed"],
        "files_created": ["new file", "new/name"],
        "files_deleted": ["gone", "old/name"],
        "total_changes": 6,
        "renamed": [{"from": "old/name", "to": "new/name", "similarity": 96}],
        "binary": ["bin"],
        "submodules": [],
        "insertions": 4,
        "deletions": 2,
    }
    assert answer.json("diff_names.json") == {
        "added": ["new file", "new/name"],
        "modified": ["bin", "changed"],
        "deleted": ["gone", "old/name"],
    }
    assert answer.written == ["diff.json", "diff.meta.json", "diff_names.json", "diffs.patch"]


def test_the_patch_applies_and_gives_the_subject(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a": BODY, "b": b"\0" * 100, "x/y": "1\n"})
    repo.write({"a": BODY.replace("line 3", "line three"), "b": os.urandom(300), "ü\n$(touch pwned)": "odd\n"})
    answer = repo.run("code:diff", gated=True)
    tree = repo.git("write-tree").decode().strip()
    repo.git("reset", "--hard", "--quiet")
    repo.git("apply", "--index", str(answer.folder / "diffs.patch"))
    assert repo.git("write-tree").decode().strip() == tree


@pytest.mark.parametrize("gated", [True, False], ids=["gated", "by hand"])
def test_odd_names(tmp_path: Path, gated: bool) -> None:
    repo = make_repo(tmp_path)
    names = [
        b"-rf",
        b"$(touch pwned)",
        b"new\nline",
        b"tab\there",
        b"caf\xe9",
        b'quo"te',
        b":(top)x",
        "ünïcode".encode(),
    ]
    for name in names:
        with open(os.fsencode(repo.root) + b"/" + name, "wb") as stream:  # noqa: PTH123 - the name is bytes
            stream.write(b"x\n")
    answer = repo.run("code:diff", gated=gated)
    expected = sorted(name.decode("utf-8", "backslashreplace") for name in names)
    assert answer.json("diff.json")["files_created"] == expected
    assert "caf\\xe9" in expected
    assert not (repo.root / "pwned").exists()


def test_a_rename_away_is_a_deletion_too(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": BODY})
    (repo.root / "test_a.py").rename(repo.root / "a.txt")
    names = repo.run("code:diff").json("diff_names.json")
    assert names == {"added": ["a.txt"], "deleted": ["test_a.py"], "modified": []}


def test_links_modes_and_submodules(tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner", {"i": "i\n"})
    repo = make_repo(tmp_path / "outer", {"script": "#!/bin/sh\n", "plain": "p\n"})
    (repo.root / "script").chmod(0o755)
    (repo.root / "plain").unlink()
    (repo.root / "plain").symlink_to("/etc/passwd")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "mod")
    diff = repo.run("code:diff", gated=True).json("diff.json")
    assert diff["files_modified"] == ["plain", "script"]
    assert diff["files_created"] == [".gitmodules", "mod"]
    assert diff["submodules"] == ["mod"]


def test_nothing_changed(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a": "a\n"})
    answer = repo.run("code:diff")
    assert answer.json("diff.json")["total_changes"] == 0
    assert (answer.folder / "diffs.patch").read_bytes() == b""


def test_the_gates_own_folder_is_not_in_the_diff(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.write({".artifacts/T/tests.json": "{}", ".artifacts/T/commitment.json": "{}", "sub/.artifacts/x": "x\n"})
    assert repo.run("code:diff", gated=True).json("diff.json")["files_created"] == ["sub/.artifacts/x"]
    repo.git("reset", "--quiet")
    assert repo.run("code:diff").json("diff.json")["files_created"] == ["sub/.artifacts/x"]


def test_without_a_commit_the_base_is_the_empty_tree(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.git("update-ref", "-d", "HEAD")
    repo.write({"a": "a\n"})
    diff = repo.run("code:diff").json("diff.json")
    assert (diff["base"], diff["files_created"]) == (EMPTY_TREE, ["a"])


def test_an_older_base(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a": "1\n"})
    base = repo.git("rev-parse", "HEAD").decode().strip()
    repo.commit({"b": "2\n"})
    repo.write({"c": "3\n"})
    assert repo.run("code:diff", gated=True, base=base).json("diff.json")["files_created"] == ["b", "c"]


@pytest.mark.parametrize("base", ["0" * 40, "--output=pwned", "no-such-branch"])
def test_a_base_that_is_not_there_is_an_error(tmp_path: Path, base: str) -> None:
    repo = make_repo(tmp_path)
    answer = repo.run("code:diff", gated=True, base=base)
    assert answer.exit_code == 1
    assert base in answer.stderr
    assert answer.written == []
    assert not (repo.root / "pwned").exists()


def test_outside_git_it_is_an_error(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    (repo.root / ".git").rename(tmp_path / "elsewhere")
    answer = repo.run("code:diff", GIT_CEILING_DIRECTORIES=str(tmp_path))
    assert answer.exit_code == 1
    assert "not a git repository" in answer.stderr


def test_the_users_index_and_objects_stay_as_they_are(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a": "1\n"})
    repo.write({"a": "2\n", "b": "3\n"})

    def state() -> dict[str, bytes]:
        git = repo.root / ".git"
        return {str(path): path.read_bytes() for path in sorted(git.rglob("*")) if path.is_file()}

    before = state()
    repo.run("code:diff")
    assert state() == before


def test_the_users_and_the_subjects_configuration_change_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a.txt": BODY, "b": "b\n"})
    repo.write({"a.txt": BODY.replace("line 5", "line five"), "c": "b\n"})
    (repo.root / "b").unlink()
    before = {path.name: path.read_bytes() for path in repo.run("code:diff", gated=True).folder.iterdir()}
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    evil.chmod(0o755)
    settings = {
        "diff.external": str(evil),
        "diff.txt.textconv": str(evil),
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.renames": "false",
        "diff.algorithm": "patience",
        "diff.context": "9",
        "core.fsmonitor": str(evil),
        "core.hooksPath": str(tmp_path),
        "color.ui": "always",
        "core.quotePath": "true",
    }
    for name, value in settings.items():
        repo.git("config", name, value)
    repo.write({".git/info/attributes": "*.txt diff=txt\n"})
    after = {path.name: path.read_bytes() for path in repo.run("code:diff", gated=True).folder.iterdir()}
    assert after == before
    assert not (tmp_path / "ran").exists()


def test_two_runs_are_identical_wherever_and_whenever(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"f{number}": f"{number}\n" for number in range(30)}
    answers = []
    for place, zone in (("one", "UTC"), ("two/deeper", "Pacific/Auckland")):
        repo = make_repo(tmp_path / place)
        repo.write(files)
        answer = repo.run("code:diff", TZ=zone, LC_ALL="C", PYTHONHASHSEED=str(len(answers) + 1))
        answers.append({path.name: path.read_bytes() for path in answer.folder.iterdir()})
    assert answers[0] == answers[1]
