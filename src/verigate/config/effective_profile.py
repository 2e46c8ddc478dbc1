"""Resolve the profile that a task is judged by: chosen, held to the rules of code, tightened by the commitment.

The commitment is written by whoever does the work. So a profile that it names counts only if it is at least as strict
as the default of the task's type, its floor. The type is chosen by the same hand: a change to code is also held to the
rules that apply without a commitment. ``--profile`` is the caller's choice and isn't compared with a floor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.builtin import PROFILES_FILE
from verigate.config.profiles import Profiles, hash_rules
from verigate.config.tighten import combine_thresholds, set_default, tighten
from verigate.domain.profile import Profile
from verigate.domain.rules import AFFECTED_IN_CI, ALL_TESTS, RULES, TESTS_KEY, is_active
from verigate.domain.task import IMPLICIT_TASK_TYPE, Commitment
from verigate.domain.weakening import EXPECTATIONS_KEY, PROFILE_KEY
from verigate.errors import UsageError

_DEFAULTS: Mapping[str, Any] = {
    "allow_policy_change": False,
    "treat_3xx_as_pass": False,
    "word_tolerance": 0,
    "statements": "require",
    "fuzzy_units": "reject",
    "sandbox": "prefer",
    "weakening": "refuse",
    "expectations": "disclose",
    TESTS_KEY: ALL_TESTS,
}
"""The defaults of these settings; those of the others are up to the adapters."""


class EffectiveProfile(Struct, frozen=True):
    """The rules that a task is judged by, and warnings about what the commitment asks of them."""

    profile: Profile
    warnings: tuple[str, ...] = ()


def resolve_profile(
    profiles: Profiles,
    commitment: Commitment,
    *,
    where: str,
    caller: str | None = None,
    code_touched: Callable[[], str | None],
    reported: bool = False,
    affected: bool = False,
) -> EffectiveProfile:
    """Resolve the profile of a task whose change is known.

    ``where`` is the place of the commitment's profile in messages, ``caller`` the value of ``--profile``.
    ``code_touched`` returns a changed path of code, None if there is none; it is called only if the answer counts.
    ``reported``: where no rule says how to take statements, undecided ones are only reported. ``affected``: the caller
    asks for the tests of affected packages alone, which counts unless the rules say that all tests run. Raises
    UsageError as ``choose_profile``.
    """
    profile = choose_profile(profiles, commitment.type, committed=commitment.profile, caller=caller, where=where)
    warnings: list[str] = []
    if not caller and commitment.type != IMPLICIT_TASK_TYPE and (path := code_touched()) is not None:
        profile, keys = require_code_rules(profile, profiles, reported=reported)
        if keys:
            warnings.append(describe_code_rules(profile, profiles, keys, path))
    profile, loosened = tighten(profile, commitment.quality)
    if reported:
        profile = set_default(profile, "statements", "report")
    if affected:
        profile, notes = _select_affected(profile)
        warnings += notes
    if caller:
        profile = replace(profile, named=True)
    return EffectiveProfile(profile, (*warnings, *map(str, loosened)))


def _select_affected(profile: Profile) -> tuple[Profile, tuple[str, ...]]:
    """Let the tests of affected packages run alone, also in CI. The rules then have another digest than the profile."""
    if profile.rules.get(TESTS_KEY) == ALL_TESTS:
        return profile, (f"--affected has no effect: by the profile {profile.name} or the commitment all tests run",)
    rules = dict(sorted({**profile.rules, TESTS_KEY: AFFECTED_IN_CI}.items()))
    return replace(profile, rules=rules, digest=hash_rules(rules)), ()


def preview_profile(profiles: Profiles, commitment: Commitment, *, where: str) -> EffectiveProfile:
    """Choose the profile of a task before its work, and warn of the rules that a change to code would add.

    Raises UsageError as ``choose_profile``.
    """
    profile = choose_profile(profiles, commitment.type, committed=commitment.profile, where=where)
    keys = require_code_rules(profile, profiles)[1] if commitment.type != IMPLICIT_TASK_TYPE else ()
    return EffectiveProfile(profile, (describe_code_rules(profile, profiles, keys),) if keys else ())


def choose_profile(
    profiles: Profiles, task_type: str, *, committed: str | None, caller: str | None = None, where: str
) -> Profile:
    """Choose the caller's profile, else the commitment's, else the default of the type.

    ``where`` is the place of the commitment's profile in messages. Raises UsageError for unknown names, for a type
    without a profile, and for a committed profile that is laxer than its floor or has none.
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
    if less := find_laxer_keys(floor.rules, named.rules):
        raise UsageError(
            f"the profile {committed!r} asks less than {floor.name!r}, which is the one of the type {task_type!r}: "
            f"{', '.join(less)}; a commitment can only ask for more",
            where=where,
            hint=hint,
        )
    return named


def require_code_rules(
    profile: Profile, profiles: Profiles, *, reported: bool = False
) -> tuple[Profile, tuple[str, ...]]:
    """Return the profile with the stricter rules of code added, and the keys, sorted, in which they are stricter.

    The rules of code are the default profile of the type that a task without a commitment has: all its rules, and of
    its settings those for the domains code and any. ``reported``: where it doesn't say how to take statements, they are
    reported, as for that task.
    """
    code = profiles.resolve(profiles.default_for(IMPLICIT_TASK_TYPE))
    if code.name == profile.name:
        return profile, ()
    floor = set_default(code, "statements", "report").rules if reported else code.rules
    less = tuple(
        key for key in find_laxer_keys(floor, profile.rules) if not RULES[key].setting or _is_code_setting(key)
    )
    if not less:
        return profile, ()
    both = {
        key: _combine_values(key, _get_value(floor, key), _get_value(profile.rules, key), code.name) for key in less
    }
    if "integrity" in less:
        # A profile without the rule says nothing about what the rule takes.
        both |= {
            key: floor[key] for key in (PROFILE_KEY, EXPECTATIONS_KEY) if key in floor and key not in profile.rules
        }
    rules = {key: value for key, value in sorted({**profile.rules, **both}.items()) if value is not None}
    return replace(profile, rules=rules, digest=hash_rules(rules)), less


def describe_code_rules(profile: Profile, profiles: Profiles, more: Sequence[str], touched: str | None = None) -> str:
    """Explain in a sentence what ``require_code_rules`` added. ``touched`` is a path of code, None if not known yet."""
    code = profiles.default_for(IMPLICIT_TASK_TYPE)
    subject = "code in the change" if touched is None else f"{touched} counts as code, as all but documents does, and"
    return (
        f"{subject} must meet the profile {code} too: {', '.join(more)}; `gate verify --profile {profile.name}` leaves "
        "these rules out"
    )


def _is_code_setting(key: str) -> bool:
    return RULES[key].domain in {"code", "any"}


def _combine_values(key: str, floor: Any, own: Any, name: str) -> Any:
    """Combine two thresholds into one as strict as both. Clashing custom rules get the profile ``name`` as a prefix."""
    if floor is None:
        # A setting that code doesn't make, and that nobody can say the default of.
        return None
    if key != "rules":
        return combine_thresholds(key, own, floor)
    ours = list(own or ())
    taken = {rule["id"] for rule in ours}
    for rule in floor:
        if rule not in ours:
            ours.append({**rule, "id": f"{name}.{rule['id']}"} if rule["id"] in taken else rule)
    return ours


def find_laxer_keys(floor: Mapping[str, Any], named: Mapping[str, Any]) -> tuple[str, ...]:
    """Find the keys, sorted, in which the rules ``named`` are laxer than the rules ``floor``, or can't be compared."""
    keys = sorted({*floor, *named})
    return tuple(key for key in keys if not _is_as_strict(key, _get_value(floor, key), _get_value(named, key)))


def _get_value(rules: Mapping[str, Any], key: str) -> Any:
    return rules.get(key, _DEFAULTS.get(key))


def _is_as_strict(key: str, least: Any, own: Any) -> bool:
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
    both = combine_thresholds(key, least, own)
    return all(item in own for item in both) if isinstance(both, list) else bool(both == own)
