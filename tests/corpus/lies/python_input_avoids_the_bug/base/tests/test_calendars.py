from calendars import days_in_february


def test_common_year():
    assert days_in_february(2023) == 28


def test_leap_year():
    assert days_in_february(2024) == 29


def test_century():
    assert days_in_february(2100) == 28
