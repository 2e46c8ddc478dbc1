"""The plan of a trial: the capabilities to call, and what runs before each of them, as in a gate run."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from verigate.conformance.fixtures import Fixture
from verigate.domain.manifest import Manifest, Registry
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability


class TrialManifests(Struct, frozen=True):
    """The adapter's manifest, the same as altered for the calls of this trial, and the built-in providers."""

    own: Manifest
    altered: Manifest
    builtin: Registry


def build_trial_plan(manifests: TrialManifests, fixture: Fixture, names: Sequence[str], reason: str) -> Plan:
    """Plan ``names`` on a fixture, each after what it needs. A cycle of declared needs stays in the plan."""
    planned: dict[str, PlannedCapability] = {}
    begun: set[str] = set()

    def add(name: str, *, called: bool) -> None:
        if name in begun:
            return
        begun.add(name)
        own = name in _list_own(manifests.own)
        provider = (manifests.altered if called else manifests.own) if own else manifests.builtin.provider(name)
        needs: tuple[str, ...] = ()
        if provider is not None:
            declared = provider.capability(name).needs
            if declared is not None:
                needs = declared
            elif called:
                needs = fixture.after or list_predecessors(manifests, name)
            needs += tuple(read for read in provider.capability(name).reads if read in names)
        for need in needs:
            add(need, called=need in names)
        problem = None if provider else f"no adapter provides {name}"
        planned[name] = PlannedCapability(name, True, (reason,), provider, needs, problem)

    for name in names:
        add(name, called=True)
    entry = PlanEntry(tuple(planned), frozenset(planned), frozenset())
    return Plan("code", entry, tuple(planned.values()))


def list_predecessors(manifests: TrialManifests, name: str) -> tuple[str, ...]:
    """List what runs before a capability without declared needs, as its place in a plan says in a gate run.

    These are the needs of the built-in capability of that name, and the capabilities that its own manifest names before
    it; none that needs ``name`` itself or is destructive.
    """
    builtin = manifests.builtin.provider(name)
    standard = (builtin.capability(name).needs or ()) if builtin is not None else ()
    own = [each for each in manifests.own.capabilities if not each.destructive]
    earlier: list[str] = []
    for each in own:
        if each.name == name:
            break
        earlier.append(each.name)
    return tuple(
        dict.fromkeys(
            each for each in (*standard, *earlier) if each != name and name not in _list_closure(manifests, each)
        )
    )


def _list_own(manifest: Manifest) -> frozenset[str]:
    return frozenset(each.name for each in manifest.capabilities)


def _list_closure(manifests: TrialManifests, name: str) -> frozenset[str]:
    """List all declared needs of a capability, direct and indirect."""
    found: set[str] = set()
    pending = [name]
    own = _list_own(manifests.own)
    while pending:
        each = pending.pop()
        provider = manifests.own if each in own else manifests.builtin.provider(each)
        needs = (provider.capability(each).needs or ()) if provider is not None else ()
        pending += [need for need in needs if need not in found]
        found |= {*needs}
    return frozenset(found)
