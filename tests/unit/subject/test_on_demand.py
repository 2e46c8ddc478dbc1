"""A checkout with nothing but its index: what git sees there, and where there is none."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.sdk.request import Request
from verigate.sdk.subject import write_files
from verigate.subject.workspace import RunWorkspace, open_workspace

FILES = {
    "a.py": "1\n",
    "src/b.py": "2\n",
    "tool.sh": "#!/bin/sh\n",
    ".gitattributes": "*.crlf text eol=crlf\n",
    "x.crlf": "a\nb\n",
}


@pytest.fixture
def sample(tmp_path: Path) -> SampleRepository:
    made = SampleRepository.create(tmp_path / "repository")
    for path, text in FILES.items():
        made.write(path, text)
    (made.path / "tool.sh").chmod(0o755)
    (made.path / "link").symlink_to("a.py")
    made.commit("base")
    made.write("a.py", "3\n")
    return made


@contextmanager
def workspace(root: Path) -> Iterator[RunWorkspace]:
    with open_workspace(root, environ=clean_environ()) as opened:
        yield opened


def git(folder: str, *arguments: str) -> str:
    done = subprocess.run(
        ("git", *arguments), cwd=folder, env=clean_environ(), capture_output=True, text=True, check=True
    )
    return done.stdout


def make_request(folder: str, tmp_path: Path) -> Request:
    environ = {**clean_environ(), "GATE_CHECKOUT": "on_demand"}
    return Request(
        capability="my:check",
        task_dir=tmp_path,
        commitment={},
        claim={},
        profile={},
        rules={},
        config={},
        repo_root=Path(folder),
        base=None,
        gated=True,
        environ=environ,
    )


def test_git_lists_and_compares_the_whole_subject_and_nothing_is_written(sample: SampleRepository) -> None:
    with workspace(sample.path) as opened:
        checkout = opened.on_demand_checkout()
        assert checkout is not None
        assert not checkout.is_written
        assert [path.name for path in Path(checkout.path).iterdir()] == [".git"]
        assert set(git(checkout.path, "ls-files").split()) == {*FILES, "link"}
        assert git(checkout.path, "status", "--porcelain") == "M  a.py\n"
        assert git(checkout.path, "diff", "--cached", "--name-only", "HEAD") == "a.py\n"
        assert git(checkout.path, "show", ":a.py") == "3\n"
        assert checkout.took_base()  # git read HEAD


def test_each_call_has_a_checkout_of_its_own(sample: SampleRepository) -> None:
    with workspace(sample.path) as opened:
        first, second = opened.on_demand_checkout(), opened.on_demand_checkout()
        assert first is not None
        assert second is not None
        assert first.path != second.path
        assert not first.took_base()
        assert first.restore() == ()


def test_the_index_is_written_once_and_belongs_to_one_checkout(sample: SampleRepository) -> None:
    with workspace(sample.path) as opened:
        first, second = opened.on_demand_checkout(), opened.on_demand_checkout()
        assert first is not None
        assert second is not None
        assert {line[0] for line in git(first.path, "ls-files", "-v").splitlines()} == {"S"}
        git(first.path, "rm", "--cached", "--quiet", "--sparse", "a.py")
        Path(first.path, ".git/index").write_bytes(b"")
        third = opened.on_demand_checkout()
        assert third is not None
        for each in (second, third):
            assert set(git(each.path, "ls-files").split()) == {*FILES, "link"}
            assert git(each.path, "write-tree").strip() == opened.subject.tree


def test_files_are_written_as_the_gate_writes_them(sample: SampleRepository, tmp_path: Path) -> None:
    with workspace(sample.path) as opened:
        whole, checkout = opened.checkout(0), opened.on_demand_checkout()
        assert checkout is not None
        wanted = ["a.py", "link", "tool.sh", "x.crlf"]
        write_files(make_request(checkout.path, tmp_path), wanted)
        assert {path.name for path in Path(checkout.path).iterdir()} == {".git", *wanted}
        for name in wanted:
            mine, its = Path(checkout.path, name), Path(whole.path, name)
            assert mine.read_bytes() == its.read_bytes()
            assert mine.lstat().st_mode == its.lstat().st_mode
        assert Path(checkout.path, "x.crlf").read_bytes() == b"a\r\nb\r\n"
        assert git(checkout.path, "status", "--porcelain") == "M  a.py\n"


def test_a_file_that_was_written_over_is_written_again(sample: SampleRepository, tmp_path: Path) -> None:
    with workspace(sample.path) as opened:
        checkout = opened.on_demand_checkout()
        assert checkout is not None
        outside = tmp_path / "outside"
        outside.mkdir()
        Path(checkout.path, "src").symlink_to(outside)
        Path(checkout.path, "a.py").write_text("forged\n")
        write_files(make_request(checkout.path, tmp_path), ["a.py", "src/b.py"])
        assert Path(checkout.path, "a.py").read_text() == "3\n"
        assert not Path(checkout.path, "src").is_symlink()
        assert list(outside.iterdir()) == []


def test_there_is_none_outside_git_and_with_submodules(sample: SampleRepository, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.txt").write_text("1\n")
    with workspace(plain) as opened:
        assert not opened.is_huge
        assert opened.on_demand_checkout() is None
    outer = SampleRepository.create(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(sample.path), "inner")
    outer.commit("base")
    with workspace(outer.path) as opened:
        assert opened.on_demand_checkout() is None
