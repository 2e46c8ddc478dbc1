"""Prefetch what every run needs first, while the gate is still being loaded.

git resolves the subject and writes its checkout on another core in the time that loading the gate takes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.policy_source import JUDGED, PolicyWanted
from verigate.domain.subject import SubjectKind
from verigate.processes import supervise
from verigate.processes.sandbox import Sandbox, begin_sandbox_probe, find_bubblewrap
from verigate.subject.workspace import RunWorkspace, open_workspace

if TYPE_CHECKING:
    from verigate.subject.verified_packs import ObjectRecords

_SWITCH_S = 0.0005
"""Seconds until a thread must yield the interpreter; the default of 5 ms is as long as an answer of git takes.

Much less costs more processor time for switching than the other thread gains.
"""


class WantedSubject(Struct, frozen=True):
    """The subject that will be requested, as ``open_workspace`` takes it."""

    kind: SubjectKind
    ref: str | None
    base: str | None
    policy: PolicyWanted = JUDGED


class Prefetched:
    """A workspace that is being opened in another thread, and the working sandbox.

    ``sandbox`` waits for the probe.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        wanted: WantedSubject,
        environ: Mapping[str, str],
        open_records: Callable[[], ObjectRecords | None] | None = None,
    ) -> None:
        self.sandbox: Callable[[], Sandbox | None] = cache(
            begin_sandbox_probe(find_bubblewrap(environ), sys.executable)
        )
        # Exempt the probe: it ends by itself, and killed it would leave a child.
        self._strangers = frozenset(supervise.list_children(os.getpid()))
        self._root = os.fspath(root)
        self._wanted = wanted
        self._environ = environ
        self._open_records = open_records
        self._stack = ExitStack()
        self._workspace: RunWorkspace | None = None
        self._error: BaseException | None = None
        self._thread = Thread(target=self._open, name="workspace")
        self._thread.start()

    @contextmanager
    def workspace(
        self,
        root: str | os.PathLike[str],
        *,
        kind: SubjectKind = SubjectKind.WORKTREE,
        ref: str | None = None,
        base: str | None = None,
        policy: PolicyWanted = JUDGED,
        meanwhile: Iterator[None] | None = None,
    ) -> Iterator[RunWorkspace]:
        """Open a workspace as ``open_workspace`` does, or return the prefetched one if it matches.

        ``close`` removes the prefetched one, so that the verdict doesn't wait for its removal. ``meanwhile`` is other
        work, done step by step until the workspace is open.
        """
        if self._root != os.fspath(root) or self._wanted != WantedSubject(kind, ref, base, policy):
            opened = open_workspace(
                root,
                kind=kind,
                ref=ref,
                base=base,
                environ=self._environ,
                gate_prefix=sys.prefix,
                meanwhile=meanwhile,
                policy=policy,
                open_records=self._open_records,
            )
            with opened as workspace:
                yield workspace
            return
        while self._thread.is_alive() and meanwhile is not None and next(meanwhile, self) is not self:
            pass
        self._thread.join()
        if self._error is not None:
            raise self._error
        if self._workspace is None:
            raise ValueError("the workspace can be taken only once")
        workspace, self._workspace = self._workspace, None
        yield workspace

    def close(self) -> None:
        """Close every process and folder."""
        while self._thread.is_alive():
            for child in frozenset(supervise.list_children(os.getpid())) - self._strangers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            self._thread.join(_SWITCH_S)
        self._stack.close()
        self.sandbox()

    def _open(self) -> None:
        wanted = self._wanted
        try:
            self._workspace = self._stack.enter_context(
                open_workspace(
                    self._root,
                    kind=wanted.kind,
                    ref=wanted.ref,
                    base=wanted.base,
                    environ=self._environ,
                    gate_prefix=sys.prefix,
                    policy=wanted.policy,
                    open_records=self._open_records,
                )
            )
            # The slowest parts are created on first use: use them now.
            _ = self._workspace.policy_root
            _ = self._workspace.names
        except BaseException as error:  # noqa: BLE001 - raised again where the workspace is asked for
            self._error = error


@contextmanager
def prefetch(
    root: str | os.PathLike[str],
    wanted: WantedSubject,
    environ: Mapping[str, str],
    open_records: Callable[[], ObjectRecords | None] | None = None,
) -> Iterator[Prefetched]:
    """Begin what a verification of ``root`` will request; close all of it at the end.

    ``open_records`` is as in ``open_workspace``.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    ahead = Prefetched(root, wanted, environ, open_records)
    try:
        yield ahead
    finally:
        ahead.close()
        sys.setswitchinterval(interval)
