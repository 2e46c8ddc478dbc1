"""Grants: what the repository's configuration opens in the sandbox of an adapter, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct


class GrantKind(StrEnum):
    """What is opened: the network, a path of the machine, a variable of the caller's environment; or more time."""

    NETWORK = "network"
    BIND = "bind"
    ENV = "env"
    TIME = "time"


class Grant(Struct, frozen=True):
    """One grant. ``what`` is ``hosts`` or ``loopback``, a path as written, the name of a variable, or seconds.

    ``mode`` is ``ro`` or ``rw`` for a path, empty otherwise. ``loopback`` opens nothing: it closes the network of an
    adapter whose manifest asks for one.
    """

    kind: GrantKind
    what: str
    reason: str
    mode: str = ""

    @property
    def scope(self) -> tuple[str, str, str]:
        """What is opened, without the reason."""
        return self.kind.value, self.what, self.mode

    @property
    def opens(self) -> bool:
        """Whether it makes the sandbox more open."""
        return not (self.kind is GrantKind.NETWORK and self.what == "loopback")

    def document(self) -> dict[str, str]:
        """Return the grant as run.json and the verdict show it; never a variable's value."""
        mode = {"mode": self.mode} if self.mode else {}
        return {"kind": self.kind.value, "what": self.what, **mode, "reason": self.reason}


Grants = Mapping[str, tuple[Grant, ...]]
"""Adapter name -> its grants."""


def parse_grants(document: Mapping[str, Any]) -> dict[str, tuple[Grant, ...]]:
    """Parse a document that its schema accepts."""
    return {name: tuple(_parse_entry(entry)) for name, entry in document.items() if not name.startswith("$")}


def _parse_entry(entry: Mapping[str, Any]) -> Iterable[Grant]:
    if "network" in entry:
        yield Grant(GrantKind.NETWORK, entry["network"]["access"], entry["network"]["reason"])
    if "time" in entry:
        yield Grant(GrantKind.TIME, str(entry["time"]["seconds"]), entry["time"]["reason"])
    for bind in entry.get("bind", ()):
        yield Grant(GrantKind.BIND, bind["path"], bind["reason"], bind.get("mode", "ro"))
    for variable in entry.get("env", ()):
        yield Grant(GrantKind.ENV, variable["name"], variable["reason"])


def restore_grant(document: Mapping[str, Any]) -> Grant:
    """Restore a grant from run.json, the inverse of ``Grant.document``."""
    return Grant(GrantKind(document["kind"]), document["what"], document["reason"], document.get("mode", ""))


def keep_known(own: Grants, base: Grants) -> tuple[dict[str, tuple[Grant, ...]], tuple[str, ...]]:
    """Keep the grants that the base has as well, and those that open nothing.

    A change must not open its own sandbox. Returns them, and those left out, for people.
    """
    kept: dict[str, tuple[Grant, ...]] = {}
    left_out: list[str] = []
    for adapter, grants in own.items():
        known = {grant.scope for grant in base.get(adapter, ())}
        # Read-only is less than what a base with rw grants.
        known |= {(kind, what, "ro") for kind, what, mode in known if mode == "rw"}
        found = tuple(grant for grant in grants if not grant.opens or grant.scope in known)
        left_out += [f"{adapter}: {format_scope(grant)}" for grant in grants if grant not in found]
        if found:
            kept[adapter] = found
    return kept, tuple(left_out)


def format_scope(grant: Grant) -> str:
    """Format what a grant opens: ``network hosts``, ``bind ~/data (ro)``, ``env TOKEN``."""
    mode = f" ({grant.mode})" if grant.mode else ""
    return f"{grant.kind.value} {grant.what}{mode}"
