"""A commitment's ``quality`` against the profile: a promise can ask for more than the policy, never for less.

The commitment is written by whoever does the work. So a threshold that would loosen the profile is left out with a
warning, and so is a setting that the profile doesn't make itself, unless its value is the strictest there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from verigate.config.profiles import digest
from verigate.domain.profile import Profile
from verigate.domain.rules import RULES, choose_stricter
from verigate.errors import Fault
from verigate.formats import pointer

_ORDERED: Mapping[str, tuple[str, ...]] = {
    "statements": ("report", "require"),
    "fuzzy_units": ("accept", "reject"),
    "sandbox": ("off", "prefer", "require"),
}
"""Settings that are words, from the loosest to the strictest."""


def tighten(profile: Profile, quality: Mapping[str, Any]) -> tuple[Profile, tuple[Fault, ...]]:
    """The profile with what the commitment promised beyond it, and warnings for what had no effect.

    ``quality`` is expected to be valid; keys that aren't rules are passed over (the schema warns of them).
    """
    rules = dict(profile.rules)
    warnings: list[Fault] = []
    for key, promised in quality.items():
        enforced = rules.get(key)
        if key not in RULES or promised is None or (promised is False and not enforced):
            continue
        place = pointer.join("commitments", "quality", key)
        both = combine_thresholds(key, enforced, promised)
        if both is None or not _reaches(key, both, promised):
            warnings.append(Fault(f"{key} would loosen the profile {profile.name} and has no effect", pointer=place))
        if both is not None:
            rules[key] = both
    ordered = {key: rules[key] for key in sorted(rules)}
    if ordered == dict(profile.rules):
        return profile, tuple(warnings)
    return replace(profile, rules=ordered, digest=digest(ordered)), tuple(warnings)


def set_default(profile: Profile, key: str, value: Any) -> Profile:
    """The profile with ``value`` where it and the commitment say nothing about ``key``."""
    if profile.rules.get(key) is not None:
        return profile
    rules = dict(sorted({**profile.rules, key: value}.items()))
    return replace(profile, rules=rules, digest=digest(rules))


def combine_thresholds(key: str, enforced: Any, promised: Any) -> Any:
    """The stricter of two thresholds of one key; None where the promise must not count."""
    if key in _ORDERED:
        words = _ORDERED[key]
        strictest = max((word for word in (enforced, promised) if word is not None), key=words.index)
        # Without a word of the profile the gate's default holds, which only the strictest word can't loosen.
        return strictest if enforced is not None or promised == words[-1] else None
    if key == "latency_ms":
        limits = dict(enforced or {})
        for percentile, limit in promised.items():
            limits[percentile] = min(limit, limits.get(percentile, limit))
        return limits
    if enforced is None and (RULES[key].setting or key == "rules"):
        return None
    return choose_stricter(key, enforced, promised)


def _reaches(key: str, both: Any, promised: Any) -> bool:
    """Whether the combined threshold is at least as strict as the promise by being it."""
    if isinstance(promised, list):
        return all(item in both for item in promised)
    if key == "latency_ms":
        return all(both[percentile] == limit for percentile, limit in promised.items())
    return bool(both == promised)
