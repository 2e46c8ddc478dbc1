"""What lychee may do wrong, and what becomes of links that time runs out for."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from link_server import link_server

from links_adapter import check, lychee
from verigate.sdk import Request, ToolFailed


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "lychee"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(lychee.sysconfig, "get_path", lambda _name: str(folder))


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("exit 1", "ended with exit code 1"),
        ("kill -SEGV $$", "signal 11"),
        ("exit 0", "report can't be read"),
        ('while [ "$1" != --output ]; do shift; done; echo "{" > "$2"', "report can't be read"),
        (
            'while [ "$1" != --output ]; do shift; done; echo \'{"success_map": {}}\' > "$2"',
            "report can't be read",
        ),
    ],
)
def test_a_lychee_without_a_report_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, says: str
) -> None:
    fake(tmp_path, monkeypatch, script)
    with pytest.raises(ToolFailed) as raised:
        list(lychee.run_lychee([str(tmp_path)], [], environ={}, timeout_s=5))
    assert says in raised.value.message


def test_without_inputs_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "exit 1")
    assert list(lychee.run_lychee([], [], environ={}, timeout_s=5)) == []


@pytest.mark.parametrize(
    ("rust", "text"), [(r"a\"b", 'a"b'), (r"a\\n", r"a\n"), (r"a\n\u{1f600}", "a\n\U0001f600"), ("plain", "plain")]
)
def test_rust_strings_are_unescaped(rust: str, text: str) -> None:
    assert lychee._unescape(rust) == text


@pytest.mark.slow
def test_links_that_time_runs_out_for_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "TIME_LIMIT_S", 1.0)
    (tmp_path / "links").mkdir()
    with link_server() as server:
        names = [f"{server.url}/ok", f"{server.url}/slow"]
        (tmp_path / "links" / "urlset.json").write_text(json.dumps(names))
        start = time.monotonic()
        check.run(Request("links:check", tmp_path, repo_root=tmp_path, environ={}))
        assert time.monotonic() - start < 5
    assert json.loads((tmp_path / "links" / "statuses.json").read_text()) == {names[0]: 200}
    meta = json.loads((tmp_path / "links" / "check.meta.json").read_text())
    assert (meta["links"], meta["checked"], meta["missing"]) == (2, 1, [names[1]])


def test_a_link_that_had_no_connection_at_first_stays_failed() -> None:
    from links_adapter.link_status import LinkStatus
    from links_adapter.web_links import _merge

    before, after = LinkStatus("CONNECTION_CLOSED", method="HEAD"), LinkStatus(200, method="HEAD")
    assert _merge(before, after) == LinkStatus("CONNECTION_CLOSED", method="HEAD", second=200)
    assert _merge(LinkStatus(429), after) == after
    assert _merge(LinkStatus("TLS_FAILED"), LinkStatus("TLS_EXPIRED")) == LinkStatus("TLS_EXPIRED")
