"""Artifacts, and the evidence of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class Artifact(Struct, frozen=True):
    """One file that a capability wrote.

    ``path`` is relative to the task folder; ``sha256`` covers its raw bytes; ``digest`` the RFC 8785 bytes of its
    value without ``volatile`` pointers (equal to ``sha256`` where it isn't JSON); ``value`` is the parsed
    JSON, None for other files.
    """

    path: str
    producer: str
    size: int
    sha256: str
    digest: str
    media_spec: str | None = None
    volatile: tuple[str, ...] = ()
    is_json: bool = False
    value: Any = None

    def __repr__(self) -> str:
        """Leave out the value, which may be long and is untrusted."""
        return f"Artifact({self.path!r}, producer={self.producer!r}, sha256={self.sha256!r})"


class Evidence(Struct, frozen=True):
    """All valid artifacts of a run, by path."""

    artifacts: Mapping[str, Artifact] = field(default_factory=dict)

    def by_spec(self, spec_id: str) -> tuple[Artifact, ...]:
        """Return the artifacts with this media spec, sorted by path."""
        found = (artifact for artifact in self.artifacts.values() if artifact.media_spec == spec_id)
        return tuple(sorted(found, key=lambda artifact: artifact.path))
