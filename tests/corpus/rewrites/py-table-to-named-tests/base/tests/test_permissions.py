import pytest

from wiki.permissions import may_edit

CASES = [
    ("admin", True, False, True),
    ("admin", False, False, True),
    ("editor", True, True, False),
    ("editor", False, False, True),
    ("author", False, True, True),
    ("author", False, False, False),
    ("author", True, True, False),
    ("reader", False, True, False),
]


@pytest.mark.parametrize("role,locked,own,expected", CASES)
def test_may_edit(role, locked, own, expected):
    assert may_edit(role, locked=locked, own=own) is expected
