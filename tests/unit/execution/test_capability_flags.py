"""What the configuration may open for a capability whose declaration allows it: variables by name, and the network."""

from __future__ import annotations

from typing import Any

import pytest

from verigate.domain.manifest import Capability, Manifest, Origin
from verigate.domain.plan import PlannedCapability
from verigate.execution.lifecycle import _resolve_policy
from verigate.processes.environment import list_named_variables

FLAGS = {"env": ["FIXED"], "env_from": "credentials", "network_if": "base_url"}

CASES: list[tuple[dict[str, Any], dict[str, Any], tuple[str, ...], bool]] = [
    (FLAGS, {}, ("FIXED",), False),
    (FLAGS, {"credentials": {"a": "TOKEN_A", "b": "TOKEN_B"}}, ("FIXED", "TOKEN_A", "TOKEN_B"), False),
    (FLAGS, {"credentials": {"a": 1}}, ("FIXED",), False),
    (FLAGS, {"credentials": "TOKEN"}, ("FIXED",), False),
    (FLAGS, {"base_url": "http://127.0.0.1:1"}, ("FIXED",), True),
    (FLAGS, {"base_url": ""}, ("FIXED",), False),
    ({}, {"credentials": {"a": "TOKEN_A"}, "base_url": "http://x"}, (), False),
    ({"env_from": 1, "network_if": True}, {"1": {"a": "TOKEN_A"}}, (), False),
]


@pytest.mark.parametrize(("flags", "config", "names", "network"), CASES)
def test_only_what_declaration_and_configuration_agree_on(
    flags: dict[str, Any], config: dict[str, Any], names: tuple[str, ...], network: bool
) -> None:
    capability = Capability("x:y", flags=flags)
    manifest = Manifest("x", "1", "bin/x", "/nowhere", Origin.BUILTIN, "0", capabilities=(capability,))
    planned = PlannedCapability("x:y", True, (), provider=manifest)
    assert list_named_variables(planned.declaration.flags, config) == names
    assert _resolve_policy(planned, config).network is network
