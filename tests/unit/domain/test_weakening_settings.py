"""What a profile takes of a weakening: the policy of each kind, and the stricter of two settings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.weakening import (
    Policy,
    Weakening,
    choose_policy,
    choose_strictest,
    combine_settings,
    normalise_rules,
)

WORDS = st.sampled_from([policy.value for policy in Policy])
SETTINGS = WORDS | st.dictionaries(st.sampled_from(["default", "lost", "test_skipped"]), WORDS, min_size=1)


@pytest.mark.parametrize(
    ("setting", "kind", "policy"),
    [
        (None, "lost", "refuse"),
        ("allow", "lost", "allow"),
        ({"default": "disclose", "lost": "allow"}, "lost", "allow"),
        ({"default": "disclose", "lost": "allow"}, "greened", "disclose"),
        ({"lost": "allow"}, "greened", "refuse"),
        ("nonsense", "lost", "refuse"),
        (7, "lost", "refuse"),
    ],
)
def test_the_policy_of_a_kind(setting: Any, kind: str, policy: str) -> None:
    assert choose_policy(setting, kind) == policy


@given(SETTINGS, SETTINGS)
def test_the_stricter_of_two_settings_is_as_strict_as_both_for_every_kind(one: Any, other: Any) -> None:
    both = combine_settings(one, other)
    for kind in ("lost", "test_skipped", "any_other"):
        assert choose_policy(both, kind) is choose_strictest(choose_policy(one, kind), choose_policy(other, kind))
    assert combine_settings(other, one) == both
    assert combine_settings(both, both) == both


@pytest.mark.parametrize(
    ("rules", "normal"),
    [
        ({"tests_pass": True}, {"tests_pass": True}),
        ({"weakening": {"default": "disclose", "lost": "disclose"}}, {"weakening": "disclose"}),
        ({"weakening": {"followed": "allow"}}, {"expectations": "allow"}),
        (
            {"weakening": {"default": "disclose", "followed": "allow"}, "expectations": "refuse"},
            {"weakening": "disclose", "expectations": "refuse"},
        ),
    ],
)
def test_an_override_for_followed_is_the_key_expectations(rules: Any, normal: Any) -> None:
    assert normalise_rules(rules) == normal
    assert normalise_rules(normal) == normal


def test_a_target_is_one_visible_line() -> None:
    weakening = Weakening("lost", "tests/a\nb.py", "test\u202e", "0123456789ab")
    assert weakening.target == "tests/a\\nb.py::test\\u202e"
    assert weakening.format_line() == "Weakens: lost tests/a\\nb.py::test\\u202e 0123456789ab (…)"
    assert Weakening("lost", "a.py", None, "0123456789ab").target == "a.py"
