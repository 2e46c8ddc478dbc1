"""The address of a task's page: a link to http or https, whatever the variables hold, in each format for people."""

from __future__ import annotations

from pathlib import Path

import literal_facts as literal
import pytest

from verigate.cli.server_page import find_page
from verigate.gate.decision import decide_verdict
from verigate.reporting.formats import TextStyle, render
from verigate.reporting.report import Report

SERVER = "https://gate.example.com:8443/verigate/"
PAGE = "https://gate.example.com:8443/verigate/t/shop/T1"


@pytest.mark.parametrize(
    ("url", "name", "wanted"),
    [
        (SERVER, "", PAGE),
        ("http://127.0.0.1:8642", "", "http://127.0.0.1:8642/t/shop/T1"),
        ("http://[::1]:8642", "", "http://[::1]:8642/t/shop/T1"),
        ("https://gate.example.com", "shop-0123456789ab", "https://gate.example.com/t/shop-0123456789ab/T1"),
        ("", "", ""),
        ("", "name", ""),
        ("https://gate.example.com", "../evil", ""),
        ("https://gate.example.com", "a" * 81, ""),
        *(
            (url, "", "")
            for url in (
                "javascript:alert(1)",
                "JAVASCRIPT://x",
                "data:text/html,x",
                "file:///etc/passwd",
                "ftp://host",
                "//host",
                "host",
                "https://",
                "https://a@evil.example",
                "https://host/?q=1",
                "https://host/#a",
                "https://host/)[x](javascript:alert(1)",
                'https://host/"onclick="alert(1)',
                "https://host/<script>",
                "https://host/a b",
                "https://host/\x1b[31m",
                "https://host/\u202e",
                "https://höst",
                "https://host\n",
                "https://host/%0a",
                "https://" + "a" * 600,
            )
        ),
    ],
)
def test_only_a_plain_address_is_linked(tmp_path: Path, url: str, name: str, wanted: str) -> None:
    environ = {"GATE_SERVER_URL": url, "GATE_SERVER_REPOSITORY": name}
    assert find_page(tmp_path / "shop", "T1", environ) == wanted


def test_formats_for_people_have_the_link_and_the_verdict_doesnt() -> None:
    verdict = decide_verdict(literal.facts({"tests_pass": True}, {"tests.json": literal.BAD["tests.json"]}))
    look = TextStyle(colour=False, width=60, verbose=False)

    def show(kind: str, page: str) -> str:
        return render(kind, Report(verdict, page=page), look)

    assert f"[all of it on the server]({PAGE})" in show("markdown", PAGE)
    assert f'<a href="{PAGE}"><code>{PAGE}</code></a>' in show("html", PAGE)
    assert f"  {PAGE}\n" in show("text", PAGE)
    for kind in ("markdown", "html", "text"):
        assert "https://gate.example.com" not in show(kind, "")
    for kind in ("json", "junit", "sarif"):
        assert show(kind, PAGE) == show(kind, "")
