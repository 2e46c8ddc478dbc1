import pytest
from pricing import discounted


def test_discount():
    assert discounted(80.0, 25) == pytest.approx(60.0)


def test_discount_then_tax():
    assert discounted(100.0, 10, tax=0.2) == pytest.approx(108.0, rel=1e-9)
