"""What works on another capability's artifact doesn't run where that was refused, also if it declares no needs."""

from __future__ import annotations

from pathlib import Path

from repositories import Repository

_TWICE = """#!/bin/sh
mkdir -p "$3/links" && echo '["https://a.example/", "https://a.example/"]' > "$3/links/urlset.json"
"""
_CHECK = """#!/bin/sh
mkdir -p "$3/links" && echo '{"https://a.example/": 200}' > "$3/links/statuses.json"
"""


def test_a_check_of_links_needs_the_links(tmp_path: Path) -> None:
    repository = Repository.make(tmp_path)
    repository.adapter("finder", "links:discover", _TWICE)
    repository.adapter("checker", "links:check", _CHECK)
    repository.policy(["code:diff", "links:discover", "links:check"], {"links_min": 1})
    repository.commit()
    repository.task(type_="change")
    repository.write({"README.md": "new\n"})
    ended = repository.verify()
    assert ended.exit_code == 3, str(ended)
    refused, skipped = (ended.check(f"capability:links:{name}") for name in ("discover", "check"))
    assert refused is not None
    assert skipped is not None
    assert refused["reason"] == "ARTIFACT_INVALID"
    assert "skipped: it needs links:discover" in skipped["message"]


def test_a_list_in_another_order_is_sorted(tmp_path: Path) -> None:
    repository = Repository.make(tmp_path)
    repository.adapter("finder", "links:discover", _TWICE.replace('"https://a.example/", ', '"https://b.example/", '))
    repository.policy(["code:diff", "links:discover"], {"links_min": 2})
    repository.commit()
    repository.task(type_="change")
    repository.claim(type_="change")
    repository.write({"README.md": "new\n"})
    ended = repository.verify()
    assert ended.exit_code == 0, str(ended)
    assert repository.artifact("links/urlset.json").read_text().index("a.example") < 20
