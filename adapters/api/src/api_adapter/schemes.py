"""Read the documented authentication schemes, and place their credentials in requests.

Sources: OpenAPI 3.1.1 section 4.8.27 (Security Scheme Object), Swagger 2.0, RFC 6750 (Bearer), RFC 7617 (Basic).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from api_adapter.document import Document
    from api_adapter.operations import Operation
    from api_adapter.settings import Settings

WRONG = "verigate-wrong-credential"


class Credential(Struct, frozen=True):
    """A credential; ``place`` is ``header``, ``query`` or ``cookie``."""

    place: str
    name: str
    value: str

    def __repr__(self) -> str:
        """Without the value."""
        return f"Credential({self.place!r}, {self.name!r})"


class Scheme(Struct, frozen=True):
    """A documented scheme. ``kind`` is ``apiKey``, ``basic``, ``bearer``, or an unsupported type as documented."""

    name: str
    kind: str
    place: str
    field: str

    @property
    def usable(self) -> bool:
        """Whether the adapter can send a credential of this scheme."""
        return self.kind in {"apiKey", "basic", "bearer"}

    def credential(self, secret: str) -> Credential:
        """Make a credential of ``secret``, which for a basic scheme is ``user:password``."""
        if self.kind == "basic":
            encoded = base64.b64encode(secret.encode()).decode("ascii")
            return Credential("header", "Authorization", f"Basic {encoded}")
        if self.kind == "bearer":
            return Credential("header", "Authorization", f"Bearer {secret}")
        return Credential(self.place, self.field, secret)

    def wrong(self) -> Credential:
        """Make an invalid credential."""
        return self.credential(f"verigate:{WRONG}" if self.kind == "basic" else WRONG)

    def as_fact(self) -> dict[str, str]:
        """Return the entry in ``methods`` of api/auth.json."""
        fact = {"name": self.name, "type": self.kind}
        return fact | ({"in": self.place, "parameter": self.field} if self.kind == "apiKey" else {})


def read_schemes(document: Document) -> dict[str, Scheme]:
    """Read the documented schemes by name."""
    if document.dialect == "2.0":
        holder = document.value.get("securityDefinitions")
    else:
        components = document.value.get("components")
        holder = components.get("securitySchemes") if isinstance(components, dict) else None
    found = {}
    for name, raw in sorted(holder.items()) if isinstance(holder, dict) else ():
        entry = document.follow(raw)
        if isinstance(entry, dict):
            found[str(name)] = _read_scheme(str(name), entry)
    return found


def _read_scheme(name: str, raw: Mapping[str, Any]) -> Scheme:
    kind = str(raw.get("type", ""))
    if kind == "apiKey":
        place = str(raw.get("in", "header"))
        known = place in {"header", "query", "cookie"}
        return Scheme(name, kind if known else f"apiKey in {place}", place, str(raw.get("name", "")))
    if kind == "http":
        scheme = str(raw.get("scheme", "")).lower()
        return Scheme(name, scheme if scheme in {"basic", "bearer"} else f"http {scheme}", "header", "Authorization")
    if kind in {"oauth2", "openIdConnect"}:
        return Scheme(name, "bearer", "header", "Authorization")
    return Scheme(name, kind, "header", "Authorization")


def choose_credentials(
    operation: Operation, known: Mapping[str, Scheme], settings: Settings, environ: Mapping[str, str]
) -> tuple[Credential, ...] | None:
    """Return the credentials of the first documented alternative that is fully configured; None if none is.

    An endpoint that needs no credentials gives an empty tuple.
    """
    if not operation.protected:
        return ()
    for alternative in operation.security:
        secrets = [environ.get(settings.credentials.get(name, "")) for name in alternative]
        if all(secrets) and all(name in known and known[name].usable for name in alternative):
            return tuple(known[name].credential(str(s)) for name, s in zip(alternative, secrets, strict=True))
    return None
