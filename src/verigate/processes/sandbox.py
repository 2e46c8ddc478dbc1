"""Sandboxes: which one works on this machine, what it enforces, and how a program starts in it.

Sources: bwrap(1), landlock(7). What a program sees inside is decided in ``sandbox_view.py``.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.execution import BUBBLEWRAP, LANDLOCK, NAMESPACES, SandboxReport
from verigate.errors import ExecutionError, UsageError
from verigate.processes.job import FILTER, Containment, Launch
from verigate.processes.sandbox_view import BASE, ROOT, Confinement, build_options
from verigate.processes.seccomp import build_filter
from verigate.user_folders import CONFIG, UserFolders, resolve_base_folder

if TYPE_CHECKING:
    from verigate.domain.manifest import SandboxPolicy

SHELL = "/bin/sh"
_TRUNCATE_SINCE, _SCOPES_SINCE = 3, 6
"""Versions of Landlock: before, files could be cut off, and processes outside be signalled."""

_PROBE_TIMEOUT_MS = 5000
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
    *(".bash_history", ".zsh_history", ".python_history", ".pgpass", ".my.cnf", ".mylogin.cnf", ".config/rclone"),
    *(".ivy2/.credentials", ".sbt/.credentials", ".cabal/config", ".julia/servers", ".pub-cache/credentials.json"),
    *(".hex/hex.config", ".composer/auth.json", ".config/composer/auth.json", ".bundle/config", ".nuget/NuGet"),
)
"""Masked where a wider grant or a toolchain's folder shows them. What is shown of a home ``home_view`` decides."""

_SECRET_FILES = ("GATE_REMOTE_CACHE_KEY", "GATE_REMOTE_CERTIFICATE_KEY", "GATE_REMOTE_TOKEN_FILE")
"""Variables with paths of files: keys and a token for servers of results."""

_SECRETS_IN_HOMES = {
    "CARGO_HOME": ("credentials", "credentials.toml"),
    "GRADLE_USER_HOME": ("gradle.properties",),
}
"""Files below a folder that the caller's environment names in the place of one in its home."""

GUARD = """\
ulimit -S -c 0
ulimit -d "$1" || exit 125
{ ulimit -p 4096 || ulimit -u 4096; } 2>/dev/null
shift
echo ready >&0
read -r go || exit 125
exec 3>&2 2>/dev/null
(exec "$@" </dev/null 2>&3 3>&-)
code=$?
left=0
for process in /proc/[0-9]*; do
  [ "$process" = "/proc/$$" ] || {
    read -r line <"$process/stat" && case $line in *') Z '*) ;; *) left=$((left + 1)) ;; esac
  }
done
echo "exit $code $left" >&0
exit "$code"
"""
"""The parent of the adapter and process 1 of its namespace; its own output ("Killed") is kept apart from the adapter's.

It starts nothing before the gate has answered: bubblewrap binds itself to the gate's life only after some milliseconds,
and doesn't notice that the gate has died before.
"""


class Bubblewrap(Struct, frozen=True):
    """A working bubblewrap: its absolute path and the options it needs on this machine.

    ``program`` is empty, or makes ``path`` an interpreter that builds the same by user namespaces (``namespaces.py``).
    """

    path: str
    options: tuple[str, ...] = ()
    program: tuple[str, ...] = ()

    @property
    def mechanism(self) -> str:
        """Its name in reports."""
        return NAMESPACES if self.program else BUBBLEWRAP


class Landlock(Struct, frozen=True):
    """A kernel whose Landlock works: the version of its interface, and the interpreter that applies it."""

    abi: int
    python: str


Sandbox = Bubblewrap | Landlock


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
    first = (
        _start_probe(executable, options=attempts[0]) if executable is not None and os.access(SHELL, os.X_OK) else None
    )

    def end() -> Bubblewrap | None:
        if executable is None or first is None:
            return None
        if _has_succeeded(first):
            return Bubblewrap(executable, attempts[0])
        for options in attempts[1:]:
            process = _start_probe(executable, options=options)
            if process is not None and _has_succeeded(process):
                return Bubblewrap(executable, options)
        return None

    return end


def begin_sandbox_probe(executable: str | None, python: str) -> Callable[[], Sandbox | None]:
    """Start looking for the best sandbox; call the returned function once to wait for the result.

    bubblewrap at ``executable`` is tried first, then user namespaces alone, then Landlock, by the interpreter
    ``python``.
    """
    wait = begin_bubblewrap_probe(executable)
    return lambda: wait() or probe_namespaces(python) or probe_landlock(python)


def probe_sandbox(executable: str | None, python: str) -> Sandbox | None:
    """Find the best sandbox that works here; None without one."""
    return begin_sandbox_probe(executable, python)()


def probe_namespaces(python: str) -> Bubblewrap | None:
    """Try to build the same by user namespaces, with an interpreter in bubblewrap's place; None if that fails."""
    program = ("-I", "-S", str(Path(__file__).with_name("namespaces.py")))
    options = AS_ROOT if os.geteuid() == 0 else ("--unshare-user",)
    if not os.access(SHELL, os.X_OK):
        return None
    process = _start_probe(python, *program, options=options)
    works = process is not None and _has_succeeded(process)
    return Bubblewrap(python, options, program) if works else None


def probe_landlock(python: str) -> Landlock | None:
    """Find this kernel's Landlock; None without one."""
    from verigate.processes import landlock  # where nothing better works

    abi = landlock.find_abi()
    return Landlock(abi, python) if abi else None


def _start_probe(executable: str, *program: str, options: Sequence[str] = ()) -> subprocess.Popen[bytes] | None:
    # Killed in its first millisecond, bubblewrap leaves a child that waits for it forever. This one ends by itself, so
    # it is bound neither to the gate's life nor to its terminal.
    argv = [executable, *program, *BASE, *options, "--unshare-net", *ROOT, "--", SHELL, "-c", ":"]
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


def quote_bubblewrap_error(executable: str) -> str:
    """Quote the last line that bubblewrap prints where it doesn't work; "" if it prints nothing, or works."""
    argv = (executable, *BASE, "--unshare-net", *ROOT, "--", SHELL, "-c", ":")
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, cwd="/", env={}, timeout=_PROBE_TIMEOUT_MS / 1000,
            check=False, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        return error.strerror or ""
    except subprocess.TimeoutExpired:
        return "it didn't end"
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines and done.returncode else ""


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


def choose_sandbox(policy: str, found: Sandbox | None) -> Sandbox | None:
    """Choose the sandbox under ``require``, ``prefer`` or ``off``; None means no sandbox.

    Raises ExecutionError if one is required and there is none that holds everything, UsageError for another policy.
    """
    if policy == "off":
        return None
    if policy not in {"require", "prefer"}:
        raise UsageError(f"unknown sandbox policy {policy!r}", hint="one of require, prefer, off")
    if policy == "require" and not isinstance(found, Bubblewrap):
        problem = "bubblewrap is missing or can't work here, and neither can user namespaces"
        if found is not None:
            problem += f"; Landlock alone doesn't hold {', '.join(_list_lacks(found, network=False))}"
        raise ExecutionError(
            f"the profile requires a sandbox, and {problem}",
            hint="gate doctor says which of both is missing and how to get it; or set the profile's sandbox to prefer",
        )
    return found


def report_sandbox(found: Sandbox | None, policy: SandboxPolicy) -> SandboxReport:
    """Report what is enforced for an adapter that declares ``policy``."""
    if isinstance(found, Bubblewrap):
        filtered = () if build_filter(os.uname().machine) else ("system-calls",)
        return SandboxReport(found.mechanism, policy.network, policy.read_only, missing=filtered)
    if found is not None:
        lacks = _list_lacks(found, network=policy.network)
        return SandboxReport(LANDLOCK, "network" in lacks or policy.network, policy.read_only, missing=lacks)
    missing = ["filesystem", *([] if policy.network else ["network"]), "pid-namespace"]
    if policy.read_only:
        missing.append("read-only")
    return SandboxReport("process-group", network=True, read_only=False, missing=tuple(missing))


def _list_lacks(landlock: Landlock, *, network: bool) -> tuple[str, ...]:
    """List what Landlock leaves open, or closes too much, for an adapter with or without a network."""
    filtered = bool(build_filter(os.uname().machine))
    lacks = {
        "pid-namespace": True,
        "file-attributes": True,
        "sockets": True,
        "loopback": not network,
        "network": not network and not filtered,
        "filesystem": landlock.abi < _TRUNCATE_SINCE,
        "signals": landlock.abi < _SCOPES_SINCE,
        "system-calls": not filtered,
    }
    return tuple(name for name, lacking in lacks.items() if lacking)


def find_secret_stores(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Find where this machine stores secrets, and the gate its key and cache; existing paths, links resolved."""
    # Without a repository: a folder that the gate refuses as its own may still hold secrets.
    own = UserFolders(environ)
    home, config = environ.get("HOME", ""), resolve_base_folder(environ, CONFIG)
    named = (environ.get(variable) for variable in _SECRET_FILES)
    candidates = [path for path in (own.state(), own.cache(), *named) if path]
    for variable, names in _SECRETS_IN_HOMES.items():
        if environ.get(variable, "").startswith("/"):
            candidates += [f"{environ[variable]}/{name}" for name in names]
    if home.startswith("/"):
        candidates += [f"{home}/{store}" for store in _SECRET_STORES]
        candidates += [f"{config}/{s.removeprefix('.config/')}" for s in _SECRET_STORES if s.startswith(".config/")]
    found = {os.path.realpath(path) for path in candidates if os.path.exists(path)}
    return tuple(sorted(found))


def launch_in_sandbox(
    bubblewrap: Bubblewrap, confinement: Confinement, argv: Sequence[str], memory_mb: int | None
) -> Launch:
    """Run ``argv`` inside a sandbox. ``memory_mb`` bounds the data of each process (RLIMIT_DATA), in MiB.

    In a user namespace of its own, processes are counted by it, so that their number is bounded too; but not root's.
    """
    limit = "unlimited" if memory_mb is None else str(memory_mb * 1024)
    # The options last: they add capabilities to none.
    vector = (bubblewrap.path, *bubblewrap.program, *build_options(confinement), *bubblewrap.options)
    guarded = (*vector, "--seccomp", FILTER, "--", SHELL, "-c", GUARD, "verigate", limit, *argv)
    return Launch(guarded, Containment.NAMESPACE, build_filter(os.uname().machine))


def launch_under_supervisor(python: str, argv: Sequence[str], cwd: str, memory_mb: int | None) -> Launch:
    """Run ``argv`` below a supervisor in ``python``: it holds the processes together and enforces nothing else."""
    script = str(Path(__file__).with_name("supervise.py"))
    limit = str((memory_mb or 0) * 1024)
    return Launch((python, "-I", "-S", script, cwd, limit, *argv), Containment.SUPERVISOR)


def launch_under_landlock(
    landlock: Landlock, confinement: Confinement, argv: Sequence[str], memory_mb: int | None
) -> Launch:
    """Run ``argv`` below a supervisor, restricted by Landlock and seccomp; its checkout is ``confinement.root``."""
    from verigate.processes.landlock_view import build_landlock_options  # where nothing better works

    script = str(Path(__file__).with_name("landlock.py"))
    program = build_filter(os.uname().machine, internet=confinement.network, namespaces=False)
    options = (*build_landlock_options(confinement), *(("--seccomp", program.hex()) if program else ()))
    restricted = (landlock.python, "-I", "-S", script, *options, "--", *argv)
    return launch_under_supervisor(landlock.python, restricted, confinement.root, memory_mb)
