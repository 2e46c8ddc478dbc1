"""Ranges of versions as npm reads them."""

from __future__ import annotations

import pytest

from verigate.formats.npm_range import admits

VITEST = "^20.19.0 || ^22.12.0 || >=24.0.0"


@pytest.mark.parametrize(
    ("wanted", "inside", "outside"),
    [
        (VITEST, "20.19.2 v22.12.0 24.0.0 25.1.0", "18.20.1 20.18.9 21.7.0 22.11.9 23.9.0"),
        ("^22.12.0||>=24", "22.12.0 24.0.0", "20.19.2 23.0.0"),
        (">=18", "18.0.0 20.1.2", "17.9.9"),
        (">= 10.13.0 < 13 || >=14", "10.13.0 12.9.9 14.0.0", "10.12.0 13.0.0"),
        ("14 || 16.x || 18.*", "14.9.1 16.0.0 18.7.3", "15.0.0 17.1.1 19.0.0"),
        ("14.5 - 16", "14.5.0 16.20.2", "14.4.9 17.0.0"),
        ("~18.2", "18.2.9", "18.3.0 18.1.0"),
        ("~18", "18.9.0", "19.0.0"),
        ("18.2.1", "18.2.1", "18.2.2"),
        ("=18.2.1", "18.2.1", "18.2.0"),
        (">18", "19.0.0", "18.99.0"),
        (">18.1.0", "18.1.1", "18.1.0"),
        ("<=18.1", "18.1.9", "18.2.0"),
        ("^0.10.0", "0.10.9", "0.11.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^0", "0.9.0", "1.0.0"),
        ("*", "1.0.0 99.0.0", ""),
        ("", "1.0.0", ""),
        ("<*", "", "1.0.0"),
    ],
)
def test_what_is_inside_and_outside(wanted: str, inside: str, outside: str) -> None:
    assert {version: admits(wanted, version) for version in inside.split()} == dict.fromkeys(inside.split(), True)
    assert {version: admits(wanted, version) for version in outside.split()} == dict.fromkeys(outside.split(), False)


@pytest.mark.parametrize(
    ("wanted", "version"),
    [
        ("lts/*", "20.1.0"),
        (">=20.0.0-rc.1", "20.1.0"),
        (">=", "20.1.0"),
        ("20;rm", "20.1.0"),
        ("x.1", "20.1.0"),
        ("1" * 2000, "20.1.0"),
        ("^20 || node", "18.0.0"),
        (">=18", "20.0.0-nightly"),
        (">=18", ""),
        (">=18", "18"),
    ],
)
def test_what_can_not_be_read_is_undecided(wanted: str, version: str) -> None:
    assert admits(wanted, version) is None
