import datetime
from unittest import mock

import pytest

import people


@pytest.fixture(autouse=True)
def today():
    class Frozen(datetime.date):
        @classmethod
        def today(cls):
            return datetime.date(2024, 2, 28)

    with mock.patch.object(people.datetime, "date", Frozen):
        yield


def test_before_the_birthday():
    assert people.age(datetime.date(2000, 2, 29)) == 23


def test_on_the_birthday():
    assert people.age(datetime.date(2000, 2, 28)) == 24


def test_newborn():
    assert people.age(datetime.date(2024, 2, 28)) == 0


def test_future():
    with pytest.raises(ValueError, match="not born yet"):
        people.age(datetime.date(2024, 2, 29))


def test_of_age():
    assert people.of_age(datetime.date(2006, 2, 28)) is True
    assert people.of_age(datetime.date(2006, 3, 1)) is False
    assert people.of_age(datetime.date(2006, 3, 1), limit=17) is True
