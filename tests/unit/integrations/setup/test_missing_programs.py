"""Which programs of the machine a repository's checks lack, in real folders of programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from verigate.integrations.setup.missing_programs import MissingProgram, find_missing_programs
from verigate.integrations.setup.repository_scan import scan_repository
from verigate.integrations.setup.stack import detect_stack

RUSTUP, DEBIAN = "rustup component add clippy", "apt-get install rust-clippy"
TRIPLE = "x86_64-unknown-linux-gnu"


def add(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


def find(root: Path, **environ: str) -> tuple[MissingProgram, ...]:
    found = {"HOME": str(root / "home"), "PATH": str(root / "bin"), **environ}
    return find_missing_programs(scan_repository(root / "crate"), detect_stack(root / "crate"), found)


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    add(tmp_path / "crate").joinpath("Cargo.toml").write_text('[package]\nname = "a"\n')
    return tmp_path


@pytest.mark.parametrize(
    ("programs", "advice"),
    [
        (("cargo", "apt-get"), DEBIAN),
        (("cargo", "rustup", "apt-get"), RUSTUP),
        (("cargo",), f"{RUSTUP}, or {DEBIAN}"),
        (("cargo", "cargo-clippy", "apt-get"), None),
        # Without cargo there is nothing that clippy could be a part of.
        (("apt-get",), None),
    ],
)
def test_clippy_is_named_with_what_installs_it(crate: Path, programs: tuple[str, ...], advice: str | None) -> None:
    add(crate / "bin", *programs)
    assert [(item.what, item.advice) for item in find(crate)] == ([] if advice is None else [("clippy", advice)])


@pytest.mark.parametrize("folder", ["home/.cargo/bin", "own/bin"])
def test_cargo_also_looks_into_its_home(crate: Path, folder: str) -> None:
    add(crate / "bin", "cargo")
    add(crate / folder, "cargo-clippy")
    assert find(crate, **({} if folder.startswith("home") else {"CARGO_HOME": str(crate / "own")})) == ()


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize(
    ("environ", "pinned", "lacks"),
    [
        ({}, None, True),
        ({"RUSTUP_TOOLCHAIN": "nightly"}, None, False),
        ({}, "nightly", False),
        ({"RUSTUP_TOOLCHAIN": f"stable-{TRIPLE}"}, "nightly", True),
        # rustup installs it before its first use.
        ({}, "1.80.0", False),
        ({}, "../..", False),
    ],
)
def test_a_stand_in_of_rustup_is_no_component(
    crate: Path, linked: bool, environ: dict[str, str], pinned: str | None, lacks: bool
) -> None:
    programs = add(crate / "bin", "cargo", "rustup")
    if linked:
        (programs / "cargo-clippy").symlink_to("rustup")
    else:
        (programs / "cargo-clippy").hardlink_to(programs / "rustup")
    rustup = crate / "home" / ".rustup"
    add(rustup / "toolchains" / f"stable-{TRIPLE}" / "bin", "cargo")
    add(rustup / "toolchains" / f"nightly-{TRIPLE}" / "bin", "cargo", "cargo-clippy")
    (rustup / "settings.toml").write_text(f'default_toolchain = "stable-{TRIPLE}"\n')
    if pinned is not None:
        (crate / "crate" / "rust-toolchain.toml").write_text(f'[toolchain]\nchannel = "{pinned}"\n')
    assert [item.advice for item in find(crate, **environ)] == ([RUSTUP] if lacks else [])


def test_a_linter_that_is_replaced_lacks_nothing(crate: Path) -> None:
    add(crate / "bin", "cargo", "apt-get")
    add(crate / "crate" / "config").joinpath("adapters.json").write_text('{"code": {"lint": [{"command": ["true"]}]}}')
    assert find(crate) == ()
