"""Have the workers of a server execute actions: Execute, and WaitExecution where the stream breaks.

A worker may never come, or be lost: each stage of an execution has a limit of time. Source: remote_execution.proto, v2.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from verigate.remote.action import to_message
from verigate.remote.blobs import Digest
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import grpc, operations, operations_grpc, reapi, reapi_grpc

QUEUE_S = 30.0
"""Seconds until a worker must have begun."""

RESERVE_S = 30.0
"""Seconds that a worker may take in addition to the time of the call: to fetch inputs, and to store what it found."""

_MOST_STREAMS = 6
_PAUSE_S = 1.0
_FAREWELL_S = 2.0
_LONGEST_DETAIL = 300


class ExecutionEndedError(Exception):
    """An execution that ended without a result: no fault of the server."""


class PendingExecution:
    """An execution in a thread of its own; the descriptor of ``fileno`` can be read once it has ended."""

    def __init__(self, execute: Callable[[], reapi.ActionResult]) -> None:
        self._ours, self._theirs = os.pipe()
        self._result: reapi.ActionResult | None = None
        self._problem: Exception | None = None
        # A daemon: an interrupted run doesn't wait for a server.
        threading.Thread(target=self._run, args=(execute,), name="remote execution", daemon=True).start()

    def fileno(self) -> int:
        """Return the descriptor to wait for."""
        return self._ours

    def end(self) -> reapi.ActionResult:
        """Return the result of an execution that has ended. Raises ExecutionEndedError, RemoteFault, OSError."""
        os.read(self._ours, 1)
        os.close(self._ours)
        if self._result is None:
            raise self._problem or ExecutionEndedError("it has no result")
        return self._result

    def _run(self, execute: Callable[[], reapi.ActionResult]) -> None:
        try:
            self._result = execute()
        except Exception as problem:  # noqa: BLE001 - raised where somebody waits for it
            self._problem = problem
        finally:
            os.close(self._theirs)


class RemoteExecutor:
    """The execution service of a server. ``queue_s`` is how long an action may wait for a worker, in seconds."""

    def __init__(self, server: RemoteServer, *, queue_s: float = QUEUE_S) -> None:
        self._server = server
        self._queue_s = queue_s
        self._executions = reapi_grpc.ExecutionStub(server.channel)
        self._operations = operations_grpc.OperationsStub(server.channel)
        self._running: set[str] = set()

    def execute(self, action: Digest, timeout_s: float) -> reapi.ActionResult:
        """Execute an action whose blobs the server has; whatever it has of it in its cache doesn't count.

        Raises ExecutionEndedError with what the worker reported, RemoteFault.
        """
        watch = _Watch(self._queue_s, timeout_s + RESERVE_S)
        request = reapi.ExecuteRequest(
            instance_name=self._server.instance, action_digest=to_message(action), skip_cache_lookup=True
        )
        stream = self._begin(self._executions.Execute, request)
        name, detail = "", ""
        for _ in range(_MOST_STREAMS):
            try:
                for operation in self._receive(stream, watch):
                    name = operation.name or name
                    self._running.add(name)
                    if operation.done:
                        self._running.discard(name)
                        return _read_result(operation)
                    watch.note(operation)
            except grpc.RpcError as error:
                fault = self._server.describe_error(error)
                if not name or fault.kind is not FaultKind.GONE:
                    raise fault from error
                detail = fault.detail
            except TimeoutError as problem:
                self._cancel(name)
                raise RemoteFault(FaultKind.SLOW, str(problem)) from None
            time.sleep(min(_PAUSE_S, watch.remaining()))
            stream = self._begin(self._executions.WaitExecution, reapi.WaitExecutionRequest(name=name))
        self._cancel(name)
        raise RemoteFault(FaultKind.GONE, f"the stream of an execution broke {_MOST_STREAMS} times: {detail}")

    def cancel_all(self) -> None:
        """Cancel what still runs: who waited for it is about to end. Waits a moment for the server to hear it."""
        sent = [self._cancel(name) for name in sorted(self._running)]
        until = time.monotonic() + _FAREWELL_S
        for future in sent:
            with suppress(grpc.RpcError, grpc.FutureTimeoutError, RemoteFault):
                future.result(timeout=max(0.0, until - time.monotonic()))

    def _begin(self, method: Callable[..., Any], request: Any) -> Any:
        self._server.requests += 1
        self._server.sent += request.ByteSize()
        return method(request)

    def _receive(self, stream: Any, watch: _Watch) -> Iterator[operations.Operation]:
        """Yield the operations of a stream. Raises grpc.RpcError, and TimeoutError where a stage takes too long."""
        received: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_pump, args=(stream, received), name="remote stream", daemon=True).start()
        while True:
            try:
                found = received.get(timeout=watch.remaining())
            except queue.Empty:
                stream.cancel()
                raise TimeoutError(watch.describe()) from None
            if found is None:
                return
            if isinstance(found, Exception):
                raise found
            self._server.received += found.ByteSize()
            yield found

    def _cancel(self, name: str) -> Any:
        """Report to the server that nobody waits any more; that it can't hear it changes nothing.

        An execution without a name is none: the server never answered.
        """
        self._running.discard(name)
        return self._begin(self._operations.CancelOperation.future, operations.CancelOperationRequest(name=name))


class _Watch:
    """The limits of an execution's stages."""

    def __init__(self, queue_s: float, run_s: float) -> None:
        self._limits = {False: queue_s, True: run_s}
        self._runs = False
        # A worker that is lost begins the queue again, but not for ever.
        self._end = time.monotonic() + 2 * (queue_s + run_s)
        self._until = time.monotonic() + queue_s

    def note(self, operation: operations.Operation) -> None:
        """Note the stage that an execution is in."""
        metadata = reapi.ExecuteOperationMetadata()
        if not operation.metadata.Unpack(metadata):
            return
        runs = metadata.stage == reapi.ExecutionStage.EXECUTING
        if runs is not self._runs:
            self._runs = runs
            self._until = min(self._end, time.monotonic() + self._limits[runs])

    def remaining(self) -> float:
        """Return the seconds that are left, 0 if none are."""
        return max(0.0, self._until - time.monotonic())

    def describe(self) -> str:
        """Return what took too long."""
        what = "a worker didn't end" if self._runs else "no worker began"
        return f"{what} within {self._limits[self._runs]:g} seconds"


def _pump(stream: Any, received: queue.SimpleQueue[Any]) -> None:
    try:
        for operation in stream:
            received.put(operation)
        received.put(None)
    except Exception as problem:  # noqa: BLE001 - raised where somebody waits for it
        received.put(problem)


def _read_result(operation: operations.Operation) -> reapi.ActionResult:
    response = reapi.ExecuteResponse()
    status = operation.error
    if operation.WhichOneof("result") == "response" and operation.response.Unpack(response):
        status = response.status
        if not status.code:
            return response.result
    said = " ".join(status.message.split())[:_LONGEST_DETAIL]
    raise ExecutionEndedError(said or f"its status is {status.code}, without a message")
