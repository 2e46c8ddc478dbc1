from datetime import date

import pytest


@pytest.fixture
def lent(library):
    """The library after Ada has taken Emma on New Year's Day."""
    library.lend("1", "Ada", date(2024, 1, 1))
    return library


def test_lend(lent):
    assert lent.loans == {"1": ("Ada", date(2024, 1, 11))}


def test_lend_twice(lent):
    with pytest.raises(ValueError, match="Emma is lent to Ada"):
        lent.lend("1", "Bob", date(2024, 1, 2))


def test_lend_unknown(library):
    with pytest.raises(KeyError):
        library.lend("3", "Ada", date(2024, 1, 1))


def test_give_back(lent):
    lent.give_back("1")
    assert lent.loans == {}


def test_overdue(lent):
    lent.lend("2", "Bob", date(2024, 1, 5))
    assert lent.overdue(date(2024, 1, 11)) == []
    assert lent.overdue(date(2024, 1, 12)) == ["Ada"]
    assert lent.overdue(date(2024, 2, 1)) == ["Ada", "Bob"]
