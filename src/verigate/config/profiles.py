"""Read verification.profiles.json, which maps a profile's name to its rules.

``extends`` names one parent or several; parents are merged from left to right and the child comes last. A later key
replaces an earlier one's value as a whole, except ``rules``, where entries are replaced by id and others are added.
``null`` removes a rule that a parent set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.config.builtin import PROFILES_FILE
from verigate.config.layers import Layers, raise_faults, read_layers
from verigate.domain.profile import Profile
from verigate.domain.weakening import normalise_rules
from verigate.errors import Fault, UsageError
from verigate.formats import pointer
from verigate.formats.near_names import suggest_longer, suggest_name, suggest_nearest
from verigate.formats.schema import MAX_FAULTS

_RESERVED = frozenset({"active"})
_NOT_RULES = frozenset({"extends", "description"})


class Profiles(Struct, frozen=True):
    """All profiles of a repository, its own and the shipped ones, as ``load_profiles`` validated them.

    ``flattened`` maps each name to its rules with those of its parents.
    """

    layers: Layers
    flattened: Mapping[str, Mapping[str, Any]]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted(self.layers.merged))

    def resolve(self, name: str) -> Profile:
        """Return the profile with the rules of those that it extends. Raises UsageError with the nearest name."""
        entries = self.layers.merged
        if name not in entries:
            near = suggest_longer(name, entries) or suggest_nearest(name, entries)
            hint = near or f"known profiles: {', '.join(self.names)}"
            raise UsageError(f"no profile is called {name!r}", where=self.layers.file, hint=hint)
        rules = self.flattened[name]
        source = self.layers.file if name in self.layers.own else f"built-in {PROFILES_FILE}"
        return Profile(name, rules, hash_rules(rules), source, str(entries[name].get("description", "")))

    def has_default(self, task_type: str) -> bool:
        """Return whether the type has a default profile."""
        return f"{task_type}_default" in self.layers.own or task_type in self.layers.merged

    def default_for(self, task_type: str) -> str:
        """Return ``<type>_default`` if the repository has it, else the type's name. Raises UsageError."""
        default = f"{task_type}_default"
        if not self.has_default(task_type):
            raise UsageError(
                f"no profile for the task type {task_type!r}",
                where=self.layers.file,
                hint=f"add {default!r} to {PROFILES_FILE}, or name one with --profile",
            )
        return default if default in self.layers.own else task_type

    def document(self, active: Profile) -> dict[str, Any]:
        """Make the ``--profile`` file of an adapter: all profiles flattened, ``active`` as enforced, and its name."""
        every = {name: dict(self.flattened[name]) for name in self.names}
        return {**every, active.name: dict(active.rules), "active": active.name}


def load_profiles(root: Path, builtin: Path, *, content: bytes | None = None) -> Profiles:
    """Read and validate both layers; ``content`` counts in place of the repository's file.

    Raises ConfigError with every fault of that file.
    """
    layers = read_layers(root, builtin, PROFILES_FILE, "profiles", content=content, find_more=_find_unknown_parents)
    order, cycles = _sort_by_parents(layers.merged)
    found = (fault for name in layers.own for fault in _find_faults(layers.merged, name))
    faults = list(islice(found, MAX_FAULTS))
    for cycle in cycles:
        name = next(name for name in cycle if name in layers.own)
        chain = " -> ".join((*cycle, cycle[0]))
        faults.append(Fault(f"dependency cycle: {chain}", pointer=pointer.join(name, "extends")))
    raise_faults(layers, faults)
    return Profiles(layers, _flatten(layers.merged, order))


def hash_rules(rules: Mapping[str, Any]) -> str:
    """Return the sha256 of flattened rules in their RFC 8785 form, in hex."""
    from verigate.formats import canonical_json

    return hashlib.sha256(canonical_json.dumps(dict(rules))).hexdigest()


def _flatten(entries: Mapping[str, Mapping[str, Any]], order: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Flatten the rules by profile. ``null`` goes last: it also removes what an earlier parent of a grandchild set."""
    inherited: dict[str, dict[str, Any]] = {}
    for name in order:
        merged: dict[str, Any] = {}
        for layer in (*(inherited[parent] for parent in _list_parents(entries[name])), normalise_rules(entries[name])):
            for key, value in layer.items():
                if key == "rules" and value is not None and merged.get("rules") is not None:
                    merged[key] = _merge_rules(merged[key], value)
                elif key not in _NOT_RULES:
                    merged[key] = value
        inherited[name] = merged
    return {
        name: {key: rules[key] for key in sorted(rules) if rules[key] is not None} for name, rules in inherited.items()
    }


def _merge_rules(inherited: Sequence[Mapping[str, Any]], own: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    by_id = {rule["id"]: rule for rule in inherited}
    by_id.update((rule["id"], rule) for rule in own)
    return list(by_id.values())


def _list_parents(entry: Mapping[str, Any]) -> tuple[str, ...]:
    extends = entry.get("extends", ())
    if isinstance(extends, str):
        return (extends,)
    return tuple(extends) if isinstance(extends, list | tuple) else ()


def _find_unknown_parents(layers: Layers) -> Iterator[Fault]:
    return (fault for name in layers.own for fault in _find_parents_faults(layers.merged, name))


def _find_parents_faults(entries: Mapping[str, Mapping[str, Any]], name: str) -> Iterator[Fault]:
    for parent in _list_parents(entries[name]):
        if isinstance(parent, str) and parent not in entries:
            hint = suggest_name(parent, entries)
            yield Fault(f"it extends {parent!r}, which is no profile", pointer=pointer.join(name, "extends"), hint=hint)


def _find_faults(entries: Mapping[str, Mapping[str, Any]], name: str) -> Iterator[Fault]:
    if name in _RESERVED:
        yield Fault(f"{name!r} can't name a profile: adapters find the active one under it", pointer=pointer.join(name))
    yield from _find_parents_faults(entries, name)
    seen: set[str] = set()
    for index, rule in enumerate(entries[name].get("rules") or ()):
        if rule["id"] in seen:
            yield Fault(f"two rules have the id {rule['id']!r}", pointer=pointer.join(name, "rules", index, "id"))
        seen.add(rule["id"])


def _sort_by_parents(entries: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Sort profiles after those they extend; also return the first MAX_FAULTS cycles, child before parent."""
    graph = {name: [parent for parent in _list_parents(entry) if parent in entries] for name, entry in entries.items()}
    rank = {name: number for number, name in enumerate(entries)}
    cycles: list[tuple[str, ...]] = []
    while len(cycles) < MAX_FAULTS:
        try:
            return list(TopologicalSorter(graph).static_order()), cycles
        except CycleError as error:
            # Each node is a predecessor of the next, and the last is the first again.
            cycle: list[str] = error.args[1][:0:-1]
            first = cycle.index(min(cycle, key=rank.__getitem__))
            cycle = cycle[first:] + cycle[:first]
            cycles.append(tuple(cycle))
            # Without the reference that closes it, the next cycle is found.
            graph[cycle[-1]] = [parent for parent in graph[cycle[-1]] if parent != cycle[0]]
    return [], cycles
