"""Look up claimed functions and endpoints in functions.json."""

from __future__ import annotations

import re

from verigate.domain.artifact import Artifact
from verigate.domain.task import Unit, UnitKind
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import cite

_PARAMETER = r"\{[^}/]*\}|<[^>/]*>|:[A-Za-z_][A-Za-z0-9_]*"


def normalise_route(route: str) -> str:
    """Replace route parameters by ``{}``: ``/users/:id``, ``/users/{id}`` and ``/users/<int:id>`` become equal."""
    return re.sub(_PARAMETER, "{}", route).rstrip("/") or "/"


def _matches_unit(symbol: dict[str, object], unit: Unit) -> bool:
    if unit.kind is UnitKind.ENDPOINT:
        method, space, route = unit.key.partition(" ")
        if not space:
            method, route = "", unit.key
        if normalise_route(str(symbol.get("route", ""))) != normalise_route(route):
            return False
        return not method or str(symbol.get("method", "")).upper() in {method, "ANY", "*"}
    name = unit.key
    path, separator, inner = name.rpartition("::")
    if separator and symbol.get("path") == path:
        name = inner
    return name in {symbol.get("name"), symbol.get("qualified")}


def is_same_endpoint(wanted: str, found: str) -> bool:
    """Whether two endpoints (``GET /users/{id}``, or a route for every method) are equal up to parameter names."""
    method, space, route = wanted.partition(" ")
    other_method, other_space, other_route = found.partition(" ")
    if not space:
        method, route = "", wanted
    if not other_space:
        other_method, other_route = "", found
    if method and other_method not in {"", "ANY", method.upper()}:
        return False
    return normalise_route(route) == normalise_route(other_route)


def _symbol_group(unit: Unit) -> str:
    return "endpoints" if unit.kind is UnitKind.ENDPOINT else "functions"


def find_changed(artifact: Artifact, unit: Unit) -> tuple[EvidenceRef, ...]:
    """Cite the added or changed symbols that the unit names exactly."""
    group = _symbol_group(unit)
    return tuple(
        cite(artifact, group, change, index)
        for change in ("added", "changed")
        for index, symbol in enumerate(artifact.value.get(group, {}).get(change, ()))
        if _matches_unit(symbol, unit)
    )


def find_removed(artifact: Artifact, unit: Unit) -> tuple[EvidenceRef, ...]:
    """Cite the removed symbols that the unit names."""
    group = _symbol_group(unit)
    entries = artifact.value.get(group, {}).get("removed", ())
    return tuple(
        cite(artifact, group, "removed", index) for index, symbol in enumerate(entries) if _matches_unit(symbol, unit)
    )


def find_fuzzy_matches(artifact: Artifact, unit: Unit) -> tuple[EvidenceRef, ...]:
    """Cite the adapter's fuzzy matches for the unit."""
    return tuple(
        cite(artifact, "matches", index)
        for index, match in enumerate(artifact.value.get("matches", ()))
        if match.get("unit") == unit.id and match.get("match") == "fuzzy"
    )


def list_candidates(refs: tuple[EvidenceRef, ...]) -> list[str]:
    """List the ids of the candidates in fuzzy matches, sorted."""
    return sorted({str(item.get("id")) for ref in refs for item in ref.value.get("candidates", ())})
