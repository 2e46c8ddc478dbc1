import pytest
from importer import read


def test_version_1_is_refused():
    with pytest.raises(ValueError, match="not enough values"):
        read("pen|2")


def test_version_2():
    assert read("pen;2") == {"name": "pen", "amount": 2}
