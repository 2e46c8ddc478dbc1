"""Find programs of this machine that a repository's checks need and that aren't there; nothing is executed.

They are no dependencies of the project: the gate names the command that installs them and never runs it.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from verigate.integrations.setup.declared_tests import ADAPTERS_FILE, read_declared
from verigate.integrations.setup.repository_scan import Scan
from verigate.integrations.setup.stack import Stack
from verigate.sdk.clippy_install import list_clippy_commands

_CHANNEL = re.compile(r"[\w.-]+")


class MissingProgram(NamedTuple):
    """A program that isn't installed: ``capability`` needs it, and each of ``commands`` installs it."""

    what: str
    capability: str
    commands: tuple[str, ...]

    @property
    def advice(self) -> str:
        """The commands, one of which is to be called."""
        return ", or ".join(self.commands)


def find_missing_programs(seen: Scan, stack: Stack, environ: Mapping[str, str]) -> tuple[MissingProgram, ...]:
    """Find what ``stack`` needs. ``environ`` is the caller's, with PATH and the homes of rustup and cargo."""
    # A declared command replaces all linters that are found.
    declared = read_declared(seen.read_table(ADAPTERS_FILE), "lint")
    return tuple(_find_clippy(seen, environ)) if "clippy" in stack.linters and not declared else ()


def _find_clippy(seen: Scan, environ: Mapping[str, str]) -> Iterator[MissingProgram]:
    """Find that cargo is there and its clippy isn't: Debian has it in a package of its own, rustup in a component."""
    path, home = environ.get("PATH", os.defpath), Path(environ.get("HOME", "/"))
    if shutil.which("cargo", path=path) is None:
        return
    own = Path(environ.get("CARGO_HOME") or home / ".cargo", "bin")
    program = shutil.which("cargo-clippy", path=os.pathsep.join((str(own), path)))
    if program is None or (_is_proxy(program) and _lacks_component(seen, environ, home)):
        yield MissingProgram("clippy", "code:lint", list_clippy_commands(path))


def _is_proxy(program: str) -> bool:
    """Whether this is rustup's stand-in, which is there for every component, installed or not."""
    rustup = Path(program).with_name("rustup")
    return Path(os.path.realpath(program)).name == "rustup" or (rustup.exists() and rustup.samefile(program))


def _lacks_component(seen: Scan, environ: Mapping[str, str], home: Path) -> bool:
    """Whether the toolchain that is in force here is installed without clippy; rustup installs one that isn't."""
    rustup = Path(environ.get("RUSTUP_HOME") or home / ".rustup")
    pinned = seen.read_table("rust-toolchain.toml").get("toolchain")
    channel = environ.get("RUSTUP_TOOLCHAIN") or (pinned.get("channel") if isinstance(pinned, dict) else None)
    name = channel or _read_table(rustup / "settings.toml").get("default_toolchain")
    if not isinstance(name, str) or not _CHANNEL.fullmatch(name):
        return False
    # A channel's folder has the machine's triple after its name.
    folders = [place for place in rustup.glob("toolchains/*") if f"{place.name}-".startswith(f"{name}-")]
    return bool(folders) and not any((folder / "bin" / "cargo-clippy").exists() for folder in folders)


def _read_table(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8", "replace"))
    except (OSError, ValueError):
        return {}
