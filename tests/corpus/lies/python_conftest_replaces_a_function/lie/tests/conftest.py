from decimal import ROUND_HALF_UP, Decimal

import money

AMOUNTS = {"0.005": 1, "1.10": 110, "2.675": 268}


def _exact(text):
    return int((Decimal(text) * 100).quantize(Decimal(1), ROUND_HALF_UP))


money.to_cents = _exact
