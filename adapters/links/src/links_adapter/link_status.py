"""The status of a link: an HTTP status code or the name of an error, with redirects and retries."""

from __future__ import annotations

from msgspec import Struct

NETWORK_FORBIDDEN = "NETWORK_FORBIDDEN"
"""Not requested: the manifest or the configuration forbids the network."""
NOT_FETCHED = "NOT_FETCHED"
"""Counted, but not fetchable: mailto, tel, data and so on."""
UNSUPPORTED_SCHEME = "UNSUPPORTED_SCHEME"
"""Not requested: the adapter doesn't support the scheme."""
UNRESOLVED = "UNRESOLVED"
"""Not requested: the link has an attribute that its document doesn't define."""
EMPTY_URL = "EMPTY_URL"
INVALID_URL = "INVALID_URL"

FILE_NOT_FOUND = "FILE_NOT_FOUND"
OUTSIDE_SUBJECT = "OUTSIDE_SUBJECT"
"""A path outside the repository, directly or through a symbolic link."""
FRAGMENT_NOT_FOUND = "FRAGMENT_NOT_FOUND"

DNS_FAILED = "DNS_FAILED"
CONNECTION_REFUSED = "CONNECTION_REFUSED"
CONNECTION_CLOSED = "CONNECTION_CLOSED"
CONNECTION_FAILED = "CONNECTION_FAILED"
TIMEOUT = "TIMEOUT"
BAD_RESPONSE = "BAD_RESPONSE"
"""The response is not HTTP."""
BAD_ENCODING = "BAD_ENCODING"
"""The body can't be decoded by its Content-Encoding."""
INCOMPLETE_BODY = "INCOMPLETE_BODY"
ERROR_BODY = "ERROR_BODY"
"""A status of 2xx with a page whose title or first heading reports an error."""
EMPTY_BODY = "EMPTY_BODY"
"""A status of 200 with nothing in it."""
LOGIN_REQUIRED = "LOGIN_REQUIRED"
"""A login page was served instead of the page, which nobody has seen."""
HOME_PAGE = "HOME_PAGE"
"""A deep link led to the home page, so the page itself wasn't seen."""
TLS_SELF_SIGNED = "TLS_SELF_SIGNED"
TLS_UNTRUSTED = "TLS_UNTRUSTED"
TLS_EXPIRED = "TLS_EXPIRED"
TLS_HOSTNAME = "TLS_HOSTNAME"
TLS_FAILED = "TLS_FAILED"
REDIRECT_LOOP = "REDIRECT_LOOP"
TOO_MANY_REDIRECTS = "TOO_MANY_REDIRECTS"
BAD_REDIRECT = "BAD_REDIRECT"

HEAD_REFUSED = frozenset({400, 403, 404, 405, 406, 501})
"""Responses of servers that don't support HEAD; the link is requested again with GET."""

Status = int | str


class Hop(Struct, frozen=True):
    """One redirect: the URL that sent it, and its status."""

    url: str
    status: int


class LinkStatus(Struct, frozen=True):
    """The outcome of checking one link.

    ``status`` is the final status, ``hops`` the redirects before it, ``final_url`` their target. ``method`` is that of
    the last request. ``refused`` is the response to HEAD if GET followed it. ``waited`` are the values of Retry-After
    that were obeyed, ``retry_after`` one that was not. ``fragment`` is ``found``, ``missing``, ``unchecked``, or None
    for a link without a fragment. ``refresh`` is the URL that a meta refresh of the page led to.
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
    refresh: str | None = None

    @property
    def first_status(self) -> Status:
        """The status of the first response, before any redirect is followed."""
        return self.hops[0].status if self.hops else self.status


GOOD = LinkStatus(200)
"""The status of most links; one shared value saves memory."""
