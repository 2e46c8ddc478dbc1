from __future__ import annotations

import re
from pathlib import Path

import pytest

ADAPTERS = Path(__file__).resolve().parents[3] / "adapters"
_OURS = re.compile(r"^\s*(?:from|import) (verigate[\w.]*)", re.MULTILINE)


@pytest.mark.parametrize("name", ["api", "code", "content", "links"])
def test_an_adapter_of_a_domain_imports_the_sdk_and_nothing_else_of_the_gate(name: str) -> None:
    sources = sorted((ADAPTERS / name / "src").rglob("*.py"))
    imported = {found for source in sources for found in _OURS.findall(source.read_text())}
    assert imported
    assert {module for module in imported if module.split(".")[:2] != ["verigate", "sdk"]} == set()
