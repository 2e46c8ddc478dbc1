"""Rules of the links domain."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.answer import SHOWN, Answer, cite, combine, holds, refuted, unknown
from verigate.gate.rules.rule import Rule, flag, no_evidence, per_artifact
from verigate.gate.statuses import Standings, standings


@flag
def _full_coverage(facts: Facts) -> Answer:
    sets = facts.evidence.by_spec("verigate:urlset.v1")
    statuses = facts.evidence.by_spec("verigate:statuses.v1")
    if not sets:
        return no_evidence("verigate:urlset.v1")
    if not statuses:
        return no_evidence("verigate:statuses.v1")
    return combine([_covered(urls, answered) for urls in sets for answered in statuses])


def _covered(urls: Artifact, statuses: Artifact) -> Answer:
    if not urls.value:
        return refuted("LINKS_UNCHECKED", "no link was found", 0, cite(urls))
    missing = [index for index, url in enumerate(urls.value) if url not in statuses.value]
    if missing:
        message = f"{len(missing)} of {len(urls.value)} links have no status"
        return refuted(
            "LINKS_UNCHECKED",
            message,
            len(urls.value) - len(missing),
            *(cite(urls, index) for index in missing[:SHOWN]),
        )
    if len(statuses.value) != len(urls.value):
        message = f"{len(statuses.value)} statuses for {len(urls.value)} links"
        return refuted("LINKS_UNCHECKED", message, len(statuses.value), cite(urls))
    found = standings(statuses.value, redirects_pass=True)
    if found.unasked:
        return refuted(
            "LINKS_UNCHECKED",
            f"{len(found.unasked)} of {len(urls.value)} links were not asked",
            len(urls.value) - len(found.unasked),
            *(cite(statuses, url) for url in found.unasked[:SHOWN]),
        )
    if len(found.nothing_to_ask) == len(urls.value):
        return _nothing_asked(statuses)
    return holds(len(urls.value), cite(urls, 0), message=f"all {len(urls.value)} links have a status")


def _nothing_asked(statuses: Artifact) -> Answer:
    first = min(statuses.value)
    return refuted("LINKS_UNCHECKED", "no link is one that can be asked", 0, cite(statuses, first))


def _failures_max(facts: Facts, most: int) -> Answer:
    redirects_pass = bool(facts.profile.rules.get("treat_3xx_as_pass"))

    def judge(artifact: Artifact, limit: int) -> Answer:
        if not artifact.value:
            return refuted("LINKS_UNCHECKED", "no link was checked", 0, cite(artifact))
        found = standings(artifact.value, redirects_pass=redirects_pass)
        if len(found.nothing_to_ask) == len(artifact.value):
            return _nothing_asked(artifact)
        return _failures(artifact, found, limit, _flaky(facts, found))

    return per_artifact("verigate:statuses.v1", judge)(facts, most)


def _failures(artifact: Artifact, found: Standings, limit: int, flaky: int) -> Answer:
    dead, unasked = len(found.dead), len(found.unasked)
    refs = tuple(cite(artifact, url) for url in found.dead[:SHOWN])
    if dead > limit:
        message = f"{dead} of {len(artifact.value)} links fail, at most {limit} allowed"
        again = f"; {flaky} of them answered when tried again" if flaky else ""
        return refuted("LINK_FAIL", message + again, dead, *refs)
    if dead + unasked > limit:
        refs = tuple(cite(artifact, url) for url in found.unasked[:SHOWN])
        return unknown("LINKS_UNCHECKED", f"{unasked} of {len(artifact.value)} links were not asked", dead, *refs)
    return holds(dead, *(refs or (cite(artifact, min(artifact.value)),)))


def _flaky(facts: Facts, found: Standings) -> int:
    """How many of the failures a second try found working; they stay failures."""
    told = [artifact.value for artifact in facts.evidence.by_spec("verigate:resample.v1")]
    attempts = [value[url] for value in told if isinstance(value, dict) for url in found.dead if url in value]
    return sum(isinstance(entry, dict) and entry.get("flaky") is True for entry in attempts)


def _resample_max(facts: Facts, most: int) -> Answer:
    # No link had to be tried again where none was tried at all.
    statuses = facts.evidence.by_spec("verigate:statuses.v1")
    if not statuses:
        return no_evidence("verigate:statuses.v1")
    for artifact in statuses:
        if not artifact.value:
            return refuted("LINKS_UNCHECKED", "no link was checked", 0, cite(artifact))
    return _RESAMPLED(facts, most)


def _resampled(artifact: Artifact, most: int) -> Answer:
    count = len(artifact.value)
    if count > most:
        return refuted(
            "LINK_FAIL", f"{count} links had to be tried again, at most {most} allowed", count, cite(artifact)
        )
    return holds(count, cite(artifact))


_RESAMPLED = per_artifact("verigate:resample.v1", _resampled)


def _links_min(artifact: Artifact, least: int) -> Answer:
    count = len(artifact.value)
    if count < max(least, 1):
        return refuted("LINKS_UNCHECKED", f"{count} links found, at least {least} wanted", count, cite(artifact))
    return holds(count, cite(artifact, 0))


JUDGES: Mapping[str, Rule] = {
    "require_full_coverage": _full_coverage,
    "failures_max": _failures_max,
    "resample_max": _resample_max,
    "links_min": per_artifact("verigate:urlset.v1", _links_min),
}
