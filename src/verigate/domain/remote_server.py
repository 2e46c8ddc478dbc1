"""The address of a server that speaks the Remote Execution API v2, and how its cache is used."""

from __future__ import annotations

import re
from enum import StrEnum
from ipaddress import ip_address

from msgspec import Struct

from verigate.errors import UsageError

CACHE_VARIABLE, MODE_VARIABLE, KEY_VARIABLE = "GATE_REMOTE_CACHE", "GATE_REMOTE_CACHE_MODE", "GATE_REMOTE_CACHE_KEY"
EXECUTOR_VARIABLE, WAIT_VARIABLE = "GATE_REMOTE_EXECUTOR", "GATE_REMOTE_EXECUTOR_WAIT"
AUTHORITIES_VARIABLE = "GATE_REMOTE_CA"
CERTIFICATE_VARIABLE, CERTIFICATE_KEY_VARIABLE = "GATE_REMOTE_CERTIFICATE", "GATE_REMOTE_CERTIFICATE_KEY"
TOKEN_VARIABLE, TOKEN_FILE_VARIABLE = "GATE_REMOTE_TOKEN", "GATE_REMOTE_TOKEN_FILE"
OFF = "off"
MOST_WAIT_S = 3600

_ADDRESS = re.compile(
    r"(?P<scheme>grpcs?)://(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[1-9][0-9]{0,4})"
    r"(?:/(?P<instance>[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*)?)?"
)
_RESERVED = frozenset(
    {"blobs", "uploads", "actions", "actionResults", "operations", "capabilities", "compressed-blobs"}
)
"""Words that no part of an instance's name may be (remote_execution.proto, v2)."""
_HINT = "grpc://HOST:PORT, grpc://HOST:PORT/INSTANCE, or grpcs:// for TLS"


class CacheMode(StrEnum):
    """``read`` takes results; ``read-write`` also stores what this run finds, signed."""

    READ = "read"
    READ_WRITE = "read-write"


class RemoteServerAddress(Struct, frozen=True):
    """``target`` is ``HOST:PORT``; ``instance`` the name of the server's instance, usually empty."""

    target: str
    instance: str = ""
    secure: bool = False

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, by the address itself."""
        host = self.target.rpartition(":")[0].strip("[]")
        if host == "localhost":
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        """As it is configured."""
        return f"grpc{'s' if self.secure else ''}://{self.target}{'/' if self.instance else ''}{self.instance}"


def parse_address(text: str, where: str) -> RemoteServerAddress:
    """Parse ``grpc://HOST:PORT[/INSTANCE]``. Raises UsageError, with ``where`` it is from."""
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > 65_535:
        raise UsageError(f"{text!r} is not the address of a server", where=where, hint=_HINT)
    instance = found["instance"] or ""
    if not _RESERVED.isdisjoint(instance.split("/")):
        raise UsageError(f"{instance!r} is not the name of an instance: the API reserves a word of it", where=where)
    return RemoteServerAddress(f"{found['host']}:{found['port']}", instance, found["scheme"] == "grpcs")


def parse_wait(text: str) -> int:
    """Parse for how many seconds an action may wait for a worker. Raises UsageError."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_WAIT_S:
        hint = f"whole seconds, from 1 to {MOST_WAIT_S}"
        raise UsageError(f"{text!r} is no time to wait for a worker", where=WAIT_VARIABLE, hint=hint)
    return int(text)


def parse_mode(text: str, where: str) -> CacheMode:
    """Parse ``read`` or ``read-write``. Raises UsageError."""
    try:
        return CacheMode(text)
    except ValueError:
        raise UsageError(f"there is no mode {text!r}", where=where, hint="read, or read-write") from None
