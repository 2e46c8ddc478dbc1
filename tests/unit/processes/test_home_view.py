from __future__ import annotations

from pathlib import Path

import pytest

from verigate.processes import home_view
from verigate.processes.home_view import Homes, find_homes, holds_a_home, list_toolchains


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in a folder that stands for /home, on a machine without another one."""
    folder = tmp_path / "homes" / "u"
    folder.mkdir(parents=True)
    monkeypatch.setattr(home_view, "HOMES", (str(tmp_path / "homes"),))
    monkeypatch.setattr(home_view.pwd, "getpwuid", lambda _: (_ for _ in ()).throw(KeyError))
    return folder


def find(home: Path, **environ: str) -> list[str]:
    homes = find_homes({"HOME": str(home), **environ})
    return [path.removeprefix(f"{home}/") for path in list_toolchains({"HOME": str(home), **environ}, homes)]


def test_all_homes_are_hidden_once(home: Path) -> None:
    found = find_homes({"HOME": str(home)})
    assert found == Homes((str(home.parent),), (str(home),))


def test_a_home_elsewhere_is_hidden_where_its_link_leads(home: Path, tmp_path: Path) -> None:
    elsewhere, link = tmp_path / "data" / "u", tmp_path / "link"
    elsewhere.mkdir(parents=True)
    link.symlink_to(elsewhere)
    assert find_homes({"HOME": str(link)}).hidden == (str(elsewhere), str(home.parent))


@pytest.mark.parametrize("place", ["/", "/usr", "/nonexistent-home", "relative", ""])
def test_the_system_is_no_home(home: Path, place: str) -> None:
    assert find_homes({"HOME": place}).hidden == (str(home.parent),)


def test_of_a_home_only_toolchains_are_shown(home: Path) -> None:
    for name in (".cargo", ".ssh", ".config", "work", ".local/bin", ".local/share/keyrings", ".local/share/uv"):
        (home / name).mkdir(parents=True)
    (home / ".pgpass").touch()
    assert sorted(find(home)) == [".cargo", ".local/bin", ".local/share/uv"]


def test_a_toolchain_elsewhere_in_the_home_is_shown_by_its_variable(home: Path) -> None:
    (home / "tools" / "cargo").mkdir(parents=True)
    assert find(home, CARGO_HOME=str(home / "tools" / "cargo")) == ["tools/cargo"]


@pytest.mark.parametrize("variable", ["GOPATH", "CONDA_PREFIX", "JAVA_HOME"])
def test_a_variable_that_names_the_home_shows_nothing(home: Path, variable: str) -> None:
    assert find(home, **{variable: str(home)}) == []
    assert find(home, **{variable: str(home.parent)}) == []


def test_a_link_to_the_home_shows_nothing(home: Path) -> None:
    (home / ".cargo").symlink_to(home)
    (home / "go").symlink_to("/")
    assert find(home) == []


def test_a_toolchain_that_is_a_link_is_shown_where_the_link_is(home: Path, tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    (home / ".rustup").symlink_to(tmp_path / "large")
    (home / "kept").mkdir()
    (home / ".cargo").symlink_to(home / "kept")
    assert sorted(find(home)) == [".cargo", ".rustup", "kept"]


def test_what_holds_a_home() -> None:
    homes = Homes(("/root", "/srv/u"), ("/root",))
    held = {"/", "/root", "/srv", "/srv/u", "/home/other"}
    assert {path for path in (*held, "/root/.cargo", "/usr", "/home/u/x") if holds_a_home(path, homes)} == held
