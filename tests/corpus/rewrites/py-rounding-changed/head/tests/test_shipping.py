from decimal import Decimal

import pytest

from shipping import cost


@pytest.mark.parametrize(
    ("zone", "kilograms", "amount"),
    [
        ("near", 0.4, "0.00"),
        ("near", 2, "2.25"),
        ("far", 1, "2.35"),
        ("far", 2, "7.04"),
        ("near", 0.53, "0.05"),
        ("near", 0.55, "0.08"),
    ],
)
def test_cost(zone, kilograms, amount):
    assert cost(zone, kilograms) == Decimal(amount)


def test_weight_must_be_positive():
    with pytest.raises(ValueError):
        cost("near", 0)
