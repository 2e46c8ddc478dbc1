"""What a client shows a server: who it is, and whose certificates it believes.

A token goes with each request as ``authorization: Bearer`` (RFC 6750), over TLS, or to this machine itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from verigate.domain.remote_server import RemoteServerAddress
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.stubs import grpc


class RemoteCredentials(Struct, frozen=True):
    """``authorities``, ``certificate`` and ``key`` are PEM; None: those of gRPC, and no certificate of the client.

    ``read_token`` returns the token of a request, None: there is none. Raises ValueError.
    """

    authorities: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None
    read_token: Callable[[], str] | None = None

    def __repr__(self) -> str:
        """Without any secret."""
        return f"RemoteCredentials(token={self.read_token is not None}, certificate={self.certificate is not None})"

    @property
    def identify(self) -> bool:
        """Whether they say who the client is."""
        return self.certificate is not None or self.read_token is not None

    def without_identity(self) -> RemoteCredentials:
        """Return what may be shown to any server."""
        return RemoteCredentials(self.authorities)


ANONYMOUS = RemoteCredentials()


class _Call(Struct, frozen=True):
    """The details of a call, as ``grpc.ClientCallDetails`` has them."""

    method: str
    timeout: float | None
    metadata: Any
    credentials: Any
    wait_for_ready: bool | None
    compression: Any


class _Bearer(
    grpc.UnaryUnaryClientInterceptor,  # type: ignore[misc]  # gRPC has no types
    grpc.UnaryStreamClientInterceptor,  # type: ignore[misc] # grpc has no types
    grpc.StreamUnaryClientInterceptor,  # type: ignore[misc] # grpc has no types
):
    """Adds the token to each call. It is read each time: tokens in files are replaced before they expire."""

    def __init__(self, read_token: Callable[[], str]) -> None:
        self._read_token = read_token

    def _send(self, continuation: Callable[..., Any], details: Any, request: Any) -> Any:
        try:
            token = self._read_token()
        except ValueError as problem:
            raise RemoteFault(FaultKind.DENIED, str(problem)) from problem
        metadata = [*(details.metadata or ()), ("authorization", f"Bearer {token}")]
        more = details.wait_for_ready, details.compression
        return continuation(_Call(details.method, details.timeout, metadata, details.credentials, *more), request)

    intercept_unary_unary = intercept_unary_stream = intercept_stream_unary = _send


def open_channel(address: RemoteServerAddress, credentials: RemoteCredentials, options: tuple[Any, ...]) -> Any:
    """Open the connection to a server. Raises ValueError for a token that would go over a network without TLS."""
    if address.is_loopback:
        # A proxy of the environment would be another machine.
        options = (*options, ("grpc.enable_http_proxy", 0))
    if address.secure:
        shown = grpc.ssl_channel_credentials(credentials.authorities, credentials.key, credentials.certificate)
        channel = grpc.secure_channel(address.target, shown, options)
    elif credentials.identify and not address.is_loopback:
        raise ValueError(f"credentials aren't sent to {address} without TLS")
    else:
        channel = grpc.insecure_channel(address.target, options)
    return (
        channel if credentials.read_token is None else grpc.intercept_channel(channel, _Bearer(credentials.read_token))
    )
