"""What runs before a capability in a trial of the kit."""

from __future__ import annotations

from verigate.conformance.fixtures import make_generic
from verigate.conformance.trial_plan import TrialManifests, build_trial_plan, list_predecessors
from verigate.domain.manifest import Capability, Manifest, Origin, Registry


def manifest(*capabilities: Capability) -> Manifest:
    return Manifest("x", "1.0.0", "run", "/x", Origin.PATH, "sha256:0", capabilities=capabilities)


BUILTIN = manifest(Capability("links:discover", needs=()), Capability("links:check", needs=("links:discover",)))
REGISTRY = Registry((BUILTIN,), {each.name: (BUILTIN,) for each in BUILTIN.capabilities})


def manifests(*capabilities: Capability) -> TrialManifests:
    own = manifest(*capabilities)
    return TrialManifests(own, own, REGISTRY)


def test_a_capability_without_needs_runs_after_those_before_it_and_those_of_the_standard() -> None:
    own = manifests(Capability("x:one"), Capability("x:gone", destructive=True), Capability("x:two"))
    assert list_predecessors(own, "x:one") == ()
    assert list_predecessors(own, "x:two") == ("x:one",)
    alone = manifests(Capability("links:check"))
    assert list_predecessors(alone, "links:check") == ("links:discover",)
    plan = build_trial_plan(alone, make_generic(), ["links:check"], "kit")
    assert [each.name for each in plan.capabilities] == ["links:discover", "links:check"]
    assert plan.capabilities[0].provider is BUILTIN


def test_declared_needs_stand_alone() -> None:
    own = manifests(Capability("x:one"), Capability("x:two", needs=()))
    plan = build_trial_plan(own, make_generic(), ["x:two"], "kit")
    assert [(each.name, each.needs) for each in plan.capabilities] == [("x:two", ())]


def test_what_needs_a_capability_never_runs_before_it() -> None:
    own = manifests(Capability("x:last", needs=("x:first",)), Capability("x:first"))
    plan = build_trial_plan(own, make_generic(), ["x:first", "x:last"], "kit")
    assert [(each.name, each.needs) for each in plan.capabilities] == [("x:first", ()), ("x:last", ("x:first",))]


def test_a_cycle_of_needs_ends() -> None:
    own = manifests(Capability("x:one", needs=("x:two",)), Capability("x:two", needs=("x:one",)))
    plan = build_trial_plan(own, make_generic(), ["x:one"], "kit")
    assert {each.name for each in plan.capabilities} == {"x:one", "x:two"}
