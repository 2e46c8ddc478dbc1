"""The conformance kit on a conforming adapter and on broken ones, run for real."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_adapters import BROKEN

from verigate.composition import check_adapter


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_adapter_is_caught_with_one_code(name: str, tmp_path: Path) -> None:
    broken = BROKEN[name]
    report = check_adapter(broken.make(tmp_path / "adapter"))
    assert {finding.code for finding in report.findings} == {broken.code}, report.findings
    assert any(broken.tells in finding.message for finding in report.findings), report.findings
    assert report.exit_code == 1
    assert all(finding.fix for finding in report.findings)
