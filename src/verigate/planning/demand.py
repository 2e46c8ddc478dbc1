"""List the capabilities that the rules of a profile and the units and statements of a claim need, with reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verigate.domain.manifest import Manifest, Registry
from verigate.domain.profile import Profile
from verigate.domain.rules import RULES, is_active, list_custom_rule_reads
from verigate.domain.standard_artifacts import BY_PATH, BY_SPEC, STANDARD
from verigate.domain.task import Statement, Unit, UnitKind

_STANDARD_ORDER = {artifact.capability: index for index, artifact in enumerate(STANDARD)}

_UNIT_READS: Mapping[UnitKind, str] = {
    UnitKind.FILE: "verigate:diff-names.v1",
    UnitKind.FUNCTION: "verigate:functions.v1",
    UnitKind.ENDPOINT: "verigate:functions.v1",
    UnitKind.URL: "verigate:statuses.v1",
    UnitKind.HEADING: "verigate:headings.v1",
    UnitKind.IMAGE: "verigate:images.v1",
    UnitKind.QUOTE: "verigate:quotes.v1",
    UnitKind.FIX: "verigate:counterfactual.v1",
}

_LINT = "lint.json"
_CHECKING = frozenset({"check", "lint", "scan", "audit"})
"""Triggers of the capabilities with which a tool in TOML checks."""

FIXES_KEY = "fixes_proven"
RULE_REASON = "rule "
"""Begins the reason of what a rule of the profile reads."""

_BEFORE = {
    "links:check": ("links:discover",),
    "links:resample": ("links:discover", "links:check"),
    "code:functions": ("code:diff",),
    "code:changes": ("code:diff",),
    "code:sensitivity": ("code:counterfactual",),
}
"""The capabilities whose artifacts a standard capability reads."""


def list_demands(profile: Profile, units: Iterable[Unit], *, fixes: bool = False) -> dict[str, list[str]]:
    """Map capabilities to reasons, in the order of the standard artifacts; the others follow.

    ``fixes`` is whether the commitment names tests that must prove a fix: only then the rule about them reads anything.
    """
    found: dict[str, list[str]] = {}

    def ask(capability: str, reason: str) -> None:
        for earlier in _BEFORE.get(capability, ()):
            ask(earlier, f"read by {capability}")
        reasons = found.setdefault(capability, [])
        if reason not in reasons:
            reasons.append(reason)

    for key, threshold in sorted(profile.rules.items()):
        if is_active(key, threshold) and (fixes or key != FIXES_KEY):
            for capability, reason in _list_rule_needs(key, threshold):
                ask(capability, reason)
    for unit in units:
        if unit.kind in _UNIT_READS:
            ask(BY_SPEC[_UNIT_READS[unit.kind]].capability, f"claimed {unit.kind.value}")
    return dict(sorted(found.items(), key=lambda item: (_STANDARD_ORDER.get(item[0], len(STANDARD)), item[0])))


def list_statement_demands(statements: Sequence[Statement], registry: Registry) -> dict[str, list[str]]:
    """Map the capabilities whose facts the read statements of a claim need to reasons, in the same order."""
    found: dict[str, list[str]] = {}

    def ask(capability: str, reason: str) -> None:
        for earlier in _BEFORE.get(capability, ()):
            ask(earlier, f"read by {capability}")
        reasons = found.setdefault(capability, [])
        if reason not in reasons:
            reasons.append(reason)

    for statement in statements:
        reading = statement.reading
        if reading is None:
            continue
        named = {fact.tool for fact in reading.facts if fact.artifact == _LINT and fact.tool is not None}
        for capability in (*reading.capabilities, *_list_tool_checks(named, registry)):
            ask(capability, f"{statement.id} of the claim")
    return dict(sorted(found.items(), key=lambda item: (_STANDARD_ORDER.get(item[0], len(STANDARD)), item[0])))


def _list_tool_checks(named: Iterable[str], registry: Registry) -> Iterable[str]:
    """List the checks of named linters that the standard capability doesn't run itself: those of tools in TOML."""
    standard = registry.provider(BY_PATH[_LINT].capability)
    called = standard.sandbox.tools if standard is not None else ()
    for tool in sorted(set(named) - set(called)):
        for manifest in registry.manifests:
            yield from _list_checks(manifest) if manifest.name == tool else ()


def _list_checks(manifest: Manifest) -> Iterable[str]:
    spec_id = BY_PATH[_LINT].media_spec
    for capability in manifest.capabilities:
        reports = any(output.media_spec == spec_id for output in capability.outputs)
        if reports and not capability.destructive and _CHECKING & set(capability.triggers):
            yield capability.name


def _list_rule_needs(key: str, threshold: Any) -> Iterable[tuple[str, str]]:
    for spec_id in RULES[key].reads:
        yield BY_SPEC[spec_id].capability, f"{RULE_REASON}{key}"
    if key == "required_artifacts":
        for name in threshold:
            if (capability := _find_writer(name)) is not None:
                yield capability, f"required artifact {name}"
    if key == "rules":
        for rule in threshold:
            for path in list_custom_rule_reads(rule):
                if path in BY_PATH:
                    yield BY_PATH[path].capability, f"custom rule {rule['id']}"


def _find_writer(name: str) -> str | None:
    if name in BY_PATH:
        return BY_PATH[name].capability
    return name if ":" in name else None
