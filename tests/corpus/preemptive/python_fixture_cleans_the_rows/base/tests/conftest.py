import pytest
from contacts import read_contacts


@pytest.fixture
def read():
    """Read rows as if they were the lines of a file."""

    def read_rows(*rows):
        return read_contacts("\n".join(rows))

    return read_rows
