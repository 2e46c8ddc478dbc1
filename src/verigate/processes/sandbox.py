"""Sandboxes: an adapter's view of the machine as a bubblewrap argument vector, and the fallback without bubblewrap.

Source: bwrap(1). Inside, everything is read-only except what ``Confinement`` names; temporary folders and runtime
sockets are hidden; the checkout of the subject is mounted at the repository's path.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.execution import SandboxReport
from verigate.errors import ExecutionError, UsageError
from verigate.processes.job import Containment, Launch
from verigate.user_folders import CONFIG, UserFolders, resolve_base_folder

if TYPE_CHECKING:
    from verigate.domain.manifest import SandboxPolicy
    from verigate.domain.ports import Mount
    from verigate.processes.granted_paths import GrantedPath

SHELL = "/bin/sh"
_PROBE_TIMEOUT_MS = 5000
HIDDEN = ("/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm")  # noqa: S108 (they are hidden, not used)
"""Folders whose content no sandbox shows."""

_RESOLVER = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")
_SYSTEM = ("/run/current-system", "/run/wrappers")
"""Where NixOS has the links to its programs."""

_BASE = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--new-session", "--cap-drop", "ALL")
_ROOT = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
_OF_FILES = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID")
AS_ROOT: tuple[str, ...] = ("--unshare-user", *(word for name in _OF_FILES for word in ("--cap-add", name)))
"""Root's own files obey root, as outside: tests look at the user and expect it. The user namespace holds root alone, so
files of others stay closed; without one these capabilities would open them.
"""

_SECRET_STORES = (
    *(".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".netrc", ".npmrc", ".pypirc", ".git-credentials"),
    *(".config/gcloud", ".config/gh", ".config/hub", ".config/op", ".config/git/credentials", ".password-store"),
    *(".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d"),
    *(".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties"),
    *(".local/share/keyrings", ".mozilla", ".config/google-chrome", ".config/chromium", ".vault-token"),
    *(".claude", ".claude.json", ".codex", ".gemini", ".config/github-copilot"),
    *(".bash_history", ".zsh_history", ".python_history"),
)
_SECRETS_IN_HOMES = {
    "CARGO_HOME": ("credentials", "credentials.toml"),
    "GRADLE_USER_HOME": ("gradle.properties",),
}
"""Files below a folder that the caller's environment names in the place of one in its home."""

GUARD = """\
ulimit -S -c 0
ulimit -d "$1" || exit 125
shift
echo ready >&0
read -r go || exit 125
exec 3>&2 2>/dev/null
(exec "$@" </dev/null 2>&3 3>&-)
code=$?
left=0
for process in /proc/[0-9]*; do
  [ "$process" = /proc/1 ] || [ "$process" = "/proc/$$" ] || {
    read -r line <"$process/stat" && case $line in *') Z '*) ;; *) left=$((left + 1)) ;; esac
  }
done
echo "exit $code $left" >&0
exit "$code"
"""
"""The parent of the adapter in its namespace; its own output ("Killed") is kept apart from the adapter's.

It starts nothing before the gate has answered: bubblewrap binds itself to the gate's life only after some milliseconds,
and doesn't notice that the gate has died before.
"""


class Bubblewrap(Struct, frozen=True):
    """A working bubblewrap: its absolute path and the options it needs on this machine."""

    path: str
    options: tuple[str, ...] = ()


class Confinement(Struct, frozen=True):
    """What one invocation may see and change. All paths are absolute paths of the machine.

    ``root`` is the repository's own path and the working directory; ``mounts`` are applied in order; ``visible`` stay
    visible, read-only, inside hidden folders; ``writable`` are bound for writing; ``tmp`` replaces /tmp; ``links`` is
    an empty folder with the links that it shows, by name, and ``linked`` a folder that holds exactly these, if there is
    one; ``masked`` are shown empty; ``empty`` is an empty file that replaces masked files; ``granted`` are
    paths that configuration opens.
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


def find_bubblewrap(environ: Mapping[str, str]) -> str | None:
    """Find the machine's bubblewrap; its absolute path, None without one."""
    folders = [*environ.get("PATH", "").split(":"), "/usr/bin"]
    candidates = (f"{folder}/bwrap" for folder in folders if folder.startswith("/"))
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


def probe_bubblewrap(executable: str | None, *, root: bool | None = None) -> Bubblewrap | None:
    """Try to build a sandbox with the bubblewrap at this absolute path (6 ms); None if that fails.

    ``root`` is whether the caller is root (None: find out).
    """
    return begin_bubblewrap_probe(executable, root=root)()


def begin_bubblewrap_probe(executable: str | None, *, root: bool | None = None) -> Callable[[], Bubblewrap | None]:
    """Start ``probe_bubblewrap``; call the returned function once to wait for the result.

    Root's first attempt is a user namespace with root's rights over its own files. The next one uses the caller's own
    rights, the last a user namespace, which root needs without capabilities.
    """
    attempts: list[tuple[str, ...]] = [(), ("--unshare-user",)]
    if os.geteuid() == 0 if root is None else root:
        attempts.insert(0, AS_ROOT)
    first = _start_probe(executable, *attempts[0]) if executable is not None and os.access(SHELL, os.X_OK) else None

    def end() -> Bubblewrap | None:
        if executable is None or first is None:
            return None
        if _has_succeeded(first):
            return Bubblewrap(executable, attempts[0])
        for options in attempts[1:]:
            process = _start_probe(executable, *options)
            if process is not None and _has_succeeded(process):
                return Bubblewrap(executable, options)
        return None

    return end


def _start_probe(executable: str, *options: str) -> subprocess.Popen[bytes] | None:
    # Killed in its first millisecond, bubblewrap leaves a child that waits for it forever. This one ends by itself, so
    # it is bound neither to the gate's life nor to its terminal.
    argv = [executable, *_BASE, *options, "--unshare-net", *_ROOT, "--", SHELL, "-c", ":"]
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={},
            start_new_session=True,
        )
    except OSError:
        return None


def _has_succeeded(process: subprocess.Popen[bytes]) -> bool:
    pidfd = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        if not poll.poll(_PROBE_TIMEOUT_MS):
            process.kill()
        return process.wait() == 0
    finally:
        os.close(pidfd)


def choose_sandbox(policy: str, found: Bubblewrap | None) -> Bubblewrap | None:
    """Choose the sandbox under ``require``, ``prefer`` or ``off``; None means no sandbox.

    Raises ExecutionError if one is required and there is none, UsageError for another policy.
    """
    if policy == "off":
        return None
    if policy not in {"require", "prefer"}:
        raise UsageError(f"unknown sandbox policy {policy!r}", hint="one of require, prefer, off")
    if policy == "require" and found is None:
        raise ExecutionError(
            "the profile requires a sandbox, and bubblewrap is missing or can't work here",
            hint="install bubblewrap and allow user namespaces, or set the profile's sandbox to prefer; gate doctor",
        )
    return found


def report_sandbox(found: Bubblewrap | None, policy: SandboxPolicy) -> SandboxReport:
    """Report what is enforced for an adapter that declares ``policy``."""
    if found is not None:
        return SandboxReport("bubblewrap", network=policy.network, read_only=policy.read_only)
    missing = ["filesystem", *([] if policy.network else ["network"]), "pid-namespace"]
    if policy.read_only:
        missing.append("read-only")
    return SandboxReport("process-group", network=True, read_only=False, missing=tuple(missing))


def find_secret_stores(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Find where this machine stores secrets, and the gate its key and cache; existing paths, links resolved."""
    # Without a repository: a folder that the gate refuses as its own may still hold secrets.
    own = UserFolders(environ)
    home, config = environ.get("HOME", ""), resolve_base_folder(environ, CONFIG)
    candidates = [folder for folder in (own.state(), own.cache()) if folder is not None]
    for variable, names in _SECRETS_IN_HOMES.items():
        if environ.get(variable, "").startswith("/"):
            candidates += [f"{environ[variable]}/{name}" for name in names]
    if home.startswith("/"):
        candidates += [f"{home}/{store}" for store in _SECRET_STORES]
        candidates += [f"{config}/{s.removeprefix('.config/')}" for s in _SECRET_STORES if s.startswith(".config/")]
    found = {os.path.realpath(path) for path in candidates if os.path.exists(path)}  # noqa: PTH110
    return tuple(sorted(found))


def launch_in_sandbox(
    bubblewrap: Bubblewrap, confinement: Confinement, argv: Sequence[str], memory_mb: int | None
) -> Launch:
    """Run ``argv`` inside a sandbox. ``memory_mb`` bounds the data of each process (RLIMIT_DATA), in MiB."""
    limit = "unlimited" if memory_mb is None else str(memory_mb * 1024)
    # The options last: they add capabilities to none.
    vector = (bubblewrap.path, *_build_options(confinement), *bubblewrap.options)
    return Launch((*vector, "--", SHELL, "-c", GUARD, "verigate", limit, *argv), Containment.NAMESPACE)


def launch_under_supervisor(python: str, argv: Sequence[str], cwd: str, memory_mb: int | None) -> Launch:
    """Run ``argv`` below a supervisor in ``python``: it holds the processes together and enforces nothing else."""
    script = str(Path(__file__).with_name("supervise.py"))
    limit = str((memory_mb or 0) * 1024)
    return Launch((python, "-I", "-S", script, cwd, limit, *argv), Containment.SUPERVISOR)


def _build_options(confinement: Confinement) -> Iterable[str]:
    yield "--die-with-parent"
    yield from _BASE
    if not confinement.network:
        yield "--unshare-net"
    yield from _ROOT
    covered = (*_list_hidden(), *confinement.masked)
    yield from _hide(confinement)
    yield from _open(confinement, covered, masked=False)
    yield from _mask(confinement, confinement.masked)
    yield from _open(confinement, covered, masked=True)
    shown: list[str] = []
    for path in sorted({path for path in confinement.visible if _is_below(path, covered)}):
        if not _is_below(path, shown):
            shown.append(path)
            yield from ("--ro-bind-try", path, path)
    # A folder that is shown again shows its secrets again.
    open_now = {*shown, *(path.target for path in confinement.granted)}
    again = [path for path in confinement.masked if _is_below(path, shown) and path not in open_now]
    yield from _mask(confinement, again)
    yield from _mount(confinement)
    for path in confinement.writable:
        yield from ("--bind", path, path)
    for granted in confinement.granted:
        if granted.at_home is not None:
            yield from ("--bind" if granted.writable else "--ro-bind", granted.source, granted.at_home)
    yield from _link(confinement)
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
        nested = [path for path in confinement.masked if path not in opened and _is_below(path, opened)]
        yield from _mask(confinement, nested)


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


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)
