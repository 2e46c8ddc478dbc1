"""What of a rate limit's headers is a fact, and what only a measurement."""

from __future__ import annotations

import pytest

from api_adapter.rate_limits import _HEADER, _strip_changing

HEADERS = [
    ("ratelimit", '"default";r=50;t=30', '"default"'),
    ("ratelimit", '"a";r=1, "b";r=2;t=9', '"a", "b"'),
    ("ratelimit-policy", '"default";q=100;w=60', '"default";q=100;w=60'),
    ("ratelimit-limit", "100", "100"),
    ("ratelimit-remaining", "99", ""),
    ("x-ratelimit-limit", "60", "60"),
    ("x-ratelimit-reset", "1372700873", ""),
    ("x-ratelimit-used", "3", ""),
    ("x-rate-limit-limit", "60", "60"),
    ("x-rate-limit-remaining", "59", ""),
    ("retry-after", "120", ""),
]


@pytest.mark.parametrize(("name", "value", "kept"), HEADERS)
def test_limits_last_and_counts_move(name: str, value: str, kept: str) -> None:
    assert _HEADER.fullmatch(name)
    assert _strip_changing(name, value) == kept


@pytest.mark.parametrize("name", ["x-request-id", "etag", "x-ratelimited", "date"])
def test_other_headers_tell_of_no_limit(name: str) -> None:
    assert not _HEADER.fullmatch(name)
