"""What a link answers: an HTTP status or the name of an error, and how it came to it."""

from __future__ import annotations

from msgspec import Struct

NETWORK_FORBIDDEN = "NETWORK_FORBIDDEN"
"""Nobody asked: the manifest or the configuration forbids it."""
NOT_FETCHED = "NOT_FETCHED"
"""Counted, and by its nature nothing to fetch: mailto, tel, data and kin."""
UNSUPPORTED_SCHEME = "UNSUPPORTED_SCHEME"
"""Nobody asked: no scheme that is asked here."""
EMPTY_URL = "EMPTY_URL"
INVALID_URL = "INVALID_URL"

FILE_NOT_FOUND = "FILE_NOT_FOUND"
OUTSIDE_SUBJECT = "OUTSIDE_SUBJECT"
"""A path that leads out of the repository, itself or by a symbolic link."""
FRAGMENT_NOT_FOUND = "FRAGMENT_NOT_FOUND"

DNS_FAILED = "DNS_FAILED"
CONNECTION_REFUSED = "CONNECTION_REFUSED"
CONNECTION_CLOSED = "CONNECTION_CLOSED"
CONNECTION_FAILED = "CONNECTION_FAILED"
TIMEOUT = "TIMEOUT"
BAD_RESPONSE = "BAD_RESPONSE"
"""What came is no HTTP."""
BAD_ENCODING = "BAD_ENCODING"
"""The body can't be unpacked as its Content-Encoding says."""
INCOMPLETE_BODY = "INCOMPLETE_BODY"
ERROR_BODY = "ERROR_BODY"
"""A status of 2xx, and a page that says in its title or first heading that it is an error."""
TLS_SELF_SIGNED = "TLS_SELF_SIGNED"
TLS_UNTRUSTED = "TLS_UNTRUSTED"
TLS_EXPIRED = "TLS_EXPIRED"
TLS_HOSTNAME = "TLS_HOSTNAME"
TLS_FAILED = "TLS_FAILED"
REDIRECT_LOOP = "REDIRECT_LOOP"
TOO_MANY_REDIRECTS = "TOO_MANY_REDIRECTS"
BAD_REDIRECT = "BAD_REDIRECT"

HEAD_REFUSED = frozenset({400, 403, 404, 405, 406, 501})
"""What servers answer that don't serve HEAD; each is asked again with GET, whose answer counts."""

Status = int | str


class Hop(Struct, frozen=True):
    """One redirect: the URL that answered with it, and its status."""

    url: str
    status: int


class Answer(Struct, frozen=True):
    """``status`` is the final one, ``hops`` the redirects before it, ``final_url`` where they ended.

    ``method`` is what was asked last. ``refused`` is what HEAD answered where GET was asked after it. ``waited`` are
    the values of Retry-After that were obeyed, ``retry_after`` one that was not. ``fragment`` is ``found``,
    ``missing``, ``unchecked``, or None for a link without one.
    """

    status: Status
    hops: tuple[Hop, ...] = ()
    final_url: str | None = None
    method: str | None = None
    refused: int | None = None
    waited: tuple[str, ...] = ()
    retry_after: str | None = None
    fragment: str | None = None
    second: Status | None = None
    note: str | None = None

    @property
    def first_status(self) -> Status:
        """What the link itself answers, before any redirect is followed."""
        return self.hops[0].status if self.hops else self.status


GOOD_BY_HEAD = Answer(200, method="HEAD")
"""What most links answer; one value for all of them."""
