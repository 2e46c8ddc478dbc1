"""Name links in artifacts, independent of the machine."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes, urlsplit, urlunsplit

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")

WEB = ("http://", "https://")

_QUERY = "/%:@!$&'()*+,;=~?|[]^{}`\\"

EMPTY = "<empty>"
"""The name of a link without a target."""


def name_link(url: str, root: Path) -> str:
    """Return the name of ``url`` in urlset.json.

    A ``file:`` URL below ``root`` becomes relative to it and keeps fragment and query ("./" is the root itself); one
    outside of it that shares a parent folder begins with ``../``. All others stay as they are.
    """
    if not url.startswith("file://"):
        return url or EMPTY
    rest = url[len("file://") :]
    cut = min((at for at in (rest.find("?"), rest.find("#")) if at >= 0), default=len(rest))
    path, tail = os.fsdecode(unquote_to_bytes(rest[:cut])), rest[cut:]
    top = str(root)
    if path.rstrip("/") == top:
        return f"./{tail}"
    if os.path.commonpath([path, top]) == "/" and top != "/":
        return url
    relative = os.path.relpath(path, top) + ("/" if path.endswith("/") else "")
    return quote(os.fsencode(relative), safe="/!$&'()*+,;=@~") + tail


def normalise(url: str) -> str:
    """Normalise an http or https URL as lychee does: host in lower case, at least "/" as path."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")
        netloc = f"{host[0]}{host[1]}{host[2].lower()}"
        path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~|[]^")
        return urlunsplit(
            (parts.scheme.lower(), netloc, path, quote(parts.query, safe=_QUERY), quote(parts.fragment, safe=_QUERY))
        )
    except ValueError:
        return url


def scheme_of(name: str) -> str:
    """Return the scheme of a name in lower case; empty for a name relative to the repository or an invalid URL."""
    match = _SCHEME.match(name)
    return match[1].lower() if match else ""


def is_web(name: str) -> bool:
    """Whether the link is checked over the network."""
    return name.lower().startswith(WEB)


def is_unresolved(name: str) -> bool:
    """Whether the link has an attribute that its document doesn't define: ``{docs}/a.html``.

    All other names have braces in their query or fragment at most.
    """
    return "{" in re.split("[?#]", name, maxsplit=1)[0] and not is_web(name)


def origin_of(url: str) -> tuple[str, str]:
    """Return scheme and host with port, in lower case (RFC 6454, without default ports); both empty for no URL."""
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that hold no address
        return "", ""
    return parts.scheme.lower(), parts.netloc.rpartition("@")[2].lower()


def strip_fragment(url: str) -> str:
    """Return a URL without its fragment."""
    return url.partition("#")[0]
