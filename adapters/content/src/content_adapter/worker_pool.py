"""Read files in parallel worker processes, each one file at a time.

Memory doesn't grow with the number of files: results are yielded in the order of the paths, and workers that are far
ahead wait. A parser's crash or endless loop is reported for the file that caused it.
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
"""Time limit for one file."""

MAX_WORKERS = 8
_MAX_BATCH = 64
"""Files per batch of a worker. Workers send their results every ``_SEND_INTERVAL_NS``."""

_SEND_INTERVAL_NS = 20_000_000
_MAX_BATCHES_AHEAD = 16
"""Batches per worker that may be read ahead of an unfinished one."""

_CLOSING_S = 10.0
_MEMORY_BYTES = 4 << 30
_HINT = 'exclude it with "exclude" of the content adapter in config/adapters.json'

Work = Callable[[str], Any]


@dataclass(slots=True)
class _Batch:
    """Some of the paths, and the results for the first of them."""

    paths: Sequence[str] = ()
    found: list[Any] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return len(self.found) == len(self.paths)


@dataclass(slots=True)
class _Worker:
    """``now`` is shared memory: the index of the path being read in the batch, and since when (monotonic ns)."""

    process: BaseProcess
    pipe: Connection
    now: memoryview[int]
    batch: _Batch = field(default_factory=_Batch)

    @property
    def path(self) -> str:
        return self.batch.paths[self.now[0]]


def map_paths(
    paths: Collection[str], work: Work, *, deadline_s: float = DEADLINE_S, close: Callable[[], None] | None = None
) -> Iterator[tuple[str, Any]]:
    """Yield (path, ``work(path)``) in the order of the paths. Each worker calls ``close`` at its end, if it is in time.

    Raises AdapterError with the file's name if ``work`` raises one, dies, or takes longer than ``deadline_s``.
    """
    workers: list[_Worker] = []
    try:
        for _ in range(min(_worker_count(), len(paths))):
            workers.append(_start_worker(work, [worker.pipe for worker in workers], close))
        size = max(1, min(_MAX_BATCH, len(paths) // (4 * (len(workers) or 1))))
        for batch in _run_in_order(_split_batches(paths, size), workers, deadline_s):
            yield from zip(batch.paths, batch.found, strict=True)
        if close is not None:
            # What a worker has started ends with its pipe.
            for worker in workers:
                worker.pipe.close()
            for worker in workers:
                worker.process.join(timeout=_CLOSING_S)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _split_batches(paths: Iterable[str], size: int) -> Iterator[_Batch]:
    rest = iter(paths)
    while some := list(islice(rest, size)):
        yield _Batch(some)


def _run_in_order(batches: Iterator[_Batch], workers: Sequence[_Worker], deadline_s: float) -> Iterator[_Batch]:
    unfinished: list[_Batch] = []
    while True:
        while unfinished and unfinished[0].finished:
            yield unfinished.pop(0)
        for worker in workers:
            if worker.batch.finished and len(unfinished) < _MAX_BATCHES_AHEAD * len(workers):
                unfinished += _send_batch(worker, batches)
        if not unfinished:
            return
        busy = {worker.pipe: worker for worker in workers if not worker.batch.finished}
        for pipe in wait(list(busy), timeout=min(1.0, deadline_s)):
            worker = busy.pop(cast("Connection", pipe))
            worker.batch.found += _receive_results(worker)
        for worker in busy.values():
            if time.monotonic_ns() - worker.now[1] > deadline_s * 1e9:
                raise AdapterError(
                    f"reading it took longer than {deadline_s:g} s", where=path_text(worker.path), hint=_HINT
                )


def _worker_count() -> int:
    return min(len(os.sched_getaffinity(0)), MAX_WORKERS)


def _start_worker(work: Work, others: Sequence[Connection], close: Callable[[], None] | None) -> _Worker:
    # Fork, so that imported modules are there and only paths are passed. This process has no other thread.
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    now = memoryview(mmap.mmap(-1, 16)).cast("q")
    process = context.Process(target=_run_worker, args=(theirs, work, (*others, ours), now, close), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, now)


def _send_batch(worker: _Worker, batches: Iterator[_Batch]) -> Iterator[_Batch]:
    batch = next(batches, None)
    if batch is None:
        return
    worker.batch = batch
    worker.now[0], worker.now[1] = 0, time.monotonic_ns()
    try:
        worker.pipe.send(batch.paths)
    except OSError:
        raise _crash_error(worker) from None
    yield batch


def _receive_results(worker: _Worker) -> list[Any]:
    try:
        found, fault = worker.pipe.recv()
    except (EOFError, OSError):
        raise _crash_error(worker) from None
    if fault is not None:
        raise fault
    return list(found)


def _crash_error(worker: _Worker) -> AdapterError:
    worker.process.join(timeout=5)
    ended = worker.process.exitcode
    how = f"signal {-ended}" if ended is not None and ended < 0 else f"exit code {ended}"
    return AdapterError(f"its parser ended with {how}", where=path_text(worker.path), hint=_HINT)


def _run_worker(
    pipe: Connection,
    work: Work,
    others: Sequence[Connection],
    now: memoryview[int],
    close: Callable[[], None] | None,
) -> None:
    try:
        _work_off(pipe, work, others, now)
    finally:
        if close is not None:
            close()


def _work_off(pipe: Connection, work: Work, others: Sequence[Connection], now: memoryview[int]) -> None:
    # Close the others' pipes, or no worker would notice the end of this adapter.
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
        sent = time.monotonic_ns()
        for place, path in enumerate(paths):
            now[0], now[1] = place, time.monotonic_ns()
            if found and now[1] - sent > _SEND_INTERVAL_NS:
                pipe.send((found, None))
                found, sent = [], now[1]
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
