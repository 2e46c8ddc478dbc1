"""What every run needs of the machine first, begun while the gate is still being loaded.

Finding the subject and writing its checkout takes git as long as loading takes the gate, on another core.
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

from msgspec import Struct

from verigate.domain.subject import SubjectKind
from verigate.processes import supervise
from verigate.processes.sandbox import Bubblewrap, begin_bubblewrap_probe, find_bubblewrap
from verigate.subject.workspace import RunWorkspace, open_workspace

_SWITCH_S = 0.0005
"""How long one thread may keep the interpreter to itself; by default 5 ms, as long as git takes for an answer.

Much less costs more processor for switching than the other thread gains.
"""


class WantedSubject(Struct, frozen=True):
    """Which subject will be asked for, as ``open_workspace`` takes it."""

    kind: SubjectKind
    ref: str | None
    base: str | None


class Prefetched:
    """A workspace that is being opened in another thread, and the sandbox that works here.

    ``bubblewrap`` waits for the answer.
    """

    def __init__(self, root: str | os.PathLike[str], wanted: WantedSubject, environ: Mapping[str, str]) -> None:
        self.bubblewrap: Callable[[], Bubblewrap | None] = cache(begin_bubblewrap_probe(find_bubblewrap(environ)))
        # The probe among them: it ends by itself, and killed it would leave a child.
        self._strangers = frozenset(supervise.list_children(os.getpid()))
        self._root = os.fspath(root)
        self._wanted = wanted
        self._environ = environ
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
        meanwhile: Iterator[None] | None = None,
    ) -> Iterator[RunWorkspace]:
        """What ``open_workspace`` does: with the workspace that was opened ahead if it is the one that is wanted.

        That one is removed by ``close``: whoever waits for the verdict needn't wait for its removal. ``meanwhile`` is
        other work, done step by step until it is there.
        """
        if self._root != os.fspath(root) or self._wanted != WantedSubject(kind, ref, base):
            opened = open_workspace(
                root, kind=kind, ref=ref, base=base, environ=self._environ, gate_prefix=sys.prefix, meanwhile=meanwhile
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
            raise ValueError("a workspace can be had once")
        workspace, self._workspace = self._workspace, None
        yield workspace

    def close(self) -> None:
        """Leave nothing behind, neither a process nor a folder."""
        while self._thread.is_alive():
            for child in frozenset(supervise.list_children(os.getpid())) - self._strangers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            self._thread.join(_SWITCH_S)
        self._stack.close()
        self.bubblewrap()

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
                )
            )
            # What takes longest is done when it is first asked for.
            _ = self._workspace.policy_root
        except BaseException as error:  # noqa: BLE001 - raised again where the workspace is asked for
            self._error = error


@contextmanager
def prefetch(root: str | os.PathLike[str], wanted: WantedSubject, environ: Mapping[str, str]) -> Iterator[Prefetched]:
    """Begin what a verification of ``root`` will ask for; nothing is left of it at the end."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    ahead = Prefetched(root, wanted, environ)
    try:
        yield ahead
    finally:
        ahead.close()
        sys.setswitchinterval(interval)
