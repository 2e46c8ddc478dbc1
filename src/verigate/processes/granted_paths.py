"""Resolve the paths that configuration grants a sandbox, and their options for bubblewrap.

A grant opens one path. It never opens the gate's own folders, and masked stores of secrets stay masked unless one is
named exactly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.grants import GrantKind
from verigate.errors import ExecutionError

if TYPE_CHECKING:
    from verigate.domain.grants import Grant


class GrantedPath(Struct, frozen=True):
    """``source`` is the real path on the machine, ``target`` where it is inside; ``masked`` if it is a secret store.

    ``inside``: it is below the repository's root, in the checkout. ``at_home`` is its place in the private home, for a
    path that was written with ``~/``.
    """

    source: str
    target: str
    writable: bool = False
    masked: bool = False
    inside: bool = False
    at_home: str | None = None


class OwnFolders(Struct, frozen=True):
    """Folders that no grant opens: ``private`` to nobody, ``code`` (the gate's installation) not for writing."""

    private: Sequence[str]
    code: Sequence[str]


class ResolvedPaths(Struct, frozen=True):
    """The granted paths that exist on this machine, and those that don't, as written."""

    found: tuple[GrantedPath, ...] = ()
    absent: tuple[str, ...] = ()


def resolve_granted_paths(
    grants: Iterable[Grant],
    *,
    environ: Mapping[str, str],
    root: str,
    checkout: str,
    own: OwnFolders,
    masked: Sequence[str],
    home: str,
    is_verified: Callable[[str], bool],
) -> ResolvedPaths:
    """Resolve the granted paths. ``root`` is the repository, ``checkout`` its private checkout on the machine.

    ``home`` is the private home of the call; ``is_verified`` whether a path of the repository is part of the subject.

    Raises ExecutionError for a path that leads into a folder that isn't open to grants.
    """
    found: list[GrantedPath] = []
    absent: list[str] = []
    for grant in grants:
        if grant.kind is not GrantKind.BIND:
            continue
        path = _expand(grant.what, environ)
        if path is None or not os.path.exists(path if path.startswith("/") else f"{root}/{path}"):
            absent.append(grant.what)
        elif path.startswith("/"):
            resolved = _resolve(grant, path, root, own, masked)
            at_home = f"{home}/{grant.what[2:].rstrip('/')}" if grant.what.startswith("~/") else None
            found.append(replace(resolved, at_home=at_home))
        else:
            found.append(_resolve_inside(grant, path, root, checkout, is_verified))
    return ResolvedPaths(tuple(found), tuple(absent))


def list_bind_options(paths: Iterable[GrantedPath], *, masked: bool, hidden: Sequence[str]) -> Iterable[str]:
    """List bubblewrap's options for the paths outside the repository: those below masked folders, or the others."""
    for path in paths:
        if path.inside or path.masked is not masked:
            continue
        yield from ("--bind" if path.writable else "--ro-bind", path.source, path.source)
        if path.target != path.source and is_below(path.target, hidden):
            yield from ("--symlink", path.source, path.target)


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of ``folders`` or below it."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _expand(path: str, environ: Mapping[str, str]) -> str | None:
    if not path.startswith("~/"):
        return path.rstrip("/")
    home = environ.get("HOME", "")
    return f"{home.rstrip('/')}/{path[2:].rstrip('/')}" if home.startswith("/") else None


def _resolve(grant: Grant, path: str, root: str, own: OwnFolders, masked: Sequence[str]) -> GrantedPath:
    real, writable = os.path.realpath(path), grant.mode == "rw"
    private = [*map(os.path.realpath, own.private)]
    code = [*map(os.path.realpath, own.code)]
    if is_below(real, [root]):
        raise _refuse(grant, "it is in the repository", "write it relative to the repository")
    if is_below(real, private):
        raise _refuse(grant, "it leads into a folder of the gate's own")
    if writable and (is_below(real, code) or any(is_below(each, [real]) for each in (*private, *code, root))):
        raise _refuse(grant, "to write there would change the gate or the repository", "grant a folder of its own")
    is_secret = is_below(real, masked)
    if is_secret and real != path:
        raise _refuse(grant, "it is a link into a place that holds secrets", "name that place itself")
    return GrantedPath(real, path, writable, is_secret)


def _resolve_inside(
    grant: Grant, path: str, root: str, checkout: str, is_verified: Callable[[str], bool]
) -> GrantedPath:
    """Resolve a path relative to the repository: something that git ignores, which stands over what a checkout has."""
    source = f"{root}/{path}"
    if os.path.realpath(source) != source:
        raise _refuse(grant, "it is a link, or below one", "name the place that it leads to")
    parts = path.split("/")
    parents = ["/".join(parts[:length]) for length in range(1, len(parts))]
    if is_verified(path) or any(os.path.islink(f"{checkout}/{each}") for each in (*parents, path)):
        raise _refuse(grant, "it is part of what is verified", "grant only what git ignores")
    return GrantedPath(source, source, grant.mode == "rw", inside=True)


def _refuse(grant: Grant, why: str, hint: str = "remove it from config/sandbox.json") -> ExecutionError:
    return ExecutionError(f"the granted path {grant.what!r} can't be opened: {why}", hint=hint)
