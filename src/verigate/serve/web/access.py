"""Who may read and who may change something: by address, host name, token and origin of a request."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from verigate.serve.agent_tokens import AgentGrant, AgentTokens

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
TOKEN_VARIABLE = "GATE_SERVE_TOKEN"  # noqa: S105 - the name of a variable
SHORTEST_TOKEN = 16
_HOST = re.compile(
    r"(?:\[(?P<literal>[0-9a-f:.]{2,60})\]|(?P<name>[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?))(?::[0-9]{1,5})?"
)
"""``uri-host [":" port]`` (RFC 9110, 7.2), of names and literal addresses only: what else may be in it, such as a
path, would be read as part of the address of a page."""


class Access(Struct, frozen=True):
    """The rules of one server.

    ``address`` and ``port`` are those it listens at; ``names`` are other host names that it is reached by.
    ``reads_need_token``: nothing is shown without the token. ``read_only``: nothing can be changed, by
    anybody. ``tokens`` are those of agents, if any are made.
    """

    address: str
    port: int
    token: str
    reads_need_token: bool = False
    read_only: bool = False
    names: frozenset[str] = frozenset()
    tokens: AgentTokens | None = None

    def __repr__(self) -> str:
        """Leave out the token."""
        return f"Access({self.address!r}, {self.port!r})"

    @property
    def cookie(self) -> str:
        """The name of the cookie; other servers of this host have others, because cookies don't know ports."""
        return f"verigate-serve-{self.port}"

    @property
    def session(self) -> str:
        """The value of the cookie, by which nobody finds the token."""
        return self._derive("session")

    @property
    def form_token(self) -> str:
        """What forms must carry: a page of another site can send the cookie, and can't read this."""
        return self._derive("form")

    @property
    def start_address(self) -> str:
        """The address that logs a browser in."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{host}:{self.port}/login?token={self.token}"

    @property
    def local_address(self) -> str:
        """The address by which programs on this machine reach the server."""
        reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.address, self.address)  # noqa: S104 - compared only
        return f"http://[{reached}]:{self.port}" if ":" in reached else f"http://{reached}:{self.port}"

    def allows_host(self, header: str | None) -> bool:
        """Whether a request's Host is this server, rather than a name that somebody made lead to it (DNS rebinding).

        A literal address can't be such a name. On loopback only loopback counts.
        """
        host = split_host(header or "")
        if host in LOOPBACK or host in self.names:
            return True
        return not is_loopback(self.address) and _is_literal(host)

    def is_session(self, cookie: str | None, authorization: str | None) -> bool:
        """Whether a request carries the cookie of the token, or the token itself as ``Authorization: Bearer``."""
        return _is_same(cookie, self.session) or self.is_bearer(authorization)

    def is_bearer(self, authorization: str | None) -> bool:
        """Whether a request carries the token in a header, which no page of another site can set."""
        scheme, _, given = (authorization or "").partition(" ")
        return scheme.lower() == "bearer" and _is_same(given.strip(), self.token)

    def find_grant(self, authorization: str | None) -> AgentGrant | None:
        """Return what the token of an agent allows; None for every other request."""
        scheme, _, given = (authorization or "").partition(" ")
        return self.tokens.read(given.strip()) if self.tokens is not None and scheme.lower() == "bearer" else None

    def is_token(self, given: str | None) -> bool:
        """Whether this is the token."""
        return _is_same(given, self.token)

    def refuse_change(self, headers: Mapping[str, str], cookie: str | None, form_token: str | None) -> str | None:
        """Say why a request may change nothing; None if it may."""
        if self.read_only:
            return "this server is read-only (--read-only)"
        authorization = headers.get("authorization")
        if not self.is_session(cookie, authorization):
            return "this needs the token: open the address that `gate serve` printed when it started"
        origin = headers.get("origin")
        # Where another program ends TLS before this one, a browser says https.
        if origin is not None and origin.partition("://")[2] != headers.get("host", ""):
            return f"the request comes from another site: {origin[:200]}"
        return None if self.is_bearer(authorization) else self._refuse_form(headers, form_token)

    def refuse_program(self, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Say by a status of HTTP and a reason why a program's request may change nothing; None if it may.

        Only the token itself counts: a cookie is sent by browsers whoever asks them to.
        """
        if self.read_only:
            return 403, "this server is read-only (--read-only)"
        if not self.is_bearer(headers.get("authorization")):
            return 401, "this needs the token"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers.get("host", ""):
            return 403, f"the request comes from another site: {origin[:200]}"
        return None

    def _refuse_form(self, headers: Mapping[str, str], form_token: str | None) -> str | None:
        if "origin" not in headers or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "the request doesn't say that it comes from this site"
        if not _is_same(form_token, self.form_token):
            return "the form is not one of this server; read the page again"
        return None

    def _derive(self, purpose: str) -> str:
        return hmac.new(self.token.encode(), f"verigate serve {purpose}".encode(), hashlib.sha256).hexdigest()


def make_token(environ: Mapping[str, str]) -> str:
    """Return the token that the environment gives, else a new one. Raises ValueError for one that can be guessed."""
    given = environ.get(TOKEN_VARIABLE, "")
    if not given:
        return secrets.token_urlsafe(24)
    if len(given) < SHORTEST_TOKEN or not given.isascii() or not given.isprintable() or set(given) & set(" &#%+?"):
        raise ValueError(f"{TOKEN_VARIABLE} must have {SHORTEST_TOKEN} or more letters, digits, _ or -")
    return given


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches an address."""
    if address in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def split_host(header: str) -> str:
    """Return the host of a Host header, in lower case, without its port and brackets; "" for what isn't one."""
    found = _HOST.fullmatch(header.lower())
    return (found["literal"] or found["name"]) if found is not None else ""


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_same(given: str | None, wanted: str) -> bool:
    return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
