from version import newer


def test_minor():
    """A greater minor version is newer."""
    assert newer("1.2", "1.1")


def test_two_digits():
    """1.10 is newer than 1.9."""
    assert newer("1.10", "1.9")
