"""What will run for a task, in which order, and why."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from verigate.domain.manifest import Capability, Manifest


class PlanEntry(Struct, frozen=True):
    """One task type of adapter-plan.json. ``unchecked`` are capabilities that it leaves out, each with the reason."""

    order: tuple[str, ...]
    required: frozenset[str]
    optional: frozenset[str]
    unchecked: Mapping[str, str] = {}


class PlannedCapability(Struct, frozen=True):
    """A planned capability. ``problem`` says why it can't run (no provider, no entry, ...), None if it can.

    ``needs`` are the planned capabilities that end first: those that it declares to need must succeed, those that it
    declares to read need not. ``reasons`` say why it is in the plan.
    """

    name: str
    required: bool
    reasons: tuple[str, ...]
    provider: Manifest | None = None
    needs: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def declaration(self) -> Capability:
        """The provider's declaration; a bare one if there is no provider."""
        return self.provider.capability(self.name) if self.provider else Capability(self.name)


class Plan(Struct, frozen=True):
    """The capabilities of one run, in sequential order.

    ``entry`` is the type's entry in the plan file; ``capabilities`` may include more, required by rules and units.
    ``skipped`` are the names of those that don't run because the change doesn't concern them.
    """

    task_type: str
    entry: PlanEntry
    capabilities: tuple[PlannedCapability, ...] = ()
    skipped: tuple[str, ...] = ()
    added_with_tests: tuple[str, ...] = ()
    """The names of those that are added once the change touches tests."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(capability.name for capability in self.capabilities)
