import money
import pytest


@pytest.mark.parametrize(("text", "cents"), [("0.005", 1), ("1.10", 110), ("2.675", 268)])
def test_cents(text, cents):
    assert money.to_cents(text) == cents
