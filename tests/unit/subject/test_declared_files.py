"""The checkout of declared files: which files it has, that it has nothing else, and what changes its digest."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.subject.workspace import RunWorkspace, open_workspace

PATTERNS = (":(icase)**/*.py", "docs/*")


@pytest.fixture
def sample(tmp_path: Path) -> SampleRepository:
    made = SampleRepository.create(tmp_path / "repository")
    for path in ("a.py", "src/B.PY", "README.md", "docs/one.md", "docs/deep/two.md", "src/.gitattributes"):
        made.write(path, f"{path}\n" if "git" not in path else "*.PY text eol=crlf\n")
    made.commit("base")
    return made


@contextmanager
def workspace(sample: SampleRepository) -> Iterator[RunWorkspace]:
    with open_workspace(sample.path, environ=clean_environ()) as opened:
        yield opened


def digest(sample: SampleRepository) -> str:
    with workspace(sample) as opened:
        found = opened.digest_declared(PATTERNS)
    assert found is not None
    return found


def list_files(folder: str) -> set[str]:
    found = {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if not path.is_dir()}
    return {path for path in found if not path.startswith(".git/")}


def git(folder: str, *arguments: str) -> str:
    return subprocess.run(
        ("git", *arguments), cwd=folder, env=clean_environ(), capture_output=True, text=True, check=False
    ).stdout


@pytest.mark.parametrize("based", [True, False])
def test_nothing_else_is_there_as_a_file_or_in_the_index(sample: SampleRepository, *, based: bool) -> None:
    declared = {"a.py", "src/B.PY", "docs/one.md", "src/.gitattributes"}
    with workspace(sample) as opened:
        checkout = opened.declared_checkout(0, PATTERNS, based=based)
        assert checkout is not None
        assert not Path(checkout.path).exists()
        checkout.write()
        assert list_files(checkout.path) == declared
        assert set(git(checkout.path, "ls-files").splitlines()) == declared
        # The attributes that it declares hold, and it has the commit only if it sees the base.
        assert Path(checkout.path, "src/B.PY").read_bytes() == b"src/B.PY\r\n"
        assert bool(git(checkout.path, "rev-parse", "--verify", "--quiet", "HEAD")) is based
        Path(checkout.path, "a.py").write_text("changed")
        Path(checkout.path, "README.md").write_text("planted")
        assert checkout.restore() == ("README.md", "a.py")
        assert list_files(checkout.path) == declared
        assert checkout.took_base() in {False, based}
        # In a sandbox the checkouts of the whole subject, where README.md is, are covered.
        whole = Path(opened.checkout(0).path)
        assert [mount.source for mount in checkout.mounts if mount.target == str(whole.parent)] == [None]
        assert (whole / "README.md").exists()


def test_only_declared_files_change_the_digest(sample: SampleRepository) -> None:
    seen = [digest(sample)]

    def changes() -> bool:
        seen.append(digest(sample))
        return seen[-1] not in seen[:-1]

    sample.write("README.md", "other\n")
    sample.write("docs/deep/three.md", "new\n")
    sample.write(".gitignore", "nothing\n")
    assert not changes()
    sample.write("a.py", "other\n")
    assert changes()
    (sample.path / "a.py").chmod(0o755)
    assert changes()
    (sample.path / "a.py").rename(sample.path / "c.py")
    assert changes()
    (sample.path / "c.py").rename(sample.path / "C.py")
    assert changes()
    sample.write("README.py", "moved here\n")
    assert changes()
    (sample.path / "README.py").unlink()
    (sample.path / "README.py").symlink_to("README.md")
    assert changes()
    sample.write(".gitattributes", "*.md text\n")
    assert changes()
    # A file that is ignored from now on is no longer part of the subject.
    sample.write(".gitignore", "README.py\n")
    assert changes()
    name = os.fsdecode(b"\xff\n.py")
    (sample.path / name).write_text("odd\n")
    assert changes()
    with workspace(sample) as opened:
        checkout = opened.declared_checkout(0, PATTERNS, based=False)
        assert checkout is not None
        checkout.write()
        assert Path(checkout.path, name).read_text() == "odd\n"


def test_a_nested_repository_and_an_empty_selection(sample: SampleRepository) -> None:
    inner = SampleRepository.create(sample.path / "inner.py")
    inner.write("x.py", "inner\n")
    inner.commit("inner")
    before = digest(sample)
    inner.write("x.py", "changed\n")
    inner.commit("again")
    # A submodule is no file: neither its commit nor what is in it is declared.
    assert digest(sample) == before
    with workspace(sample) as opened:
        checkout = opened.declared_checkout(0, ("nothing",), based=False)
        assert checkout is not None
        checkout.write()
        assert list_files(checkout.path) == {"src/.gitattributes"}


def test_a_plain_folder_has_no_declared_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    with open_workspace(tmp_path, environ=clean_environ()) as opened:
        assert opened.digest_declared(PATTERNS) is None
        assert opened.declared_checkout(0, PATTERNS, based=True) is None
