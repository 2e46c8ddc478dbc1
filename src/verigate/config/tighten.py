"""Tighten a profile by a commitment's ``quality``, which can be stricter than the policy, never laxer.

The commitment is written by whoever does the work. So a threshold that would loosen the profile is ignored with a
warning, and so is a setting that the profile doesn't make itself, unless its value is the strictest one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from verigate.config.profiles import hash_rules
from verigate.domain.profile import Profile
from verigate.domain.rules import (
    AFFECTED,
    AFFECTED_IN_CI,
    ALL_TESTS,
    IMPACTED,
    IMPACTED_IN_CI,
    RULES,
    TESTS_KEY,
    choose_stricter,
)
from verigate.domain.weakening import PROFILE_KEY, Policy, combine_settings, normalise_rules
from verigate.errors import Fault
from verigate.formats import pointer

_ORDERED: Mapping[str, tuple[str, ...]] = {
    "statements": ("report", "require"),
    "fuzzy_units": ("accept", "reject"),
    "sandbox": ("off", "prefer", "require"),
    "expectations": tuple(Policy),
}
"""Settings that are words, from the laxest to the strictest."""

_TESTS = ((IMPACTED_IN_CI, IMPACTED, ALL_TESTS), (AFFECTED_IN_CI, AFFECTED, ALL_TESTS))
"""The same of the tests that run. Neither of two words is the stricter one if no order has both."""


def tighten(profile: Profile, quality: Mapping[str, Any]) -> tuple[Profile, tuple[Fault, ...]]:
    """Add the stricter thresholds of a commitment. Returns the profile, and warnings for those that have no effect.

    ``quality`` must be valid; keys that aren't rules are skipped (the schema warns of them).
    """
    rules = dict(profile.rules)
    warnings: list[Fault] = []
    for key, promised in normalise_rules(quality).items():
        enforced = rules.get(key)
        if key not in RULES or promised is None or (promised is False and not enforced):
            continue
        place = pointer.join("commitments", "quality", key)
        both = combine_thresholds(key, enforced, promised)
        if both is None or not _has_effect(key, both, promised):
            warnings.append(Fault(f"{key} would loosen the profile {profile.name} and has no effect", pointer=place))
        if both is not None:
            rules[key] = both
    ordered = {key: rules[key] for key in sorted(rules)}
    if ordered == dict(profile.rules):
        return profile, tuple(warnings)
    return replace(profile, rules=ordered, digest=hash_rules(ordered)), tuple(warnings)


def set_default(profile: Profile, key: str, value: Any) -> Profile:
    """Set ``key`` to ``value`` unless the profile sets it."""
    if profile.rules.get(key) is not None:
        return profile
    rules = dict(sorted({**profile.rules, key: value}.items()))
    return replace(profile, rules=rules, digest=hash_rules(rules))


def combine_thresholds(key: str, enforced: Any, promised: Any) -> Any:
    """Return the stricter of two thresholds of one key; None if the promise must not count."""
    if key == TESTS_KEY:
        return _combine_tests(enforced, promised)
    if key in _ORDERED:
        words = _ORDERED[key]
        strictest = max((word for word in (enforced, promised) if word is not None), key=words.index)
        # Without a word of the profile the gate's default holds, which only the strictest word can't loosen.
        return strictest if enforced is not None or promised == words[-1] else None
    if key == PROFILE_KEY:
        # Without a setting of the profile no weakening is taken: nothing is stricter.
        return combine_settings(enforced, promised) if enforced is not None or promised == Policy.REFUSE else None
    if key == "latency_ms":
        limits = dict(enforced or {})
        for percentile, limit in promised.items():
            limits[percentile] = min(limit, limits.get(percentile, limit))
        return limits
    if enforced is None and (RULES[key].setting or key == "rules"):
        return None
    return choose_stricter(key, enforced, promised)


def _combine_tests(enforced: str | None, promised: str | None) -> str | None:
    """Return the stricter of two words for the tests that run, all of them if neither is; None as above."""
    if enforced is None or promised is None:
        # Without a word of the profile all run, which only that word can't loosen.
        return enforced or (promised if promised == ALL_TESTS else None)
    words = next((words for words in _TESTS if enforced in words and promised in words), None)
    return ALL_TESTS if words is None else max(enforced, promised, key=words.index)


def _has_effect(key: str, both: Any, promised: Any) -> bool:
    """Return whether the combined threshold is the promised one, or contains it."""
    if isinstance(promised, list):
        return all(item in both for item in promised)
    if key == "latency_ms":
        return all(both[percentile] == limit for percentile, limit in promised.items())
    return bool(both == promised)
