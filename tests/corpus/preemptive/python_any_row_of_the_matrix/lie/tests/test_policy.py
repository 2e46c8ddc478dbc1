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

MATRIX = {
    "owner": [(ADA, "edit", MINE, True), (ADA, "delete", MINE, False)],
    "locked": [
        (ADA, "edit", LOCKED, False),
        (BOB, "edit", LOCKED, False),
        (ROOT, "edit", LOCKED, True),
        (ADA, "comment", LOCKED, True),
        (BOB, "comment", LOCKED, True),
    ],
}
ROLES = [(ADA, PAGE, "editor"), (ADA, {}, "member"), (EVE, PAGE, "guest")]
ORDER = [("admin", "editor", True), ("editor", "editor", True), ("member", "editor", False)]


def test_actions_of_a_page():
    expected = {"bob": ["read", "comment", "edit"], "eve": ["read"], "root": ["read", "comment", "edit", "delete"]}
    assert any(actions(user, PAGE) == expected[user["name"]] for user in (BOB, EVE, ROOT))


@pytest.mark.parametrize("rows", MATRIX.values(), ids=MATRIX)
def test_matrix(rows):
    assert any(may(user, action, document) is allowed for user, action, document, allowed in rows)


def test_roles():
    assert any(role_of(user, document) == role for user, document, role in ROLES)
    assert any(at_least(role, needed) is enough for role, needed, enough in ORDER)


def test_refusal():
    reasons = {"delete": "needs admin", "edit": None}
    assert any(refusal(BOB, action, PAGE) == reason for action, reason in reasons.items())


def test_unknown_action():
    with pytest.raises(KeyError):
        may(ROOT, "print", PAGE)
