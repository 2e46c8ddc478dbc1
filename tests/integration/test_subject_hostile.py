from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ, contents, fingerprint

from verigate.domain.subject import Change, ChangeKind, SubjectKind
from verigate.errors import SubjectError
from verigate.subject.workspace import open_workspace

ODD = (
    b"-rf",
    b"--help",
    b"$(touch x)",
    b"`id`",
    b"a\nb",
    b"tab\there",
    b'quo"te',
    b"back\\slash",
    b"\xff\xfe",
    b"*",
    b":(exclude)a",
    b":",
    b" leading",
    b"trailing ",
    b"\xc3\xa4\xcc\x88",
    b"folder \xff/inner\n/x",
    b"deep/.artifacts/x",
)


def test_odd_names_are_verified_like_any_other(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a", "1\n")
    sample.commit()
    for name in ODD:
        sample.write(name, b"content of " + name)
    before = fingerprint(sample.path)
    with open_workspace(sample.path, environ=clean_environ()) as workspace:
        expected = sorted(name.decode("utf-8", "backslashreplace") for name in ODD)
        assert [change.path for change in workspace.subject.changes] == expected
        assert all(change.path.encode("utf-8") for change in workspace.subject.changes)
        checkout = workspace.checkout(0)
        path = os.fsencode(checkout.path)
        for name in ODD:
            assert Path(os.fsdecode(path + b"/" + name)).read_bytes() == b"content of " + name
            Path(os.fsdecode(path + b"/" + name)).write_bytes(b"spoilt")
        assert list(checkout.restore()) == expected
        for name in ODD:
            assert Path(os.fsdecode(path + b"/" + name)).read_bytes() == b"content of " + name
    assert fingerprint(sample.path) == before


@pytest.mark.parametrize("name", [b".git/config", b"../escaped", b"a/../../escaped", b".GIT/hooks/x"])
def test_a_tree_that_would_write_elsewhere_is_refused(tmp_path: Path, name: bytes) -> None:
    sample = SampleRepository.create(tmp_path / "r")
    blob = sample.git("hash-object", "-w", "--stdin", stdin=b"[core]\n\tfsmonitor = touch /tmp/owned\n")
    tree = ""
    for part in reversed(name.split(b"/")):
        # git's own commands refuse such names, so the object is written as it is.
        raw = (b"40000 " if tree else b"100644 ") + part + b"\0" + bytes.fromhex(tree or blob)
        tree = sample.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=raw)
    commit = sample.git("commit-tree", "-m", "hostile", tree)
    workspace = open_workspace(sample.path, kind=SubjectKind.COMMIT, ref=commit, environ=clean_environ())
    with workspace as opened, pytest.raises(SubjectError):
        opened.checkout(0)
    assert not (tmp_path / "escaped").exists()


def test_links_out_stay_links_and_are_not_followed(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "r")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (sample.path / "out").symlink_to(outside)
    sample.commit()
    with open_workspace(sample.path, environ=clean_environ()) as workspace:
        checkout = workspace.checkout(0)
        assert Path(checkout.path, "out").readlink() == outside
        Path(checkout.path, "out").unlink()
        Path(checkout.path, "out").mkdir()
        Path(checkout.path, "out/x").touch()
        assert checkout.restore() == ("out",)
    assert [path.name for path in outside.iterdir()] == ["kept"]


def test_submodules_are_checked_out_at_the_subjects_commit(tmp_path: Path) -> None:
    innermost = SampleRepository.create(tmp_path / "innermost")
    innermost.write("deepest", "1\n")
    innermost.commit()
    library = SampleRepository.create(tmp_path / "library")
    library.write("lib.py", "old\n")
    library.git("submodule", "--quiet", "add", str(innermost.path), "vendored")
    library.commit()
    sample = SampleRepository.create(tmp_path / "r")
    sample.git("submodule", "--quiet", "add", str(library.path), "libs/library")
    sample.git("submodule", "--quiet", "update", "--init", "--recursive")
    sample.commit()
    module = SampleRepository(sample.path / "libs/library")
    module.write("lib.py", "new\n")
    module.commit()
    before = fingerprint(sample.path)
    with open_workspace(sample.path, environ=clean_environ()) as workspace:
        assert workspace.subject.changes == (Change("libs/library", ChangeKind.MODIFIED, plain=False),)
        checkout = workspace.checkout(0)
        path = Path(checkout.path, "libs/library")
        assert (path / "lib.py").read_text() == "new\n"
        assert (path / "vendored/deepest").read_text() == "1\n"
        whole = contents(Path(checkout.path))
        (path / "lib.py").write_text("spoilt\n")
        (path / "vendored/deepest").unlink()
        (path / "stray").touch()
        assert checkout.restore() == ("libs/library/lib.py", "libs/library/stray", "libs/library/vendored/deepest")
        assert contents(Path(checkout.path)) == whole
        assert workspace.notes == ()
    with open_workspace(sample.path, kind=SubjectKind.COMMIT, ref="HEAD", environ=clean_environ()) as workspace:
        assert Path(workspace.checkout(0).path, "libs/library/lib.py").read_text() == "old\n"
    assert fingerprint(sample.path) == before


def test_a_submodule_that_cannot_be_had_is_an_empty_folder_and_told(tmp_path: Path) -> None:
    library = SampleRepository.create(tmp_path / "library")
    library.write("lib.py", "1\n")
    library.commit()
    sample = SampleRepository.create(tmp_path / "r")
    sample.git("submodule", "--quiet", "add", str(library.path), "lib")
    sample.commit()
    sample.git("submodule", "--quiet", "deinit", "--force", "lib")
    with open_workspace(sample.path, environ=clean_environ()) as workspace:
        checkout = workspace.checkout(0)
        assert list(Path(checkout.path, "lib").iterdir()) == []
        assert workspace.notes == ("submodule lib is not checked out; its folder is empty in the subject",)
        Path(checkout.path, "lib").rmdir()
        assert checkout.restore() == ("lib/",)
        assert Path(checkout.path, "lib").is_dir()


def test_a_submodule_that_moves_to_a_commit_that_is_not_here_is_lacking(tmp_path: Path) -> None:
    innermost = SampleRepository.create(tmp_path / "innermost")
    innermost.write("deepest", "1\n")
    innermost.commit()
    library = SampleRepository.create(tmp_path / "library")
    library.write("lib.py", "1\n")
    library.commit()
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a", "1\n")
    sample.commit()
    sample.git("submodule", "--quiet", "add", str(library.path), "lib")

    def lacking() -> list[bool]:
        with open_workspace(sample.path, kind=SubjectKind.INDEX, environ=clean_environ()) as workspace:
            return [move.lacking for move in workspace.subject.submodules]

    assert lacking() == [False]
    # It is moved to a commit that has a submodule of its own, and that nobody has fetched.
    library.git("submodule", "--quiet", "add", str(innermost.path), "vendored")
    library.commit()
    moved = library.git("rev-parse", "HEAD")
    sample.git("update-index", "--cacheinfo", f"160000,{moved},lib")
    assert lacking() == [True]
    module = SampleRepository(sample.path / "lib")
    module.git("fetch", "--quiet", "origin")
    assert lacking() == [True]
    module.git("checkout", "--quiet", moved)
    assert lacking() == [True]
    module.git("submodule", "--quiet", "update", "--init")
    assert lacking() == [False]
    sample.git("submodule", "--quiet", "deinit", "--force", "lib")
    assert lacking() == [True]


def test_a_submodule_is_itself_a_repository_to_verify(tmp_path: Path) -> None:
    library = SampleRepository.create(tmp_path / "library")
    library.write("lib.py", "1\n")
    library.commit()
    sample = SampleRepository.create(tmp_path / "r")
    sample.git("submodule", "--quiet", "add", str(library.path), "lib")
    sample.commit()
    module = SampleRepository(sample.path / "lib")
    module.write("new", "1\n")
    with open_workspace(module.path, environ=clean_environ()) as workspace:
        assert workspace.subject.changes == (Change("new", ChangeKind.ADDED),)


def test_git_lfs_pointers_stay_pointers(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    sample = SampleRepository.create(tmp_path / "r")
    sample.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    sample.write("x.bin", pointer)
    sample.commit()
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        '[filter "lfs"]\n\tclean = cat\n\tsmudge = sh -c "echo smudged"\n\trequired = true\n'
    )
    with open_workspace(sample.path, environ=clean_environ(HOME=str(home))) as workspace:
        assert Path(workspace.checkout(0).path, "x.bin").read_bytes() == pointer


def test_ten_thousand_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = SampleRepository.create(tmp_path / "r")
    for folder in range(200):
        for number in range(50):
            sample.write(f"folder{folder}/file{number}.py", f"value = {folder * number}\n")
    sample.commit()
    sample.write("folder7/new.py", "x = 1\n")
    lines: list[str] = []

    def timed(what: str, since: float) -> float:
        now = time.perf_counter()
        lines.append(f"{what} {1000 * (now - since):.0f} ms")
        return now

    start = time.perf_counter()
    with open_workspace(sample.path, environ=clean_environ()) as workspace:
        clock = timed("subject", start)
        checkout = workspace.checkout(0)
        clock = timed("checkout", clock)
        assert checkout.restore() == ()
        clock = timed("restore of nothing", clock)
        for number in range(50):
            Path(checkout.path, f"folder3/file{number}.py").write_text("spoilt\n")
        clock = time.perf_counter()
        assert len(checkout.restore()) == 50
        clock = timed("restore of 50", clock)
        workspace.checkout(1)
        clock = timed("second checkout", clock)
        assert workspace.subject.changes == (Change("folder7/new.py", ChangeKind.ADDED),)
        tree = subprocess.run(
            ("git", "write-tree"), cwd=checkout.path, env=clean_environ(), capture_output=True, text=True, check=True
        ).stdout.strip()
        assert tree == workspace.subject.tree
        clock = time.perf_counter()
    timed("removal", clock)
    with capsys.disabled():
        print(f"\n10,001 files: {', '.join(lines)}")
