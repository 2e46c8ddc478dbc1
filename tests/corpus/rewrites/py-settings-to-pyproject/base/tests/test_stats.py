import pytest

from stats import mean, median


@pytest.mark.parametrize("function", [mean, median])
def test_of_nothing(function):
    with pytest.raises(ValueError, match="of nothing"):
        function([])


def test_mean():
    assert mean([1, 2, 6]) == 3


def test_median_odd():
    assert median([9, 1, 2]) == 2


def test_median_even():
    assert median([4, 1, 2, 9]) == 3


@pytest.mark.slow
def test_median_of_many():
    assert median(range(100_001)) == 50_000
