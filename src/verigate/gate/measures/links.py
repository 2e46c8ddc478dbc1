"""Compare statements about links with the links artifacts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.link_status import LinkStatus, LinkStatuses, classify_link, classify_links
from verigate.domain.statement_reading import StatedFact
from verigate.gate.measures.compare import compare, is_satisfied, leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite

_LOCATIONS = "links/locations.json"
_GONE = "links/gone.json"


def measure_statuses(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the counts ``dead`` or ``live``; any other name is a link, whose status code or state is compared."""
    if fact.what not in {"dead", "live"}:
        return _measure_link(facts, artifact, fact)
    chosen = _select_in_scope(facts, artifact.value, fact)
    if isinstance(chosen, RuleOutcome):
        return chosen
    found = classify_links(
        {url: artifact.value[url] for url in chosen}, redirects_pass=bool(facts.profile.rules.get("treat_3xx_as_pass"))
    )
    refs = tuple(cite(artifact, url) for url in found.dead[:SHOWN])
    if not found.live and not found.dead:
        return leave_undecided(fact, "no link was checked", cite(artifact))
    if fact.what == "live":
        return compare(fact, len(found.live), cite(artifact))
    doubt = _doubt_count(facts, artifact, fact, found) if is_satisfied(fact, len(found.dead)) else None
    return doubt or compare(fact, len(found.dead), *(refs or (cite(artifact, found.live[0]),)))


def _doubt_count(facts: Facts, statuses: Artifact, fact: StatedFact, found: LinkStatuses) -> RuleOutcome | None:
    """Leave a statement about dead links undecided if links weren't checked, or links of the base are gone.

    A deleted link isn't fixed.
    """
    if found.unchecked:
        why = f"{len(found.unchecked)} links were not checked"
        return leave_undecided(fact, why, cite(statuses, found.unchecked[0]))
    artifact = facts.evidence.artifacts.get(_GONE)
    listed = artifact.value if artifact is not None and isinstance(artifact.value, list) else []
    gone = [index for index, link in enumerate(listed) if fact.scope is None or _is_below(link, fact.scope)]
    if artifact is None or not gone or fact.bad:
        return None
    names = ", ".join(str(listed[index].get("url")) for index in gone[:SHOWN] if isinstance(listed[index], dict))
    why = f"{len(gone)} links of the base are gone: {names}"
    return leave_undecided(fact, why, *(cite(artifact, index) for index in gone[:SHOWN]))


def _measure_link(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    bare = fact.what.rstrip("/")
    url = next((name for name in (fact.what, bare, f"{bare}/") if name in artifact.value), None)
    if url is None:
        return leave_undecided(fact, "it was not among the checked links")
    status, ref = artifact.value[url], cite(artifact, url)
    if not isinstance(fact.value, str):
        if isinstance(status, int):
            return compare(fact, status, ref)
        return leave_undecided(fact, f"it has no status code, only {status}", ref)
    found = classify_link(url, status, redirects_pass=bool(facts.profile.rules.get("treat_3xx_as_pass")))
    if found not in {LinkStatus.LIVE, LinkStatus.DEAD}:
        return leave_undecided(fact, "it was not checked", ref)
    return compare(fact, found.value, ref)


def measure_urlset(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``count``, the number of links found."""
    chosen = _select_in_scope(facts, artifact.value, fact)
    if isinstance(chosen, RuleOutcome):
        return chosen
    if not artifact.value:
        return leave_undecided(fact, "no link was found", cite(artifact))
    return compare(fact, len(chosen), cite(artifact))


def _select_in_scope(facts: Facts, urls: Collection[str], fact: StatedFact) -> Collection[str] | RuleOutcome:
    """Select the links in files at or below the scope, by the adapter's links/locations.json."""
    if fact.scope is None:
        return urls
    located = facts.evidence.artifacts.get(_LOCATIONS)
    if located is None or not isinstance(located.value, dict):
        return leave_undecided(fact, "no artifact reports which file contains a link")
    places: dict[str, Any] = located.value
    chosen = [url for url in urls if any(_is_below(place, fact.scope) for place in places.get(url) or ())]
    return chosen or leave_undecided(fact, f"no link was found in {fact.scope}")


def _is_below(place: Any, scope: str) -> bool:
    file = place.get("file") if isinstance(place, dict) else None
    folder = scope.removeprefix("./").rstrip("/")
    return isinstance(file, str) and (file == folder or file.startswith(f"{folder}/"))
