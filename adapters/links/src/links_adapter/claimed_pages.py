"""Choose the links whose pages are read: by configuration all or none, else those that the claim is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from links_adapter.link_names import is_web
from links_adapter.settings import Settings
from verigate.sdk import Request
from verigate.sdk.stated_facts import list_stated_facts, read_body
from verigate.sdk.units import UnitKind, parse_unit

_WORDS = ("link", "url", "http")


def choose_pages(request: Request, settings: Settings, names: Collection[str]) -> frozenset[str]:
    """Choose the web links of ``names`` whose pages are fetched and read.

    With ``bodies: claimed`` these are the links of the claim's units and those that a statement names; all links, or
    all in one folder, if a statement is about them.
    """
    web = frozenset(filter(is_web, names))
    if settings.bodies != "claimed":
        return web if settings.bodies else frozenset()
    chosen = set(_claimed_units(request.claim))
    for fact in list_stated_facts(request.claim, "links/statuses.json", _WORDS):
        if fact.what not in {"dead", "live"}:
            bare = fact.what.rstrip("/")
            chosen |= {fact.what, bare, f"{bare}/"}
        elif fact.scope is None:
            return web
        else:
            chosen.update(_find_links_below(request, fact.scope))
    return web & chosen


def _claimed_units(claim: Mapping[str, Any]) -> Iterator[str]:
    units = read_body(claim).get("units_list")
    for text in units if isinstance(units, list) else ():
        try:
            unit = parse_unit(text, _is_file) if isinstance(text, str) else None
        except ValueError:
            continue
        if unit is not None and unit.kind is UnitKind.URL:
            yield unit.key


def _is_file(_text: str) -> bool:
    return True


def _find_links_below(request: Request, scope: str) -> Iterator[str]:
    folder = scope.removeprefix("./").rstrip("/")
    places = read_artifact(request, "locations")
    for name, found in places.items() if isinstance(places, dict) else ():
        files = (
            [str(place.get("file")) for place in found if isinstance(place, dict)] if isinstance(found, list) else []
        )
        if any(file == folder or file.startswith(f"{folder}/") for file in files):
            yield name


def read_artifact(request: Request, name: str) -> Any:
    """Read ``links/<name>.json``; None if there is none."""
    try:
        return msgspec.json.decode((request.task_dir / "links" / f"{name}.json").read_bytes())
    except (OSError, ValueError):
        return None
