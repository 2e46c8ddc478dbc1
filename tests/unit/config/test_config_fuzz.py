"""Whatever a configuration or task file holds, the answer is a value or a ConfigError, never a traceback."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.config.schemas import load_schema
from verigate.config.task_files import read_claim, read_commitment
from verigate.config.tighten import tighten
from verigate.domain.profile import Profile
from verigate.errors import ConfigError

_WORDS = (
    "task_id type claim claimed units_total units_list statements id text scope declared commitments quality "
    "requirements functions endpoints files order required optional extends rules expr code "
    "code_strict T_test code:lint $schema"
)
_KEYS = st.sampled_from([*_WORDS.split(), *load_schema("profiles")["$defs"]["rules"]["properties"]]) | st.text(
    max_size=3
)
_SCALARS = st.none() | st.booleans() | st.integers(-2, 90) | st.floats(0, 2) | _KEYS
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=15,
)
_SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "replace")


@pytest.mark.slow
@_SETTINGS
@given(_VALUES | st.fixed_dictionaries({"task_id": st.just("T_test"), "claim": _VALUES}))
@example({"task_id": "T_test", "claim": {"units_list": ["statement:1"], "statements": [{"text": "x", "id": "1"}]}})
def test_claims(tmp_path: Path, value: Any) -> None:
    (tmp_path / "claim.json").write_bytes(_json(value))
    reading = read_claim(tmp_path / "claim.json", "T_test", "code")
    assert (reading.claim is None) == bool(reading.faults)


@pytest.mark.slow
@_SETTINGS
@given(
    st.fixed_dictionaries({"task_id": st.just("T_test"), "type": st.just("code"), "commitments": _VALUES})
    | st.fixed_dictionaries(
        {
            "task_id": st.just("T_test"),
            "type": st.just("code"),
            "commitments": st.fixed_dictionaries({"quality": st.dictionaries(_KEYS, _VALUES, max_size=4)}),
        }
    ),
    st.dictionaries(st.sampled_from(["tests_min", "statements", "latency_ms", "lint_clean"]), st.none()),
)
def test_commitments_and_their_quality(tmp_path: Path, value: Any, enforced: dict[str, Any]) -> None:
    (tmp_path / "commitment.json").write_bytes(_json(value))
    with suppress(ConfigError):
        quality = read_commitment(tmp_path / "commitment.json", "T_test").commitment.quality
        tighten(Profile("p", enforced), quality)


@pytest.mark.slow
@_SETTINGS
@given(st.dictionaries(_KEYS, _VALUES, max_size=4), st.dictionaries(_KEYS, _VALUES, max_size=4))
@example({"a": {"order": ["a:b"], "required": ["a:b"]}}, {"a": {"extends": ["b", "a"]}, "b": {"rules": None}})
def test_plan_and_profiles(tmp_path: Path, plan: Any, profiles: Any) -> None:
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "adapter-plan.json").write_bytes(_json(plan))
    (tmp_path / "config" / "verification.profiles.json").write_bytes(_json(profiles))
    with suppress(ConfigError):
        configuration = load_configuration(tmp_path, find_builtin_root())
        for name in configuration.profiles.names:
            configuration.profiles.resolve(name)
