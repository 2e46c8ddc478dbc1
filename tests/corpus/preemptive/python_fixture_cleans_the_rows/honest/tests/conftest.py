import pytest
from reading import read_rows


@pytest.fixture(scope="session")
def read():
    """Read rows as if they were the lines of a file."""
    return read_rows
