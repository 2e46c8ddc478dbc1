"""A client of one server: its action cache and its content-addressable storage.

Every answer is checked against what was asked: a blob by its SHA-256 and size, an upload by what the server committed.
Each request has a deadline. Whatever goes wrong is a RemoteFault; a server that lacks something is not at fault.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from verigate.domain.remote_server import TOKEN_FILE_VARIABLE, RemoteServerAddress
from verigate.remote.action import from_message, to_message
from verigate.remote.blobs import Digest, split_batches
from verigate.remote.credentials import ANONYMOUS, RemoteCredentials, open_channel
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.stubs import bytestream, bytestream_grpc, grpc, reapi, reapi_grpc

DEADLINE_S = 5.0
"""Seconds for a request that moves little."""

_BYTES_PER_S = 1_048_576
"""A blob may take a second more for each so many bytes."""

_LARGEST_MESSAGE = 4 * 1_048_576 - 65_536
"""Bytes of blobs in one message: gRPC's own limit is 4 MiB, and servers without a limit of theirs have that."""

_OVERHEAD = 128
_CHUNK = 1_048_576
_MOST_ASKED = 20_000
"""Digests in one question: some 70 bytes each."""
_LONGEST_RECONNECT_MS = 2_000
_LARGEST_ANSWER = 8 * 1_048_576
_LONGEST_DETAIL = 200

DIGEST_FUNCTIONS = reapi.CacheCapabilities.DESCRIPTOR.fields_by_number[1].name
"""The field of a server's digest functions: v2.3 of the API renamed it, and stubs of both versions are in use."""

T = TypeVar("T")


class RemoteServer:
    """The server at an address. ``sent`` and ``received`` count the bytes of messages, ``requests`` the calls.

    ``channel`` is the connection, and ``instance`` the name of the server's instance, for its other services.
    """

    def __init__(
        self,
        address: RemoteServerAddress,
        credentials: RemoteCredentials = ANONYMOUS,
        *,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        options = (
            ("grpc.max_receive_message_length", _LARGEST_ANSWER),
            ("grpc.enable_retries", 0),
            # A worker outlives its server. By default a connection waits up to two minutes before it is tried again.
            ("grpc.initial_reconnect_backoff_ms", 500),
            ("grpc.max_reconnect_backoff_ms", _LONGEST_RECONNECT_MS),
            ("grpc.primary_user_agent", "verigate"),
        )
        self.instance = address.instance
        self._deadline_s = deadline_s
        self._address = address
        self._credentials = credentials
        self.channel = open_channel(address, credentials, options)
        self._results = reapi_grpc.ActionCacheStub(self.channel)
        self._storage = reapi_grpc.ContentAddressableStorageStub(self.channel)
        self._streams = bytestream_grpc.ByteStreamStub(self.channel)
        self._known_limit: int | None = None
        self.sent = 0
        self.received = 0
        self.requests = 0

    def close(self) -> None:
        """Close the connection."""
        self.channel.close()

    def get_result(self, action: Digest, inline: Sequence[str] = ()) -> reapi.ActionResult | None:
        """Return the result under an action's digest, None if there is none. ``inline`` are files to send with it."""
        request = reapi.GetActionResultRequest(
            instance_name=self.instance, action_digest=to_message(action), inline_output_files=inline
        )
        try:
            found: reapi.ActionResult = self._call(self._results.GetActionResult, request)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            raise self.describe_error(error) from error
        return found

    def set_result(self, action: Digest, result: reapi.ActionResult) -> None:
        """Store a result under an action's digest, in place of what is there."""
        request = reapi.UpdateActionResultRequest(
            instance_name=self.instance, action_digest=to_message(action), action_result=result
        )
        self.ask(self._results.UpdateActionResult, request)

    def read(self, wanted: Sequence[Digest]) -> dict[Digest, bytes]:
        """Return the blobs that the server has of these digests, each checked. They must fit in memory."""
        digests = [digest for digest in dict.fromkeys(wanted) if digest.size]
        found = {digest: b"" for digest in wanted if digest == Digest.of(b"")}
        limit = self._batch_limit()
        small = [digest for digest in digests if digest.size + _OVERHEAD <= limit]
        for batch in split_batches(small, limit, _OVERHEAD):
            found |= self._read_batch(batch)
        for digest in digests:
            if digest.size + _OVERHEAD > limit and (content := self._read_stream(digest)) is not None:
                found[digest] = content
        return found

    def write(self, blobs: Mapping[Digest, bytes]) -> None:
        """Store what the server lacks of these blobs."""
        self.upload(blobs, blobs.__getitem__)

    def upload(self, digests: Collection[Digest], read: Callable[[Digest], bytes]) -> None:
        """Store what the server lacks of these digests; ``read`` returns a blob, a batch of which is in memory."""
        asked = list(digests)
        limit = self._batch_limit() if asked else 0
        for start in range(0, len(asked), _MOST_ASKED):
            request = reapi.FindMissingBlobsRequest(
                instance_name=self.instance,
                blob_digests=[to_message(digest) for digest in asked[start : start + _MOST_ASKED]],
            )
            answer = self.ask(self._storage.FindMissingBlobs, request)
            missing = [digest for digest in map(from_message, answer.missing_blob_digests) if digest in digests]
            small = [digest for digest in missing if digest.size + _OVERHEAD <= limit]
            for batch in split_batches(small, limit, _OVERHEAD):
                self._write_batch({digest: read(digest) for digest in batch})
            for digest in missing:
                if digest.size + _OVERHEAD > limit:
                    self._write_stream(digest, read(digest))

    def _batch_limit(self) -> int:
        """Return how many bytes of blobs one message may have. Asks the server once, and whether it has SHA-256."""
        if self._known_limit is None:
            stub = reapi_grpc.CapabilitiesStub(self.channel)
            request = reapi.GetCapabilitiesRequest(instance_name=self.instance)
            offers = self.ask(stub.GetCapabilities, request).cache_capabilities
            if reapi.DigestFunction.SHA256 not in getattr(offers, DIGEST_FUNCTIONS):
                raise RemoteFault(FaultKind.REFUSES, "it doesn't offer SHA-256")
            limit = offers.max_batch_total_size_bytes
            self._known_limit = min(limit, _LARGEST_MESSAGE) if limit > 0 else _LARGEST_MESSAGE
        return self._known_limit

    def _read_batch(self, batch: Sequence[Digest]) -> dict[Digest, bytes]:
        request = reapi.BatchReadBlobsRequest(
            instance_name=self.instance, digests=[to_message(digest) for digest in batch]
        )
        seconds = self._deadline_s + sum(digest.size for digest in batch) / _BYTES_PER_S
        answer = self.ask(self._storage.BatchReadBlobs, request, seconds)
        found = {}
        for each in answer.responses:
            digest = from_message(each.digest)
            if each.status.code == grpc.StatusCode.OK.value[0] and digest in batch:
                found[digest] = _check_blob(digest, each.data)
        return found

    def _read_stream(self, digest: Digest) -> bytes | None:
        request = bytestream.ReadRequest(resource_name=self._name("blobs", str(digest)))
        content = bytearray()
        self.requests += 1
        self.sent += request.ByteSize()
        try:
            for part in self._streams.Read(request, timeout=self._seconds(digest.size)):
                self.received += part.ByteSize()
                content += part.data
                if len(content) > digest.size:
                    break
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            raise self.describe_error(error) from error
        return _check_blob(digest, bytes(content))

    def _write_batch(self, blobs: Mapping[Digest, bytes]) -> None:
        request = reapi.BatchUpdateBlobsRequest(
            instance_name=self.instance,
            requests=[
                reapi.BatchUpdateBlobsRequest.Request(digest=to_message(digest), data=content)
                for digest, content in blobs.items()
            ],
        )
        seconds = self._seconds(sum(digest.size for digest in blobs))
        answer = self.ask(self._storage.BatchUpdateBlobs, request, seconds)
        stored = set()
        for each in answer.responses:
            if each.status.code != grpc.StatusCode.OK.value[0]:
                raise _describe_status(each.status.code, each.status.message)
            stored.add(from_message(each.digest))
        if not blobs.keys() <= stored:
            raise RemoteFault(FaultKind.LIES, "it didn't answer for each blob that was sent")

    def _write_stream(self, digest: Digest, content: bytes) -> None:
        name = self._name("uploads", str(uuid.uuid4()), "blobs", str(digest))

        def send() -> Iterator[bytestream.WriteRequest]:
            for start in range(0, len(content), _CHUNK):
                part = content[start : start + _CHUNK]
                request = bytestream.WriteRequest(
                    resource_name=name if start == 0 else "",
                    write_offset=start,
                    data=part,
                    finish_write=start + len(part) == len(content),
                )
                self.sent += request.ByteSize()
                yield request

        self.requests += 1
        try:
            answer = self._streams.Write(send(), timeout=self._seconds(digest.size))
        except grpc.RpcError as error:
            raise self.describe_error(error) from error
        self.received += answer.ByteSize()
        if answer.committed_size != digest.size:
            raise RemoteFault(FaultKind.LIES, f"it committed {answer.committed_size} of {digest.size} bytes")

    def _name(self, *parts: str) -> str:
        return "/".join((self.instance, *parts) if self.instance else parts)

    def _seconds(self, size: int) -> float:
        return self._deadline_s + size / _BYTES_PER_S

    def describe_error(self, error: grpc.RpcError) -> RemoteFault:
        """Describe a request that failed. Where TLS may be the reason, the server is asked once more, by TLS alone."""
        fault = _describe_status(error.code().value[0], error.details() or error.code().name)
        if fault.kind is FaultKind.GONE and self._address.secure and not self.received:
            from verigate.remote.handshake import find_tls_problem  # few connections fail

            problem = find_tls_problem(self._address, self._credentials)
            return fault if problem is None else RemoteFault(FaultKind.UNTRUSTED, problem)
        if fault.kind is FaultKind.DENIED and not self._credentials.identify:
            return RemoteFault(fault.kind, f"{fault.detail} (without a token: {TOKEN_FILE_VARIABLE} names one)")
        return fault

    def ask(self, method: Callable[..., T], request: Any, seconds: float | None = None) -> T:
        """Call a method of the server, within its deadline. Raises RemoteFault."""
        try:
            return self._call(method, request, seconds)
        except grpc.RpcError as error:
            raise self.describe_error(error) from error

    def _call(self, method: Callable[..., T], request: Any, seconds: float | None = None) -> T:
        self.requests += 1
        self.sent += request.ByteSize()
        answer: Any = method(request, timeout=seconds or self._deadline_s)
        self.received += answer.ByteSize()
        found: T = answer
        return found


def _check_blob(digest: Digest, content: bytes) -> bytes:
    if Digest.of(content) != digest:
        raise RemoteFault(FaultKind.LIES, f"another blob came for {digest.hash[:12]}")
    return content


def _describe_status(code: int, message: str) -> RemoteFault:
    kinds = {
        grpc.StatusCode.UNAVAILABLE: FaultKind.GONE,
        grpc.StatusCode.CANCELLED: FaultKind.GONE,
        grpc.StatusCode.DEADLINE_EXCEEDED: FaultKind.SLOW,
        grpc.StatusCode.RESOURCE_EXHAUSTED: FaultKind.FULL,
        grpc.StatusCode.UNAUTHENTICATED: FaultKind.DENIED,
        grpc.StatusCode.PERMISSION_DENIED: FaultKind.DENIED,
    }
    named = {status.value[0]: kind for status, kind in kinds.items()}
    return RemoteFault(named.get(code, FaultKind.REFUSES), " ".join(message.split())[:_LONGEST_DETAIL])
