from __future__ import annotations

from pathlib import Path

import pytest

from verigate.execution.tool_homes import list_tool_homes, plan_cargo_home


def fill(home: Path, *paths: str) -> None:
    for path in paths:
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            (home / path).mkdir(exist_ok=True)
        else:
            (home / path).touch()


def shared(home: Path, private: Path) -> list[str]:
    mounts = plan_cargo_home({"CARGO_HOME": str(home)}, str(private), "/repo")
    assert [mount.source for mount in mounts[1:]] == [mount.target for mount in mounts[1:]]
    assert all(mount.read_only for mount in mounts[1:])
    return [str(mount.target).removeprefix(f"{home}/") for mount in mounts[1:]]


def test_what_cargo_only_reads_is_shared_and_the_rest_is_private(tmp_path: Path) -> None:
    home, private = tmp_path / "cargo", tmp_path / "private"
    fill(home, "bin/cargo", "config.toml", "credentials.toml", ".package-cache", ".global-cache")
    fill(home, "registry/index/r/config.json", "registry/cache/r/a-1.crate", "registry/src/r/a-1/Cargo.toml")
    fill(home, "git/db/d/HEAD", "git/checkouts/d/abc/Cargo.toml")
    (base, *_) = plan_cargo_home({"CARGO_HOME": str(home)}, str(private), "/repo")
    assert (base.source, base.target, base.read_only) == (str(private), str(home), False)
    assert private.is_dir()
    private.rmdir()
    both = ["registry/index", "registry/cache", "git/db", "registry/src/r", "git/checkouts/d/abc"]
    assert shared(home, private) == ["bin", "config.toml", *both]


@pytest.mark.parametrize("more", ["registry/cache/r/b-1.crate", "registry/src/other/c-1/Cargo.toml"])
def test_sources_that_are_not_all_unpacked_are_unpacked_again(tmp_path: Path, more: str) -> None:
    home = tmp_path / "cargo"
    fill(home, "registry/cache/r/a-1.crate", "registry/src/r/a-1/Cargo.toml", more)
    found = shared(home, tmp_path / "private")
    assert ("registry/src/r" in found) == ("cache" not in more)
    assert "registry/src/other" not in found


def test_a_home_without_downloads_and_one_around_the_repository_stay_as_they_are(tmp_path: Path) -> None:
    home = tmp_path / "cargo"
    fill(home, "bin/cargo", "config.toml")
    assert plan_cargo_home({"CARGO_HOME": str(home)}, str(tmp_path / "a"), "/repo") == ()
    fill(home, "registry/index/")
    assert plan_cargo_home({}, str(tmp_path / "b"), "/repo") == ()
    assert plan_cargo_home({"CARGO_HOME": str(home)}, str(tmp_path / "c"), str(home / "git/checkouts/x")) == ()
    assert plan_cargo_home({"CARGO_HOME": str(home)}, str(tmp_path / "d"), str(tmp_path)) == ()


def test_homes_are_absolute_paths() -> None:
    env = {"CARGO_HOME": "/c", "GOPATH": "relative", "GOMODCACHE": "", "PATH": "/bin"}
    assert list(list_tool_homes(env)) == ["/c"]


def test_a_sandbox_that_is_built_anew_gets_the_same_mounts(tmp_path: Path) -> None:
    home, private = tmp_path / "cargo", tmp_path / "private"
    fill(home, "registry/cache/r/a-1.crate")
    assert shared(home, private) == shared(home, private)
