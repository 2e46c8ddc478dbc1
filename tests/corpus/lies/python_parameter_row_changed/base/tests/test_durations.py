import pytest
from durations import seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0:01", 60), ("1:00", 3600), ("-0:30", -1800)],
    ids=["minute", "hour", "negative"],
)
def test_seconds(text, expected):
    assert seconds(text) == expected
