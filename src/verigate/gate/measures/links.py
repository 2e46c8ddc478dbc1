"""What statements about links are held against."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.answer import SHOWN, Answer, cite
from verigate.gate.measures.compare import agrees, compared, undecided
from verigate.gate.statuses import Standing, standing, standings
from verigate.statements.values import Fact

_LOCATIONS = "links/locations.json"


def statuses(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``dead`` and ``live``, counted; any other word is a link, and the value its status, ``live`` or ``dead``."""
    if fact.what not in {"dead", "live"}:
        return _one(facts, artifact, fact)
    chosen = _in_scope(facts, artifact.value, fact)
    if isinstance(chosen, Answer):
        return chosen
    found = standings(
        {url: artifact.value[url] for url in chosen}, redirects_pass=bool(facts.profile.rules.get("treat_3xx_as_pass"))
    )
    refs = tuple(cite(artifact, url) for url in found.dead[:SHOWN])
    if not found.live and not found.dead:
        return undecided(fact, "no link was checked", cite(artifact))
    if fact.what == "live":
        return compared(fact, len(found.live), cite(artifact))
    if found.unasked and agrees(fact, len(found.dead)):
        return undecided(fact, f"{len(found.unasked)} links were not asked", cite(artifact, found.unasked[0]))
    return compared(fact, len(found.dead), *(refs or (cite(artifact, found.live[0]),)))


def _one(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    bare = fact.what.rstrip("/")
    url = next((name for name in (fact.what, bare, f"{bare}/") if name in artifact.value), None)
    if url is None:
        return undecided(fact, "it was not among the checked links")
    status, ref = artifact.value[url], cite(artifact, url)
    if not isinstance(fact.value, str):
        if isinstance(status, int):
            return compared(fact, status, ref)
        return undecided(fact, f"there is no status but {status}", ref)
    found = standing(url, status, redirects_pass=bool(facts.profile.rules.get("treat_3xx_as_pass")))
    if found not in {Standing.LIVE, Standing.DEAD}:
        return undecided(fact, "it was not asked", ref)
    return compared(fact, found.value, ref)


def urlset(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``count``: how many links were found."""
    chosen = _in_scope(facts, artifact.value, fact)
    if isinstance(chosen, Answer):
        return chosen
    if not artifact.value:
        return undecided(fact, "no link was found", cite(artifact))
    return compared(fact, len(chosen), cite(artifact))


def _in_scope(facts: Facts, urls: Collection[str], fact: Fact) -> Collection[str] | Answer:
    """The links that stand in files at or below the scope, by what the adapter says of their places."""
    if fact.scope is None:
        return urls
    located = facts.evidence.artifacts.get(_LOCATIONS)
    if located is None or not isinstance(located.value, dict):
        return undecided(fact, "nothing says in which file a link stands")
    places: dict[str, Any] = located.value
    chosen = [url for url in urls if any(_below(place, fact.scope) for place in places.get(url) or ())]
    return chosen or undecided(fact, f"no link stands in {fact.scope}")


def _below(place: Any, scope: str) -> bool:
    file = place.get("file") if isinstance(place, dict) else None
    folder = scope.removeprefix("./").rstrip("/")
    return isinstance(file, str) and (file == folder or file.startswith(f"{folder}/"))
