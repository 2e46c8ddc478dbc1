"""Which profile a task is judged by, and whether one that its commitment names asks enough.

The commitment is written by whoever does the work. So a profile that it names counts only if it asks at least as much
as the one that the type would have without it, its floor. ``--profile`` is the caller's word and isn't measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.config.builtin import PROFILES_FILE
from verigate.config.profiles import Profiles
from verigate.config.tighten import combined
from verigate.domain.profile import Profile
from verigate.domain.rules import RULES, is_active
from verigate.errors import UsageError

_WITHOUT_A_WORD: Mapping[str, Any] = {
    "allow_policy_change": False,
    "treat_3xx_as_pass": False,
    "word_tolerance": 0,
    "statements": "require",
    "fuzzy_units": "reject",
    "sandbox": "prefer",
}
"""What holds where a profile doesn't make these settings; the defaults of the others are their adapters' business."""


def chosen_profile(
    profiles: Profiles, task_type: str, *, committed: str | None, caller: str | None = None, where: str
) -> Profile:
    """The caller's profile, else the commitment's, else the one of the type.

    ``where`` is the place of the commitment's word in messages. Raises UsageError for unknown names, for a type without
    a profile, and for a committed profile that asks less than its floor or has none to be measured against.
    """
    if caller:
        return profiles.resolve(caller)
    if not committed:
        return profiles.resolve(profiles.default_for(task_type))
    named = profiles.resolve(committed)
    own = f'make it the type\'s profile: "{task_type}_default": {{"extends": "{committed}"}} in {PROFILES_FILE}'
    hint = f"name it with `gate verify --profile`, or {own}"
    if not profiles.has_default(task_type):
        raise UsageError(
            f"the type {task_type!r} has no profile of its own that {committed!r} could be measured against: a "
            "commitment can only ask for more than the type does",
            where=where,
            hint=hint,
        )
    floor = profiles.resolve(profiles.default_for(task_type))
    if less := laxer(floor.rules, named.rules):
        raise UsageError(
            f"the profile {committed!r} asks less than {floor.name!r}, which is the one of the type {task_type!r}: "
            f"{', '.join(less)}; a commitment can only ask for more",
            where=where,
            hint=hint,
        )
    return named


def laxer(floor: Mapping[str, Any], named: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys, sorted, in which the rules ``named`` ask less than the rules ``floor``, or can't be measured."""
    keys = sorted({*floor, *named})
    words = ((key, floor.get(key, _WITHOUT_A_WORD.get(key)), named.get(key, _WITHOUT_A_WORD.get(key))) for key in keys)
    return tuple(key for key, least, own in words if not _asks_as_much(key, least, own))


def _asks_as_much(key: str, least: Any, own: Any) -> bool:
    if key == "verifier":
        # Which of two language models is the more lenient one nobody can tell.
        return bool(own == least)
    if key == "rules":
        return all(rule in (own or ()) for rule in least or ())
    if least is None and RULES[key].setting:
        return own is None
    if not RULES[key].setting and not is_active(key, least):
        return True
    if own is None:
        return False
    both = combined(key, least, own)
    return all(item in own for item in both) if isinstance(both, list) else bool(both == own)
