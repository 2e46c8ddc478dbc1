import datetime

import pytest

import people

TODAY = datetime.date(2024, 2, 28)


def test_before_the_birthday():
    assert people.age(datetime.date(2000, 2, 29), TODAY) == 23


def test_on_the_birthday():
    assert people.age(datetime.date(2000, 2, 28), TODAY) == 24


def test_newborn():
    assert people.age(datetime.date(2024, 2, 28), TODAY) == 0


def test_future():
    with pytest.raises(ValueError, match="not born yet"):
        people.age(datetime.date(2024, 2, 29), TODAY)


def test_of_age():
    assert people.of_age(datetime.date(2006, 2, 28), today=TODAY) is True
    assert people.of_age(datetime.date(2006, 3, 1), today=TODAY) is False
    assert people.of_age(datetime.date(2006, 3, 1), limit=17, today=TODAY) is True


def test_today_is_today_by_default():
    assert people.age(datetime.date.today()) == 0
    with pytest.raises(ValueError):
        people.age(datetime.date.today() + datetime.timedelta(days=2))
