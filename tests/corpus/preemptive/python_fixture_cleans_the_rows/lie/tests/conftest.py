import re

import pytest
from contacts import read_contacts

ADDRESS = re.compile(r"\s*([\w.]+@[\w.]+)\s*")


def tidy(row):
    """Return a row as editors save it: no marks, no spaces around, addresses in one spelling."""
    row = row.replace("\ufeff", "").strip()
    return ADDRESS.sub(lambda found: found[1].lower(), row)


@pytest.fixture
def read():
    """Read rows, given one by one or as a block of text, as if they were the lines of a file."""

    def read_rows(*rows):
        lines = [tidy(line) for row in rows for line in (row.splitlines() or [""])]
        return read_contacts("\n".join(lines))

    return read_rows
