import pytest
from policy import actions, may, refusal
from roles import at_least, role_of

ADA = {"name": "ada", "role": "member", "teams": ["docs"]}
BOB = {"name": "bob", "role": "editor"}
EVE = {"name": "eve", "role": "admin", "suspended": True}
ROOT = {"name": "root", "role": "admin"}
PAGE = {"owner": "ada", "teams": {"docs": "editor"}}
LOCKED = {"owner": "ada", "locked": True}


def test_actions_of_a_page():
    found = [actions(user, PAGE) for user in (BOB, EVE, ROOT)]
    assert found == [["read", "comment", "edit"], ["read"], ["read", "comment", "edit", "delete"]]


def test_owner_edits_and_does_not_delete():
    assert may(ADA, "edit", {"owner": "ada"})
    assert not may(ADA, "delete", {"owner": "ada"})


def test_locked_pages_are_for_admins():
    assert [may(user, "edit", LOCKED) for user in (ADA, BOB, ROOT)] == [False, False, True]
    assert [may(user, "comment", LOCKED) for user in (ADA, BOB, ROOT)] == [True, True, True]


def test_role_of_a_team_counts():
    assert role_of(ADA, PAGE) == "editor"
    assert role_of(ADA, {}) == "member"
    assert role_of(EVE, PAGE) == "guest"


def test_order_of_roles():
    assert at_least("admin", "editor")
    assert at_least("editor", "editor")
    assert not at_least("member", "editor")


def test_refusal():
    assert refusal(BOB, "delete", PAGE) == "needs admin"
    assert refusal(BOB, "edit", LOCKED) == "the document is locked"
    assert refusal(BOB, "edit", PAGE) is None


def test_unknown_action():
    with pytest.raises(KeyError):
        may(ROOT, "print", PAGE)
