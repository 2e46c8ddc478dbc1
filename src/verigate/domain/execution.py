"""Values of a subprocess: the invocation, its outcome, and the run of a capability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.artifact import Artifact

if TYPE_CHECKING:
    from verigate.domain.grants import Grant


class Invocation(Struct, frozen=True):
    """A process to start. ``argv`` is a vector, never a shell line; ``timeout_s`` in seconds.

    ``env`` is the whole environment. stdin is closed. Of each stream at most ``stream_limit`` bytes are kept.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    timeout_s: float
    stream_limit: int = 1_048_576
    memory_mb: int | None = None

    def __repr__(self) -> str:
        """Leave out the environment, which may contain secrets."""
        return f"Invocation({self.argv!r}, cwd={self.cwd!r}, timeout_s={self.timeout_s!r})"


class Outcome(Struct, frozen=True):
    """How a process ended. Exactly one of ``exit_code`` and ``signal`` is set once it has run."""

    exit_code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    duration_s: float = 0.0
    stdout_bytes: int = 0
    stderr_bytes: int = 0
    leftover_processes: int = 0

    @property
    def ok(self) -> bool:
        """Whether it exited with 0, in time and without a signal."""
        return self.exit_code == 0 and not self.timed_out and self.signal is None


BUBBLEWRAP, NAMESPACES, LANDLOCK = "bubblewrap", "namespaces", "landlock"


class SandboxReport(Struct, frozen=True):
    """The sandbox in force: ``mechanism`` is BUBBLEWRAP, NAMESPACES, LANDLOCK or ``process-group``.

    ``missing`` is what it doesn't hold, or closes too much, ``absent`` what of that was granted and isn't on this
    machine; ``granted`` what the repository's configuration opened.
    """

    mechanism: str
    network: bool
    read_only: bool
    missing: tuple[str, ...] = ()
    granted: tuple[Grant, ...] = ()
    absent: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether the call saw a machine of its own, with the subject at the repository's path."""
        return self.mechanism in {BUBBLEWRAP, NAMESPACES}


class Failure(Struct, frozen=True):
    """Why a capability's evidence isn't usable. ``reason`` is a reason code of the contracts."""

    reason: str
    message: str
    hint: str | None = None


class CapabilityRun(Struct, frozen=True):
    """The finished run of one capability. A run with a ``failure`` publishes no artifacts.

    ``project_environment`` are the machine's settings under which the project's programs ran: time zone, locale, ...
    """

    capability: str
    required: bool
    adapter: str | None = None
    adapter_version: str | None = None
    manifest_digest: str | None = None
    argv: tuple[str, ...] = ()
    outcome: Outcome | None = None
    failure: Failure | None = None
    artifacts: tuple[Artifact, ...] = ()
    sandbox: SandboxReport | None = None
    tools_missing: tuple[str, ...] = ()
    subject_changes: tuple[str, ...] = ()
    cached: bool = False
    reasons: tuple[str, ...] = ()
    project_environment: Mapping[str, str] = {}
