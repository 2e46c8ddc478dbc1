"""Find out why TLS with a server fails: gRPC reports that it is unavailable, whatever the reason."""

from __future__ import annotations

import socket
import ssl
import tempfile
from pathlib import Path

from verigate.domain.remote_server import (
    AUTHORITIES_VARIABLE,
    CERTIFICATE_KEY_VARIABLE,
    CERTIFICATE_VARIABLE,
    RemoteServerAddress,
)
from verigate.remote.credentials import RemoteCredentials

_PATIENCE_S = 3.0

_ISSUER_CODES = frozenset({18, 19, 20, 21})
"""X509_V_ERR codes of a certificate whose issuer isn't believed (openssl/x509_vfy.h)."""


def find_tls_problem(address: RemoteServerAddress, credentials: RemoteCredentials) -> str | None:
    """Explain why TLS with a server fails; None if it doesn't, or the server can't be reached at all."""
    try:
        context = _make_context(credentials)
    except (OSError, ValueError) as problem:  # ssl.SSLError is an OSError
        return f"the certificates can't be used: {problem}"
    host, _, port = address.target.rpartition(":")
    host = host.strip("[]")
    try:
        with socket.create_connection((host, int(port)), _PATIENCE_S) as plain:
            plain.settimeout(_PATIENCE_S)
            with context.wrap_socket(plain, server_hostname=host) as secure:
                # By TLS 1.3 a server refuses the client's certificate only after the client's handshake. A server that
                # accepts it sends the settings of HTTP/2.
                return None if secure.recv(1) else _describe_end(credentials)
    except ssl.SSLCertVerificationError as problem:
        said = f"its certificate doesn't count: {problem.verify_message.rstrip('.')}"
        return f"{said} ({AUTHORITIES_VARIABLE} names who may issue it)" if _concerns_issuer(problem) else said
    except ssl.SSLError as problem:
        return _describe_alert(problem, credentials)
    except OSError:
        return None


def _make_context(credentials: RemoteCredentials) -> ssl.SSLContext:
    context = ssl.create_default_context(
        cadata=None if credentials.authorities is None else credentials.authorities.decode("ascii")
    )
    context.set_alpn_protocols(["h2"])
    if credentials.certificate is not None and credentials.key is not None:
        with tempfile.TemporaryDirectory(prefix="verigate-tls-") as folder:
            # The module reads files only. The folder is the user's alone, and gone at once.
            chain = Path(folder, "chain.pem")
            chain.touch(mode=0o600)
            chain.write_bytes(credentials.key + b"\n" + credentials.certificate)
            context.load_cert_chain(chain)
    return context


def _concerns_issuer(problem: ssl.SSLCertVerificationError) -> bool:
    return problem.verify_code in _ISSUER_CODES


def _describe_alert(problem: ssl.SSLError, credentials: RemoteCredentials) -> str | None:
    reason = problem.reason or ""
    if reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG"}:
        return "it doesn't speak TLS: use grpc:// if it is on this machine"
    said = reason.lower().replace("_", " ")
    if isinstance(problem, ssl.SSLEOFError) or "CERTIFICATE" in reason or "UNKNOWN_CA" in reason:
        return _describe_end(credentials, said)
    return f"TLS fails: {said}" if said else None


def _describe_end(credentials: RemoteCredentials, said: str = "it ends the connection") -> str:
    """Describe a handshake that the server ends; gRPC's servers do so without an alert."""
    if credentials.certificate is None:
        return f"it asks for a client certificate ({CERTIFICATE_VARIABLE}, {CERTIFICATE_KEY_VARIABLE}): {said}"
    return f"it doesn't accept the client certificate of {CERTIFICATE_VARIABLE}: {said}"
