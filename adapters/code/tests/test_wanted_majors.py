"""Whether a version of node is one that a runner asks for, by its major version."""

from __future__ import annotations

import pytest

from code_adapter.testing.node_suites import suits


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ("^18.18.0 || ^20.9.0 || >=21.1.0", "24.22.3", True),
        ("^18.18.0 || ^20.9.0 || >=21.1.0", "20.19.2", True),
        ("^18.18.0 || ^20.9.0 || >=21.1.0", "19.0.0", False),
        (">=98", "24.1.0", False),
        ("18.x", "18.2.0", True),
        ("*", "24.1.0", False),
        (">=12 <16", "24.1.0", False),
        (">=12", "", False),
    ],
)
def test_a_major_version_suits(wanted: str, found: str, *, expected: bool) -> None:
    assert suits(wanted, found) is expected
