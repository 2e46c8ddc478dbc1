import clock
from distance import kilometres


def test_marathon():
    assert round(kilometres(26.2188), 3) == 42.195


def test_clock_is_a_double():
    assert clock.NOW == 1000
