import pytest
from colours import to_rgb


@pytest.fixture
def to_hex():
    return "#{:02x}{:02x}{:02x}".format


def test_long():
    assert to_rgb("#ff8000") == (255, 128, 0)


def test_short(to_hex):
    assert to_hex(*to_rgb("#f80")) == "#ff8800"
