"""A server that executes: it answers with what it was told to, and lies, stalls or breaks off as it is set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hostile_cache import HostileCache

from verigate.remote.action import from_message
from verigate.remote.blobs import Digest
from verigate.remote.stubs import grpc, operations, reapi, reapi_grpc

Stages = Callable[[Digest, str], Iterator[Any]]
"""Action and method -> the operations of its stream."""


class HostileExecutor(HostileCache, reapi_grpc.ExecutionServicer):
    """``known`` are results that its workers find; ``stages`` makes the stream of an execution.

    ``executed`` are the actions that were to be executed, in their order.
    """

    services = (*HostileCache.services, reapi_grpc.add_ExecutionServicer_to_server)

    def __init__(self) -> None:
        self.known: dict[Digest, Any] = {}
        self.stages: Stages = self.good
        self.executed: list[Digest] = []
        super().__init__()

    def learn(self) -> None:
        """Take the results of its cache for those of workers: the cache has none then."""
        self.known.update(self.results)
        self.results.clear()

    def good(self, action: Digest, _method: str) -> Iterator[Any]:
        """An execution as it should be."""
        yield stage(action, reapi.ExecutionStage.QUEUED)
        yield stage(action, reapi.ExecutionStage.EXECUTING)
        yield end(action, self.known[action])

    def Execute(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802 - a name of the API
        self._enter("Execute", context)
        assert request.skip_cache_lookup
        action = from_message(request.action_digest)
        self.executed.append(action)
        if action not in self.blobs:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the action isn't here")
        yield from self.stages(action, "Execute")

    def WaitExecution(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802 - a name of the API
        self._enter("WaitExecution", context)
        sha256, size = request.name.split("/")
        yield from self.stages(Digest(sha256, int(size)), "WaitExecution")


def stage(action: Digest, at: Any) -> Any:
    """An operation that goes on."""
    found = operations.Operation(name=str(action))
    found.metadata.Pack(reapi.ExecuteOperationMetadata(stage=at))
    return found


def end(action: Digest, result: Any, code: int = 0, message: str = "") -> Any:
    """An operation that has ended."""
    found = operations.Operation(name=str(action), done=True)
    response = reapi.ExecuteResponse(result=result)
    response.status.code, response.status.message = code, message
    found.response.Pack(response)
    return found
