"""Redact secrets in output of a service before it is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from msgspec import Struct

from api_adapter.settings import Settings
from verigate.sdk import clean_text

HIDDEN = "[secret]"
MAX_SAMPLE = 1000
"""Characters of a body to keep."""

_MEMBER = re.compile(
    r"""("[^"]*(?:token|secret|passw|passphrase|credential|api_?key|private_?key|access_?key|authorization|cookie"""
    r"""|session)[^"]*"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)""",
    re.IGNORECASE,
)
_JWT = re.compile(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?")
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
_KNOWN = re.compile(
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bsk[_-][A-Za-z0-9_-]{16,}\b|\bxox[abprs]-[\w-]{10,}"
)
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_SHORTEST = 4


class Redaction(Struct, frozen=True):
    """Redacts ``values``, this call's credentials (longest first), and common forms of other secrets."""

    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings, environ: Mapping[str, str]) -> Redaction:
        """Make the redaction of the configured credentials; the password of a basic credential counts as well."""
        given = [environ.get(name, "") for name in settings.credentials.values()]
        parts = {part for value in given for part in (value, value.partition(":")[2])}
        parts |= {quote(part, safe="") for part in parts}
        return cls(tuple(sorted((p for p in parts if len(p) >= _SHORTEST), key=lambda p: (-len(p), p))))

    def text(self, text: str) -> str:
        """Replace the secrets in ``text``."""
        for value in self.values:
            text = text.replace(value, HIDDEN)
        text = _PEM.sub(HIDDEN, text)
        text = _MEMBER.sub(lambda found: f'{found[1]}"{HIDDEN}"', text)
        text = _BEARER.sub(lambda found: f"{found[1]} {HIDDEN}", text)
        return _KNOWN.sub(HIDDEN, _JWT.sub(HIDDEN, text))

    def sample(self, body: bytes) -> str:
        """Return the redacted beginning of a body, at most MAX_SAMPLE characters."""
        # Redact before cutting: half a secret wouldn't be recognised.
        return clean_text(self.text(clean_text(body[: 16 * MAX_SAMPLE])), MAX_SAMPLE)
