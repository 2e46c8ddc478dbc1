"""Find the capabilities of a registry that can serve a request."""

from __future__ import annotations

from msgspec import Struct

from verigate.domain.manifest import Capability, Manifest, Registry
from verigate.domain.urn.cap import Candidate, CapUrn, parse, rank


class UrnProvider(Struct, frozen=True):
    """A ranked capability. ``shadowed``: another adapter provides its name first, so this one isn't run."""

    capability: Capability
    manifest: Manifest
    urn: CapUrn
    distance: int
    tied: bool
    shadowed: bool


def find_providers(registry: Registry, request: CapUrn) -> tuple[UrnProvider, ...]:
    """Return every declared URN that can serve ``request``, best first, ties by name and then in search order."""
    declared = [
        (manifest, capability)
        for manifest in registry.manifests
        for capability in manifest.capabilities
        if capability.urn is not None
    ]
    candidates = [Candidate(capability.name, parse(capability.urn or "")) for _, capability in declared]
    found = []
    for each in rank(candidates, request):
        manifest, capability = declared[each.index]
        shadowed = registry.provider(capability.name) is not manifest
        found.append(UrnProvider(capability, manifest, each.urn, each.distance, each.tied, shadowed))
    return tuple(found)


def count_declared(registry: Registry) -> int:
    """Count the capabilities that declare a URN."""
    return sum(capability.urn is not None for manifest in registry.manifests for capability in manifest.capabilities)
