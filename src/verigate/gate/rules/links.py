"""Rules of the links domain."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.answer import SHOWN, Answer, cite, combine, holds, refuted
from verigate.gate.rules.rule import Rule, flag, no_evidence, per_artifact
from verigate.gate.statuses import is_live


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
    return holds(len(urls.value), cite(urls, 0), message=f"all {len(urls.value)} links have a status")


def _failures_max(facts: Facts, most: int) -> Answer:
    redirects_pass = bool(facts.profile.rules.get("treat_3xx_as_pass"))

    def judge(artifact: Artifact, limit: int) -> Answer:
        if not artifact.value:
            return refuted("LINKS_UNCHECKED", "no link was checked", 0, cite(artifact))
        dead = [url for url, status in artifact.value.items() if not is_live(status, redirects_pass=redirects_pass)]
        refs = tuple(cite(artifact, url) for url in sorted(dead)[:SHOWN])
        if len(dead) > limit:
            return refuted(
                "LINK_FAIL",
                f"{len(dead)} of {len(artifact.value)} links fail, at most {limit} allowed",
                len(dead),
                *refs,
            )
        return holds(len(dead), *(refs or (cite(artifact, min(artifact.value)),)))

    return per_artifact("verigate:statuses.v1", judge)(facts, most)


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
