"""A server of the Remote Execution API, written with the client's stubs, that lies, is slow or full as it is set."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from verigate.remote.action import from_message, to_message
from verigate.remote.blobs import Digest
from verigate.remote.server import DIGEST_FUNCTIONS
from verigate.remote.stubs import bytestream, bytestream_grpc, grpc, reapi, reapi_grpc


class HostileCache(
    reapi_grpc.ActionCacheServicer,
    reapi_grpc.ContentAddressableStorageServicer,
    reapi_grpc.CapabilitiesServicer,
    bytestream_grpc.ByteStreamServicer,
):
    """``results`` and ``blobs`` are what it holds; ``fault`` is called with the method's name before each answer."""

    services: tuple[Callable[[Any, Any], None], ...] = (
        reapi_grpc.add_ActionCacheServicer_to_server,
        reapi_grpc.add_ContentAddressableStorageServicer_to_server,
        reapi_grpc.add_CapabilitiesServicer_to_server,
        bytestream_grpc.add_ByteStreamServicer_to_server,
    )

    def __init__(self, limit: int = 0) -> None:
        self.results: dict[Digest, Any] = {}
        self.blobs: dict[Digest, bytes] = {}
        self.asked: list[str] = []
        self.fault: Callable[[str, Any], None] = lambda _name, _context: None
        self.change_blob: Callable[[Digest, bytes], bytes] = lambda _digest, content: content
        self.find_result: Callable[[Digest], Any] = self.results.get
        self.limit = limit
        self._lock = threading.Lock()
        self._server = grpc.server(ThreadPoolExecutor(8))
        for add in self.services:
            add(self, self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self.address = f"grpc://127.0.0.1:{self.port}"
        self._server.start()

    def close(self) -> None:
        self._server.stop(None).wait()

    def _enter(self, name: str, context: Any) -> None:
        with self._lock:
            self.asked.append(name)
        self.fault(name, context)

    def GetCapabilities(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002 - a name of the API
        self._enter("GetCapabilities", context)
        offers = reapi.CacheCapabilities(max_batch_total_size_bytes=self.limit)
        getattr(offers, DIGEST_FUNCTIONS).append(reapi.DigestFunction.SHA256)
        return reapi.ServerCapabilities(cache_capabilities=offers)

    def GetActionResult(self, request: Any, context: Any) -> Any:  # noqa: N802 - a name of the API
        self._enter("GetActionResult", context)
        found = self.find_result(from_message(request.action_digest))
        if found is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such result")
        return found

    def UpdateActionResult(self, request: Any, context: Any) -> Any:  # noqa: N802 - a name of the API
        self._enter("UpdateActionResult", context)
        self.results[from_message(request.action_digest)] = request.action_result
        return request.action_result

    def FindMissingBlobs(self, request: Any, context: Any) -> Any:  # noqa: N802 - a name of the API
        self._enter("FindMissingBlobs", context)
        missing = [each for each in request.blob_digests if from_message(each) not in self.blobs]
        return reapi.FindMissingBlobsResponse(missing_blob_digests=missing)

    def BatchUpdateBlobs(self, request: Any, context: Any) -> Any:  # noqa: N802 - a name of the API
        self._enter("BatchUpdateBlobs", context)
        answer = reapi.BatchUpdateBlobsResponse()
        for each in request.requests:
            self.blobs[from_message(each.digest)] = each.data
            answer.responses.add(digest=each.digest)
        return answer

    def BatchReadBlobs(self, request: Any, context: Any) -> Any:  # noqa: N802 - a name of the API
        self._enter("BatchReadBlobs", context)
        answer = reapi.BatchReadBlobsResponse()
        for each in request.digests:
            digest = from_message(each)
            if digest in self.blobs:
                answer.responses.add(digest=to_message(digest), data=self.change_blob(digest, self.blobs[digest]))
            else:
                answer.responses.add(digest=each).status.code = 5
        return answer

    def Read(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802 - a name of the API
        self._enter("Read", context)
        sha256, size = request.resource_name.split("/")[-2:]
        digest = Digest(sha256, int(size))
        if digest not in self.blobs:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such blob")
        content = self.change_blob(digest, self.blobs[digest])
        for start in range(0, len(content), 1_048_576):
            yield bytestream.ReadResponse(data=content[start : start + 1_048_576])

    def Write(self, requests: Any, context: Any) -> Any:  # noqa: N802 - a name of the API
        content, name = b"", ""
        for request in requests:
            self._enter("Write", context)
            name = name or request.resource_name
            content += request.data
        sha256, size = name.split("/")[-2:]
        self.blobs[Digest(sha256, int(size))] = content
        return bytestream.WriteResponse(committed_size=len(content))


def abort(code: Any, *names: str) -> Callable[[str, Any], None]:
    """A fault: the methods of these names, all without one, end with a status."""

    def fault(name: str, context: Any) -> None:
        if not names or name in names:
            context.abort(code, "as the test wants it")

    return fault


def sleep(seconds: float, *names: str) -> Callable[[str, Any], None]:
    """A fault: the methods of these names, all without one, take their time."""

    def fault(name: str, _context: Any) -> None:
        if not names or name in names:
            time.sleep(seconds)

    return fault
