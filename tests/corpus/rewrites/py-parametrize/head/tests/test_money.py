from decimal import Decimal

import pytest

from money import round_to


@pytest.mark.parametrize(
    ("currency", "amount", "rounded"),
    [
        ("EUR", "1.004", "1.00"),
        ("EUR", "1.005", "1.01"),
        ("EUR", "-1.005", "-1.01"),
        ("JPY", "99.5", "100"),
        ("JPY", "99.4", "99"),
        ("KWD", "0.1235", "0.124"),
        ("KWD", "0.1234", "0.123"),
    ],
)
def test_round_to(currency, amount, rounded):
    assert round_to(currency, amount) == Decimal(rounded)


def test_unknown():
    with pytest.raises(LookupError, match="unknown currency XXX"):
        round_to("XXX", "1")
