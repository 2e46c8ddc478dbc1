"""What one call sees of the machine, and bubblewrap's options for it.

Source: bwrap(1). Inside, everything is read-only except what ``Confinement`` names; temporary folders, runtime sockets
and homes are hidden; the checkout of the subject is mounted at the repository's path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.processes.home_view import is_below

if TYPE_CHECKING:
    from verigate.domain.ports import Mount
    from verigate.processes.granted_paths import GrantedPath

HIDDEN = ("/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm")  # noqa: S108 (they are hidden, not used)
"""Folders whose content no sandbox shows."""

_RESOLVER = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")
_SYSTEM = ("/run/current-system", "/run/wrappers")
"""Where NixOS has the links to its programs."""

BASE = ("--unshare-pid", "--as-pid-1", "--unshare-ipc", "--unshare-uts", "--new-session", "--cap-drop", "ALL")
"""The parent of the adapter is process 1: no process of its namespace can end it."""
_KERNEL_SETTINGS = tuple(f"/proc/{name}" for name in ("sys", "sysrq-trigger", "irq", "bus"))
ROOT = (
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *(word for path in _KERNEL_SETTINGS for word in ("--ro-bind-try", path, path)),
    *(word for path in ("/proc/1/mem", "/proc/1/task/1/mem") for word in ("--ro-bind", "/dev/null", path)),
)
"""Covers the memory of process 1, which reports how the adapter ended (a device opens nowhere but in /dev), and the
kernel's settings: they obey the machine's root in whatever namespace, and core_pattern names a program
that runs outside. bubblewrap covers them too, but not where it has no right to them itself, as in a user namespace.
"""


class Confinement(Struct, frozen=True):
    """What one invocation may see and change. All paths are absolute paths of the machine.

    ``root`` is the repository's own path and the working directory; ``mounts`` are applied in order; ``visible`` stay
    visible, read-only, inside hidden folders; ``writable`` are bound for writing; ``tmp`` replaces /tmp; ``links`` is
    an empty folder with the links that it shows, by name, and ``linked`` a folder that holds exactly these, if there is
    one; ``homes`` are shown without anything that isn't ``visible``, ``masked`` stores of secrets are shown empty
    wherever they would be visible; ``empty`` is an empty file that replaces masked files; ``granted`` are paths that
    configuration opens.
    """

    root: str
    mounts: Sequence[Mount]
    visible: Sequence[str]
    writable: Sequence[str]
    tmp: str
    links: tuple[str, Mapping[str, str]]
    masked: Sequence[str]
    empty: str
    network: bool
    read_only: bool
    linked: str | None = None
    granted: Sequence[GrantedPath] = ()
    homes: Sequence[str] = ()


def build_options(confinement: Confinement) -> Iterable[str]:
    """Yield the options in order: later ones stand on earlier ones."""
    yield "--die-with-parent"
    yield from BASE
    if not confinement.network:
        yield "--unshare-net"
    yield from ROOT
    homes = [path for path in confinement.homes if not is_below(path, _list_hidden())]
    covered = (*_list_hidden(), *homes, *confinement.masked)
    yield from _hide(confinement)
    for path in homes:
        yield from ("--perms", "0755", "--tmpfs", path)
    yield from _open(confinement, covered, masked=False)
    wide = [granted.target for granted in confinement.granted]
    seen = [path for path in confinement.masked if not is_below(path, homes) or is_below(path, wide)]
    yield from _mask(confinement, seen)
    yield from _open(confinement, covered, masked=True)
    shown: list[str] = []
    for path in sorted({path for path in confinement.visible if is_below(path, covered)}):
        if not is_below(path, shown):
            shown.append(path)
            yield from ("--ro-bind-try", path, path)
    # A folder that is shown again shows its secrets again.
    open_now = {*shown, *wide}
    again = [path for path in confinement.masked if is_below(path, shown) and path not in open_now]
    yield from _mask(confinement, again)
    yield from _open_again(confinement, shown)
    yield from _mount(confinement)
    for path in confinement.writable:
        yield from ("--bind", path, path)
    for granted in confinement.granted:
        if granted.at_home is not None:
            yield from ("--bind" if granted.writable else "--ro-bind", granted.source, granted.at_home)
    yield from _link(confinement)
    # Last: what is mounted below a home needs a place there.
    used = {*(mount.target for mount in confinement.mounts), *confinement.writable, *wide}
    for path in homes:
        if path not in used:
            yield from ("--remount-ro", path)
    yield from ("--chdir", confinement.root)


def _list_hidden() -> tuple[str, ...]:
    return tuple(path for path in HIDDEN if Path(path).is_dir() and not Path(path).is_symlink())


def _hide(confinement: Confinement) -> Iterable[str]:
    for path in _list_hidden():
        if path in {"/tmp", "/var/tmp"}:  # noqa: S108
            yield from ("--bind", confinement.tmp, path)
        elif path != "/dev/shm":  # noqa: S108 (bubblewrap's own /dev has an empty one)
            yield from ("--perms", "0755", "--tmpfs", path)
    keep = (*_SYSTEM, *(_RESOLVER if confinement.network else ()))
    for path in keep:
        yield from ("--ro-bind-try", path, path)


def _open(confinement: Confinement, hidden: Sequence[str], *, masked: bool) -> Iterable[str]:
    """Open the granted paths: those of secret stores after these are masked, the others before."""
    if not confinement.granted:
        return
    from verigate.processes.granted_paths import list_bind_options  # most repositories grant nothing

    yield from list_bind_options(confinement.granted, masked=masked, hidden=hidden)
    if masked:
        opened = [path.target for path in confinement.granted if path.masked]
        nested = [path for path in confinement.masked if path not in opened and is_below(path, opened)]
        yield from _mask(confinement, nested)


def _open_again(confinement: Confinement, shown: Sequence[str]) -> Iterable[str]:
    """Open what a folder that is shown would cover, such as a path in a toolchain's folder that is open for writing."""
    for path in confinement.granted:
        if not path.inside and is_below(path.target, shown):
            yield from ("--bind" if path.writable else "--ro-bind", path.source, path.target)


def _mask(confinement: Confinement, paths: Iterable[str]) -> Iterable[str]:
    for path in paths:
        if Path(path).is_dir():
            yield from ("--perms", "0700", "--tmpfs", path)
        else:
            yield from ("--ro-bind", confinement.empty, path)


def _mount(confinement: Confinement) -> Iterable[str]:
    targets = [mount.target for mount in confinement.mounts]
    later: list[str] = []
    for mount in confinement.mounts:
        read_only = mount.read_only or confinement.read_only
        holds_others = any(target.startswith(f"{mount.target}/") for target in targets)
        if mount.source is None:
            yield from ("--perms", "0755", "--tmpfs", mount.target)
        else:
            yield from ("--ro-bind" if read_only and not holds_others else "--bind", mount.source, mount.target)
        if read_only and (holds_others or mount.source is None):
            later.append(mount.target)
    # Last: bubblewrap can't make the mount points of later mounts in a read-only folder.
    for target in reversed(later):
        yield from ("--remount-ro", target)


def _link(confinement: Confinement) -> Iterable[str]:
    folder, links = confinement.links
    if confinement.linked is not None:
        yield from ("--ro-bind", confinement.linked, folder)
        return
    yield from ("--tmpfs", folder)
    for name, target in links.items():
        yield from ("--symlink", target, f"{folder}/{name}")
    yield from ("--remount-ro", folder)
