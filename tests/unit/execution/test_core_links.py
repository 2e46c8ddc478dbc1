"""The folder of links that is kept for all sandboxes is used only while it holds exactly what it should."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from verigate.execution import coreutils_folder
from verigate.execution.coreutils_folder import keep_links
from verigate.processes.tool_path import link_coreutils
from verigate.user_folders import UserFolders

ROOT = "/repository"
CORE = {"sh": "/bin/sh", "cat": "/usr/bin/cat", "[": "/usr/bin/["}


def held(folder: str | None) -> dict[str, str]:
    assert folder is not None
    return {path.name: str(path.readlink()) for path in Path(folder).iterdir()}


def test_it_is_made_once_and_found_again(tmp_path: Path) -> None:
    first = keep_links(CORE, UserFolders({"HOME": str(tmp_path)}, ROOT))
    assert held(first) == CORE
    made = Path(str(first)).stat().st_ino
    assert keep_links(CORE, UserFolders({"HOME": str(tmp_path)}, ROOT)) == first
    assert Path(str(first)).stat().st_ino == made
    assert [path.name for path in (tmp_path / ".cache/verigate/core").iterdir()] == [Path(str(first)).name]


def test_a_folder_that_another_run_made_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = UserFolders({"HOME": str(tmp_path)}, ROOT)
    faster: list[int] = []

    def link_slowly(folder: str, core: Mapping[str, str]) -> None:
        link_coreutils(folder, core)
        if not faster:
            faster.append(0)
            faster[0] = Path(str(keep_links(CORE, folders))).stat().st_ino

    monkeypatch.setattr(coreutils_folder, "link_coreutils", link_slowly)
    found = keep_links(CORE, folders)
    assert held(found) == CORE
    # A sandbox of the faster run may be about to bind it.
    assert [Path(str(found)).stat().st_ino] == faster
    assert [path.name for path in (tmp_path / ".cache/verigate/core").iterdir()] == [Path(str(found)).name]


def test_other_links_have_another_folder(tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    other = {**CORE, "cat": "/opt/bin/cat"}
    assert keep_links(CORE, UserFolders(environ, ROOT)) != keep_links(other, UserFolders(environ, ROOT))
    assert held(keep_links(CORE, UserFolders(environ, ROOT))) == CORE
    assert held(keep_links(other, UserFolders(environ, ROOT))) == other


def _another_target(folder: Path) -> None:
    (folder / "cat").unlink()
    (folder / "cat").symlink_to("/opt/evil")


def _a_file(folder: Path) -> None:
    (folder / "cat").unlink()
    (folder / "cat").write_text("#!/bin/sh\n")


def _a_link_instead(folder: Path) -> None:
    moved = folder.rename(folder.with_name("moved"))
    folder.symlink_to(moved)


def _a_file_instead(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))
    folder.touch()


@pytest.mark.parametrize(
    "tamper",
    [
        _another_target,
        _a_file,
        _a_link_instead,
        _a_file_instead,
        lambda folder: (folder / "git").symlink_to("/opt/git"),
        lambda folder: (folder / "sh").unlink(),
        lambda folder: folder.chmod(0o777),
    ],
    ids=["another target", "a file", "a link instead", "a file instead", "one more", "one less", "writable by all"],
)
def test_what_somebody_changed_is_made_anew(tmp_path: Path, tamper: Callable[[Path], object]) -> None:
    environ = {"HOME": str(tmp_path)}
    folder = keep_links(CORE, UserFolders(environ, ROOT))
    tamper(Path(str(folder)))
    assert held(keep_links(CORE, UserFolders(environ, ROOT))) == CORE
    assert not Path(str(folder)).is_symlink()


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "relative"}, {"XDG_CACHE_HOME": "/proc/none"}])
def test_where_nothing_can_be_kept_there_is_none(environ: dict[str, str]) -> None:
    assert keep_links(CORE, UserFolders(environ, ROOT)) is None


def test_nothing_is_written_into_the_repository(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    (tmp_path / "linked").symlink_to(repository)
    for cache in (repository / ".cache", tmp_path / "linked" / ".cache"):
        assert keep_links(CORE, UserFolders({"XDG_CACHE_HOME": str(cache)}, str(repository))) is None
    assert not list(repository.iterdir())
    assert keep_links(CORE, UserFolders({"XDG_CACHE_HOME": f"{repository}-cache"}, str(repository))) is not None
