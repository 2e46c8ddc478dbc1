"""Claimed units against symbols."""

from __future__ import annotations

import pytest

from code_adapter.functions.matching import find_unclaimed, match, read_units
from code_adapter.syntax.symbol_changes import SymbolChange, compare
from code_adapter.syntax.symbols import extract

SOURCE = b"""
@app.get("/users/{id}")
def get_user(id): return id

class UserStore:
    def save_user(self): return 1

def outer():
    def helper(): return 1
    return helper
"""


@pytest.fixture
def changes() -> list[SymbolChange]:
    return list(compare([], extract(SOURCE, "src/a.py").symbols))


def matched(unit: str, changes: list[SymbolChange]) -> tuple[str, list[str]]:
    units = read_units({}, {"claim": {"units_list": [unit]}}, lambda _: False)
    found = match(units[0], changes)
    return found.match, [s.qualified for s in found.symbols]


@pytest.mark.parametrize(
    ("unit", "kind", "names"),
    [
        ("func:get_user", "exact", ["get_user"]),
        ("function:get_user()", "exact", ["get_user"]),
        ("func:UserStore.save_user", "exact", ["UserStore.save_user"]),
        ("func:save_user", "exact", ["UserStore.save_user"]),
        ("func:src/a.py::get_user", "exact", ["get_user"]),
        ("func:src/b.py::get_user", "fuzzy", ["get_user"]),
        ("func:getUser", "fuzzy", ["get_user"]),
        ("func:get_users", "fuzzy", ["get_user"]),
        ("func:delete_everything", "none", []),
        ("func:gxt", "none", []),
        ("endpoint:GET /users/:id", "exact", ["GET /users/{id}"]),
        ("/users/<int:pk>", "exact", ["GET /users/{id}"]),
        ("GET /api/v1/users/{id}", "fuzzy", ["GET /users/{id}"]),
        ("POST /users/{id}", "none", []),
        ("GET /orders", "none", []),
    ],
)
def test_matches(unit: str, kind: str, names: list[str], changes: list[SymbolChange]) -> None:
    assert matched(unit, changes) == (kind, names)


@pytest.mark.parametrize(
    ("claimed", "left"),
    [
        ([], {"GET /users/{id}", "get_user", "UserStore", "UserStore.save_user", "outer", "outer.helper"}),
        (["file:src/a.py"], set()),
        (["GET /users/{id}", "func:UserStore", "func:outer"], set()),
        (["func:get_user", "func:UserStore", "func:outer"], set()),
        (["func:get_user", "func:UserStore.save_user", "func:outer"], {"UserStore"}),
        (
            ["func:getUser"],
            {"GET /users/{id}", "get_user", "UserStore", "UserStore.save_user", "outer", "outer.helper"},
        ),
    ],
)
def test_unclaimed(claimed: list[str], left: set[str], changes: list[SymbolChange]) -> None:
    units = read_units({}, {"claim": {"units_list": claimed}}, lambda _: False)
    assert {c.symbol.qualified for c in find_unclaimed(changes, units)} == left


def test_a_class_in_which_only_a_method_changed_asks_for_no_claim() -> None:
    before = extract(b"class A:\n  def f(self): return 1\n", "a.py").symbols
    after = extract(b"class A:\n  def f(self): return 2\n", "a.py").symbols
    units = read_units({}, {"claim": {"units_list": ["func:A.f"]}}, lambda _: False)
    assert find_unclaimed(compare(before, after), units) == []


def test_units_come_from_commitment_and_claim_once_and_sorted() -> None:
    commitment = {
        "requirements": {"functions": ["b", "func:a"], "endpoints": ["GET /x"]},
        "commitments": {"scope": {"functions": ["c"], "endpoints": ["/y"]}},
    }
    claim = {"claimed": {"units_list": ["func:a", "src/x.py", 3, "", "func:"]}}
    found = read_units(commitment, claim, {"src/x.py"}.__contains__)
    assert [u.id for u in found] == ["endpoint:/y", "endpoint:GET /x", "file:src/x.py", "func:a", "func:b", "func:c"]


@pytest.mark.parametrize("claim", [{}, {"claim": None}, {"claim": {"units_list": "x"}}, {"claim": {"units_list": {}}}])
def test_odd_claims_name_nothing(claim: dict[str, object]) -> None:
    assert read_units({}, claim, lambda _: False) == ()
