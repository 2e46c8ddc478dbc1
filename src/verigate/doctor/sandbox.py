"""Report what sandbox this machine gives, and how it could be a better one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.execution import BUBBLEWRAP, LANDLOCK, NAMESPACES, SandboxReport
from verigate.reporting.escape import escape

_INSTALL = "apt-get install bubblewrap"
_ALLOW = (
    "allow unprivileged user namespaces (sysctl -w kernel.unprivileged_userns_clone=1, or on Ubuntu "
    "kernel.apparmor_restrict_unprivileged_userns=0)"
)
_OPEN_CONTAINER = "in a container, start it with the options in docs/other-systems.md"
"""For root, whom no sysctl for unprivileged users restricts."""

_NO_MOUNT_POINT = "Failed to make / slave: Invalid argument"
"""What bubblewrap prints where / is no mount point, as in a plain chroot."""

_CHROOT = "/ is no mount point, as in a plain chroot"
_MOUNT = "outside of the chroot: mount --rbind FOLDER FOLDER, then enter it again; or use a container"
_WORKING = {
    BUBBLEWRAP: "bubblewrap works",
    NAMESPACES: "bubblewrap doesn't work here, user namespaces do",
    LANDLOCK: "neither bubblewrap nor user namespaces work here, Landlock does",
}
_WORKING_WITHOUT = {
    NAMESPACES: "bubblewrap isn't installed, user namespaces work",
    LANDLOCK: "bubblewrap isn't installed and user namespaces don't work here, Landlock does",
}
"""What works where there is no bubblewrap to try."""


def examine_sandbox(
    probe: Callable[[], SandboxReport], *, is_installed: bool, is_root: bool, quote: Callable[[], str] = str
) -> Iterable[DoctorFinding]:
    """Report what holds a call that asks for all of it; ``is_installed``: the machine has a bubblewrap.

    ``is_root``: the caller is root. ``quote`` returns what bubblewrap printed, where it doesn't work.
    """
    found = probe()
    printed = "" if not is_installed or found.mechanism == BUBBLEWRAP else escape(quote(), limit=200)
    working = (_WORKING if is_installed else _WORKING_WITHOUT).get(found.mechanism)
    if found.is_whole and not found.missing:
        hint = "" if is_installed else f"{_INSTALL}, to use it instead"
        message = f"{working}: network and file system are enforced{_say(printed)}"
        yield DoctorFinding("sandbox", Level.INFO, message, hint)
        return
    if working is not None:
        message = f"{working}; it doesn't give {', '.join(found.missing)}"
    else:
        lacking = "neither bubblewrap, user" if is_installed else "bubblewrap isn't installed, and neither user"
        message = f"{lacking} namespaces nor Landlock work here: a manifest's network and filesystem are not enforced"
    message += _say(printed)
    hint = _suggest(printed, is_root=is_root)
    yield DoctorFinding("sandbox", Level.WARN, message, hint if is_installed else f"{_INSTALL}; {hint}")


def _suggest(printed: str, *, is_root: bool) -> str:
    """Return what lets bubblewrap work, by what it printed."""
    if _NO_MOUNT_POINT in printed:
        return _MOUNT
    return _OPEN_CONTAINER if is_root else _ALLOW


def _say(printed: str) -> str:
    cause = f": {_CHROOT}" if _NO_MOUNT_POINT in printed else ""
    return f"; bubblewrap says: {printed}{cause}" if printed else ""
