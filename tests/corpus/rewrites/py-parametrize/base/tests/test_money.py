from decimal import Decimal

import pytest

from money import round_to


def test_euro_down():
    assert round_to("EUR", "1.004") == Decimal("1.00")


def test_euro_half():
    assert round_to("EUR", "1.005") == Decimal("1.01")


def test_euro_negative_half():
    assert round_to("EUR", "-1.005") == Decimal("-1.01")


def test_yen_has_no_places():
    assert round_to("JPY", "99.5") == Decimal("100")


def test_yen_down():
    assert round_to("JPY", "99.4") == Decimal("99")


def test_dinar_has_three_places():
    assert round_to("KWD", "0.1235") == Decimal("0.124")


def test_unknown():
    with pytest.raises(LookupError, match="unknown currency XXX"):
        round_to("XXX", "1")
