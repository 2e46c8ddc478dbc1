import pytest
from policy import actions, may, refusal
from roles import at_least, role_of

ADA = {"name": "ada", "role": "member", "teams": ["docs"]}
BOB = {"name": "bob", "role": "editor"}
EVE = {"name": "eve", "role": "admin", "suspended": True}
ROOT = {"name": "root", "role": "admin"}
PAGE = {"owner": "ada", "teams": {"docs": "editor"}}
LOCKED = {"owner": "ada", "locked": True}
MINE = {"owner": "ada"}

MATRIX = [
    (ADA, "edit", MINE, True),
    (ADA, "delete", MINE, False),
    (ADA, "edit", LOCKED, False),
    (BOB, "edit", LOCKED, False),
    (ROOT, "edit", LOCKED, True),
    (ADA, "comment", LOCKED, True),
    (BOB, "comment", LOCKED, True),
    (ROOT, "comment", LOCKED, True),
]
ACTIONS = [
    (BOB, ["read", "comment", "edit"]),
    (EVE, ["read"]),
    (ROOT, ["read", "comment", "edit", "delete"]),
]


@pytest.mark.parametrize(("user", "expected"), ACTIONS)
def test_actions_of_a_page(user, expected):
    assert actions(user, PAGE) == expected


@pytest.mark.parametrize(("user", "action", "document", "allowed"), MATRIX)
def test_matrix(user, action, document, allowed):
    assert may(user, action, document) is allowed


@pytest.mark.parametrize(("user", "document", "role"), [(ADA, PAGE, "editor"), (ADA, {}, "member"), (EVE, PAGE, "guest")])
def test_role_of_a_team_counts(user, document, role):
    assert role_of(user, document) == role


@pytest.mark.parametrize(("role", "enough"), [("admin", True), ("editor", True), ("member", False)])
def test_order_of_roles(role, enough):
    assert at_least(role, "editor") is enough


def test_refusal():
    assert refusal(BOB, "delete", PAGE) == "needs admin"
    assert refusal(BOB, "edit", LOCKED) == "the document is locked"
    assert refusal(BOB, "edit", PAGE) is None


def test_unknown_action():
    with pytest.raises(KeyError):
        may(ROOT, "print", PAGE)
