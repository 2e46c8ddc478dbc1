"""The folders in which toolchains keep downloads: visible in a sandbox, and where tools have to write, a private copy.

cargo unpacks crates and checks git dependencies out below its home, also offline. A home at another path would do, but
cargo compiles everything again for it: the path is part of what it compares. So the private folder is mounted at the
home's own path, and what lies there already is mounted read-only into it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from verigate.domain.ports import Mount

HOMES = ("CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOMODCACHE", "GOCACHE", "GRADLE_USER_HOME", "MAVEN_USER_HOME")

_NOT_SHARED = frozenset({"registry", "git", "credentials", "credentials.toml"})
_MOST_CHECKOUTS = 200


def list_tool_homes(env: Mapping[str, str]) -> Iterator[str]:
    """List the homes that an adapter's environment names, as absolute paths."""
    return (env[name] for name in HOMES if env.get(name, "").startswith("/"))


def plan_cargo_home(env: Mapping[str, str], private: str, root: str) -> tuple[Mount, ...]:
    """Plan the mounts that let cargo write below its home; none where it has downloaded nothing.

    ``private`` is the path of a folder that is made for what is written, ``root`` the repository's.
    """
    home = os.path.realpath(env.get("CARGO_HOME") or "/")
    if home == "/" or f"{root}/".startswith(f"{home}/") or f"{home}/".startswith(f"{root}/"):
        return ()
    if not any(Path(home, name).is_dir() for name in ("registry", "git")):
        return ()
    # A call whose sandbox is built again has it already: what was dropped before never ran.
    Path(private).mkdir(0o700, exist_ok=True)
    shared = (f"{home}/{path}" for path in _list_shared(home))
    return (Mount(private, home, read_only=False), *(Mount(path, path, read_only=True) for path in shared))


def _list_shared(home: str) -> Iterator[str]:
    for name in _list_names(home):
        # Locks, and what cargo notes about the use of its home, are private files that it makes again.
        if name not in _NOT_SHARED and not name.startswith("."):
            yield name
    for path in ("registry/index", "registry/cache", "git/db"):
        if Path(home, path).is_dir():
            yield path
    for registry in _list_names(f"{home}/registry/src"):
        crates = {name.removesuffix(".crate") for name in _list_names(f"{home}/registry/cache/{registry}")}
        # A mount for each of thousands of crates would take longer than to unpack the few that are needed.
        if crates and crates.issubset(_list_names(f"{home}/registry/src/{registry}")):
            yield f"registry/src/{registry}"
    checkouts = [
        f"git/checkouts/{repository}/{revision}"
        for repository in _list_names(f"{home}/git/checkouts")
        for revision in _list_names(f"{home}/git/checkouts/{repository}")
    ]
    yield from checkouts if len(checkouts) <= _MOST_CHECKOUTS else ()


def _list_names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries)
    except OSError:
        return []
