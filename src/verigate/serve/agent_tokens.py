"""Tokens for the agents that a verification asks: JSON Web Tokens (RFC 7519) that read one task, while it is verified.

The key is another one each time that the server starts and never leaves it, so that no token outlives either.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from urllib.parse import quote

import jwt
from msgspec import Struct

ISSUER = AUDIENCE = "verigate serve"
LONGEST_S = 6 * 3600
_ALGORITHM = "HS256"
_CLAIMS = ["exp", "iat", "iss", "aud", "sub", "jti"]
_LONGEST_TOKEN = 4096
_METHODS = frozenset({"GET", "HEAD"})


class AgentGrant(Struct, frozen=True):
    """What a token allows: to read one task by the API, at ``path`` and below."""

    path: str

    def allows(self, method: str, path: str) -> bool:
        """Whether a request is one that the token was made for."""
        within = path == self.path or path.startswith(f"{self.path}/")
        return method in _METHODS and within and "/../" not in f"{path}/" and "/./" not in f"{path}/"


class AgentTokens:
    """Makes the tokens of one server, and knows which of them still count. ``now`` is in seconds since 1970."""

    def __init__(self, prefix: str, now: Callable[[], float] = time.time) -> None:
        self._prefix = prefix
        self._now = now
        self._key = secrets.token_bytes(32)
        self._issued: dict[str, AgentGrant] = {}

    def issue(self, repository: str, task_id: str) -> tuple[str, str]:
        """Make a token that reads a task; return it, and the path of that task in the API."""
        path = f"{self._prefix}/repositories/{quote(repository, safe='')}/tasks/{quote(task_id, safe='')}"
        number, begin = secrets.token_hex(16), int(self._now())
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": path,
            "iat": begin,
            "exp": begin + LONGEST_S,
            "jti": number,
        }
        self._issued[number] = AgentGrant(path)
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM), path

    def read(self, token: str) -> AgentGrant | None:
        """Return what a token allows; None for one that isn't ours, has expired, or was revoked."""
        found = self._decode(token)
        return None if found is None else self._issued.get(found)

    def revoke(self, token: str) -> None:
        """Let a token count no more."""
        found = self._decode(token)
        if found is not None:
            self._issued.pop(found, None)

    def _decode(self, token: str) -> str | None:
        if len(token) > _LONGEST_TOKEN or token.count(".") != 2:
            return None
        try:
            claims = jwt.decode(
                token,
                self._key,
                algorithms=[_ALGORITHM],
                issuer=ISSUER,
                audience=AUDIENCE,
                options={"require": _CLAIMS, "verify_exp": False},
            )
            is_over = int(claims["exp"]) <= self._now()
            number = claims["jti"]
        except (jwt.InvalidTokenError, ArithmeticError, KeyError, RecursionError, TypeError, ValueError):
            return None
        if is_over:
            self._issued.pop(str(number), None)
            return None
        return number if isinstance(number, str) else None
