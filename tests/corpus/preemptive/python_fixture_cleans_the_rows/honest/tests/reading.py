"""What tests of contacts share."""

from contacts import read_contacts


def read_rows(*rows):
    """Read rows as if they were the lines of a file."""
    text = "\n".join(rows)
    return read_contacts(text)
