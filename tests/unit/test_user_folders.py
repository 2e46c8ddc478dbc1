"""The user's folders: the environment that is passed counts, and nothing in the repository is the user's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from verigate.user_folders import CACHE, CONFIG, DEFAULTS, UserFolders, resolve_base_folder


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HOME": "/h"}, ("/h/.cache", "/h/.config", "/h/.local/state")),
        ({"HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": ""}, ("/c", "/h/.config", "/h/.local/state")),
        ({"HOME": "/h", "XDG_STATE_HOME": "relative"}, ("/h/.cache", "/h/.config", "/h/.local/state")),
        ({"XDG_STATE_HOME": "/s"}, (None, None, "/s")),
        ({"HOME": "relative", "XDG_CACHE_HOME": "~/c"}, (None, None, None)),
        ({"HOME": ""}, (None, None, None)),
        ({}, (None, None, None)),
    ],
)
def test_a_variable_counts_if_it_is_absolute(
    environ: Mapping[str, str], expected: tuple[str | None, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/not/this")
    monkeypatch.setenv("XDG_CACHE_HOME", "/nor/this")
    folders = UserFolders(environ)
    found = (folders.cache(), folders.config(), folders.state())
    assert found == tuple(None if base is None else f"{base}/verigate" for base in expected)


def test_parts_lie_below() -> None:
    assert UserFolders({"HOME": "/h"}).state("engines", "a") == "/h/.local/state/verigate/engines/a"


def test_what_lies_in_the_repository_is_refused_in_every_spelling(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / "below").mkdir(parents=True)
    linked, beside = tmp_path / "linked", tmp_path / "repository-2"
    linked.symlink_to(repository / "below")
    beside.mkdir()
    for folder in (repository, repository / "below", linked, tmp_path / "x/../repository"):
        environ = dict.fromkeys(("HOME", *DEFAULTS), str(folder))
        folders = UserFolders(environ, str(repository))
        assert (folders.cache("a"), folders.config("a"), folders.state("a")) == (None, None, None)
        assert UserFolders(environ).cache("a") == f"{folder}/verigate/a"
    assert UserFolders({"HOME": str(beside)}, str(repository)).cache() == f"{beside}/.cache/verigate"
    through = tmp_path / "through"
    through.symlink_to(repository)
    assert UserFolders({CACHE: str(repository)}, str(through)).cache() is None


def test_a_link_below_the_folder_that_leads_into_the_repository_is_refused(tmp_path: Path) -> None:
    repository, home = tmp_path / "repository", tmp_path / "home"
    repository.mkdir()
    (home / ".cache/verigate").mkdir(parents=True)
    (home / ".cache/verigate/tools").symlink_to(repository)
    folders = UserFolders({"HOME": str(home)}, str(repository))
    assert folders.cache("tools") is None
    assert folders.cache("tools", "deeper") is None
    assert folders.cache("valid") == f"{home}/.cache/verigate/valid"


def test_below_the_root_of_the_file_system_everything_is_refused() -> None:
    assert UserFolders({"HOME": "/h"}, "/").state() is None


def test_bases_are_those_of_other_programs_too() -> None:
    assert resolve_base_folder({"HOME": "/h"}, CONFIG) == "/h/.config"
    assert resolve_base_folder({"HOME": "/h"}, "XDG_DATA_HOME") == "/h/.local/share"
    assert resolve_base_folder({}, CONFIG) is None
