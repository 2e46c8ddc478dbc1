"""Find out whether a request ended on another page than the one that was asked for: a login page or the home page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import SplitResult, unquote, urlsplit

from links_adapter import link_status as a
from links_adapter.page_facts import PageFacts

_LOGIN_PATH = re.compile(
    r"(?i)/(?:(?:sign|log)[-_]?(?:in|on)|auth(?:enticate|orize)?|oauth2?|sso|saml2?|session/new)\b"
)
_LOGIN_HEADLINE = re.compile(
    r"(?i)^\W*(?:please\s+)?(?:(?:sign|log)[- ]?(?:in|on)\b|authentication required|anmelden\b|connexion\b)"
    r"|\b(?:sign|log)[- ]?in\W*$"
)
_HOME = re.compile(
    r"(?i)/?(?:(?:index|default|home|main|welcome|start|latest|stable)(?:\.\w+)?|[a-z]{2}(?:[-_][a-z]{2})?)?/?"
)
"""The path of a home page, also by language or version."""


def find_detour(asked: str, final: str, pages: Sequence[PageFacts] = ()) -> str | None:
    """Return LOGIN_REQUIRED or HOME_PAGE if the response isn't that of the page ``asked``, else None.

    ``final`` is the URL after all redirects, ``pages`` what was read there. A link that names a login or a home page
    itself is no detour.
    """
    try:
        one, other = urlsplit(asked), urlsplit(final)
    except ValueError:
        return None
    if not _LOGIN_PATH.search(one.path) and _is_login(one, other, pages):
        return a.LOGIN_REQUIRED
    return a.HOME_PAGE if _leads_home(one, other) else None


def _is_login(asked: SplitResult, final: SplitResult, pages: Sequence[PageFacts]) -> bool:
    if (asked.netloc, asked.path) != (final.netloc, final.path) and _LOGIN_PATH.search(final.path):
        return True
    return any(page.password and any(map(_LOGIN_HEADLINE.search, page.headlines)) for page in pages)


def _leads_home(asked: SplitResult, final: SplitResult) -> bool:
    path = unquote(asked.path)
    if _HOME.fullmatch(path) or asked.query or final.query or not _HOME.fullmatch(unquote(final.path)):
        return False
    # A short link has one part and leads to another host.
    return _site(asked) == _site(final) or path.strip("/").count("/") > 0


def _site(url: SplitResult) -> str:
    return (url.hostname or "").lower().removeprefix("www.")
