from __future__ import annotations

from typing import Any

import pytest

from verigate.domain.rules import RULES, choose_stricter, is_active, list_custom_rule_places, list_custom_rule_reads
from verigate.domain.standard_artifacts import BY_SPEC

TABLE: list[tuple[str, Any, Any, Any]] = [
    ("tests_min", 1, 3, 3),
    ("coverage_min", 0.9, 0.8, 0.9),
    ("lint_errors_max", 5, 0, 0),
    ("lint_clean", False, True, True),
    ("allow_policy_change", True, False, False),
    ("treat_3xx_as_pass", True, True, True),
    ("required_endpoints", ["/a"], ["/b", "/a"], ["/a", "/b"]),
    ("sandbox", "off", "require", "off"),
    ("tests_min", None, 2, 2),
    ("tests_min", 2, None, 2),
]


@pytest.mark.parametrize(("key", "one", "other", "expected"), TABLE)
def test_the_stricter_of_two_thresholds(key: str, one: Any, other: Any, expected: Any) -> None:
    assert choose_stricter(key, one, other) == expected


def test_every_rule_reads_known_specs_and_is_off_without_a_threshold() -> None:
    for key, spec in RULES.items():
        assert set(spec.reads) <= set(BY_SPEC), key
        assert not is_active(key, None)
        assert not is_active(key, False)
    assert not is_active("nonsense", True)
    assert not is_active("sandbox", "require")
    assert is_active("tests_min", 0)


def test_the_artifacts_that_an_expression_names() -> None:
    rule = {"when": "artifacts['b/c.json'].x", "expr": 'artifacts[ "a.json" ].y == artifacts["a.json"].z && other["d"]'}
    assert list_custom_rule_reads(rule) == ("a.json", "b/c.json")
    assert list_custom_rule_reads({"expr": "true"}) == ()


def test_the_values_that_an_expression_names() -> None:
    rule = {
        "when": "size(artifacts['b/c.json']) > 0",
        "expr": 'artifacts[ "a.json" ].y["k z"][3].w == 1 && artifacts["a.json"].files.all(f, f.ok)'
        ' && artifacts["a.json"].y != {}',
    }
    assert list_custom_rule_places(rule) == (
        ("a.json", ("files",)),
        ("a.json", ("y", "k z", 3, "w")),
        ("b/c.json", ()),
    )
    assert list_custom_rule_places({"expr": "true"}) == ()
