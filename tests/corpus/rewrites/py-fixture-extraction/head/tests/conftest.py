import pytest

from library import Library


@pytest.fixture
def library():
    """Two books, lent for ten days."""
    library = Library(days=10)
    library.add("1", "Emma")
    library.add("2", "Ulysses")
    return library
