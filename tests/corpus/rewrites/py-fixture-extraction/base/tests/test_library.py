from datetime import date

import pytest

from library import Library


def test_lend():
    library = Library(days=10)
    library.add("1", "Emma")
    library.add("2", "Ulysses")
    library.lend("1", "Ada", date(2024, 1, 1))
    assert library.loans == {"1": ("Ada", date(2024, 1, 11))}


def test_lend_twice():
    library = Library(days=10)
    library.add("1", "Emma")
    library.add("2", "Ulysses")
    library.lend("1", "Ada", date(2024, 1, 1))
    with pytest.raises(ValueError, match="Emma is lent to Ada"):
        library.lend("1", "Bob", date(2024, 1, 2))


def test_lend_unknown():
    library = Library(days=10)
    library.add("1", "Emma")
    with pytest.raises(KeyError):
        library.lend("3", "Ada", date(2024, 1, 1))


def test_give_back():
    library = Library(days=10)
    library.add("1", "Emma")
    library.lend("1", "Ada", date(2024, 1, 1))
    library.give_back("1")
    assert library.loans == {}


def test_overdue():
    library = Library(days=10)
    library.add("1", "Emma")
    library.add("2", "Ulysses")
    library.lend("1", "Ada", date(2024, 1, 1))
    library.lend("2", "Bob", date(2024, 1, 5))
    assert library.overdue(date(2024, 1, 11)) == []
    assert library.overdue(date(2024, 1, 12)) == ["Ada"]
    assert library.overdue(date(2024, 2, 1)) == ["Ada", "Bob"]
