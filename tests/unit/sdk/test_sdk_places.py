from __future__ import annotations

from typing import Any

import pytest

from verigate.sdk.scopes import CommittedScope, read_committed_scope


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"files": ["./a.md", "docs/*.md"]}, (("./a.md", "docs/*.md"), "")),
        ({"files": ["a", 1, None], "target_directory": "./docs/"}, (("a",), "./docs/")),
        ({"target_directory": "docs"}, ((), "docs")),
        ({"files": ["a"], "target_directory": ".."}, (("a",), "")),
        ({"files": [], "target_directory": "docs/.."}, None),
        *(({"target_directory": folder}, None) for folder in ("", ".", "./", "/", "../x", "a/../../x", None, 1)),
        ({"files": "a.md"}, None),
        ({}, None),
        ("docs", None),
        (None, None),
    ],
)
def test_a_scope_is_what_it_names_inside_the_repository(scope: Any, expected: tuple[Any, str] | None) -> None:
    found = read_committed_scope({"commitments": {"scope": scope}})
    assert found == (None if expected is None else CommittedScope(*expected))


@pytest.mark.parametrize("commitment", [{}, {"commitments": None}, {"commitments": []}])
def test_without_a_scope_nothing_is_named(commitment: dict[str, Any]) -> None:
    assert read_committed_scope(commitment) is None
