# ruff: noqa: S108 (paths in argument vectors that are only compared)
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from verigate.domain.ports import Mount
from verigate.processes import landlock
from verigate.processes.granted_paths import GrantedPath
from verigate.processes.landlock_view import build_landlock_options
from verigate.processes.sandbox_view import Confinement


def confinement(folder: Path, **fields: object) -> Confinement:
    values: dict[str, object] = {
        "root": str(folder / "checkout"),
        "mounts": (Mount(str(folder / "checkout"), "/repo", False), Mount(str(folder / "deps"), "/repo/deps", True)),
        "visible": (),
        "writable": (str(folder / "task"),),
        "tmp": str(folder / "tmp"),
        "links": ("/w/core", {}),
        "masked": (),
        "empty": "/w/empty",
        "network": False,
        "read_only": False,
    }
    return Confinement(**(values | fields))  # type: ignore[arg-type]


def pairs(words: Iterator[str], option: str) -> list[str]:
    listed = list(words)
    return [listed[at + 1] for at, word in enumerate(listed) if word == option]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a toolchain that holds a secret."""
    folder = tmp_path / "home"
    (folder / ".cargo" / "bin").mkdir(parents=True)
    (folder / ".cargo" / "credentials.toml").touch()
    (folder / ".cargo" / "config.toml").touch()
    (folder / ".ssh").mkdir()
    return folder


def test_the_system_is_read_around_what_is_hidden(tmp_path: Path, home: Path) -> None:
    found = pairs(build_landlock_options(confinement(tmp_path, homes=(str(home),))), "--read")
    assert "/usr" in found
    above = {"/", "/tmp", "/run", "/dev/shm", str(home), *map(str, home.parents)}
    assert not above.intersection(found)


def test_of_a_toolchain_all_but_its_secrets_is_read(tmp_path: Path, home: Path) -> None:
    secret = str(home / ".cargo" / "credentials.toml")
    shown = confinement(tmp_path, homes=(str(home),), visible=(str(home / ".cargo"),), masked=(secret,))
    found = pairs(build_landlock_options(shown), "--read")
    assert {path for path in found if path.startswith(f"{home}/")} == {
        str(home / ".cargo" / "bin"),
        str(home / ".cargo" / "config.toml"),
    }


def test_a_secret_that_is_granted_is_read(tmp_path: Path, home: Path) -> None:
    secret = str(home / ".ssh")
    grant = GrantedPath(secret, secret, masked=True)
    shown = confinement(tmp_path, homes=(str(home),), masked=(secret,), granted=(grant,))
    assert secret in pairs(build_landlock_options(shown), "--read")


def test_what_is_written(tmp_path: Path) -> None:
    granted = GrantedPath("/data", "/data", writable=True)
    options = list(build_landlock_options(confinement(tmp_path, granted=(granted,))))
    assert pairs(iter(options), "--write") == [*(str(tmp_path / name) for name in ("checkout", "task", "tmp")), "/data"]
    only_read = pairs(build_landlock_options(confinement(tmp_path, read_only=True)), "--write")
    assert only_read == [str(tmp_path / name) for name in ("task", "tmp")]


def test_the_network_is_closed_unless_declared(tmp_path: Path) -> None:
    assert "--no-network" in list(build_landlock_options(confinement(tmp_path)))
    assert "--no-network" not in list(build_landlock_options(confinement(tmp_path, network=True)))


@pytest.mark.parametrize("words", [["--read"], ["--open", "/x", "--", "/a"], ["--read", "/x"], ["--"], []])
def test_a_command_line_that_is_not_understood_is_an_error(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"option|program"):
        landlock.parse_options(words)
