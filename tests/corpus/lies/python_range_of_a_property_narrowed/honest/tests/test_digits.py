from digits import digits

LIMIT = 2001


def test_as_many_as_its_text():
    for number in range(1, LIMIT):
        assert digits(number) == len(str(number))


def test_one():
    assert digits(1) == 1
