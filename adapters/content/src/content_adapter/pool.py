"""Worker processes that read files beside each other, each of them one at a time.

Memory doesn't grow with the number of files: what was found leaves in the order of the paths, and who is far ahead
waits. A parser's crash or its endless loop is the trouble of one file, which is then named.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, cast

from verigate.sdk import AdapterError, path_text

DEADLINE_S = 60.0
"""How long one file may take."""

MOST_WORKERS = 8
_MOST_AT_ONCE = 64
"""Files that a worker is given at once. What it found it tells every ``_TOLD_AFTER_NS``."""

_TOLD_AFTER_NS = 20_000_000
_MOST_AHEAD = 16
"""Portions that may be read beyond one that isn't finished, for each worker."""

_MEMORY_BYTES = 4 << 30
_HINT = 'leave it out with "exclude" of the content adapter in config/adapters.json'

Work = Callable[[str], Any]


@dataclass(slots=True)
class _Portion:
    """Some of the paths, and what was found in the first of them."""

    paths: Sequence[str] = ()
    found: list[Any] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return len(self.found) == len(self.paths)


@dataclass(slots=True)
class _Worker:
    """``now`` is memory that both processes see: which path of the portion is read, and since when (monotonic ns)."""

    process: BaseProcess
    pipe: Connection
    now: memoryview[int]
    portion: _Portion = field(default_factory=_Portion)

    @property
    def path(self) -> str:
        return self.portion.paths[self.now[0]]


def each(paths: Collection[str], work: Work, *, deadline_s: float = DEADLINE_S) -> Iterator[tuple[str, Any]]:
    """(path, ``work(path)``) for each path, in their order.

    Raises AdapterError, which names the file, where ``work`` raises one, dies, or takes longer than ``deadline_s``.
    """
    workers: list[_Worker] = []
    try:
        for _ in range(min(_processors(), len(paths))):
            workers.append(_start(work, [worker.pipe for worker in workers]))
        size = max(1, min(_MOST_AT_ONCE, len(paths) // (4 * (len(workers) or 1))))
        for portion in _in_order(_portions(paths, size), workers, deadline_s):
            yield from zip(portion.paths, portion.found, strict=True)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _portions(paths: Iterable[str], size: int) -> Iterator[_Portion]:
    rest = iter(paths)
    while some := list(islice(rest, size)):
        yield _Portion(some)


def _in_order(portions: Iterator[_Portion], workers: Sequence[_Worker], deadline_s: float) -> Iterator[_Portion]:
    under_way: list[_Portion] = []
    while True:
        while under_way and under_way[0].finished:
            yield under_way.pop(0)
        for worker in workers:
            if worker.portion.finished and len(under_way) < _MOST_AHEAD * len(workers):
                under_way += _handed_over(worker, portions)
        if not under_way:
            return
        busy = {worker.pipe: worker for worker in workers if not worker.portion.finished}
        for pipe in wait(list(busy), timeout=min(1.0, deadline_s)):
            worker = busy.pop(cast("Connection", pipe))
            worker.portion.found += _received(worker)
        for worker in busy.values():
            if time.monotonic_ns() - worker.now[1] > deadline_s * 1e9:
                raise AdapterError(
                    f"reading it took longer than {deadline_s:g} s", where=path_text(worker.path), hint=_HINT
                )


def _processors() -> int:
    return min(len(os.sched_getaffinity(0)), MOST_WORKERS)


def _start(work: Work, others: Sequence[Connection]) -> _Worker:
    # Forked: what was imported is there, and nothing has to be passed but paths. This process has no other thread.
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    now = memoryview(mmap.mmap(-1, 16)).cast("q")
    process = context.Process(target=_serve, args=(theirs, work, (*others, ours), now), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, now)


def _handed_over(worker: _Worker, portions: Iterator[_Portion]) -> Iterator[_Portion]:
    portion = next(portions, None)
    if portion is None:
        return
    worker.portion = portion
    worker.now[0], worker.now[1] = 0, time.monotonic_ns()
    try:
        worker.pipe.send(portion.paths)
    except OSError:
        raise _crashed(worker) from None
    yield portion


def _received(worker: _Worker) -> list[Any]:
    try:
        found, fault = worker.pipe.recv()
    except (EOFError, OSError):
        raise _crashed(worker) from None
    if fault is not None:
        raise fault
    return list(found)


def _crashed(worker: _Worker) -> AdapterError:
    worker.process.join(timeout=5)
    ended = worker.process.exitcode
    how = f"signal {-ended}" if ended is not None and ended < 0 else f"exit code {ended}"
    return AdapterError(f"its parser ended with {how}", where=path_text(worker.path), hint=_HINT)


def _serve(pipe: Connection, work: Work, others: Sequence[Connection], now: memoryview[int]) -> None:
    # Else no worker would see that this adapter is gone.
    for other in others:
        other.close()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    bound = _MEMORY_BYTES if most == resource.RLIM_INFINITY else min(most, _MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (bound, most))
    while True:
        try:
            paths = pipe.recv()
        except EOFError:
            return
        found: list[Any] = []
        told = time.monotonic_ns()
        for place, path in enumerate(paths):
            now[0], now[1] = place, time.monotonic_ns()
            if found and now[1] - told > _TOLD_AFTER_NS:
                pipe.send((found, None))
                found, told = [], now[1]
            try:
                found.append(work(path))
            except AdapterError as error:
                pipe.send((found, error))
                return
            except (MemoryError, RecursionError) as error:
                why = "needs too much memory" if isinstance(error, MemoryError) else "is nested too deeply"
                pipe.send((found, AdapterError(why, where=path_text(path), hint=_HINT)))
                return
        pipe.send((found, None))
