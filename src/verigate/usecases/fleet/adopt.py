"""Publish what a worker delivered, and was checked, as if it had been verified here."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verigate.domain.verdict_chain import ChainEntry
from verigate.errors import GateError, LockedError
from verigate.evidence.adoption import publish_copy
from verigate.evidence.lock import task_lock
from verigate.evidence.store import Published, artifacts_folder, task_folder
from verigate.evidence.verdict_chain import append_verdict, explain_failure

_PATIENCE_S = 30.0
_AGAIN_S = 0.1


def adopt(
    root: Path,
    environ: Mapping[str, str],
    published: Published,
    now: Callable[[], str],
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[str, ...]:
    """Publish the sealed folder of a task at ``root``, and add its verdict to the task's chain; return warnings.

    The chain has the moment of that, ``now``: of verdicts that are made at the same time the first may be added last.
    Waits for another run of the task to end. Raises LockedError if that takes longer than half a minute.
    """
    verdict = published.verdict
    task_id = str(verdict["task_id"])
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            with _held_signals(), task_lock(artifacts_folder(root), task_id):
                return _publish(root, environ, published, task_id, now())
        except LockedError:
            if time.monotonic() > deadline:
                raise
            sleep(_AGAIN_S)


@contextmanager
def _held_signals() -> Iterator[None]:
    """Hold back what interrupts the gate until a task is published as a whole. Handlers belong to the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    own = {number: handler for number, handler in before.items() if callable(handler)}
    for number in own:
        signal.signal(number, lambda received, _: held.append(received))
    try:
        yield
    finally:
        for number, handler in own.items():
            signal.signal(number, handler)
    if held:
        raise KeyboardInterrupt


def _publish(
    root: Path, environ: Mapping[str, str], published: Published, task_id: str, moment: str
) -> tuple[str, ...]:
    verdict: Mapping[str, Any] = published.verdict
    digest = publish_copy(task_folder(root, task_id), published)
    entry = ChainEntry("", 0, task_id, str(verdict["status"]), digest, str(verdict["subject"]["tree"]), moment)
    try:
        return append_verdict(root, environ, entry)
    except GateError as problem:
        return (explain_failure(problem),)
