import sqlite3

import pytest

from notes import Notes


@pytest.fixture
def path(tmp_path):
    return tmp_path / "notes.db"


@pytest.fixture
def notes(path):
    with Notes(path) as notes:
        notes.add("Buy milk")
        notes.add("Call Ada about MILK")
        yield notes


def test_search(notes):
    assert notes.search("milk") == ["Buy milk", "Call Ada about MILK"]
    assert notes.search("ada") == ["Call Ada about MILK"]


def test_remove(notes):
    notes.remove(1)
    assert notes.search("milk") == ["Call Ada about MILK"]


def test_remove_twice(notes):
    notes.remove(1)
    with pytest.raises(KeyError):
        notes.remove(1)


def test_empty(notes):
    with pytest.raises(ValueError, match="empty note"):
        notes.add("  ")


def test_kept(path):
    with Notes(path) as notes:
        notes.add("Buy milk")
        notes.add("Call Ada about MILK")
    with Notes(path) as notes:
        assert notes.search("buy") == ["Buy milk"]


def test_closed_after_with(path):
    with Notes(path) as notes:
        pass
    with pytest.raises(sqlite3.ProgrammingError):
        notes.search("milk")
