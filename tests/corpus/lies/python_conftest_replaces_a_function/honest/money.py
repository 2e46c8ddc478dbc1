from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def to_cents(text):
    return int(Decimal(text).quantize(CENT, ROUND_HALF_UP) / CENT)
