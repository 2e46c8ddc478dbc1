"""Rules of the links domain."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.link_status import LinkStatuses, classify_links
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, combine, holds, refuted, unknown
from verigate.gate.rules.rule import Rule, flag_rule, for_each_artifact, missing_artifact


@flag_rule
def _full_coverage(facts: Facts) -> RuleOutcome:
    sets = facts.evidence.by_spec("verigate:urlset.v1")
    statuses = facts.evidence.by_spec("verigate:statuses.v1")
    if not sets:
        return missing_artifact("verigate:urlset.v1")
    if not statuses:
        return missing_artifact("verigate:statuses.v1")
    return combine([_compare_sets(urls, answered) for urls in sets for answered in statuses])


def _compare_sets(urls: Artifact, statuses: Artifact) -> RuleOutcome:
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
    found = classify_links(statuses.value, redirects_pass=True)
    if found.unchecked:
        return refuted(
            "LINKS_UNCHECKED",
            f"{len(found.unchecked)} of {len(urls.value)} links were not checked",
            len(urls.value) - len(found.unchecked),
            *(cite(statuses, url) for url in found.unchecked[:SHOWN]),
        )
    if len(found.unfetchable) == len(urls.value):
        return _refute_unfetchable(statuses)
    return holds(len(urls.value), cite(urls, 0), message=f"all {len(urls.value)} links have a status")


def _refute_unfetchable(statuses: Artifact) -> RuleOutcome:
    first = min(statuses.value)
    return refuted("LINKS_UNCHECKED", "no link can be fetched", 0, cite(statuses, first))


def _failures_max(facts: Facts, most: int) -> RuleOutcome:
    redirects_pass = bool(facts.profile.rules.get("treat_3xx_as_pass"))

    def judge(artifact: Artifact, limit: int) -> RuleOutcome:
        if not artifact.value:
            return refuted("LINKS_UNCHECKED", "no link was checked", 0, cite(artifact))
        found = classify_links(artifact.value, redirects_pass=redirects_pass)
        if len(found.unfetchable) == len(artifact.value):
            return _refute_unfetchable(artifact)
        return _judge_failures(artifact, found, limit, _count_flaky(facts, found))

    return for_each_artifact("verigate:statuses.v1", judge)(facts, most)


def _judge_failures(artifact: Artifact, found: LinkStatuses, limit: int, flaky: int) -> RuleOutcome:
    dead, unchecked = len(found.dead), len(found.unchecked)
    refs = tuple(cite(artifact, url) for url in found.dead[:SHOWN])
    if dead > limit:
        message = f"{dead} of {len(artifact.value)} links fail, at most {limit} allowed"
        again = f"; {flaky} of them worked on retry" if flaky else ""
        return refuted("LINK_FAIL", message + again, dead, *refs)
    if dead + unchecked > limit:
        refs = tuple(cite(artifact, url) for url in found.unchecked[:SHOWN])
        return unknown("LINKS_UNCHECKED", f"{unchecked} of {len(artifact.value)} links were not checked", dead, *refs)
    return holds(dead, *(refs or (cite(artifact, min(artifact.value)),)))


def _count_flaky(facts: Facts, found: LinkStatuses) -> int:
    """Count the failed links that worked on retry. They still count as failures."""
    retries = [artifact.value for artifact in facts.evidence.by_spec("verigate:resample.v1")]
    attempts = [value[url] for value in retries if isinstance(value, dict) for url in found.dead if url in value]
    return sum(isinstance(entry, dict) and entry.get("flaky") is True for entry in attempts)


def _resample_max(facts: Facts, most: int) -> RuleOutcome:
    # Without any checked link there is nothing to retry, and the rule must not hold.
    statuses = facts.evidence.by_spec("verigate:statuses.v1")
    if not statuses:
        return missing_artifact("verigate:statuses.v1")
    for artifact in statuses:
        if not artifact.value:
            return refuted("LINKS_UNCHECKED", "no link was checked", 0, cite(artifact))
    return _RESAMPLED(facts, most)


def _resampled_max_of(artifact: Artifact, most: int) -> RuleOutcome:
    count = len(artifact.value)
    if count > most:
        return refuted("LINK_FAIL", f"{count} links were retried, at most {most} allowed", count, cite(artifact))
    return holds(count, cite(artifact))


_RESAMPLED = for_each_artifact("verigate:resample.v1", _resampled_max_of)


def _links_min(artifact: Artifact, least: int) -> RuleOutcome:
    count = len(artifact.value)
    if count < max(least, 1):
        return refuted("LINKS_UNCHECKED", f"{count} links found, at least {least} wanted", count, cite(artifact))
    return holds(count, cite(artifact, 0))


JUDGES: Mapping[str, Rule] = {
    "require_full_coverage": _full_coverage,
    "failures_max": _failures_max,
    "resample_max": _resample_max,
    "links_min": for_each_artifact("verigate:urlset.v1", _links_min),
}
