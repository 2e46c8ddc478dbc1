"""The address of the documentation: nothing unless the environment names it, and only a plain one."""

from __future__ import annotations

import pytest

from verigate.cli.documentation_site import find_documentation


def test_nothing_is_linked_unless_an_address_is_named() -> None:
    assert find_documentation({}) == ""
    assert find_documentation({"GATE_DOCS_URL": ""}) == ""


@pytest.mark.parametrize("url", ["https://docs.example/verigate/", "http://127.0.0.1:8000", "https://docs.example"])
def test_a_plain_address_is_linked(url: str) -> None:
    assert find_documentation({"GATE_DOCS_URL": url}) == url


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://a@evil.example", "https://x/)[y](z", "docs.example"])
def test_what_is_no_plain_address_is_left_out_with_a_warning(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_documentation({"GATE_DOCS_URL": url}) == ""
    assert "GATE_DOCS_URL must be http(s)://HOST" in capsys.readouterr().err
