import pytest

from worktime import durations


def test_parse_sums_all_units():
    assert durations.parse("1h 30m 5s") == 5405


def test_parse_refuses_plain_numbers():
    with pytest.raises(ValueError, match="not a duration: '90'"):
        durations.parse("90")


def test_show_leaves_out_empty_units():
    assert durations.show(3605) == "1h 5s"
    assert durations.show(0) == "0s"
