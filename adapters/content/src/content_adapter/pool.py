"""Worker processes, each with one file at a time: memory doesn't grow with their number, and a parser's crash or its
endless loop is the trouble of one file, which is then named.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from verigate.sdk import AdapterError, path_text

DEADLINE_S = 60.0
"""How long one file may take."""

MOST_WORKERS = 8
_MEMORY_BYTES = 4 << 30
_HINT = 'leave it out with "exclude" of the content adapter in config/adapters.json'

Work = Callable[[str], Any]


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    path: str = ""
    since: float = 0.0


def each(paths: Sequence[str], work: Work, *, deadline_s: float = DEADLINE_S) -> Iterator[tuple[str, Any]]:
    """(path, ``work(path)``) for each path, in no order.

    Raises AdapterError, which names the file, where ``work`` raises one, dies, or takes longer than ``deadline_s``.
    """
    pending = list(reversed(paths))
    workers: list[_Worker] = []
    try:
        for _ in range(min(_processors(), len(pending))):
            workers.append(_start(work, [worker.pipe for worker in workers]))
        busy = [worker for worker in workers if _hand_over(worker, pending)]
        while busy:
            ready = wait([worker.pipe for worker in busy], timeout=1.0)
            for worker in tuple(busy):
                if worker.pipe in ready:
                    yield worker.path, _received(worker)
                    if not _hand_over(worker, pending):
                        busy.remove(worker)
                elif time.monotonic() - worker.since > deadline_s:
                    raise AdapterError(
                        f"reading it took longer than {deadline_s:g} s", where=path_text(worker.path), hint=_HINT
                    )
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _processors() -> int:
    return min(len(os.sched_getaffinity(0)), MOST_WORKERS)


def _start(work: Work, others: Sequence[Connection]) -> _Worker:
    # Forked: what was imported is there, and nothing has to be passed but paths. This process has no other thread.
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work, (*others, ours)), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _hand_over(worker: _Worker, pending: list[str]) -> bool:
    if not pending:
        return False
    worker.path, worker.since = pending.pop(), time.monotonic()
    try:
        worker.pipe.send(worker.path)
    except OSError:
        raise _crashed(worker) from None
    return True


def _received(worker: _Worker) -> Any:
    try:
        value, fault = worker.pipe.recv()
    except (EOFError, OSError):
        raise _crashed(worker) from None
    if fault is not None:
        raise fault
    return value


def _crashed(worker: _Worker) -> AdapterError:
    worker.process.join(timeout=5)
    ended = worker.process.exitcode
    how = f"signal {-ended}" if ended is not None and ended < 0 else f"exit code {ended}"
    return AdapterError(f"its parser ended with {how}", where=path_text(worker.path), hint=_HINT)


def _serve(pipe: Connection, work: Work, others: Sequence[Connection]) -> None:
    # Else no worker would see that this adapter is gone.
    for other in others:
        other.close()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    bound = _MEMORY_BYTES if most == resource.RLIM_INFINITY else min(most, _MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (bound, most))
    while True:
        try:
            path = pipe.recv()
        except EOFError:
            return
        answer: tuple[Any, AdapterError | None]
        try:
            answer = (work(path), None)
        except AdapterError as error:
            answer = (None, error)
        except (MemoryError, RecursionError) as error:
            told = "needs too much memory" if isinstance(error, MemoryError) else "is nested too deeply"
            answer = (None, AdapterError(told, where=path_text(path), hint=_HINT))
        pipe.send(answer)
